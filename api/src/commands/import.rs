//! `telar import`

use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
    process::ExitCode,
};

use domain::{bot::BotLevel, proof::Flaw};
use uuid::Uuid;

use super::{Documents, print_error, print_line, verify::read_keys};
use service::{
    export::{Export, NamedPlayer},
    identity::profile::valid_name,
    notary::{self, PublicKeys},
};
use store::{
    Db, OpenError, deletions,
    event_log::{Appended, EventLog, WholeMatch},
    players::{self, Player},
    signatures::{self, NewSignature},
};

use crate::{
    config::{Config, ImportArgs},
    startup::{self, StartError},
};

/// A batch is written once it holds this many commits.
const BATCH: usize = 1_000;

/// Why a match with other hashes is not imported.
const OTHER: &str = "another match with this id exists; nothing was imported";

/// The result of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportReport {
    /// Matches that were imported.
    pub imported: usize,
    /// Matches that existed already.
    pub present: usize,
    /// Matches that were refused: flawed, or another one exists under the same id.
    pub refused: usize,
    /// Imported matches that carry signatures.
    pub signed: usize,
}

pub(super) async fn run(config: &Config, args: &ImportArgs) -> Result<ExitCode, StartError> {
    let report = import(config, args).await?;
    let ImportReport { imported, present, refused, signed } = report;
    print_line(&format!("{imported} imported, {present} already present, {refused} refused"));
    let checked = if args.keys.is_some() { "checked with the given keys" } else { "not checked" };
    if signed > 0 {
        print_line(&format!(
            "{signed} with signatures of another server, which are kept; {checked}"
        ));
    }
    Ok(if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Imports files of exports, one per line. Every match is verified first; importing it twice is harmless. Signatures are kept, but
/// this server never signs what it did not see being played.
pub async fn import(config: &Config, args: &ImportArgs) -> Result<ImportReport, StartError> {
    let keys = args.keys.as_deref().map(read_keys).transpose()?;
    let log = startup::open_store(config).await?.patient();
    let db = log.database().clone();
    let mut import = Import { db, log, report: ImportReport::default(), batch: Vec::new() };
    for file in &args.files {
        for (number, document) in (1..).zip(Documents::open(file)?) {
            match verify(&document?, keys.as_ref()) {
                Ok(verified) => import.add(verified).await?,
                Err(flaw) => import.refuse(&line(file, number), &flaw.to_string()),
            }
        }
    }
    import.flush().await?;
    Ok(import.report)
}

fn line(file: &Path, number: usize) -> String {
    format!("{}:{number}", file.display())
}

/// A match that may be imported, and its players.
struct VerifiedMatch {
    whole: WholeMatch,
    players: Vec<NamedPlayer>,
    signatures: Vec<NewSignature>,
}

impl VerifiedMatch {
    fn id(&self) -> Uuid {
        self.whole.end.id()
    }
}

fn verify(document: &[u8], keys: Option<&PublicKeys>) -> Result<VerifiedMatch, Flaw> {
    let export = Export::from_text(document)?;
    let (_, end) = export.verify()?;
    let Export { players, proof, .. } = export;
    if let Some(keys) = keys {
        proof.check_signatures(keys)?;
    }
    let is_name = |NamedPlayer { id, name }: &NamedPlayer| match (name, BotLevel::of(*id)) {
        (None, _) => true,
        (Some(name), Some(level)) => name == level.name(),
        (Some(name), None) => valid_name(name).is_ok_and(|valid| valid == *name),
    };
    if !players.iter().all(is_name) {
        return Err(Flaw::Field { field: "players" });
    }
    let signatures = notary::signatures_in(&proof);
    Ok(VerifiedMatch { whole: WholeMatch { commits: proof.rows()?, end }, players, signatures })
}

struct Import {
    db: Db,
    log: EventLog,
    report: ImportReport,
    batch: Vec<VerifiedMatch>,
}

impl Import {
    fn refuse(&mut self, what: &str, why: &str) {
        print_error(&format!("{what}: {why}"));
        self.report.refused += 1;
    }

    async fn add(&mut self, verified: VerifiedMatch) -> Result<(), OpenError> {
        if self.batch.iter().any(|other| other.id() == verified.id()) {
            self.flush().await?;
        }
        self.batch.push(verified);
        let commits: usize = self.batch.iter().map(|it| it.whole.commits.len()).sum();
        if commits >= BATCH { self.flush().await } else { Ok(()) }
    }

    /// Writes the batch.
    async fn flush(&mut self) -> Result<(), OpenError> {
        let batch = std::mem::take(&mut self.batch);
        let ids: Vec<Uuid> = batch.iter().map(VerifiedMatch::id).collect();
        let heads = self.log.heads(&ids).await?;
        let mut new = Vec::new();
        for verified in batch {
            match heads.get(&verified.id()) {
                None => new.push(verified),
                Some(head) if head.hash == *verified.whole.end.hash() => self.report.present += 1,
                Some(_) => self.refuse(&format!("match {}", verified.id()), OTHER),
            }
        }
        self.add_players(&new).await?;
        let (wholes, signed): (Vec<_>, Vec<_>) =
            new.into_iter().map(|it| (it.whole, it.signatures)).unzip();
        let ids: Vec<Uuid> = wholes.iter().map(|whole| whole.end.id()).collect();
        let fates = self.log.import(wholes).await?;
        let mut kept = Vec::new();
        for ((id, signatures), fate) in ids.into_iter().zip(signed).zip(fates) {
            match fate {
                Appended::Written => {
                    self.report.imported += 1;
                    self.report.signed += usize::from(!signatures.is_empty());
                    kept.extend(signatures);
                }
                Appended::Lost => self.refuse(&format!("match {id}"), OTHER),
            }
        }
        Ok(signatures::insert(&self.db, &kept).await?)
    }

    /// Adds players who do not exist here, with a name and without a password. Existing players stay as they are, and deleted
    /// ones stay deleted.
    async fn add_players(&self, new: &[VerifiedMatch]) -> Result<(), OpenError> {
        let mut unknown = BTreeMap::new();
        for verified in new {
            for NamedPlayer { id, name } in &verified.players {
                // Bots are the same everywhere.
                let Some(name) = name.as_ref().filter(|_| BotLevel::of(*id).is_none()) else {
                    continue;
                };
                let since = verified.whole.end.created_at();
                unknown.entry(*id).or_insert_with(|| Player::guest(*id, name.clone(), since));
            }
        }
        let deleted: HashSet<Uuid> =
            deletions::among(&self.db, unknown.keys().copied().collect()).await?;
        unknown.retain(|id, _| !deleted.contains(id));
        Ok(players::insert_missing(&self.db, unknown.into_values().collect()).await?)
    }
}
