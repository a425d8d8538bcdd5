//! The same numbers, counted naively from the raw logs: every match is folded completely, and every number is a full scan.

use std::collections::{BTreeMap, HashMap};

use domain::{
    matches::{Commit, Match, Origin, Status, Unrated, Visibility},
    outcome::{Ending, MeasureValue, Outcome, Standing},
};
use store::{EventLog, event_log::FeedPosition};
use uuid::Uuid;

pub const DAY: i64 = 86_400_000_000;

/// Mean and standard deviation before and after, of each seat of each match.
pub type Ratings = HashMap<Uuid, Vec<(Belief, Belief)>>;
/// Mean and standard deviation.
pub type Belief = (f64, f64);

/// A match that was played.
#[derive(Debug, Clone)]
pub struct Played {
    pub id: Uuid,
    pub game: &'static str,
    pub public: bool,
    pub seats: usize,
    pub started: i64,
    pub ended: i64,
    pub players: Vec<Uuid>,
    pub resigned: Vec<bool>,
    /// What the log itself says about it.
    pub unrated: Option<&'static str>,
    pub outcome: Outcome,
}

/// An abandoned match.
#[derive(Debug, Clone)]
pub struct Left {
    pub id: Uuid,
    pub game: &'static str,
    pub seats: usize,
    pub ended: i64,
}

/// All matches that are over, in the order in which they ended.
#[derive(Debug, Default)]
pub struct History {
    pub played: Vec<Played>,
    pub left: Vec<Left>,
    pub accounts: Vec<Uuid>,
    /// The number of finished forks.
    pub forks: usize,
}

impl History {
    /// Reads every log completely.
    pub async fn read(store: &EventLog, accounts: &[Uuid]) -> Self {
        let mut history = Self { accounts: accounts.to_vec(), ..Self::default() };
        let mut logs: HashMap<Uuid, Vec<Commit>> = HashMap::new();
        for entry in store.feed(&FeedPosition::START, 1_000_000).await.unwrap() {
            for (id, seq) in entry.commits {
                if let std::collections::hash_map::Entry::Vacant(place) = logs.entry(id) {
                    place.insert(store.load(id, 0).await.unwrap());
                }
                if logs[&id].last().unwrap().seq == seq {
                    history.take(&Match::fold(&logs[&id]).unwrap().unwrap());
                }
            }
        }
        history.played.sort_by_key(|it| (it.ended, it.id));
        history
    }

    fn take(&mut self, table: &Match) {
        let (id, game) = (table.id(), table.game().info().key);
        let (seats, ended) = (table.seats().len(), table.updated_at().micros());
        match table.status() {
            Status::Open | Status::Playing => {}
            // Forks do not count.
            _ if matches!(table.origin(), Some(Origin::Fork(_))) => self.forks += 1,
            Status::Abandoned => self.left.push(Left { id, game, seats, ended }),
            Status::Finished => self.played.push(Played {
                id,
                game,
                public: table.visibility() == Visibility::Public,
                seats,
                started: table.started_at().unwrap().micros(),
                ended,
                players: table.seats().iter().map(|seat| seat.as_ref().unwrap().player).collect(),
                resigned: table
                    .seats()
                    .iter()
                    .map(|seat| seat.as_ref().unwrap().resigned)
                    .collect(),
                unrated: table.unrated().map(Unrated::id),
                outcome: table.outcome().unwrap().clone(),
            }),
        }
    }

    /// Why a match does not change ratings.
    pub fn unrated(&self, it: &Played) -> Option<&'static str> {
        if it.unrated.is_some() {
            it.unrated
        } else if it.players.iter().any(|player| !self.accounts.contains(player)) {
            Some("guest")
        } else if it.seats == 1 {
            Some("solo")
        } else {
            None
        }
    }

    /// The ratings before and after every rated match, by match and seat.
    pub fn ratings(&self) -> Ratings {
        let mut known: HashMap<(&str, Uuid), (f64, f64)> = HashMap::new();
        let mut ratings = HashMap::new();
        for it in self.played.iter().filter(|it| self.unrated(it).is_none()) {
            let before: Vec<(f64, f64)> = it
                .players
                .iter()
                .map(|player| *known.get(&(it.game, *player)).unwrap_or(&(25.0, 25.0 / 3.0)))
                .collect();
            let after: Vec<(f64, f64)> = (0..it.seats)
                .map(|seat| {
                    let others = (0..it.seats).filter(|other| *other != seat);
                    weng_lin(
                        before[seat],
                        it.outcome.seats[seat].place,
                        others.map(|other| (before[other], it.outcome.seats[other].place)),
                    )
                })
                .collect();
            for (player, rating) in it.players.iter().zip(&after) {
                known.insert((it.game, *player), *rating);
            }
            ratings.insert(it.id, before.into_iter().zip(after).collect());
        }
        ratings
    }
}

