//! Names of accounts that look alike can be told: see `service::identity::profile`, where the keys are computed from now on.

use sea_orm_migration::{
    prelude::*,
    schema::string_null,
    sea_orm::{ConnectionTrait, FromQueryResult, Statement},
};
use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(FromQueryResult)]
struct Account {
    id: uuid::Uuid,
    name: String,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = string_null("look_key");
        let add = Table::alter().table("players").add_column(column).to_owned();
        manager.alter_table(add).await?;
        let mut index = Index::create();
        index.name("players_by_look").table("players").col("look_key").unique();
        manager.create_index(index).await?;
        let db = manager.get_connection();
        let backend = db.get_database_backend();
        // The keys of generated players contain a slash, so that nobody can log in as one of them.
        let sql = "SELECT id, name FROM players WHERE name_key IS NOT NULL AND name_key NOT LIKE '%/%' ORDER BY id";
        let accounts = Account::find_by_statement(Statement::from_string(backend, sql));
        for Account { id, name } in accounts.all(db).await? {
            // Where two look alike, the older account keeps the look; where two share a key, the newer keeps its old one.
            for (column, key) in [("name_key", name_key(&name)), ("look_key", look_key(&name))] {
                let sql = format!(
                    "UPDATE players SET {column} = $1 WHERE id = $2 AND NOT EXISTS (SELECT 1 FROM players WHERE {column} = $1)"
                );
                let values = [key.into(), id.into()];
                db.execute_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
            }
        }
        Ok(())
    }
}

fn name_key(name: &str) -> String {
    let normal: String = name.nfkc().collect();
    folded(&normal.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn look_key(name: &str) -> String {
    let skeleton: String = skeleton(&name_key(name)).collect();
    let letters = folded(&skeleton).replace('i', "l");
    let words = letters.split([' ', '_', '-', '.']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

fn folded(name: &str) -> String {
    name.to_uppercase().to_lowercase().nfkc().collect()
}
