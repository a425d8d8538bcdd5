//! Stores that were filled by an older schema.

use api::{config::Config, startup::open_store};
use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement, Value};
use serde_json::json;
use store::Connection as _;
use tests::{
    client::Client,
    postgres::empty_database,
    server::{Server, Store},
};
use uuid::Uuid;

/// The number of changes before sessions knew their device and names their look.
const BEFORE_SESSIONS: u32 = 10;

/// The URL of an empty store, and a connection to it.
async fn empty(store: Store, directory: &tempfile::TempDir) -> (String, DatabaseConnection) {
    let url = match store {
        Store::Sqlite => {
            format!("sqlite://{}?mode=rwc", directory.path().join("telar.db").display())
        }
        Store::Postgres => empty_database().await,
    };
    let db = Database::connect(url.clone()).await.unwrap();
    (url, db)
}

async fn insert<const N: usize>(db: &DatabaseConnection, row: &str, values: [Value; N]) {
    let places: Vec<String> = (1..=N).map(|place| format!("${place}")).collect();
    let sql = format!("INSERT INTO {row} VALUES ({})", places.join(", "));
    let backend = db.get_database_backend();
    db.execute_raw(Statement::from_sql_and_values(backend, sql, values)).await.unwrap();
}

async fn insert_account(db: &DatabaseConnection, id: u128, name: &str, key: &str) {
    insert(
        db,
        "players (id, name, name_key, password_hash, created_at)",
        [Uuid::from_u128(id).into(), name.into(), key.into(), "unknown".into(), 1_i64.into()],
    )
    .await;
}

/// A session of a player with a refresh token that was used and one that was not.
async fn insert_session(db: &DatabaseConnection, id: u128, player: u128, tokens: [&str; 2]) {
    let session = Uuid::from_u128(id);
    insert(
        db,
        "sessions (id, player_id, created_at)",
        [session.into(), Uuid::from_u128(player).into(), 2_i64.into()],
    )
    .await;
    for (token, used_at) in tokens.into_iter().zip([Some(3_i64), None]) {
        let hash = service::secret::hash(token.as_bytes()).to_vec();
        insert(
            db,
            "refresh_tokens (token_hash, session_id, expires_at, used_at)",
            [hash.into(), session.into(), i64::MAX.into(), used_at.into()],
        )
        .await;
    }
}

async fn sessions_and_names_survive(store: Store) {
    let directory = tempfile::tempdir().unwrap();
    let (url, db) = empty(store, &directory).await;
    Migrator::up(&db, Some(BEFORE_SESSIONS)).await.unwrap();
    insert_account(&db, 1, "Carmen", "carmen").await;
    // With a Cyrillic `а`.
    insert_account(&db, 2, "C\u{430}rmen", "c\u{430}rmen").await;
    insert_session(&db, 3, 1, ["used", "carmen-next"]).await;
    insert_session(&db, 4, 2, ["used as well", "other-next"]).await;
    db.close().await.unwrap();

    let server = Server::start_with(Store::Sqlite, |config| config.database_url = Some(url)).await;
    let anybody = Client::anonymous(&server.url);
    let refresh = async |token: &str| {
        anybody.post("/v1/sessions/refresh", &json!({ "refresh_token": token })).await
    };
    refresh("used").await.problem(401, "invalid_refresh_token");
    for (token, name) in [("carmen-next", "Carmen"), ("other-next", "C\u{430}rmen")] {
        let session = refresh(token).await.expect(200);
        assert_eq!(session["player"]["name"], name, "both keep their names");
        let mut player = Client::anonymous(&server.url);
        player.enter(&session);
        let sessions = player.get("/v1/me/sessions").await.expect(200);
        assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1, "{sessions}");
        // The used token of this session was forgotten, so it does not end the session.
        let next = session["refresh_token"].as_str().unwrap();
        refresh(next).await.expect(200);
    }
    for name in ["CARMEN", "Carrnen", "Carmen"] {
        let body = json!({ "name": name, "password": "correct horse" });
        anybody.post("/v1/players", &body).await.problem(409, "name_taken");
    }
}

#[actix_web::test]
async fn sessions_and_names_survive_on_sqlite() {
    sessions_and_names_survive(Store::Sqlite).await;
}

#[actix_web::test]
async fn sessions_and_names_survive_on_postgres() {
    sessions_and_names_survive(Store::Postgres).await;
}

/// A store from before there were lanes is refused rather than misread.
async fn without_lanes(store: Store) {
    let directory = tempfile::tempdir().unwrap();
    let (url, db) = empty(store, &directory).await;
    Migrator::install(&db).await.unwrap();
    let row = "seaql_migrations (version, applied_at)";
    insert(&db, row, ["m0002_matches".into(), 1_i64.into()]).await;
    db.close().await.unwrap();
    let config = Config::for_directory(directory.path().to_owned(), Some(url));
    let error = open_store(&config).await.unwrap_err().to_string();
    assert!(error.contains("knew no lanes"), "{error}");
}

#[actix_web::test]
async fn a_store_without_lanes_is_refused_on_sqlite() {
    without_lanes(Store::Sqlite).await;
}

#[actix_web::test]
async fn a_store_without_lanes_is_refused_on_postgres() {
    without_lanes(Store::Postgres).await;
}

/// The number of lanes is chosen once.
async fn lanes_are_chosen_once(store: Store) {
    let directory = tempfile::tempdir().unwrap();
    let (url, db) = empty(store, &directory).await;
    db.close().await.unwrap();
    let mut config = Config::for_directory(directory.path().to_owned(), Some(url));
    let lanes = async |config: &Config| {
        let log = open_store(config).await.map_err(|error| error.to_string())?;
        Ok::<_, String>(log.database().lanes().count())
    };
    config.lanes = Some(8);
    assert_eq!(lanes(&config).await, Ok(8));
    config.lanes = None;
    assert_eq!(lanes(&config).await, Ok(8));
    config.lanes = Some(16);
    let error = lanes(&config).await.unwrap_err();
    assert!(error.contains("has 8 lanes") && error.contains("asks for 16"), "{error}");
}

#[actix_web::test]
async fn the_number_of_lanes_is_chosen_once_on_sqlite() {
    lanes_are_chosen_once(Store::Sqlite).await;
}

#[actix_web::test]
async fn the_number_of_lanes_is_chosen_once_on_postgres() {
    lanes_are_chosen_once(Store::Postgres).await;
}
