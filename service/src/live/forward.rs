//! Commands that are executed by the home of their match: how they are sent to another replica, and what it answers.
//!
//! The key of the log decides, no matter which replica executes a command, so correctness never depends on a home. But a command that
//! was sent to a home which does not answer may be executed there later. Therefore everybody who executes a command that was sent
//! between replicas looks for its id in all commits since the version that its sender knew, before each attempt to write it.

use domain::{
    bot::BotLevel,
    matches::{Command, Commit},
    seat::Seat,
    time::Timestamp,
};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::CommandContext;

/// A command on its way to the home of its match.
#[derive(Debug)]
pub(super) struct ForwardedCommand {
    pub(super) match_id: Uuid,
    /// The version that the sender knows. The command was not executed before it.
    pub(super) known: u64,
    pub(super) command: Command,
    pub(super) context: CommandContext,
}

/// What became of a forwarded command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The last of the commits is its result.
    Executed,
    /// It is not executed upon the match after the commits: refused, or executed long ago.
    Refused,
    /// The sender has to find out, or to execute it by itself.
    Declined,
    /// The home cannot execute anything at the moment.
    Failed,
}

/// The answer to a forwarded command.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) outcome: Outcome,
    /// What happened since the version that the sender knew, oldest first.
    pub(super) commits: Vec<Commit>,
}

/// Whether a command is worth sending: those of the server itself are sent by every replica anyway.
pub(super) const fn is_forwarded(command: &Command) -> bool {
    !matches!(command, Command::TimeOut | Command::Expire)
}

/// The bytes of a command on its way.
pub(super) fn encode(
    match_id: Uuid,
    known: u64,
    command: &Command,
    context: &CommandContext,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256);
    put_id(&mut bytes, match_id);
    put(&mut bytes, known);
    put_id(&mut bytes, context.command_id);
    put(&mut bytes, context.at.micros().cast_unsigned());
    match &context.if_match {
        None => bytes.push(0),
        Some(versions) => {
            bytes.push(1);
            put(&mut bytes, versions.len() as u64);
            for version in versions {
                put(&mut bytes, *version);
            }
        }
    }
    put_id(&mut bytes, command.player());
    match command {
        Command::Play { mv, .. } => {
            bytes.push(b'p');
            put_text(&mut bytes, mv.get());
        }
        Command::Sit { seat, entropy, invite_code, .. } => {
            bytes.push(b's');
            bytes.push(seat.map_or(u8::MAX, Seat::number));
            for text in [entropy, invite_code] {
                bytes.push(u8::from(text.is_some()));
                put_text(&mut bytes, text.as_deref().unwrap_or_default());
            }
        }
        Command::SeatBot { seat, level, .. } => {
            bytes.push(b'b');
            bytes.push(seat.map_or(u8::MAX, Seat::number));
            put_text(&mut bytes, level.id());
        }
        Command::PlayForBot { level, seat, mv } => {
            bytes.push(b'm');
            put_text(&mut bytes, level.id());
            bytes.push(seat.number());
            put_text(&mut bytes, mv.get());
        }
        Command::Return { .. } => bytes.push(b'k'),
        Command::Leave { .. } => bytes.push(b'l'),
        Command::Resign { .. } => bytes.push(b'r'),
        Command::Pause { .. } => bytes.push(b'z'),
        Command::Resume { .. } => bytes.push(b'w'),
        Command::TimeOut => bytes.push(b't'),
        Command::Expire => bytes.push(b'e'),
    }
    bytes
}

/// Reads a command; nothing if these are not the bytes of one.
pub(super) fn decode(bytes: &[u8]) -> Option<ForwardedCommand> {
    let mut bytes = Bytes(bytes);
    let match_id = bytes.id()?;
    let known = bytes.number()?;
    let command_id = bytes.id()?;
    let at = Timestamp::from_micros(bytes.number()?.cast_signed());
    let if_match = if bytes.byte()? == 0 {
        None
    } else {
        let count = bytes.number()?;
        Some((0..count).map(|_| bytes.number()).collect::<Option<_>>()?)
    };
    let player = bytes.id()?;
    let command = match bytes.byte()? {
        b'p' => Command::Play { player, mv: RawValue::from_string(bytes.text()?).ok()? },
        b's' => {
            let seat = bytes.maybe_seat().ok()?;
            let [entropy, invite_code] = [bytes.maybe_text().ok()?, bytes.maybe_text().ok()?];
            Command::Sit { player, seat, entropy, invite_code }
        }
        b'b' => {
            let seat = bytes.maybe_seat().ok()?;
            Command::SeatBot { player, seat, level: BotLevel::find(&bytes.text()?)? }
        }
        b'm' => Command::PlayForBot {
            level: BotLevel::find(&bytes.text()?)?,
            seat: Seat::new(bytes.byte()?)?,
            mv: RawValue::from_string(bytes.text()?).ok()?,
        },
        b'k' => Command::Return { player },
        b'l' => Command::Leave { player },
        b'r' => Command::Resign { player },
        b'z' => Command::Pause { player },
        b'w' => Command::Resume { player },
        b't' => Command::TimeOut,
        b'e' => Command::Expire,
        _ => return None,
    };
    let context = CommandContext { command_id, if_match, at };
    bytes.is_empty().then_some(ForwardedCommand { match_id, known, command, context })
}

