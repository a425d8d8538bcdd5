//! Compares what the players were told with what the server shows, and with what is in its store once it has ended.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    time::{Duration, Instant},
};

use domain::{
    matches::{Commit, Match},
    proof::Proof,
};
use reqwest::Method;
use serde_json::Value;
use service::statistics::rebuild;
use store::{EventLog, event_log::FeedPosition};
use uuid::Uuid;

use super::{
    invariants::{Breaches, Invariant},
    ledger::{Ledger, Record},
};
use crate::{
    client::Client, counted::everything, eventually::PATIENCE, fleet::expire_leases,
    history::settle, receiver::Receiver,
};

/// How long to wait for a message to a webhook before leases are shortened.
const QUIET: Duration = Duration::from_secs(2);

/// What a server shows: every acknowledged command, and every acknowledged name.
pub async fn shown(url: &str, ledger: &Ledger, clients: &[Client]) -> Breaches {
    let mut breaches = Breaches::default();
    let anybody = Client::anonymous(url);
    for (id, record) in &ledger.matches {
        let (path, version) = (format!("/v1/matches/{id}"), record.version());
        // A replica may be a moment behind the others.
        let is_current = |seen: &Value| seen["version"].as_u64() >= Some(version);
        if let Err(seen) = read_until(&anybody, &path, is_current).await {
            let what = format!("{id}: version {version} was acknowledged, {url} shows {seen}");
            breaches.add(Invariant::Unseen, what);
        }
    }
    for client in clients {
        let player = client.player.as_deref().and_then(|player| player.parse::<Uuid>().ok());
        let Some(names) = player.and_then(|player| ledger.names.get(&player)) else { continue };
        let acknowledged = names.acknowledged.as_deref().unwrap_or_default();
        let is_right = |seen: &Value| {
            let name = seen["name"].as_str().unwrap_or_default();
            name == acknowledged || names.possible.contains(name)
        };
        if let Err(seen) = read_until(&client.at(url), "/v1/me", is_right).await {
            let what = format!("`{acknowledged}` was acknowledged, {url} shows {seen}");
            breaches.add(Invariant::Name, what);
        }
    }
    breaches
}

