//! The matches whose commits are in files of the archive, not in the log.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, binary, integer, uuid},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("archived_matches")
                    .col(uuid("match_id").primary_key())
                    // The file: the first half of the SHA-256 of its content.
                    .col(uuid("file"))
                    // Where the match is in the file, in bytes.
                    .col(big_integer("position"))
                    .col(integer("length"))
                    // The last commit: its sequence number, its time, its hash, and the version after it.
                    .col(big_integer("seq"))
                    .col(big_integer("version"))
                    .col(big_integer("at"))
                    .col(binary("hash"))
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("archived_matches").to_owned()).await
    }
}
