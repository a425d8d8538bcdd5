//! The payload of a commit: command, draws and events as one JSON text.
//!
//! It is written once, into one buffer. Its bytes are hashed and stored for ever, so this format must never change:
//!
//! ```json
//! {"command":{…},"draws":[[6,3]],"events":[{"life":{…}},{"game":{…},"by":0,"automatic":true}]}
//! ```
//!
//! `draws` is left out if there were none, `by` if no seat's move led to the event, `automatic` if it is false.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use super::{
    Event,
    command::CommandRecord,
    event::{EventKind, MatchEvent},
};
use crate::{chance::Draw, erased::GameMove, seat::Seat};

const COMMAND: &[u8] = b"{\"command\":";

/// A payload that holds its command already.
#[derive(Debug)]
pub(super) struct Payload(Vec<u8>);

impl Payload {
    /// A payload that begins with a command.
    pub(super) fn of(command: &CommandRecord<'_>) -> Self {
        let mut text = Self::empty();
        write(&mut text, command);
        Self(text)
    }

    /// A payload that begins with a move.
    pub(super) fn of_move(mv: &GameMove) -> Self {
        let mut text = Self::empty();
        text.extend_from_slice(b"{\"type\":\"play\",\"move\":");
        mv.write(&mut text);
        text.push(b'}');
        Self(text)
    }

    /// A payload that begins with a move in a seat that a bot plays.
    pub(super) fn of_bot_move(seat: Seat, mv: &GameMove) -> Self {
        let mut text = Self::empty();
        text.extend_from_slice(b"{\"type\":\"play_for_bot\",\"seat\":");
        write(&mut text, &seat);
        text.extend_from_slice(b",\"move\":");
        mv.write(&mut text);
        text.push(b'}');
        Self(text)
    }

    fn empty() -> Vec<u8> {
        let mut text = Vec::with_capacity(512);
        text.extend_from_slice(COMMAND);
        text
    }

    /// The command.
    pub(super) fn command(&self) -> &str {
        str::from_utf8(&self.0[COMMAND.len()..]).expect(UTF8)
    }

    /// The whole text.
    pub(super) fn finish(self, draws: &[Draw], events: &[Event]) -> String {
        let Self(mut text) = self;
        if !draws.is_empty() {
            text.extend_from_slice(b",\"draws\":");
            write(&mut text, &Draws(draws));
        }
        text.extend_from_slice(b",\"events\":[");
        for (index, event) in events.iter().enumerate() {
            if index > 0 {
                text.push(b',');
            }
            write_event(&mut text, event);
        }
        text.extend_from_slice(b"]}");
        String::from_utf8(text).expect(UTF8)
    }
}

const UTF8: &str = "JSON is written as UTF-8";

fn write<T: Serialize>(text: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(text, value).expect("plain data: no serialiser fails");
}

fn write_event(text: &mut Vec<u8>, event: &Event) {
    match &event.0 {
        EventKind::Match(life) => {
            text.extend_from_slice(b"{\"life\":");
            write(text, life);
        }
        EventKind::Game { by, event, automatic } => {
            text.extend_from_slice(b"{\"game\":");
            event.write(text);
            if let Some(seat) = by {
                text.extend_from_slice(b",\"by\":");
                write(text, seat);
            }
            if *automatic {
                text.extend_from_slice(b",\"automatic\":true");
            }
        }
    }
    text.push(b'}');
}

/// Draws as pairs of bound and value.
struct Draws<'a>(&'a [Draw]);

impl Serialize for Draws<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|draw| (draw.n, draw.value)))
    }
}

impl Event {
    /// The event as it is stored, with everything that is hidden.
    pub(crate) fn stored(&self) -> String {
        let mut text = Vec::new();
        write_event(&mut text, self);
        String::from_utf8(text).expect(UTF8)
    }
}

/// A payload as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredPayload<'a> {
    #[serde(borrow)]
    pub(super) command: &'a RawValue,
    #[serde(default)]
    pub(super) draws: Vec<(u32, u32)>,
    #[serde(borrow)]
    pub(super) events: Vec<StoredEvent<'a>>,
}

/// An event as it is read: of the match or of its game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredEvent<'a> {
    pub(super) life: Option<MatchEvent>,
    #[serde(borrow)]
    pub(super) game: Option<&'a RawValue>,
    pub(super) by: Option<Seat>,
    #[serde(default)]
    pub(super) automatic: bool,
}
