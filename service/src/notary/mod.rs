//! The notary: signs the start and the end of every match that is played here, and enters the ends in the transparency log.
//!
//! Signatures are not events, because the domain has no keys. One replica at a time follows the feed and signs what it finds, in
//! one transaction together with its position. Matches that were imported or generated are left out: this server did not see
//! them being played.

mod follow;
mod keys;
mod transparency;

use std::sync::Arc;

use domain::proof::{Moment, Proof};
use jsonwebtoken::jwk::Jwk;
use parking_lot::RwLock;
use store::{
    Db,
    signatures::{self, NewSignature, ProofKey},
};
use uuid::Uuid;

pub use keys::{NoKeys, ProofKeys, PublicKeys};
pub use transparency::TransparencyError;

use crate::{clock::Clock, error::Result, feed::Follower, live::Matches, tasks::Shutdown};

/// Signs matches and keeps the transparency log.
#[derive(Debug)]
pub struct Notary {
    matches: Matches,
    clock: Clock,
    keys: Arc<ProofKeys>,
    /// The public keys as they were last read: a key set can be published while the store is away.
    known: RwLock<Vec<ProofKey>>,
}

impl Notary {
    /// A notary with these keys, which become known to everybody who shares the store. One that may not write signs nothing.
    pub async fn open(matches: &Matches, clock: Clock, keys: ProofKeys) -> Result<Self> {
        let public = keys.public();
        let keys = Arc::new(keys);
        let known = RwLock::new(public.clone());
        let notary = Self { matches: matches.clone(), clock, keys, known };
        if !notary.db().is_read_only() {
            signatures::insert_keys(notary.db(), &public, notary.clock.now()).await?;
            notary.sign_empty_log().await?;
        }
        Ok(notary)
    }

    /// Signs what is new in the feed, until told to stop.
    pub async fn run(&self, shutdown: Shutdown) {
        let log = self.matches.log().clone();
        let signer = follow::Signer::new(log.clone(), self.clock.clone(), Arc::clone(&self.keys));
        Follower::new(log, signer).run(self.matches.feed_grown(), shutdown).await;
    }

    /// All keys that have ever signed here, as they are published: the current ones and retired ones.
    pub async fn public_keys(&self) -> Vec<Jwk> {
        match signatures::keys(self.db()).await {
            Ok(mut keys) => {
                keys.sort_by(|one, other| one.kid.cmp(&other.kid));
                *self.known.write() = keys;
            }
            Err(error) => tracing::warn!(%error, "cannot read the keys of proofs"),
        }
        self.known.read().iter().map(keys::published).collect()
    }

    fn db(&self) -> &Db {
        self.matches.log().database()
    }
}

/// The signatures in a proof, to be stored with the match that it proves.
#[must_use]
pub fn signatures_in(proof: &Proof) -> Vec<NewSignature> {
    let Some(signatures) = &proof.signatures else { return Vec::new() };
    let moments = [(Moment::Start, &signatures.start), (Moment::End, &signatures.end)];
    let match_id: Uuid = proof.header.id;
    moments
        .into_iter()
        .filter_map(|(moment, signature)| {
            let signature = signature.as_ref()?;
            let bytes = signature.bytes().ok()?;
            let (seq, kid) = (signature.seq, signature.kid.clone());
            Some(NewSignature { match_id, moment, seq, kid, bytes })
        })
        .collect()
}
