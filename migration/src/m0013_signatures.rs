//! Signatures of matches, the public keys that belong to them, and which matches were played elsewhere.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, binary, string, uuid},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in tables() {
            manager.create_table(table).await?;
        }
        // Matches from before this migration are signed, too.
        manager
            .exec_stmt(
                Query::insert()
                    .into_table("followers")
                    .columns(["name", "pos"])
                    .values_panic(["notary".into(), "0".into()])
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["match_signatures", "proof_keys", "imported_matches"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        manager
            .exec_stmt(
                Query::delete()
                    .from_table("followers")
                    .and_where(Expr::col("name").eq("notary"))
                    .to_owned(),
            )
            .await
    }
}

fn tables() -> [TableCreateStatement; 3] {
    [
        Table::create()
            .table("match_signatures")
            .col(uuid("match_id"))
            // `start` or `end`.
            .col(string("moment"))
            // The commit that started or ended the match.
            .col(big_integer("seq"))
            .col(string("kid"))
            .col(binary("signature"))
            .primary_key(Index::create().col("match_id").col("moment"))
            .to_owned(),
        // Keys stay here after they have been retired, so that old signatures can be checked.
        Table::create()
            .table("proof_keys")
            .col(string("kid").primary_key())
            .col(binary("public_key"))
            .col(big_integer("created_at"))
            .to_owned(),
        // Matches that were written as a whole. This server did not play them, so it does not sign them.
        Table::create().table("imported_matches").col(uuid("match_id").primary_key()).to_owned(),
    ]
}
