//! `telar import`

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    process::ExitCode,
};

use domain::{matches::Match, proof::Flaw};
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::{Documents, complain, say};
use service::export::{Export, NamedPlayer};
use store::{
    OpenError,
    entities::{erasure, player},
    event_log::{Appended, EventLog, WholeMatch},
};

use crate::{config::Config, routes::players::valid_name, startup::StartError};

/// So many commits are written at once, or a little more.
const BATCH: usize = 1_000;

/// Why a match with other hashes is not imported.
const OTHER: &str = "another match with this id is here; nothing of it was imported";

/// What came of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Matches that are here now and were not before.
    pub imported: usize,
    /// Matches that were here already.
    pub present: usize,
    /// Matches that were refused: flawed, or another one is here under the same id.
    pub refused: usize,
}

pub(super) async fn run(config: &Config, files: &[PathBuf]) -> Result<ExitCode, StartError> {
    let Tally { imported, present, refused } = import(config, files).await?;
    say(&format!("{imported} imported, {present} here already, {refused} refused"));
    Ok(if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reads files of exports, one a line, into the store. Every match is verified first; importing it twice is harmless.
pub async fn import(config: &Config, files: &[PathBuf]) -> Result<Tally, StartError> {
    let db = store::connect(&config.store()).await?;
    store::migrate(&db).await?;
    let mut import =
        Import { store: EventLog::new(db.clone()), db, tally: Tally::default(), batch: Vec::new() };
    for file in files {
        for (number, document) in (1..).zip(Documents::open(file)?) {
            match check(&document?) {
                Ok(checked) => import.add(checked).await.map_err(OpenError::from)?,
                Err(flaw) => import.refuse(&place(file, number), &flaw.to_string()),
            }
        }
    }
    import.flush().await.map_err(OpenError::from)?;
    Ok(import.tally)
}

fn place(file: &Path, number: usize) -> String {
    format!("{}:{number}", file.display())
}

/// A match that may be written, and its players.
struct Checked {
    whole: WholeMatch,
    players: Vec<NamedPlayer>,
}

fn check(document: &[u8]) -> Result<Checked, Flaw> {
    let Export { players, proof, .. } = Export::from_text(document)?;
    let (_, end) = proof.verify()?;
    let is_name = |name: &String| valid_name(name).is_ok_and(|valid| valid == *name);
    if !players.iter().filter_map(|player| player.name.as_ref()).all(is_name) {
        return Err(Flaw::Field { field: "players" });
    }
    Ok(Checked { whole: WholeMatch { commits: proof.rows()?, end }, players })
}

struct Import {
    db: DatabaseConnection,
    store: EventLog,
    tally: Tally,
    batch: Vec<Checked>,
}

impl Import {
    fn refuse(&mut self, what: &str, why: &str) {
        complain(&format!("{what}: {why}"));
        self.tally.refused += 1;
    }

    async fn add(&mut self, checked: Checked) -> Result<(), store::Error> {
        let id = checked.whole.end.id();
        if self.batch.iter().any(|other| other.whole.end.id() == id) {
            self.flush().await?;
        }
        self.batch.push(checked);
        let commits: usize = self.batch.iter().map(|it| it.whole.commits.len()).sum();
        if commits >= BATCH { self.flush().await } else { Ok(()) }
    }

    /// Writes what has been read so far.
    async fn flush(&mut self) -> Result<(), store::Error> {
        let batch = std::mem::take(&mut self.batch);
        let ids: Vec<Uuid> = batch.iter().map(|it| it.whole.end.id()).collect();
        let here = self.store.heads(&ids).await?;
        let mut new = Vec::new();
        for checked in batch {
            let table = &checked.whole.end;
            match here.get(&table.id()) {
                None => new.push(checked),
                Some(head) if head.hash == *table.hash() => self.tally.present += 1,
                Some(_) => self.refuse(&format!("match {}", table.id()), OTHER),
            }
        }
        self.seat(&new).await?;
        let ids: Vec<Uuid> = new.iter().map(|it| it.whole.end.id()).collect();
        let fates = self.store.import(new.into_iter().map(|it| it.whole).collect()).await?;
        for (id, fate) in ids.into_iter().zip(fates) {
            match fate {
                Appended::Written => self.tally.imported += 1,
                Appended::Lost => self.refuse(&format!("match {id}"), OTHER),
            }
        }
        Ok(())
    }

    /// Players whom nobody here knows get a name and nothing to log in with; the others stay as they are.
    async fn seat(&self, new: &[Checked]) -> Result<(), store::Error> {
        let mut seen = HashSet::new();
        let rows: Vec<player::ActiveModel> = new
            .iter()
            .flat_map(|checked| checked.players.iter().map(|player| (player, &checked.whole.end)))
            .filter(|(player, _)| seen.insert(player.id))
            .filter_map(|(player, table)| Some(placeholder(player.id, player.name.clone()?, table)))
            .collect();
        // Who was erased here stays erased.
        let ids: Vec<Uuid> = rows.iter().filter_map(|row| row.id.try_as_ref().copied()).collect();
        let gone = erasure::Entity::find().filter(erasure::Column::PlayerId.is_in(ids));
        let gone: HashSet<Uuid> =
            gone.all(&self.db).await?.into_iter().map(|erased| erased.player_id).collect();
        let is_gone =
            |row: &player::ActiveModel| row.id.try_as_ref().is_some_and(|id| gone.contains(id));
        let rows: Vec<player::ActiveModel> = rows.into_iter().filter(|row| !is_gone(row)).collect();
        if rows.is_empty() {
            return Ok(());
        }
        player::Entity::insert_many(rows).on_conflict_do_nothing().exec(&self.db).await.map(drop)
    }
}

fn placeholder(id: Uuid, name: String, table: &Match) -> player::ActiveModel {
    player::ActiveModel {
        id: Set(id),
        name: Set(name),
        name_key: Set(None),
        email: Set(None),
        password_hash: Set(None),
        created_at: Set(table.created_at().micros()),
        account_since: Set(None),
    }
}