/// Algorithm 1 of Weng and Lin (2011): Bradley–Terry, full pairing.
fn weng_lin(
    (mu, sigma): (f64, f64),
    place: u8,
    others: impl Iterator<Item = ((f64, f64), u8)>,
) -> (f64, f64) {
    let beta = 25.0 / 6.0;
    let (mut omega, mut delta) = (0.0, 0.0);
    for ((their_mu, their_sigma), their_place) in others {
        let c = (sigma * sigma + their_sigma * their_sigma + 2.0 * beta * beta).sqrt();
        let p = 1.0 / (1.0 + ((their_mu - mu) / c).exp());
        let s = match place.cmp(&their_place) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        };
        omega += sigma * sigma / c * (s - p);
        delta += (sigma / c) * (sigma / c).powi(2) * p * (1.0 - p);
    }
    (mu + omega, sigma * (1.0_f64 - delta).max(1e-6).sqrt())
}

impl Played {
    pub fn seat_of(&self, player: Uuid) -> Option<usize> {
        self.players.iter().position(|it| *it == player)
    }

    pub fn standing(&self, player: Uuid) -> Option<&Standing> {
        self.seat_of(player).map(|seat| &self.outcome.seats[seat])
    }

    pub fn winners(&self) -> usize {
        self.outcome.seats.iter().filter(|seat| seat.won).count()
    }

    pub fn by_rules(&self) -> bool {
        self.outcome.ending == Ending::Rules
    }

    /// The seats whose results count.
    pub fn telling(&self) -> impl Iterator<Item = (Uuid, &Standing)> {
        let seats = self.players.iter().zip(&self.outcome.seats).zip(&self.resigned);
        seats
            .filter(|(_, resigned)| self.by_rules() && !**resigned)
            .map(|((player, standing), _)| (*player, standing))
    }

    pub fn day(&self) -> i64 {
        self.ended.div_euclid(DAY)
    }
}

/// The numbers of a measure in these matches, of one player or of everybody.
pub fn numbers<'a>(
    matches: impl Iterator<Item = &'a Played>,
    measure: &str,
    player: Option<Uuid>,
) -> Vec<i64> {
    let mut numbers = Vec::new();
    let mut take = |values: &[domain::outcome::Measured]| {
        for value in values.iter().filter(|value| value.id == measure) {
            if let MeasureValue::Number(number) = value.value {
                numbers.push(number);
            }
        }
    };
    let mut more = Vec::new();
    for it in matches {
        if it.by_rules() && player.is_none() {
            take(&it.outcome.measures);
            if measure == "duration_ms" {
                more.push((it.ended - it.started) / 1_000);
            }
        }
        for (who, standing) in it.telling() {
            if player.is_none_or(|player| player == who) {
                take(&standing.measures);
                if measure == "score" {
                    more.extend(standing.score);
                }
            }
        }
    }
    numbers.extend(more);
    numbers
}

/// How often each category of a measure occurred.
pub fn categories<'a>(
    matches: impl Iterator<Item = &'a Played>,
    measure: &str,
    player: Option<Uuid>,
) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    let mut take = |values: &[domain::outcome::Measured]| {
        for value in values.iter().filter(|value| value.id == measure) {
            if let MeasureValue::Category(category) = &value.value {
                *counts.entry(category.clone().into_owned()).or_default() += 1;
            }
        }
    };
    for it in matches.filter(|it| it.by_rules()) {
        if player.is_none() {
            take(&it.outcome.measures);
        }
        for (who, standing) in it.telling() {
            if player.is_none_or(|player| player == who) {
                take(&standing.measures);
            }
        }
    }
    counts
}