/// Reads until what is seen is right; returns what is seen instead if that takes too long.
async fn read_until(
    client: &Client,
    path: &str,
    is_right: impl Fn(&Value) -> bool,
) -> Result<(), Value> {
    let begun = Instant::now();
    loop {
        let request = client.request(Method::GET, path).timeout(PATIENCE);
        let seen = async { request.send().await.ok()?.json::<Value>().await.ok() };
        let seen = seen.await.unwrap_or_default();
        if is_right(&seen) {
            return Ok(());
        }
        if begun.elapsed() > PATIENCE {
            return Err(seen);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The webhooks were told at least once about every start and every end that was acknowledged.
pub async fn told(receiver: &mut Receiver, ledger: &Ledger, db: &store::Db) -> Breaches {
    let mut missing: BTreeSet<(String, String)> = BTreeSet::new();
    for (id, record) in &ledger.matches {
        missing.extend(record.is_started.then(|| (id.to_string(), "match.started".to_owned())));
        missing.extend(record.is_over.then(|| (id.to_string(), "match.finished".to_owned())));
    }
    let (mut quiet, begun) = (0, Instant::now());
    while !missing.is_empty() && quiet < 10 && begun.elapsed() < Duration::from_mins(1) {
        let Ok(message) = tokio::time::timeout(QUIET, receiver.next()).await else {
            quiet += 1;
            expire_leases(db).await;
            continue;
        };
        let payload = message.json();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        missing.remove(&(text(&payload["data"]["match"]), text(&payload["type"])));
    }
    let mut breaches = Breaches::default();
    for (id, kind) in missing {
        breaches.add(Invariant::Untold, format!("{kind} of {id}"));
    }
    breaches
}

/// What is in the store: nothing lost, nothing repeated, chains and proofs, the feed, and the statistics.
pub async fn stored(log: &EventLog, ledger: &Ledger) -> Breaches {
    let mut breaches = Breaches::default();
    let fed = feed(log, &mut breaches).await;
    let ids: BTreeSet<Uuid> = ledger.matches.keys().copied().chain(fed.keys().copied()).collect();
    let mut created: BTreeMap<Uuid, usize> = BTreeMap::new();
    for id in ids {
        let commits = log.load(id, 0).await.unwrap();
        let seqs: Vec<u64> = commits.iter().map(|commit| commit.seq).collect();
        if fed.get(&id).unwrap_or(&Vec::new()) != &seqs {
            let what = format!("{id}: the log has {seqs:?}, the feed {:?}", fed.get(&id));
            breaches.add(Invariant::Feed, what);
        }
        if let Err(flaw) = verify(&commits) {
            breaches.add(Invariant::Unproven, format!("{id}: {flaw}"));
        }
        if let Some(first) = commits.first() {
            *created.entry(first.player).or_default() += 1;
        }
        if let Some(record) = ledger.matches.get(&id) {
            compare(id, record, &commits, &mut breaches);
        }
    }
    for (player, count) in created {
        let sent = ledger.creations.get(&player).copied().unwrap_or_default();
        if count > sent {
            let what = format!("{player} created {sent} matches, and there are {count}");
            breaches.add(Invariant::Repeated, what);
        }
    }
    settle(log).await;
    let before = everything(log).await;
    rebuild(log, Duration::ZERO).await.unwrap();
    let after = everything(log).await;
    let (before, after): (HashSet<_>, HashSet<_>) =
        (before.into_iter().collect(), after.into_iter().collect());
    for row in before.symmetric_difference(&after) {
        breaches.add(Invariant::Statistics, row);
    }
    breaches
}

/// The sequence numbers in the feed, by match, in order. Its positions have no gap.
async fn feed(log: &EventLog, breaches: &mut Breaches) -> BTreeMap<Uuid, Vec<u64>> {
    let entries = log.feed(&FeedPosition::START, 100_000_000).await.unwrap();
    let mut fed: BTreeMap<Uuid, Vec<u64>> = BTreeMap::new();
    let mut previous = FeedPosition::START;
    for entry in entries {
        if entry.pos.before(entry.id) != previous {
            breaches.add(Invariant::Feed, format!("{} follows {previous}", entry.pos));
        }
        previous = entry.pos;
        for (id, seq) in entry.commits {
            fed.entry(id).or_default().push(seq);
        }
    }
    if log.feed_head().await.unwrap() != previous {
        breaches.add(Invariant::Feed, format!("it ends at {previous}"));
    }
    fed
}

/// The chain of hashes of any match; of a finished one, also every die and every shuffle.
fn verify(commits: &[Commit]) -> Result<(), String> {
    let mut previous = Match::ORIGIN;
    for commit in commits {
        if !commit.follows(&previous) {
            return Err(format!("commit {} does not follow", commit.seq));
        }
        previous = commit.hash;
    }
    let folded = Match::fold(commits).map_err(|corrupt| corrupt.to_string())?;
    if folded.is_some_and(|m| m.status().is_over()) {
        let proof = Proof::of(commits).map_err(|corrupt| corrupt.to_string())?;
        let proof = proof.ok_or("there is no proof")?;
        proof.verify().map_err(|flaw| flaw.to_string())?;
    }
    Ok(())
}

/// Every acknowledged command is in the log, and no command is there twice.
fn compare(id: Uuid, record: &Record, commits: &[Commit], breaches: &mut Breaches) {
    let stored: BTreeSet<(Uuid, u64)> =
        commits.iter().map(|commit| (commit.player, commit.version())).collect();
    for (player, version) in &record.acknowledged {
        if !stored.contains(&(*player, *version)) {
            breaches.add(Invariant::Lost, format!("{id}: version {version} by {player}"));
        }
    }
    let distinct: HashSet<Uuid> = commits.iter().map(|commit| commit.command_id).collect();
    let repeated = commits.len() - distinct.len().min(record.sent);
    for _ in 0..repeated {
        let what = format!("{id}: {} commits of {} commands", commits.len(), record.sent);
        breaches.add(Invariant::Repeated, what);
    }
}
