//! The table of archived matches.

use std::collections::HashMap;

use domain::{matches::Commit, time::Timestamp};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QuerySelect, sea_query::OnConflict,
};
use uuid::Uuid;

use super::ArchiveFileId;
use crate::{
    Connection, Db,
    entities::archived_match::{ActiveModel, Column, Entity, Model},
    error::{Error, Result},
};

/// Rows per statement; a database limits the number of bound values.
const ROWS: usize = 1_000;

/// Where an archived match is, and its last commit in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedMatch {
    /// The match.
    pub match_id: Uuid,
    /// The file.
    pub file: ArchiveFileId,
    /// Where the match begins in the file, in bytes.
    pub position: u64,
    /// How long it is there, in bytes.
    pub length: u32,
    /// The sequence number of its last commit.
    pub seq: u64,
    /// Its number of events.
    pub version: u64,
    /// When it ended.
    pub at: Timestamp,
    /// The hash of its last commit, which covers all of them.
    pub hash: [u8; 32],
}

impl ArchivedMatch {
    /// The row of a match whose commits end with this one.
    #[must_use]
    pub fn new(file: ArchiveFileId, position: u64, length: u32, last: &Commit) -> Self {
        Self {
            match_id: last.match_id,
            file,
            position,
            length,
            seq: last.seq,
            version: last.version(),
            at: last.at,
            hash: last.hash,
        }
    }

    fn read(row: &Model) -> Result<Self> {
        let wrong = |column: &str| {
            Error::Failed(format!("the archived match {} has a wrong {column}", row.match_id))
        };
        let number = |number: i64, column| u64::try_from(number).map_err(|_| wrong(column));
        Ok(Self {
            match_id: row.match_id,
            file: ArchiveFileId::from_column(row.file),
            position: number(row.position, "position")?,
            length: u32::try_from(row.length).map_err(|_| wrong("length"))?,
            seq: number(row.seq, "sequence number")?,
            version: number(row.version, "version")?,
            at: Timestamp::from_micros(row.at),
            hash: row.hash.as_slice().try_into().map_err(|_| wrong("hash"))?,
        })
    }

    fn write(&self) -> ActiveModel {
        let signed = |number: u64| i64::try_from(number).expect("less than 2^63");
        ActiveModel {
            match_id: Set(self.match_id),
            file: Set(self.file.to_column()),
            position: Set(signed(self.position)),
            length: Set(i32::try_from(self.length).expect("the writer keeps matches shorter")),
            seq: Set(signed(self.seq)),
            version: Set(signed(self.version)),
            at: Set(self.at.micros()),
            hash: Set(self.hash.to_vec()),
        }
    }
}

/// Those of these matches that are archived.
pub(crate) async fn find(
    db: &impl Connection,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, ArchivedMatch>> {
    let mut found = HashMap::new();
    for ids in ids.chunks(ROWS) {
        let rows = Entity::find().filter(Column::MatchId.is_in(ids.iter().copied())).all(db);
        for row in rows.await? {
            found.insert(row.match_id, ArchivedMatch::read(&row)?);
        }
    }
    Ok(found)
}

/// Adds rows. Those that exist already stay as they are.
pub(crate) async fn insert(db: &impl Connection, archived: &[ArchivedMatch]) -> Result<()> {
    for archived in archived.chunks(ROWS) {
        Entity::insert_many(archived.iter().map(ArchivedMatch::write))
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(db)
            .await?;
    }
    Ok(())
}

/// Whether no match is archived.
pub async fn is_empty(db: &Db) -> Result<bool> {
    Ok(Entity::find().limit(1).one(db).await?.is_none())
}
