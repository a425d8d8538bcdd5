//! The transparency log: an append-only Merkle tree (RFC 6962) over the ends of matches, in the order of the feed.

use domain::{
    proof::{
        self, ConsistencyProof, InclusionProof, SignedHead,
        merkle::{self, Edge, Hash, Node, Span},
    },
    time::Timestamp,
};
use store::{Connection, Db, Transaction, transparency};

use super::{Notary, keys::ProofKeys};
use crate::error::{Error, Result};

/// Why the log does not prove something.
#[derive(Debug, thiserror::Error)]
pub enum TransparencyError {
    /// The log has no such leaf, or had none at that size.
    #[error("the leaf is not in the log")]
    NoLeaf,
    /// No head of this size was signed, or the sizes are in the wrong order.
    #[error("no head of this size was signed")]
    NoHead,
    /// The store failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<store::Error> for TransparencyError {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Appends leaves and signs the new head, in the transaction that makes them known.
pub(super) async fn append(
    work: &Transaction,
    keys: &ProofKeys,
    leaves: &[Hash],
    now: Timestamp,
) -> Result<()> {
    let last = transparency::last_head(work).await?;
    let (size, signed_at) = last.map_or((0, i64::MIN), |head| (head.size, head.at));
    let peaks = hashes(work, &Span::tree(size).nodes()).await?;
    let mut edge =
        Edge::new(size, peaks).expect("there is a hash for every node that was asked for");
    let nodes: Vec<(Node, Hash)> = leaves.iter().flat_map(|leaf| edge.append(*leaf)).collect();
    transparency::insert_nodes(work, &nodes).await?;
    // Time never runs backwards in the log, even if the clock was set back.
    let head = signed(keys, edge.size(), &edge.root(), now.micros().max(signed_at));
    Ok(transparency::insert_head(work, head).await?)
}

fn signed(keys: &ProofKeys, size: u64, root: &Hash, at: i64) -> SignedHead {
    let (kid, signature) = keys.sign(&proof::tree_head(size, at, root));
    SignedHead { size, at, root: hex::encode(root), kid, signature: hex::encode(signature) }
}

/// The hashes of nodes, in the same order.
async fn hashes(db: &impl Connection, nodes: &[Node]) -> Result<Vec<Hash>> {
    let found = transparency::nodes(db, nodes).await?;
    Ok(nodes.iter().map(|node| found[node]).collect())
}

impl Notary {
    /// Signs the head of the log while nothing has ended here yet, so that there always is one.
    pub(super) async fn sign_empty_log(&self) -> Result<()> {
        if transparency::last_head(self.db()).await?.is_none() {
            let head = signed(&self.keys, 0, &Span::hash(&[]), self.clock.now().micros());
            transparency::insert_head(self.db(), head).await?;
        }
        Ok(())
    }

    /// The current head.
    pub async fn tree_head(&self) -> Result<SignedHead> {
        Self::last_head(&self.db().reader().await).await
    }

    async fn last_head(db: &Db) -> Result<SignedHead> {
        let head = transparency::last_head(db).await?;
        Ok(head.ok_or_else(|| store::Error::Failed("the log has no head".to_owned()))?)
    }

    /// Leaves from a position on.
    pub async fn leaves(&self, start: u64, limit: u64) -> Result<Vec<Hash>> {
        Ok(transparency::leaves(&self.db().reader().await, start, limit).await?)
    }

    /// The proof that a leaf is in the log at a size; at the current size by default.
    pub async fn inclusion(
        &self,
        leaf: Hash,
        size: Option<u64>,
    ) -> Result<InclusionProof, TransparencyError> {
        let db = self.db().reader().await;
        let tree_head = Self::signed_head(&db, size).await?;
        let index = transparency::position(&db, &leaf).await?;
        let index = index.ok_or(TransparencyError::NoLeaf)?;
        let spans = merkle::inclusion(index, tree_head.size).ok_or(TransparencyError::NoLeaf)?;
        let path = path(&db, &spans).await?;
        Ok(InclusionProof { leaf: hex::encode(leaf), index, path, tree_head })
    }

    /// The proof that the log at the second size continues the log at the first; the current size by default.
    pub async fn consistency(
        &self,
        first: u64,
        second: Option<u64>,
    ) -> Result<ConsistencyProof, TransparencyError> {
        let db = self.db().reader().await;
        let tree_head = Self::signed_head(&db, second).await?;
        let spans = merkle::consistency(first, tree_head.size).ok_or(TransparencyError::NoHead)?;
        Ok(ConsistencyProof { first, path: path(&db, &spans).await?, tree_head })
    }

    /// The head of a size; the current one by default.
    async fn signed_head(db: &Db, size: Option<u64>) -> Result<SignedHead, TransparencyError> {
        match size {
            None => Ok(Self::last_head(db).await?),
            Some(size) => {
                let head = transparency::head(db, size).await?;
                head.ok_or(TransparencyError::NoHead)
            }
        }
    }
}

/// The hashes of spans, as a proof lists them.
async fn path(db: &Db, spans: &[Span]) -> Result<Vec<String>> {
    let nodes: Vec<Vec<Node>> = spans.iter().map(|span| span.nodes()).collect();
    let hashes = hashes(db, &nodes.concat()).await?;
    let mut rest = hashes.as_slice();
    let path = nodes.iter().map(|nodes| {
        let (own, others) = rest.split_at(nodes.len());
        rest = others;
        hex::encode(Span::hash(own))
    });
    Ok(path.collect())
}
