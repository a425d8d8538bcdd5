//! A fuzzer on raw sockets: it sends what no client would send, and the server has to stay healthy.
//!
//! Every case follows from the seed and its number, so that a failure can be repeated: `fuzz sockets --seed 7 --only 1234`.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use serde_json::json;

use crate::{
    eventually::{PATIENCE, eventually},
    process::Telar,
};

mod answers;
mod cases;
mod target;

pub use target::Target;

/// The number of connections at once.
const AT_ONCE: usize = 16;

/// The number of cases between two checks that the server is well.
const ROUND: u64 = 1_000;

/// The number of failures after which there is no point in going on.
const ENOUGH: usize = 20;

/// By how much the memory of the server may grow, in MiB. The first round does not count.
const GROWTH: u64 = 64;

/// What to send.
#[derive(Debug, Clone)]
pub struct Sockets {
    /// The program.
    pub binary: PathBuf,
    /// How long.
    pub time: Duration,
    /// The seed of all cases.
    pub seed: u64,
    /// Only the case with this number.
    pub only: Option<u64>,
    /// Whether every response from 400 on has to be a problem document.
    pub documents: bool,
}

impl Sockets {
    /// Sends cases until the time is over. Returns whether everything was answered well.
    pub async fn run(&self) -> bool {
        let directory = tempfile::tempdir().expect("a directory");
        let server = Telar::start_in(&self.binary, directory.path(), &[("TELAR_LOG", "off")]);
        let target = Target::new(&server.url).await;
        let (begun, mut number, mut failures) = (Instant::now(), 0, 0);
        let mut statuses: BTreeMap<String, usize> = BTreeMap::new();
        let mut memory = None;
        let descriptors = descriptors(server.pid());
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
            let now = resident(server.pid());
            let before = *memory.get_or_insert(now);
            if now > before + GROWTH {
                failures += 1;
                println!("the memory has grown from {before} to {now} MiB");
            }
            if self.only.is_some() {
                break;
            }
        }
        eventually("the server closes its connections", PATIENCE, async || {
            (self::descriptors(server.pid()) <= descriptors + AT_ONCE).then_some(())
        })
        .await;
        let status = server.terminate().await;
        let statuses: Vec<String> =
            statuses.into_iter().map(|(status, count)| format!("{status}: {count}")).collect();
        println!(
            "{number} cases in {:.0} s, {failures} failures; {}; {} MiB after the first {ROUND}",
            begun.elapsed().as_secs_f64(),
            statuses.join(", "),
            memory.unwrap_or_default(),
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
        answers::judge(&read, self.documents).map_err(|why| {
            let (sent, got) = (answers::escape(&case.bytes), answers::escape(&read));
            let (seed, kind) = (self.seed, case.kind);
            format!("case {number} of seed {seed} ({kind}): {why}\n  sent {sent}\n  got  {got}")
        })
    }
}

/// The resident memory of a process in MiB; 0 without `/proc`.
#[must_use]
pub fn resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() / 1024
}

/// The number of open files and sockets of a process; 0 without `/proc`.
fn descriptors(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
}

/// A server for another program that tests it, such as schemathesis, with everything that the program has to know in variables.
pub async fn variables(target: &Target) -> Vec<(&'static str, String)> {
    let hook = json!({ "url": "http://127.0.0.1:9/hook", "events": ["match.finished"] });
    let hook = target.client.post("/v1/webhooks", &hook).await.expect(201);
    vec![
        ("TELAR_URL", format!("http://{}", target.host)),
        ("TELAR_TOKEN", target.client.token.clone().unwrap_or_default()),
        ("TELAR_PLAYER", target.client.player.clone().unwrap_or_default()),
        ("TELAR_MATCH", target.match_id.clone()),
        ("TELAR_FINISHED", target.finished.clone()),
        ("TELAR_WEBHOOK", hook["id"].as_str().unwrap_or_default().to_owned()),
    ]
}
