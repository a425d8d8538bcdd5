//! Matches as their viewers see them.

use std::collections::BTreeSet;

use domain::{
    bot::BotLevel,
    matches::{Match, OnTimeout, Origin, OriginView, Status, TimeLimit, Unrated, Visibility},
    outcome::Outcome,
    seat::Seat,
};
use serde::Serialize;
use serde_json::value::RawValue;
use service::{clock, names::KnownPlayers, secret};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    SeatedPlayer,
    schema::{AnyOptions, AnyView},
};

/// A seat of a match.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatDocument {
    /// The number of the seat.
    pub seat: Seat,
    /// The player in this seat; `null` while the seat is free.
    pub player: Option<SeatedPlayer>,
    /// Whether the match waits for this seat.
    pub to_act: bool,
    /// Whether the player has resigned.
    pub resigned: bool,
    /// The level of the bot that plays this seat, if there is one: the seat belongs to a bot, or a bot plays for a player who ran
    /// out of time.
    pub bot: Option<BotLevel>,
    /// The deadline for the seat's decision; `null` if the match does not wait for it or has no time limit.
    #[serde(with = "time::serde::rfc3339::option")]
    pub deadline: Option<OffsetDateTime>,
}

/// A match as the caller sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchDocument {
    /// The id of the match.
    pub id: Uuid,
    /// The key of the game.
    #[schema(example = "qwinto")]
    pub game: &'static str,
    /// The status of the match.
    pub status: Status,
    /// Who may see the match.
    pub visibility: Visibility,
    /// The number of events so far; the `ETag` begins with it.
    #[schema(example = 17)]
    pub version: u64,
    /// The seats in order.
    pub seats: Vec<SeatDocument>,
    /// The caller's seat, if it has one.
    pub my_seat: Option<Seat>,
    /// The options, including defaults.
    #[schema(value_type = AnyOptions)]
    pub options: Box<RawValue>,
    /// The time limit per decision in seconds; `null` without a limit.
    #[schema(minimum = 1, maximum = 2_592_000, example = 86_400)]
    pub move_deadline: Option<u32>,
    /// What happens when a deadline passes; `null` without a time limit.
    pub on_timeout: Option<OnTimeout>,
    /// Whether the match was created with hints. In a match with one seat, hints are always allowed.
    pub hints: bool,
    /// When the match was paused; `null` if it is not paused.
    #[serde(with = "time::serde::rfc3339::option")]
    pub paused_at: Option<OffsetDateTime>,
    /// The seats that ask for a pause. It begins when every seat that has not resigned asks for it.
    pub pause_asked: Vec<Seat>,
    /// The origin of a fork or demo; `null` for an ordinary match.
    pub origin: Option<OriginView>,
    /// The match that this one is a rematch of.
    pub rematch_of: Option<Uuid>,
    /// The rematch of this match, once somebody has asked for one.
    pub rematch: Option<Uuid>,
    /// Why the match does not count for ratings; `null` if it does, as far as its log tells.
    pub unrated: Option<Unrated>,
    /// The SHA-256 of the seed that determines all luck, in hexadecimal.
    #[schema(example = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925")]
    pub commitment: String,
    /// The code of a private match, for its players to pass on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "K7WQ2MXH4P")]
    pub invite_code: Option<String>,
    /// When the match was created.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// When its last seat was taken.
    #[serde(with = "time::serde::rfc3339::option")]
    pub started_at: Option<OffsetDateTime>,
    /// When the last event happened.
    #[serde(with = "time::serde::rfc3339")]
    pub updated_at: OffsetDateTime,
    /// The result, once the match is finished.
    pub outcome: Option<Outcome>,
    /// What the caller sees of the game, once it has started. Everything is shown once the match is over.
    #[schema(value_type = Option<AnyView>)]
    pub view: Option<Box<RawValue>>,
}

/// The deadline of a seat.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatDeadline {
    /// The seat.
    pub seat: Seat,
    /// The deadline for its decision.
    #[serde(with = "time::serde::rfc3339")]
    pub deadline: OffsetDateTime,
}

impl SeatDeadline {
    /// The deadlines of the seats that a match waits for.
    #[must_use]
    pub fn all(m: &Match) -> Vec<Self> {
        let deadline = |seat| {
            let deadline = m.deadline(seat).map(clock::to_datetime)?;
            Some(Self { seat, deadline })
        };
        m.to_act().iter().filter_map(deadline).collect()
    }
}

impl MatchDocument {
    /// A match as a player sees it, or a spectator if there is no player. `names` are those of the players in the match.
    #[must_use]
    pub fn new(
        m: &Match,
        player: Option<Uuid>,
        names: &KnownPlayers,
        rematch: Option<Uuid>,
    ) -> Self {
        let my_seat = player.and_then(|player| m.seat_of(player));
        Self {
            id: m.id(),
            game: m.game().info().key,
            status: m.status(),
            visibility: m.visibility(),
            version: m.version(),
            seats: Seat::all(m.seat_count()).map(|seat| seat_document(m, seat, names)).collect(),
            my_seat,
            options: m.options().to_owned(),
            move_deadline: m.time_limit().map(TimeLimit::seconds),
            on_timeout: m.time_limit().map(TimeLimit::on_timeout),
            hints: m.has_hints(),
            paused_at: m.paused_at().map(clock::to_datetime),
            pause_asked: m.pause_asked().iter().collect(),
            origin: m.origin().map(Origin::shown),
            rematch_of: m.rematch_of(),
            rematch,
            unrated: m.unrated(),
            commitment: m.commitment().to_string(),
            invite_code: m.invite_code().filter(|_| my_seat.is_some()).map(str::to_owned),
            created_at: clock::to_datetime(m.created_at()),
            started_at: m.started_at().map(clock::to_datetime),
            updated_at: clock::to_datetime(m.updated_at()),
            outcome: m.outcome().cloned(),
            view: m.view(m.viewer(player)),
        }
    }

    /// The entity tag: the version, and a digest of what else the document depends on: the players and the rematch, which change
    /// without an event, and the seat that looks.
    #[must_use]
    pub fn etag(&self) -> String {
        let players = self.seats.iter().map(|seat| match &seat.player {
            Some(player) => format!("{:?} {:?}", player.kind, player.name),
            None => String::new(),
        });
        let seat = self.my_seat.map_or_else(String::new, |seat| format!("seat {seat}"));
        let rematch = self.rematch.map(|id| id.to_string());
        let shown: Vec<String> = players.chain([seat]).chain(rematch).collect();
        let digest = secret::hash(shown.join("\n").as_bytes());
        format!("\"{}-{}\"", self.version, hex::encode(&digest[..4]))
    }
}

fn seat_document(m: &Match, seat: Seat, names: &KnownPlayers) -> SeatDocument {
    let sitter = m.sitter(seat);
    SeatDocument {
        seat,
        player: sitter.map(|sitter| SeatedPlayer::new(sitter.player, names)),
        to_act: m.to_act().contains(seat),
        resigned: sitter.is_some_and(|sitter| sitter.resigned),
        bot: m.bot_in(seat),
        deadline: m.deadline(seat).map(clock::to_datetime),
    }
}

/// The players who sit in a match.
#[must_use]
pub fn players(m: &Match) -> BTreeSet<Uuid> {
    m.seats().iter().flatten().map(|sitter| sitter.player).collect()
}
