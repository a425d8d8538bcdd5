//! One hostile address, and what everybody else notices of it.
//!
//! Ordinary clients, each at an address of its own, play at an unhurried pace under the default limits. Meanwhile another process,
//! which gives way to the server, does its worst from one address. The median of the ordinary clients is compared with their
//! median right before the attack.

mod attack;
mod ordinary;

use std::{
    process::{Command, Stdio},
    time::Duration,
};

use bench::{percentile, telar::Telar};
use clap::Args;
use tests::postgres::{Disk, Postgres};

pub use attack::Attack;
use attack::Kind;
use ordinary::{Latencies, WARM_UP, measure};

/// Measures what ordinary clients notice of one hostile address.
#[derive(Debug, Args)]
pub struct Hostile {
    /// Only this attack; all by default.
    #[arg(long, value_enum)]
    attack: Option<Kind>,
    /// Duration of each measurement in seconds.
    #[arg(long, default_value_t = 8)]
    seconds: u64,
    /// Number of ordinary clients.
    #[arg(long, default_value_t = 6)]
    clients: u8,
    /// Number of finished matches in the store.
    #[arg(long, default_value_t = 2_000)]
    matches: u64,
}

impl Hostile {
    /// Measures and prints a table.
    pub async fn run(&self) {
        let postgres = Postgres::start(Disk::Durable);
        let url = postgres.create_database().await;
        let matches = self.matches.to_string();
        let seeded = Telar::command()
            .args(["seed", "--matches", &matches])
            .env("DATABASE_URL", &url)
            .stdout(Stdio::null())
            .status();
        assert!(seeded.expect("telar runs").success());
        println!(
            "medians of {} ordinary clients in ms, right before an attack and during it",
            self.clients
        );
        println!(
            "{:<12} {:>7} {:>7} {:>6}   {:>7} {:>7} {:>6}   {:>11}   answers to the attacker",
            "attack", "GET", "during", "ratio", "move", "during", "ratio", "healthz max"
        );
        for kind in Kind::ALL.into_iter().filter(|kind| self.attack.is_none_or(|it| it == *kind)) {
            // Each attack begins with full buckets.
            let telar = Telar::start_with(&url, &[]);
            let time = Duration::from_secs(self.seconds);
            let before = measure(&telar.host, self.clients, time).await;
            let during = measure(&telar.host, self.clients, time);
            let attack = Command::new("nice")
                .args(["-n", "19"])
                .arg(std::env::current_exe().expect("our own path"))
                .args(["attack", "--host", &telar.host, "--seconds"])
                .arg((WARM_UP.as_secs() + self.seconds).to_string())
                .args(["--kind", kind.id()])
                .stdout(Stdio::piped())
                .spawn()
                .expect("an attacker");
            let during = during.await;
            let report = attack.wait_with_output().expect("a report");
            print(kind, before, during, String::from_utf8_lossy(&report.stdout).trim());
        }
    }
}

fn print(kind: Kind, mut before: Latencies, mut during: Latencies, report: &str) {
    let [get, get_during] = [&mut before, &mut during].map(|it| percentile(&mut it.views, 50));
    let [mv, mv_during] = [&mut before, &mut during].map(|it| percentile(&mut it.moves, 50));
    let healthz = percentile(&mut during.health, 100);
    println!(
        "{:<12} {get:>7.2} {get_during:>7.2} {:>6.2}   {mv:>7.2} {mv_during:>7.2} {:>6.2}   {healthz:>11.2}   {report}",
        kind.id(),
        get_during / get,
        mv_during / mv,
    );
}
