//! Finished matches, in the order in which they ended.

use std::{
    collections::BTreeMap,
    sync::{Arc, mpsc},
    thread,
};

use domain::{
    chance::{Chance, Keyed, MatchKey, Seed},
    demo::Demo,
    matches::{Create, Origin},
    time::Timestamp,
};
use service::{clock, secret};
use store::event_log::WholeMatch;
use uuid::Uuid;

use super::{Setup, thought::step};
use crate::config::SeedArgs;

/// A batch is written once it holds this many rows.
const ROWS: usize = 20_000;
/// How many batches may wait to be written.
const BATCHES: usize = 2;
/// How many matches a thread may be ahead of the others.
const AHEAD: usize = 200;
/// The last match starts this long ago, so that all are over by now.
const LAST: i64 = 7_200;
const SECOND: i64 = 1_000_000;

/// Plays on all cores, at most as far ahead as the store can follow.
pub(super) fn play(
    seed: &SeedArgs,
    setups: &[Setup],
    players: &[Uuid],
    now: Timestamp,
) -> tokio::sync::mpsc::Receiver<Vec<WholeMatch>> {
    let key = Seed::from(secret::bytes::<32>()).match_key(Uuid::nil(), &[]);
    let source = Arc::new(MatchPlayer {
        starts: starts(seed, now, &mut Keyed::new(key, u64::MAX)),
        setups: setups.to_vec(),
        players: players.to_vec(),
        rated: seed.rated,
        bots: seed.bots,
        key,
        now,
    });
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let played: Vec<mpsc::Receiver<Option<WholeMatch>>> = (0..threads)
        .map(|first| {
            let (sender, played) = mpsc::sync_channel(AHEAD);
            let source = Arc::clone(&source);
            thread::spawn(move || {
                for number in (first..source.starts.len()).step_by(threads) {
                    if sender.send(source.play(number)).is_err() {
                        return;
                    }
                }
            });
            played
        })
        .collect();
    let (batches, written) = tokio::sync::mpsc::channel(BATCHES);
    thread::spawn(move || {
        let mut waiting = Waiting::default();
        for (number, start) in source.starts.iter().enumerate() {
            // Whatever ended before this match started comes before all that follow.
            let batch = waiting.take_until(*start);
            if batch.is_some_and(|batch| batches.blocking_send(batch).is_err()) {
                return;
            }
            match played[number % threads].recv() {
                Ok(Some(whole)) => waiting.add(whole),
                Ok(None) => {}
                Err(mpsc::RecvError) => return,
            }
        }
        // If the store has failed, nobody receives it.
        let _ = batches.blocking_send(waiting.matches.into_values().collect());
    });
    written
}

/// When the matches start, in order: at random times in the last days.
fn starts(seed: &SeedArgs, now: Timestamp, luck: &mut dyn Chance) -> Vec<Timestamp> {
    let mut starts: Vec<Timestamp> = (0..seed.matches)
        .map(|_| {
            let ago = LAST + i64::from(luck.below(seed.days * 86_400));
            Timestamp::from_micros(now.micros() - ago * SECOND)
        })
        .collect();
    starts.sort_unstable();
    starts
}

/// Matches that are over, by the time of their end, until they can be written.
#[derive(Default)]
struct Waiting {
    matches: BTreeMap<(Timestamp, Uuid), WholeMatch>,
    rows: usize,
}

impl Waiting {
    fn add(&mut self, whole: WholeMatch) {
        self.rows += whole.commits.len();
        self.matches.insert((whole.end.updated_at(), whole.end.id()), whole);
    }

    /// The matches that ended before a time, if they are enough for a batch.
    fn take_until(&mut self, time: Timestamp) -> Option<Vec<WholeMatch>> {
        if self.rows < ROWS {
            return None;
        }
        let later = self.matches.split_off(&(time, Uuid::nil()));
        let batch: Vec<WholeMatch> =
            std::mem::replace(&mut self.matches, later).into_values().collect();
        self.rows -= batch.iter().map(|whole| whole.commits.len()).sum::<usize>();
        (!batch.is_empty()).then_some(batch)
    }
}

/// Plays matches by their number.
struct MatchPlayer {
    starts: Vec<Timestamp>,
    setups: Vec<Setup>,
    players: Vec<Uuid>,
    rated: bool,
    bots: bool,
    key: MatchKey,
    now: Timestamp,
}

impl MatchPlayer {
    /// Plays a match, with some seconds between its moves.
    fn play(&self, number: usize) -> Option<WholeMatch> {
        let luck: &mut dyn Chance = &mut Keyed::new(self.key, number as u64);
        let (game, seats) = self.setups[number % self.setups.len()];
        let players = &self.players;
        let first = luck.index(players.len());
        // Players form a circle and meet others who are a few steps away, so that opponents vary.
        let apart = 1 + luck.index(players.len() / usize::from(seats));
        let sitting: Vec<Uuid> = (0..usize::from(seats))
            .map(|seat| players[(first + seat * apart) % players.len()])
            .collect();
        let mut at = self.starts[number];
        let create = Create {
            origin: (!self.rated).then_some(Origin::Demo),
            ..Create::new(clock::new_id(at), game, seats, sitting[0], secret::bytes::<32>().into())
        };
        let mut demo = Demo::start(create, &sitting, at).ok()?;
        loop {
            at = after_a_moment(at, luck).min(self.now);
            if step(&mut demo, at, luck, self.bots).is_none() {
                return Some(WholeMatch { commits: demo.commits, end: demo.game_match });
            }
        }
    }
}

/// Up to twenty seconds later.
pub(super) fn after_a_moment(at: Timestamp, luck: &mut dyn Chance) -> Timestamp {
    Timestamp::from_micros(at.micros() + i64::from(1 + luck.below(40)) * (SECOND / 2))
}
