//! What is shown of players everywhere: their names, and whether they have an account. Cached for a minute.

use std::{
    collections::{BTreeSet, HashMap},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use domain::{bot::BotLevel, time::Timestamp};
use serde::Serialize;
use store::{
    Db,
    players::{self, Player},
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{cache::TtlCache, error::Result};

/// Another replica may have changed a name: after this time it is read again.
const LIFETIME: Duration = Duration::from_mins(1);
const ENTRIES: usize = 100_000;

/// What a player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// Plays without a password. Others may have the same name.
    Guest,
    /// Has a password, and a name that no other account has.
    Account,
    /// Is played by the server. There is one per level.
    Bot,
    /// Signs in through an application or another service, which vouches for it. Others may have the same name.
    External,
}

/// What is shown of a player next to its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownPlayer {
    /// The public name.
    pub name: String,
    /// What it is.
    pub kind: PlayerKind,
}

/// Players by their ids. Deleted ones are missing.
pub type KnownPlayers = HashMap<Uuid, KnownPlayer>;

impl PlayerKind {
    /// The kind of a player that has had an account since then, if it has one, and perhaps a name of its own.
    const fn new(account_since: Option<i64>, is_unique: bool) -> Self {
        match (account_since, is_unique) {
            (None, _) => Self::Guest,
            (Some(_), true) => Self::Account,
            (Some(_), false) => Self::External,
        }
    }

    /// The kind of a player.
    #[must_use]
    pub const fn of(player: &Player) -> Self {
        Self::new(player.account_since, player.name_key.is_some())
    }
}

/// Names by player.
#[derive(Debug)]
pub struct NameCache {
    db: Db,
    names: TtlCache<Uuid, KnownPlayer>,
    renames: AtomicU64,
}

impl NameCache {
    /// The names of the players in this store.
    #[must_use]
    pub fn new(db: Db) -> Self {
        let names = TtlCache::with_entries(ENTRIES, LIFETIME);
        Self { db, names, renames: AtomicU64::new(0) }
    }

    /// The names and kinds of these players.
    pub async fn of(&self, players: BTreeSet<Uuid>, now: Timestamp) -> Result<KnownPlayers> {
        let mut names = HashMap::with_capacity(players.len());
        let mut unknown = Vec::new();
        for id in players {
            if let Some(level) = BotLevel::of(id) {
                names.insert(
                    id,
                    KnownPlayer { name: level.name().to_owned(), kind: PlayerKind::Bot },
                );
                continue;
            }
            match self.names.get(&id, now) {
                Some(name) => {
                    names.insert(id, name);
                }
                None => unknown.push(id),
            }
        }
        if !unknown.is_empty() {
            for found in players::names(&self.db.reader().await, unknown).await? {
                let kind = PlayerKind::new(found.account_since, found.is_unique);
                let player = KnownPlayer { name: found.name, kind };
                self.names.put(found.id, player.clone(), now);
                names.insert(found.id, player);
            }
        }
        Ok(names)
    }

    /// The number of renames on this replica. What was rendered before the last one is out of date.
    #[must_use]
    pub fn renames(&self) -> u64 {
        self.renames.load(Ordering::Acquire)
    }

    /// Forgets a name that has changed.
    pub fn forget(&self, player: Uuid) {
        self.names.remove(&player);
        self.renames.fetch_add(1, Ordering::Release);
    }
}
