//! Archived matches in the log: moving them out, and finding what is not there any more.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use domain::{
    matches::{Commit, Status},
    time::Timestamp,
};
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::{EventLog, Head, IDS, commits, places, signed};
use crate::{
    Archive, Transaction,
    archive::{self, ArchivedMatch, PublishedFile},
    begin, commit,
    error::Result,
    months::first_id,
};

/// A transaction removes about this many commits from the log, so that nobody waits for long.
const COMMITS: u64 = 5_000;

/// What became of the matches of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// Matches that are in the archive now, and not in the log.
    pub matches: u64,
    /// The commits that were removed from the log.
    pub commits: u64,
    /// Matches that were not in the log any more, or that differ from the file. Nothing was done about them.
    pub left: u64,
}

/// Matches that may be archived: those that have ended before a time.
#[derive(Debug, Clone, Copy)]
pub struct Archivable {
    /// The time.
    pub before: Timestamp,
    /// A time that is certainly in the future: larger ids tell no time.
    pub future: Timestamp,
}

impl EventLog {
    /// The same log with an archive.
    #[must_use]
    pub fn with_archive(mut self, archive: Archive) -> Self {
        self.archive = archive;
        self
    }

    /// The next matches after an id that may be archived, in the order of their ids, and the last id that was looked at; nothing
    /// when all have been.
    pub async fn archivable(
        &self,
        which: Archivable,
        after: Uuid,
        limit: u64,
    ) -> Result<Option<(Vec<Uuid>, Uuid)>> {
        // Which matches are in the log is what counts: one that was imported again is archived again.
        let sql = format!(
            "SELECT id FROM matches WHERE id > $1 AND (id < $2 OR id >= $3) AND status IN ('{}', '{}') \
             AND EXISTS (SELECT 1 FROM commits WHERE commits.lane = matches.lane \
                 AND commits.match_id = matches.id AND commits.seq = 0) \
             ORDER BY id LIMIT $4",
            Status::Finished.id(),
            Status::Abandoned.id(),
        );
        let statement = self.statement(
            &sql,
            [
                after.into(),
                first_id(which.before).into(),
                first_id(which.future).into(),
                signed(limit).into(),
            ],
        );
        let rows = self.db.query_all_raw(statement).await?;
        let ids: Vec<Uuid> =
            rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, _>>()?;
        let Some(last) = ids.last().copied() else { return Ok(None) };
        let heads = self.stored_heads(&self.db, &ids).await?;
        let has_ended = |id: &Uuid| heads.get(id).is_some_and(|head| head.at < which.before);
        Ok(Some((ids.into_iter().filter(has_ended).collect(), last)))
    }

    /// The commits of a match that are in the log, oldest first; none if it is archived.
    pub async fn load_unarchived(&self, id: Uuid) -> Result<Vec<Commit>> {
        self.load_stored(id, 0).await
    }

    /// Moves the matches of a file out of the log. At any time, each of them is either in the log or in the table of archived
    /// matches. Matches whose hash in the log is another one stay there. It is harmless to repeat this.
    pub async fn move_to_archive(&self, file: &PublishedFile) -> Result<Moved> {
        let mut moved = Moved::default();
        let mut rest = file.matches();
        while !rest.is_empty() {
            let mut commits = 0;
            let batch = rest.iter().take(IDS).take_while(|it| {
                let is_room = commits < COMMITS;
                commits += it.seq;
                is_room
            });
            let (batch, later) = rest.split_at(batch.count());
            rest = later;
            self.move_batch(batch, &mut moved).await?;
        }
        Ok(moved)
    }

