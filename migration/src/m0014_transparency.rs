//! The transparency log: an append-only Merkle tree over the ends of matches, and its signed head.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, binary, small_integer, string},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in tables() {
            manager.create_table(table).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["transparency_nodes", "transparency_leaves", "transparency_heads"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

fn tables() -> [TableCreateStatement; 3] {
    [
        // The complete subtrees, which never change. Level 0 holds the leaves.
        Table::create()
            .table("transparency_nodes")
            .col(small_integer("level"))
            .col(big_integer("position"))
            .col(binary("hash"))
            .primary_key(Index::create().col("level").col("position"))
            .to_owned(),
        // Where each leaf is. Matches are not named here: their leaves follow from their logs.
        Table::create()
            .table("transparency_leaves")
            .col(binary("hash").primary_key())
            .col(big_integer("position"))
            .to_owned(),
        // The signed tree heads, one for each size that was signed.
        Table::create()
            .table("transparency_heads")
            .col(big_integer("size").primary_key())
            .col(big_integer("at"))
            .col(string("root"))
            .col(string("kid"))
            .col(string("signature"))
            .to_owned(),
    ]
}
