//! Matches played without a server and written to the log, for tests of statistics: finished matches, shared wins,
//! resignations, timeouts, forks, abandoned matches, and matches in progress.

use domain::{
    chance::{Chance, Keyed, Seed},
    games,
    matches::{Command, Create, Fork, Match, OnTimeout, Origin, Status, TimeLimit, Visibility},
    seat::Seat,
    time::Timestamp,
};
use futures_util::future::join_all;
use serde_json::value::RawValue;
use service::{feed::Progress, statistics::step};
use store::{EventLog, event_log::WholeMatch};
use uuid::Uuid;

use crate::eventually::{PATIENCE, eventually};

/// 2026-01-01
const FIRST_DAY: i64 = 1_767_225_600_000_000;
const DAY: i64 = 86_400_000_000;

/// The players.
#[derive(Debug, Clone)]
pub struct Cast {
    /// Players with accounts.
    pub accounts: Vec<Uuid>,
    /// Guests.
    pub guests: Vec<Uuid>,
}

/// Plays the match with this number; the same players always give the same match.
#[must_use]
pub fn play(cast: &Cast, number: u32) -> WholeMatch {
    let mut bytes = [7; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    let seed = Seed::from(bytes);
    let mut luck = Keyed::new(seed.match_key(Uuid::nil(), &[]), 0);
    let luck: &mut dyn Chance = &mut luck;
    let games: Vec<_> = games::all().collect();
    let game = games[number as usize % games.len()];
    let info = game.info();
    let seats = info.min_seats
        + u8::try_from(luck.below(u32::from(info.max_seats - info.min_seats) + 1)).unwrap();
    let mut players = cast.accounts.clone();
    if luck.below(4) == 0 {
        players.extend(&cast.guests);
    }
    luck.shuffle(&mut players);
    let at =
        FIRST_DAY + DAY * i64::from(luck.below(120)) + 1_000_000 * i64::from(luck.below(80_000));
    let mut tail = [0; 10];
    tail[6..].copy_from_slice(&number.to_be_bytes());
    let millis = u64::try_from(at / 1_000).unwrap();
    let by_discards = info.key == "tapestry" && luck.below(2) == 0;
    let options = RawValue::from_string(r#"{"mode":"discards"}"#.to_owned()).unwrap();
    let create = Create {
        id: uuid::Builder::from_unix_timestamp_millis(millis, &tail).into_uuid(),
        options: by_discards.then_some(&*options),
        visibility: if luck.below(10) == 0 { Visibility::Private } else { Visibility::Public },
        origin: (luck.below(12) == 0).then_some(Origin::Demo),
        ..Create::new(Uuid::nil(), game, seats, players[0], seed)
    };
    // How the match goes: most are played to the end.
    let fate = match luck.below(20) {
        0..5 => Fate::Resignations,
        18 => Fate::Left,
        19 => Fate::GoesOn,
        _ => Fate::PlayedOut,
    };
    // Only if the log is written at once: a running server would move for a seat out of time.
    let in_time = !is_whole(number) || fate == Fate::GoesOn || luck.below(4) > 0;
    let policy = luck.pick(&[OnTimeout::Automatic, OnTimeout::Forfeit]);
    let time_limit = if in_time { None } else { TimeLimit::new(85, policy) };
    play_on(Create { time_limit, ..create }, &players, fate, at, luck)
}

/// How a match goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    PlayedOut,
    Resignations,
    Left,
    GoesOn,
}

/// Plays another match from the middle of a finished one, if it can be forked there.
#[must_use]
pub fn fork(from: &WholeMatch) -> Option<WholeMatch> {
    let fork = Fork::at(&from.commits, from.end.version() / 2).ok()?.ok()?;
    let seed = Seed::from([9; 32]);
    let mut luck = Keyed::new(seed.match_key(from.end.id(), &[]), 0);
    let players: Vec<Uuid> =
        from.end.seats().iter().flatten().map(|sitter| sitter.player).collect();
    let id = Uuid::from_u128(from.end.id().as_u128() ^ 1 << 40);
    let create = Create {
        options: Some(from.end.options()),
        origin: Some(Origin::Fork(fork)),
        ..Create::new(id, from.end.game(), from.end.seat_count(), players[0], seed)
    };
    let at = from.end.updated_at().micros();
    Some(play_on(create, &players, Fate::PlayedOut, at, &mut luck))
}

fn play_on(
    create: Create<'_>,
    players: &[Uuid],
    fate: Fate,
    mut at: i64,
    luck: &mut dyn Chance,
) -> WholeMatch {
    let mut entering = players[1..usize::from(create.seats)].iter();
    let (mut table, _, commit) =
        Match::create(create, Timestamp::from_micros(at)).unwrap().into_commit(Uuid::nil());
    let mut commits = vec![commit];
    let enough = if fate == Fate::GoesOn { 8 } else { usize::MAX };
    while !table.status().is_over() && commits.len() < enough {
        at += 1_000 * i64::from(1 + luck.below(90_000));
        let command = if table.status() == Status::Open {
            match entering.next() {
                Some(player) if fate != Fate::Left => Command::Sit {
                    player: *player,
                    seat: None,
                    entropy: None,
                    invite_code: table.invite_code().map(str::to_owned),
                },
                _ => Command::Leave { player: players[0] },
            }
        } else if table.due_at().is_some_and(|due| due.micros() <= at) {
            Command::TimeOut
        } else {
            let waiting: Vec<Seat> = table.to_act().iter().collect();
            let seat = luck.pick(&waiting);
            let player = table.sitter(seat).unwrap().player;
            if fate == Fate::Resignations && luck.below(30) == 0 {
                Command::Resign { player }
            } else {
                let mv = table.state().unwrap().random_move(seat, luck).expect("a move").encode();
                Command::Play { player, mv }
            }
        };
        let command_id = Uuid::from_u128(commits.len() as u128);
        let decision = table.decide(&command, Timestamp::from_micros(at)).expect("a legal command");
        let (next, _, commit) = decision.into_commit(command_id);
        table = next;
        commits.push(commit);
    }
    WholeMatch { commits, end: table }
}

/// A match that ends because all players but the last resign, in this order, at the same time.
#[must_use]
pub fn resigned(
    id: Uuid,
    game: &'static dyn domain::erased::AnyGame,
    players: &[Uuid],
    (start, end): (i64, i64),
) -> WholeMatch {
    let (start, end) = (Timestamp::from_micros(start), Timestamp::from_micros(end));
    let seats = u8::try_from(players.len()).expect("a few players");
    let create = Create::new(id, game, seats, players[0], Seed::from([5; 32]));
    let (mut table, _, commit) = Match::create(create, start).unwrap().into_commit(Uuid::nil());
    let mut commits = vec![commit];
    let entering = players[1..].iter().map(|player| {
        (Command::Sit { player: *player, seat: None, entropy: None, invite_code: None }, start)
    });
    let resigning = players[..players.len() - 1]
        .iter()
        .map(|player| (Command::Resign { player: *player }, end));
    for (command, at) in entering.chain(resigning) {
        let decision = table.decide(&command, at).expect("a legal command");
        let (next, _, commit) = decision.into_commit(Uuid::nil());
        table = next;
        commits.push(commit);
    }
    WholeMatch { commits, end: table }
}

/// The number of matches written at once.
const CHUNK: u32 = 25;

/// Whether the log of the match with this number is written at once, or commit by commit.
fn is_whole(number: u32) -> bool {
    (number / CHUNK).is_multiple_of(2)
}

/// Plays these matches and writes them, with a fork of every seventh: half of them at once, the others commit by commit and
/// concurrently.
pub async fn write(store: &EventLog, cast: &Cast, numbers: std::ops::Range<u32>) {
    let numbers: Vec<u32> = numbers.collect();
    for numbers in numbers.chunk_by(|one, other| one / CHUNK == other / CHUNK) {
        let mut logs: Vec<WholeMatch> = numbers.iter().map(|number| play(cast, *number)).collect();
        let forks: Vec<WholeMatch> = logs.iter().step_by(7).filter_map(fork).collect();
        logs.extend(forks);
        if numbers.first().is_some_and(|number| is_whole(*number)) {
            store.import(logs).await.expect("the logs are written");
        } else {
            join_all(logs.into_iter().map(|log| append(store, log))).await;
        }
    }
}

async fn append(store: &EventLog, log: WholeMatch) {
    let mut before: Option<Match> = None;
    for commit in log.commits {
        let after = match &before {
            None => Match::open(&commit).expect("our own"),
            Some(before) => {
                let mut after = before.clone();
                after.apply(&commit).expect("our own");
                after
            }
        };
        store.append(commit, before.as_ref(), &after, |_| {}).await.expect("it is written");
        before = Some(after);
    }
}

/// Waits until the statistics have counted everything that has been written.
pub async fn settle(store: &EventLog) {
    loop {
        let stepped = eventually("another follower of the feed is done", PATIENCE, async || {
            let stepped = step(store).await.expect("the statistics follow");
            (stepped != Progress::Elsewhere).then_some(stepped)
        });
        if stepped.await == Progress::Idle {
            return;
        }
    }
}
