//! Matches played straight through the rules and written to the log, for those who count them: finished ones, shared wins,
//! resignations, matches that everybody left, and matches that go on.

use api::{
    event_store::{EventStore, Whole},
    projections::{Step, step},
};
use domain::{
    chance::{Chance, Keyed, Seed},
    games,
    matches::{Command, Create, Match, Origin, Status, Visibility},
    seat::Seat,
    time::Timestamp,
};
use futures_util::future::join_all;
use serde_json::value::RawValue;
use uuid::Uuid;

/// 2026-01-01
const FIRST_DAY: i64 = 1_767_225_600_000_000;
const DAY: i64 = 86_400_000_000;

/// Who plays.
#[derive(Debug, Clone)]
pub struct Cast {
    /// Players with accounts.
    pub accounts: Vec<Uuid>,
    /// Players without.
    pub guests: Vec<Uuid>,
}

/// Plays the match with this number: always the same one for the same cast.
#[must_use]
pub fn play(cast: &Cast, number: u32) -> Whole {
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
    let mut at =
        FIRST_DAY + DAY * i64::from(luck.below(120)) + 1_000_000 * i64::from(luck.below(80_000));
    let mut tail = [0; 10];
    tail[6..].copy_from_slice(&number.to_be_bytes());
    let millis = u64::try_from(at / 1_000).unwrap();
    let by_discards = info.key == "tapestry" && luck.below(2) == 0;
    let options = RawValue::from_string(r#"{"mode":"discards"}"#.to_owned()).unwrap();
    let create = Create {
        id: uuid::Builder::from_unix_timestamp_millis(millis, &tail).into_uuid(),
        game,
        seats,
        options: by_discards.then_some(&*options),
        visibility: if luck.below(10) == 0 { Visibility::Private } else { Visibility::Public },
        creator: players[0],
        seat: Seat::new(0),
        entropy: None,
        seed,
        invite_code: None,
        time_limit: None,
        origin: (luck.below(12) == 0).then_some(Origin::Demo),
        rematch_of: None,
    };
    let (mut table, _, commit) =
        Match::create(create, Timestamp::from_micros(at)).unwrap().into_commit(Uuid::nil());
    let mut commits = vec![commit];
    // How it goes: most are played to the end.
    let fate = luck.below(20);
    let resignations = if fate < 5 { 30 } else { 0 };
    let enough = if fate == 19 { 8 } else { usize::MAX };
    let mut entering = players[1..usize::from(seats)].iter();
    while !table.status().is_over() && commits.len() < enough {
        at += 1_000 * i64::from(1 + luck.below(90_000));
        let command = if table.status() == Status::Open {
            match entering.next() {
                Some(player) if fate != 18 => Command::Sit {
                    player: *player,
                    seat: None,
                    entropy: None,
                    invite_code: table.invite_code().map(str::to_owned),
                },
                _ => Command::Leave { player: players[0] },
            }
        } else {
            let waiting: Vec<Seat> = table.to_act().iter().collect();
            let seat = luck.pick(&waiting);
            let player = table.sitter(seat).unwrap().player;
            if resignations > 0 && luck.below(resignations) == 0 {
                Command::Resign { player }
            } else {
                let mv = table.state().unwrap().random_move(seat, luck).expect("a move");
                Command::Play { player, mv }
            }
        };
        let command_id = Uuid::from_u128(commits.len() as u128);
        let decision = table.decide(&command, Timestamp::from_micros(at)).expect("a legal command");
        let (next, _, commit) = decision.into_commit(command_id);
        table = next;
        commits.push(commit);
    }
    Whole { commits, table }
}

/// Plays these matches and writes them: half of them whole, the others commit by commit and side by side.
pub async fn write(store: &EventStore, cast: &Cast, numbers: std::ops::Range<u32>) {
    let numbers: Vec<u32> = numbers.collect();
    for (index, numbers) in numbers.chunks(25).enumerate() {
        let logs: Vec<Whole> = numbers.iter().map(|number| play(cast, *number)).collect();
        if index % 2 == 0 {
            store.import(logs).await.expect("the logs are written");
        } else {
            join_all(logs.into_iter().map(|log| append(store, log))).await;
        }
    }
}

async fn append(store: &EventStore, log: Whole) {
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
        store.append(commit, before.as_ref(), &after, || {}).await.expect("it is written");
        before = Some(after);
    }
}

/// Lets the statistics take in everything that has been written.
pub async fn settle(store: &EventStore) {
    while step(store).await.expect("the statistics follow") != Step::Idle {
        tokio::task::yield_now().await;
    }
}
