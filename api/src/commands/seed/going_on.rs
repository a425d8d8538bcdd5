//! Matches that are not over: some in the middle of play, some that can be joined.

use domain::{
    chance::{Chance, Keyed, Seed},
    demo::Demo,
    matches::{Create, Origin, Status},
    time::Timestamp,
};
use service::{clock, secret};
use store::event_log::WholeMatch;
use uuid::Uuid;

use super::{
    Setup,
    cast::{Cast, LOGINS},
    finished::after_a_moment,
    thought::step,
};
use crate::config::SeedArgs;

/// How often a match is started again that was over too soon.
const ATTEMPTS: usize = 5;
/// The most moves that have been made.
const MOVES: u32 = 30;

/// Matches that are not over.
pub(super) struct GoingOn {
    pub(super) playing: Vec<WholeMatch>,
    pub(super) open: Vec<WholeMatch>,
}

impl GoingOn {
    /// Up to this many matches of each kind. In every seat that matters sits a player one can log in as: those who created a match,
    /// and those whose turn may come next as far as there are enough.
    pub(super) fn new(
        seed: &SeedArgs,
        setups: &[Setup],
        cast: &Cast,
        count: u64,
        now: Timestamp,
    ) -> Self {
        let key = Seed::from(secret::bytes::<32>()).match_key(Uuid::nil(), &[]);
        let origin = || (!seed.rated).then_some(Origin::Demo);
        let mut matches = Self { playing: Vec::new(), open: Vec::new() };
        for (number, setup) in (0..count).zip(setups.iter().cycle()) {
            let luck: &mut dyn Chance = &mut Keyed::new(key, number);
            let sitting = sitting(cast, setup.1, luck);
            let playing = (0..ATTEMPTS)
                .find_map(|_| playing(*setup, origin(), &sitting, (now, seed.bots), luck));
            matches.playing.extend(playing);
            matches.open.extend(open(*setup, origin(), &sitting, now, luck));
        }
        matches
    }
}

/// Players with logins in random order, then others.
fn sitting(cast: &Cast, seats: u8, luck: &mut dyn Chance) -> Vec<Uuid> {
    let (logins, others) = cast.players.split_at(LOGINS);
    let mut sitting = logins.to_vec();
    luck.shuffle(&mut sitting);
    sitting.extend(others);
    sitting.truncate(seats.into());
    sitting
}

/// A match in the middle of play.
fn playing(
    (game, seats): Setup,
    origin: Option<Origin>,
    sitting: &[Uuid],
    (now, bots): (Timestamp, bool),
    luck: &mut dyn Chance,
) -> Option<WholeMatch> {
    let mut at = minutes_ago(now, 12 + luck.below(60));
    let create = Create {
        origin,
        ..Create::new(clock::new_id(at), game, seats, sitting[0], secret::bytes::<32>().into())
    };
    let mut demo = Demo::start(create, sitting, at).ok()?;
    for _ in 0..=luck.below(MOVES) {
        at = after_a_moment(at, luck);
        step(&mut demo, at, luck, bots);
    }
    let is_playing = demo.game_match.status() == Status::Playing;
    is_playing.then_some(WholeMatch { commits: demo.commits, end: demo.game_match })
}

/// A match with at least one free seat; nothing for a single player.
fn open(
    (game, seats): Setup,
    origin: Option<Origin>,
    sitting: &[Uuid],
    now: Timestamp,
    luck: &mut dyn Chance,
) -> Option<WholeMatch> {
    let taken = 1 + luck.index(usize::from(seats).checked_sub(1).filter(|free| *free > 0)?);
    let at = minutes_ago(now, luck.below(30));
    let create = Create {
        origin,
        ..Create::new(clock::new_id(at), game, seats, sitting[0], secret::bytes::<32>().into())
    };
    let demo = Demo::start(create, &sitting[..taken], at).ok()?;
    Some(WholeMatch { commits: demo.commits, end: demo.game_match })
}

fn minutes_ago(now: Timestamp, minutes: u32) -> Timestamp {
    Timestamp::from_micros(now.micros() - i64::from(minutes) * 60_000_000)
}
