//! Signing the matches that start and end in the feed.

use std::{collections::HashMap, sync::Arc, time::Duration};

use domain::{
    matches::Commit,
    proof::{self, Moment, Statement, merkle},
};
use store::{
    Db, EventLog, Transaction,
    event_log::{FeedEntry, FeedPosition},
    followers,
    signatures::{self, NewSignature},
};
use uuid::Uuid;

use super::{keys::ProofKeys, transparency};
use crate::{
    clock::Clock,
    error::Result,
    feed::{FeedConsumer, Progress},
};

/// The pause after every look at the feed: signing many matches at once costs little more than signing one.
const PAUSE: Duration = Duration::from_millis(250);

/// Signs the matches that start and end in the feed.
#[derive(Debug)]
pub(super) struct Signer {
    log: EventLog,
    clock: Clock,
    keys: Arc<ProofKeys>,
}

/// What is written for a batch.
#[derive(Debug, Default)]
pub(super) struct Signed {
    signatures: Vec<NewSignature>,
    /// New leaves of the transparency log, in the order of the feed.
    leaves: Vec<merkle::Hash>,
}

impl Signer {
    pub(super) fn new(log: EventLog, clock: Clock, keys: Arc<ProofKeys>) -> Self {
        Self { log, clock, keys }
    }

    /// The commits in a batch that start or end a match which is played here, by match.
    async fn notable(&self, keys: &[(Uuid, u64)]) -> Result<HashMap<Uuid, Vec<u64>>> {
        let mut notable: HashMap<Uuid, Vec<u64>> = HashMap::new();
        let commits = self.log.life_commits(keys).await?;
        for Commit { match_id, seq, .. } in
            commits.iter().filter(|commit| commit.starts_match() || commit.ends_match())
        {
            notable.entry(*match_id).or_default().push(*seq);
        }
        let ids: Vec<Uuid> = notable.keys().copied().collect();
        let imported = signatures::imported(self.log.database(), &ids).await?;
        notable.retain(|id, _| !imported.contains(id));
        Ok(notable)
    }

    fn sign(&self, match_id: Uuid, Statement { moment, seq, bytes }: &Statement) -> NewSignature {
        let (kid, signature) = self.keys.sign(bytes);
        NewSignature { match_id, moment: *moment, seq: *seq, kid, bytes: signature }
    }
}

impl FeedConsumer for Signer {
    const NAME: &'static str = "notary";
    const ENTRIES: u64 = 200;
    const UNWRITTEN: u64 = 5_000;
    const POLL: Duration = Duration::from_secs(1);

    type Checkpoint = FeedPosition;
    type Work = Signed;

    async fn checkpoint(&self, db: &Db) -> Result<FeedPosition> {
        Ok(followers::position(db, Self::NAME).await?)
    }

    async fn lock(&self, work: &Transaction) -> Result<Option<FeedPosition>> {
        Ok(followers::try_lock(work, Self::NAME).await?)
    }

    async fn prepare(&mut self, entries: &[FeedEntry]) -> Result<Option<(Signed, usize)>> {
        let keys: Vec<(Uuid, u64)> =
            entries.iter().flat_map(|entry| &entry.commits).copied().collect();
        let notable = self.notable(&keys).await?;
        if notable.is_empty() {
            return Ok(None);
        }
        let ids: Vec<Uuid> = notable.keys().copied().collect();
        let lives = self.log.lives(&ids).await?;
        let mut statements: HashMap<(Uuid, u64), Vec<Statement>> = HashMap::new();
        for (id, seqs) in &notable {
            let Some(commits) = lives.get(id) else { continue };
            match proof::statements(commits, seqs) {
                Ok(made) => {
                    for statement in made {
                        statements.entry((*id, statement.seq)).or_default().push(statement);
                    }
                }
                // One unreadable match must not hold up all others.
                Err(error) => tracing::error!(%error, "a match is not signed"),
            }
        }
        let mut signed = Signed::default();
        for key in &keys {
            for statement in statements.remove(key).iter().flatten() {
                signed.signatures.push(self.sign(key.0, statement));
                if statement.moment == Moment::End {
                    signed.leaves.push(merkle::leaf(&statement.bytes));
                }
            }
        }
        let amount = signed.signatures.len();
        Ok((amount > 0).then_some((signed, amount)))
    }

    async fn write(
        &self,
        work: &Transaction,
        _: &FeedPosition,
        signed: Option<Signed>,
        position: FeedPosition,
    ) -> Result<()> {
        if let Some(Signed { signatures, leaves }) = signed {
            signatures::insert(work, &signatures).await?;
            if !leaves.is_empty() {
                transparency::append(work, &self.keys, &leaves, self.clock.now()).await?;
            }
        }
        Ok(followers::advance(work, Self::NAME, &position).await?)
    }

    fn committed(&self, amount: usize) {
        metrics::counter!("telar_signatures_total").increment(amount as u64);
    }

    fn pause(_: Progress) -> Duration {
        PAUSE
    }
}