/// The bytes of an answer.
pub(super) fn encode_answer<'a>(
    outcome: Outcome,
    commits: impl Iterator<Item = &'a Commit>,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1_024);
    bytes.push(match outcome {
        Outcome::Declined => 0,
        Outcome::Executed => 1,
        Outcome::Refused => 2,
        Outcome::Failed => 3,
    });
    for commit in commits {
        put(&mut bytes, commit.seq);
        put(&mut bytes, commit.count.into());
        put(&mut bytes, commit.at.micros().cast_unsigned());
        put_id(&mut bytes, commit.player);
        put_id(&mut bytes, commit.command_id);
        bytes.extend_from_slice(&commit.hash);
        put_text(&mut bytes, &commit.payload);
    }
    bytes
}

/// Reads an answer about a match; nothing if these are not the bytes of one.
pub(super) fn decode_answer(match_id: Uuid, bytes: &[u8]) -> Option<Answer> {
    let mut bytes = Bytes(bytes);
    let outcome = match bytes.byte()? {
        0 => Outcome::Declined,
        1 => Outcome::Executed,
        2 => Outcome::Refused,
        3 => Outcome::Failed,
        _ => return None,
    };
    let mut commits = Vec::new();
    while !bytes.is_empty() {
        commits.push(Commit {
            match_id,
            seq: bytes.number()?,
            count: bytes.number()?.try_into().ok()?,
            at: Timestamp::from_micros(bytes.number()?.cast_signed()),
            player: bytes.id()?,
            command_id: bytes.id()?,
            hash: bytes.take()?,
            payload: bytes.text()?,
        });
    }
    Some(Answer { outcome, commits })
}

fn put(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn put_id(bytes: &mut Vec<u8>, id: Uuid) {
    bytes.extend_from_slice(id.as_bytes());
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// Bytes that end too early, or are not what they should be.
struct Damaged;

/// Bytes that are read from the front.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take().map(u8::from_le_bytes)
    }

    fn number(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn id(&mut self) -> Option<Uuid> {
        self.take().map(Uuid::from_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    /// A text that may be missing.
    fn maybe_seat(&mut self) -> Result<Option<Seat>, Damaged> {
        match self.byte().ok_or(Damaged)? {
            u8::MAX => Ok(None),
            number => Seat::new(number).map(Some).ok_or(Damaged),
        }
    }

    fn maybe_text(&mut self) -> Result<Option<String>, Damaged> {
        let is_there = self.byte().ok_or(Damaged)? != 0;
        let text = self.text().ok_or(Damaged)?;
        Ok(is_there.then_some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANA: Uuid = Uuid::from_u128(1);

    fn commands() -> Vec<Command> {
        let mv = RawValue::from_string(r#"{"type":"roll","dice":["orange"]}"#.to_owned()).unwrap();
        let text = |text: &str| Some(text.to_owned());
        vec![
            Command::Play { player: ANA, mv: mv.clone() },
            Command::PlayForBot { level: BotLevel::Club, seat: Seat::at::<1>(), mv },
            Command::SeatBot { player: ANA, seat: None, level: BotLevel::Novice },
            Command::SeatBot { player: ANA, seat: Some(Seat::at::<2>()), level: BotLevel::Master },
            Command::Return { player: ANA },
            Command::Sit { player: ANA, seat: None, entropy: text(""), invite_code: None },
            Command::Sit {
                player: ANA,
                seat: Some(Seat::at::<3>()),
                entropy: None,
                invite_code: text("ABC"),
            },
            Command::Leave { player: ANA },
            Command::Resign { player: ANA },
            Command::Pause { player: ANA },
            Command::Resume { player: ANA },
        ]
    }

    #[test]
    fn a_command_arrives_as_it_was_sent_and_a_part_of_one_is_none() {
        for (if_match, command) in [None, Some(vec![]), Some(vec![3, u64::MAX])]
            .into_iter()
            .flat_map(|versions| commands().into_iter().map(move |it| (versions.clone(), it)))
        {
            let at = Timestamp::from_micros(-5);
            let context = CommandContext { command_id: Uuid::from_u128(9), if_match, at };
            let bytes = encode(Uuid::from_u128(2), 77, &command, &context);
            let arrived = decode(&bytes).expect("a command");
            assert_eq!((arrived.match_id, arrived.known), (Uuid::from_u128(2), 77));
            assert_eq!(format!("{:?}", arrived.command), format!("{command:?}"));
            assert_eq!(format!("{:?}", arrived.context), format!("{context:?}"));
            for cut in 0..bytes.len() {
                assert!(decode(&bytes[..cut]).is_none(), "{cut}");
            }
            assert!(decode(&[bytes, vec![0]].concat()).is_none());
        }
    }

    #[test]
    fn an_answer_arrives_as_it_was_sent() {
        let commit = Commit {
            match_id: ANA,
            seq: 4,
            count: 2,
            at: Timestamp::from_micros(5),
            player: ANA,
            command_id: Uuid::from_u128(8),
            payload: "{}".to_owned(),
            hash: [7; 32],
        };
        let commits = vec![commit.clone(), Commit { seq: 6, payload: "ñ".repeat(99), ..commit }];
        for outcome in [Outcome::Executed, Outcome::Refused, Outcome::Declined, Outcome::Failed] {
            let bytes = encode_answer(outcome, commits.iter());
            let answer = decode_answer(ANA, &bytes).expect("an answer");
            assert_eq!((answer.outcome, &answer.commits), (outcome, &commits));
            assert!(decode_answer(ANA, &bytes[..bytes.len() - 1]).is_none());
        }
        assert!(decode_answer(ANA, &[]).is_none() && decode_answer(ANA, &[4]).is_none());
    }
}