    async fn move_batch(&self, batch: &[ArchivedMatch], moved: &mut Moved) -> Result<()> {
        let ids: Vec<Uuid> = batch.iter().map(|it| it.match_id).collect();
        let work = begin(&self.db).await?;
        let heads = self.stored_heads(&work, &ids).await?;
        let known = archive::find(&work, &ids).await?;
        let is_same = |it: &&ArchivedMatch| {
            let is_stored = |head: &Head| (head.version, head.hash) == (it.version, it.hash);
            heads.get(&it.match_id).is_some_and(is_stored)
                && known.get(&it.match_id).is_none_or(|known| known.hash == it.hash)
        };
        let same: Vec<ArchivedMatch> = batch.iter().filter(is_same).cloned().collect();
        let (gone, commits) = self.remove(&work, &same).await?;
        let gone: Vec<ArchivedMatch> =
            same.into_iter().filter(|it| gone.contains(&it.match_id)).collect();
        moved.left += (batch.len() - gone.len()) as u64;
        if gone.is_empty() {
            return Ok(());
        }
        archive::insert(&work, &gone).await?;
        commit(work).await?;
        moved.matches += gone.len() as u64;
        moved.commits += commits;
        Ok(())
    }

    /// Removes the commits of these matches. Returns the matches that had any, and the number of commits: another process may
    /// have removed them just now.
    async fn remove(
        &self,
        work: &Transaction,
        matches: &[ArchivedMatch],
    ) -> Result<(HashSet<Uuid>, u64)> {
        if matches.is_empty() {
            return Ok((HashSet::new(), 0));
        }
        let ids: Vec<Uuid> = matches.iter().map(|it| it.match_id).collect();
        let places = places(ids.len(), 2);
        let sql = format!(
            "DELETE FROM commits WHERE (lane, match_id) IN (VALUES {places}) RETURNING match_id"
        );
        let rows = work.query_all_raw(self.list(&sql, &ids)).await?;
        let gone = rows.iter().map(|row| row.try_get("", "match_id")).collect::<Result<_, _>>()?;
        Ok((gone, rows.len() as u64))
    }

    /// The commits of an archived match from a sequence number on; nothing if it is not archived.
    pub(super) async fn load_archived(
        &self,
        id: Uuid,
        is_wanted: impl Fn(&Commit) -> bool,
    ) -> Result<Vec<Commit>> {
        let commits = self.archive.load(&self.db, id).await?;
        let commits = commits.as_deref().map_or(&[][..], Vec::as_slice);
        Ok(commits.iter().filter(|commit| is_wanted(commit)).cloned().collect())
    }

    /// The commits of those of these matches that are archived.
    pub(super) async fn load_many_archived(
        &self,
        ids: &[Uuid],
    ) -> Result<HashMap<Uuid, Arc<Vec<Commit>>>> {
        let mut loaded = HashMap::new();
        for (id, archived) in archive::find(&self.db, ids).await? {
            loaded.insert(id, self.archive.read(archived).await?);
        }
        Ok(loaded)
    }

    /// The last commits of those of these matches that are archived, in short.
    pub(super) async fn archived_heads(
        &self,
        ids: &[Uuid],
    ) -> Result<HashMap<Uuid, ArchivedMatch>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        archive::find(&self.db, ids).await
    }

    /// Those of these commits whose matches are not archived.
    pub(super) async fn not_archived(
        &self,
        mut keys: HashSet<(Uuid, u64)>,
    ) -> Result<HashSet<(Uuid, u64)>> {
        let ids: HashSet<Uuid> = keys.iter().map(|(id, _)| *id).collect();
        let ids: Vec<Uuid> = ids.into_iter().collect();
        let archived = self.archived_heads(&ids).await?;
        keys.retain(|(id, seq)| archived.get(id).is_none_or(|it| *seq > it.seq));
        Ok(keys)
    }

    /// The last commit of each of these matches that is in the log, in short.
    async fn stored_heads(
        &self,
        db: &impl ConnectionTrait,
        ids: &[Uuid],
    ) -> Result<HashMap<Uuid, Head>> {
        let rows = db.query_all_raw(self.list(&commits::heads_of(ids.len()), ids)).await?;
        commits::read_heads(&rows)
    }
}
