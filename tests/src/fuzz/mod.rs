//! A fuzzer on raw sockets: it sends what no client would send, and the server has to stay healthy.
//!
//! Every case follows from the seed and its number, so that a failure can be repeated: `fuzz sockets --seed 7 --only 1234`.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use crate::{
    eventually::{PATIENCE, eventually},
    process::Telar,
};

mod answers;
mod cases;
mod parts;
mod target;

pub use target::Target;

/// The number of connections at once.
const AT_ONCE: usize = 16;

/// The number of cases between two checks that the server is well.
const ROUND: u64 = 1_000;

/// The number of failures after which there is no point in going on.
const ENOUGH: usize = 20;

/// How many sockets more than at the start may stay open: those of the client that checks, and connections to Postgres.
const KEPT: usize = 24;

/// After this many cases the caches are full: those of matches, and the page cache of every connection to SQLite.
const WARM: u64 = 80_000;

/// By how much the memory of the server may grow after the first round, in MiB, until the caches are full.
const WARMING: u64 = 96;

/// By how much it may grow from then on. What leaks grows without end.
const GROWTH: u64 = 16;

/// What to send.
#[derive(Debug, Clone)]
pub struct Sockets {
    /// The program.
    pub binary: PathBuf,
    /// The database; an SQLite file by default.
    pub database_url: Option<String>,
    /// How long.
    pub time: Duration,
    /// The seed of all cases.
    pub seed: u64,
    /// Only the case with this number.
    pub only: Option<u64>,
}

impl Sockets {
    /// Sends cases until the time is over. Returns whether everything was answered well.
    pub async fn run(&self) -> bool {
        let directory = tempfile::tempdir().expect("a directory");
        let errors = directory.path().join("errors");
        let mut variables = vec![("TELAR_LOG", "off")];
        variables.extend(self.database_url.as_deref().map(|url| ("DATABASE_URL", url)));
        let file = fs::File::create(&errors).expect("a file");
        let server = Telar::start_with_errors(&self.binary, directory.path(), &variables, file);
        let target = Target::new(&server.url).await;
        let (begun, mut number, mut failures) = (Instant::now(), 0, 0);
        let mut statuses: BTreeMap<String, usize> = BTreeMap::new();
        let mut memory = Memory::default();
        let open = sockets(server.pid());
        println!("seed {}", self.seed);
        while failures < ENOUGH && (number == 0 || begun.elapsed() < self.time) {
            let numbers = match self.only {
                Some(only) => only..only + 1,
                None => number..number + ROUND,
            };
            number += ROUND;
            let cases = numbers.map(|number| self.send(&target, number));
            let mut results = stream::iter(cases).buffer_unordered(AT_ONCE);
            while let Some(result) = results.next().await {
                match result {
                    Ok(told) => {
                        for status in told {
                            *statuses.entry(status).or_default() += 1;
                        }
                    }
                    Err(failure) => {
                        failures += 1;
                        if failures <= ENOUGH {
                            println!("{failure}");
                        }
                    }
                }
            }
            target.is_well().await;
            if let Err(growth) = memory.measure(resident(server.pid()), number) {
                failures += 1;
                println!("{growth}");
            }
            if self.only.is_some() {
                break;
            }
        }
        eventually("the server closes its connections", PATIENCE, async || {
            (sockets(server.pid()) <= open + KEPT).then_some(())
        })
        .await;
        let status = server.terminate().await;
        for panic in panics(&errors) {
            failures += 1;
            println!("{panic}");
        }
        let statuses: Vec<String> =
            statuses.into_iter().map(|(status, count)| format!("{status}: {count}")).collect();
        println!(
            "{number} cases in {:.0} s, {failures} failures; {}; {memory}",
            begun.elapsed().as_secs_f64(),
            statuses.join(", "),
        );
        failures == 0 && status.success()
    }

    /// Sends the case with this number. Returns the statuses of the responses, or what is wrong with them.
    async fn send(&self, target: &Target, number: u64) -> Result<Vec<String>, String> {
        let mut luck = ChaCha8Rng::seed_from_u64(self.seed.wrapping_mul(1_000_003) ^ number);
        let case = cases::make(&mut luck, target);
        let read = answers::exchange(&target.host, &case).await.unwrap_or_default();
        if read.is_empty() {
            return Ok(vec!["closed".to_owned()]);
        }
        answers::judge(&read).map_err(|why| {
            let (sent, got) = (answers::escape(&case.bytes), answers::escape(&read));
            let (seed, kind) = (self.seed, case.kind);
            format!("case {number} of seed {seed} ({kind}): {why}\n  sent {sent}\n  got  {got}")
        })
    }
}

/// The memory of the server over time, in MiB.
#[derive(Debug, Default)]
struct Memory {
    first: Option<u64>,
    warm: Option<u64>,
    last: u64,
}

impl Memory {
    /// Adds a measurement after this many cases, and says whether the memory has grown too much.
    fn measure(&mut self, now: u64, cases: u64) -> Result<(), String> {
        let first = *self.first.get_or_insert(now);
        self.last = now;
        let (before, most) = match self.warm {
            Some(warm) => (warm, GROWTH),
            None => (first, WARMING),
        };
        if cases >= WARM {
            self.warm.get_or_insert(now);
        }
        if now > before + most {
            return Err(format!(
                "after {cases} cases the memory has grown from {before} to {now} MiB"
            ));
        }
        Ok(())
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, warm, last } = self;
        write!(f, "{} MiB after the first {ROUND} cases, ", first.unwrap_or_default())?;
        if let Some(warm) = warm {
            write!(f, "{warm} MiB after {WARM}, ")?;
        }
        write!(f, "{last} MiB at the end")
    }
}

/// The panics of a server, from its errors.
fn panics(errors: &Path) -> Vec<String> {
    let errors = fs::read_to_string(errors).expect("a file");
    errors.lines().filter(|line| line.contains("panicked at")).map(str::to_owned).collect()
}

/// The resident memory of a process in MiB; 0 without `/proc`.
#[must_use]
pub fn resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() / 1024
}

/// The number of open sockets of a process; 0 without `/proc`.
fn sockets(pid: u32) -> usize {
    let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let targets = descriptors.filter_map(|descriptor| fs::read_link(descriptor.path()).ok());
    targets.filter(|target| target.to_string_lossy().starts_with("socket:")).count()
}
