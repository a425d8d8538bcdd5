//! The transparency log: complete subtrees by level and position, where each leaf is, and the signed heads.

use std::collections::HashMap;

use domain::proof::{
    SignedHead,
    merkle::{Hash, Node},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::OnConflict,
};

use crate::{
    Connection,
    entities::{
        transparency_head::{self, Model as HeadRow},
        transparency_leaf, transparency_node,
    },
    error::{Error, Result},
};

/// Rows per statement; a database limits the number of bound values.
const ROWS: usize = 1_000;

/// The last head that was signed.
pub async fn last_head(db: &impl Connection) -> Result<Option<SignedHead>> {
    let last = transparency_head::Entity::find()
        .order_by_desc(transparency_head::Column::Size)
        .one(db)
        .await?;
    last.map(read_head).transpose()
}

/// The head of this size, if it was signed.
pub async fn head(db: &impl Connection, size: u64) -> Result<Option<SignedHead>> {
    let Ok(size) = signed(size) else { return Ok(None) };
    transparency_head::Entity::find_by_id(size).one(db).await?.map(read_head).transpose()
}

fn read_head(row: HeadRow) -> Result<SignedHead> {
    Ok(SignedHead {
        size: unsigned(row.size)?,
        at: row.at,
        root: row.root,
        kid: row.kid,
        signature: row.signature,
    })
}

/// Stores a head. One of the same size stays as it is.
pub async fn insert_head(db: &impl Connection, head: SignedHead) -> Result<()> {
    let row = transparency_head::ActiveModel {
        size: Set(signed(head.size)?),
        at: Set(head.at),
        root: Set(head.root),
        kid: Set(head.kid),
        signature: Set(head.signature),
    };
    transparency_head::Entity::insert(row)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// Stores complete subtrees and where the leaves among them are. None of them may exist.
pub async fn insert_nodes(db: &impl Connection, nodes: &[(Node, Hash)]) -> Result<()> {
    for nodes in nodes.chunks(ROWS) {
        let rows = nodes
            .iter()
            .map(|(node, hash)| {
                Ok(transparency_node::ActiveModel {
                    level: Set(node.level.into()),
                    position: Set(signed(node.index)?),
                    hash: Set(hash.to_vec()),
                })
            })
            .collect::<Result<Vec<_>>>()?;
        transparency_node::Entity::insert_many(rows).exec_without_returning(db).await?;
        let leaves = nodes
            .iter()
            .filter(|(node, _)| node.level == 0)
            .map(|(node, hash)| {
                Ok(transparency_leaf::ActiveModel {
                    hash: Set(hash.to_vec()),
                    position: Set(signed(node.index)?),
                })
            })
            .collect::<Result<Vec<_>>>()?;
        if !leaves.is_empty() {
            transparency_leaf::Entity::insert_many(leaves).exec_without_returning(db).await?;
        }
    }
    Ok(())
}

/// The hashes of these complete subtrees. All of them have to exist.
pub async fn nodes(db: &impl Connection, wanted: &[Node]) -> Result<HashMap<Node, Hash>> {
    let mut found = HashMap::with_capacity(wanted.len());
    for wanted in wanted.chunks(ROWS) {
        let mut any = Condition::any();
        for node in wanted {
            any = any.add(
                Condition::all()
                    .add(transparency_node::Column::Level.eq(i16::from(node.level)))
                    .add(transparency_node::Column::Position.eq(signed(node.index)?)),
            );
        }
        for row in transparency_node::Entity::find().filter(any).all(db).await? {
            let level = u8::try_from(row.level).map_err(unreadable)?;
            found.insert(Node { level, index: unsigned(row.position)? }, hash(row.hash)?);
        }
        if let Some(missing) = wanted.iter().find(|node| !found.contains_key(node)) {
            return Err(unreadable(format!("{missing:?} is missing")));
        }
    }
    Ok(found)
}

/// The leaves from a position on.
pub async fn leaves(db: &impl Connection, start: u64, limit: u64) -> Result<Vec<Hash>> {
    let Ok(start) = signed(start) else { return Ok(Vec::new()) };
    let rows = transparency_node::Entity::find()
        .filter(transparency_node::Column::Level.eq(0))
        .filter(transparency_node::Column::Position.gte(start))
        .order_by_asc(transparency_node::Column::Position)
        .limit(limit)
        .all(db)
        .await?;
    rows.into_iter().map(|row| hash(row.hash)).collect()
}

/// Where a leaf is.
pub async fn position(db: &impl Connection, leaf: &Hash) -> Result<Option<u64>> {
    let row = transparency_leaf::Entity::find_by_id(leaf.to_vec()).one(db).await?;
    row.map(|row| unsigned(row.position)).transpose()
}

fn signed(number: u64) -> Result<i64> {
    i64::try_from(number).map_err(unreadable)
}

fn unsigned(number: i64) -> Result<u64> {
    u64::try_from(number).map_err(unreadable)
}

fn hash(bytes: Vec<u8>) -> Result<Hash> {
    bytes.try_into().map_err(|_| unreadable("a hash must have 32 bytes"))
}

fn unreadable(reason: impl std::fmt::Display) -> Error {
    Error::Failed(format!("the transparency log cannot be read: {reason}"))
}
