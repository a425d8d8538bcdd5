//! A chaos run: a crowd plays while something breaks, and everything that it was told is compared with what is there afterwards.
//! `invariants.rs` says what has to hold, and there is a file for every fault.

use std::{
    fmt::Write,
    path::PathBuf,
    time::{Duration, Instant},
};

use crate::{
    eventually::PATIENCE,
    postgres::{Disk, Postgres},
    server::Store,
};

mod checks;
mod clock_jumps;
mod connections_cut;
mod connections_delayed;
mod connections_silent;
mod crowd;
mod disk_full;
mod fault;
mod invariants;
mod ledger;
mod link_silent;
mod member;
mod postgres_killed;
mod replica_frozen;
mod requests_tenfold;
mod server_killed;
mod stage;
mod store_isolated;

pub use fault::Fault;
pub use invariants::{Breaches, Invariant};
use ledger::Ledger;
use stage::{Setting, Stage};

/// What to try.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The program.
    pub binary: PathBuf,
    /// The stores.
    pub stores: Vec<Store>,
    /// The faults, by a part of their names; all if empty.
    pub faults: Vec<String>,
    /// Whether to try only those of the short form.
    pub is_short: bool,
    /// The time for all faults together.
    pub time: Duration,
    /// How long a fault lasts before it is healed.
    pub hold: Duration,
    /// How long a player may be unable to move after a fault was healed.
    pub recovery: Duration,
    /// The number of players, each with a match of its own.
    pub players: usize,
    /// The seed of all choices.
    pub seed: u64,
}

impl Plan {
    /// The faults to try, in order.
    fn episodes(&self) -> Vec<(Store, Fault)> {
        let is_chosen = |fault: &Fault| {
            (fault.is_short || !self.is_short)
                && (self.faults.is_empty()
                    || self.faults.iter().any(|part| fault.name.contains(part)))
        };
        let faults = fault::ALL.into_iter().filter(is_chosen);
        let faults: Vec<Fault> = faults.collect();
        let on = |store: Store| {
            let possible = faults.iter().filter(move |fault| fault.stores.contains(&store));
            possible.map(move |fault| (store, *fault))
        };
        self.stores.iter().flat_map(|store| on(*store)).collect()
    }

    /// Tries one fault after another and prints a table. Returns whether every invariant holds.
    pub async fn run(&self) -> bool {
        let episodes = self.episodes();
        let share = self.time / u32::try_from(episodes.len().max(1)).unwrap_or(u32::MAX);
        let mut postgres = None;
        let mut holds = true;
        println!("{}", head());
        for (store, fault) in episodes {
            let used = match store {
                Store::Sqlite => None,
                Store::Postgres => {
                    Some(postgres.take().unwrap_or_else(|| Postgres::start(Disk::Durable)))
                }
            };
            let name = format!("{store:?}").to_lowercase();
            // What goes wrong here ends this fault, not the whole run.
            let plan = self.clone();
            let episode =
                actix_web::rt::spawn(async move { plan.episode(store, fault, share, used).await });
            match episode.await {
                Ok(Ok((report, back))) => {
                    println!("{}", report.line(&name, fault.name));
                    for (invariant, example) in report.ledger.breaches.examples() {
                        println!("    {}: {}", invariant.head(), shorten(example));
                    }
                    holds &= report.ledger.breaches.is_empty();
                    postgres = back.or(postgres);
                }
                Ok(Err((why, back))) => {
                    println!("{name:<9} {:<22} skipped: {why}", fault.name);
                    postgres = back.or(postgres);
                }
                Err(failed) => {
                    println!("{name:<9} {:<22} could not be tried: {failed}", fault.name);
                    holds = false;
                }
            }
        }
        holds
    }

    async fn episode(
        &self,
        store: Store,
        fault: Fault,
        share: Duration,
        postgres: Option<Postgres>,
    ) -> Result<(Report, Option<Postgres>), stage::Impossible> {
        let setting = Setting {
            binary: self.binary.clone(),
            store,
            needs: fault.needs,
            players: self.players,
            seed: self.seed,
        };
        let begun = Instant::now();
        let mut stage = Stage::set(&setting, postgres).await?;
        let (mut strikes, mut recovery, mut late) = (0, Duration::ZERO, Breaches::default());
        let ready = stage.crowd.all_move_again(Instant::now(), PATIENCE).await;
        ready.expect("a healthy server");
        while strikes == 0 || begun.elapsed() < share {
            strikes += 1;
            (fault.strike)(&mut stage, self.hold).await;
            let healed = Instant::now();
            let back = stage.crowd.all_move_again(healed, self.recovery).await;
            recovery = recovery.max(back.unwrap_or(self.recovery));
            if back.is_none() {
                let what = format!("a player cannot move for {:?}", self.recovery);
                late.add(Invariant::Stuck, what);
                break;
            }
        }
        let (mut ledger, postgres) = stage.end().await;
        ledger.breaches.extend(late);
        Ok((Report { ledger, strikes, recovery }, postgres))
    }
}

/// The result of a fault.
#[derive(Debug)]
struct Report {
    ledger: Ledger,
    strikes: usize,
    recovery: Duration,
}

fn head() -> String {
    let mut head = format!(
        "{:<9} {:<22} {:>5} {:>9} {:>8} {:>8} {:>7}",
        "store", "fault", "times", "commands", "answers", "without", "back s"
    );
    for invariant in Invariant::ALL {
        let _ = write!(head, " {:>w$}", invariant.head(), w = width(invariant));
    }
    head
}

fn width(invariant: Invariant) -> usize {
    invariant.head().len().max(4)
}

impl Report {
    fn line(&self, store: &str, fault: &str) -> String {
        let Self { ledger, strikes, recovery } = self;
        let mut line = format!(
            "{store:<9} {fault:<22} {strikes:>5} {:>9} {:>8} {:>8} {:>7.2}",
            ledger.acknowledged,
            ledger.answers,
            ledger.unanswered,
            recovery.as_secs_f64()
        );
        for invariant in Invariant::ALL {
            let count = ledger.breaches.count(invariant);
            let _ = write!(line, " {count:>w$}", w = width(invariant));
        }
        line
    }
}

fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(300).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
