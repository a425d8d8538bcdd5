//! Signatures of matches, the keys that belong to them, and the matches that were played elsewhere.

use std::collections::{HashMap, HashSet};

use domain::{
    proof::{Moment, Signature, Signatures},
    time::Timestamp,
};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, sea_query::OnConflict};
use uuid::Uuid;

use crate::{
    Connection, Db,
    entities::{imported_match, match_signature, proof_key},
    error::{Error, Result},
};

/// Rows per statement; a database limits the number of bound values.
const ROWS: usize = 1_000;

/// A signature of a match, to be stored.
#[derive(Debug, Clone)]
pub struct NewSignature {
    /// The match.
    pub match_id: Uuid,
    /// What it is about.
    pub moment: Moment,
    /// The commit that started or ended the match.
    pub seq: u64,
    /// The id of the key.
    pub kid: String,
    /// The signature.
    pub bytes: [u8; 64],
}

/// A public key that has signed matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofKey {
    /// Its id.
    pub kid: String,
    /// The key.
    pub public_key: Vec<u8>,
}

/// Stores signatures. Those that exist already stay as they are.
pub async fn insert(db: &impl Connection, new: &[NewSignature]) -> Result<()> {
    for new in new.chunks(ROWS) {
        let rows = new
            .iter()
            .map(|new| {
                Ok(match_signature::ActiveModel {
                    match_id: Set(new.match_id),
                    moment: Set(new.moment.id().to_owned()),
                    seq: Set(i64::try_from(new.seq).map_err(|_| no_seq(new.seq))?),
                    kid: Set(new.kid.clone()),
                    signature: Set(new.bytes.to_vec()),
                })
            })
            .collect::<Result<Vec<_>>>()?;
        match_signature::Entity::insert_many(rows)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(db)
            .await?;
    }
    Ok(())
}

fn no_seq(seq: impl std::fmt::Display) -> Error {
    Error::Failed(format!("{seq} is not the sequence number of a commit"))
}

/// The signatures of a match.
pub async fn of(db: &Db, match_id: Uuid) -> Result<Signatures> {
    Ok(of_many(db, &[match_id]).await?.remove(&match_id).unwrap_or_default())
}

/// The signatures of each of these matches that has any.
pub async fn of_many(db: &Db, ids: &[Uuid]) -> Result<HashMap<Uuid, Signatures>> {
    let mut found: HashMap<Uuid, Signatures> = HashMap::new();
    for ids in ids.chunks(ROWS) {
        let rows = match_signature::Entity::find()
            .filter(match_signature::Column::MatchId.is_in(ids.iter().copied()))
            .all(db)
            .await?;
        for row in rows {
            let signatures = found.entry(row.match_id).or_default();
            let seq = u64::try_from(row.seq).map_err(|_| no_seq(row.seq))?;
            let signature = Signature::new(seq, row.kid, &row.signature);
            if row.moment == Moment::Start.id() {
                signatures.start = Some(signature);
            } else {
                signatures.end = Some(signature);
            }
        }
    }
    Ok(found)
}

/// Marks matches as not played on this server.
pub async fn mark_imported(db: &impl Connection, ids: &[Uuid]) -> Result<()> {
    for ids in ids.chunks(ROWS) {
        let rows = ids.iter().map(|id| imported_match::ActiveModel { match_id: Set(*id) });
        imported_match::Entity::insert_many(rows)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(db)
            .await?;
    }
    Ok(())
}

/// Those of these matches that were not played on this server.
pub async fn imported(db: &impl Connection, ids: &[Uuid]) -> Result<HashSet<Uuid>> {
    let mut found = HashSet::new();
    for ids in ids.chunks(ROWS) {
        let rows = imported_match::Entity::find()
            .filter(imported_match::Column::MatchId.is_in(ids.iter().copied()))
            .all(db)
            .await?;
        found.extend(rows.into_iter().map(|row| row.match_id));
    }
    Ok(found)
}

/// Stores public keys. Those that exist already stay as they are.
pub async fn insert_keys(db: &Db, keys: &[ProofKey], now: Timestamp) -> Result<()> {
    let rows = keys.iter().map(|key| proof_key::ActiveModel {
        kid: Set(key.kid.clone()),
        public_key: Set(key.public_key.clone()),
        created_at: Set(now.micros()),
    });
    proof_key::Entity::insert_many(rows)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// All public keys that have ever signed matches, retired ones included.
pub async fn keys(db: &Db) -> Result<Vec<ProofKey>> {
    let rows = proof_key::Entity::find().all(db).await?;
    Ok(rows.into_iter().map(|row| ProofKey { kid: row.kid, public_key: row.public_key }).collect())
}
