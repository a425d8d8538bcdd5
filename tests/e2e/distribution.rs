//! `telar migrate --distribute`. Citus cannot be had here, so functions of the same names record how they are called.

use api::{config::Config, startup::open_store};
use serde_json::json;
use sqlx::{Connection as _, PgConnection, Row as _};
use store::{distribution, lane::LANE_TABLES};
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    postgres::empty_database,
    process::KEY,
    server::{Server, Store},
    stream::{Framing, Stream},
};

/// The functions and the view of Citus that are used, with the names and defaults of their arguments.
const CITUS: &str = "
CREATE TABLE calls (number serial, call text);
CREATE TABLE citus_tables (table_name regclass, citus_table_type text, distribution_column text);
CREATE FUNCTION create_distributed_table(
    table_name regclass, distribution_column text, distribution_type text DEFAULT 'hash',
    colocate_with text DEFAULT 'default', shard_count int DEFAULT NULL
) RETURNS void LANGUAGE sql AS $$
    INSERT INTO calls (call) VALUES (
        concat_ws(' ', 'distribute', table_name, 'by', distribution_column, 'with', colocate_with, shard_count)
    );
    INSERT INTO citus_tables VALUES (table_name, 'distributed', distribution_column);
$$;
CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS $$
    INSERT INTO calls (call) VALUES ('reference ' || table_name);
    INSERT INTO citus_tables VALUES (table_name, 'reference', '<none>');
$$;
CREATE FUNCTION create_distributed_function(
    function_name regprocedure, distribution_arg_name text, colocate_with text DEFAULT 'default'
) RETURNS void LANGUAGE sql AS $$
    INSERT INTO calls (call) VALUES (
        'function ' || function_name::regproc || ' by ' || distribution_arg_name || ' with ' || colocate_with
    );
$$;";

async fn config() -> (tempfile::TempDir, Config) {
    let directory = tempfile::tempdir().unwrap();
    let url = empty_database().await;
    let config = Config::for_directory(directory.path().to_owned(), Some(url));
    (directory, config)
}

async fn session(config: &Config) -> PgConnection {
    PgConnection::connect(config.database_url.as_ref().unwrap()).await.unwrap()
}

async fn calls(session: &mut PgConnection) -> Vec<String> {
    let rows = sqlx::query("SELECT call FROM calls ORDER BY number").fetch_all(session).await;
    rows.unwrap().iter().map(|row| row.get("call")).collect()
}

async fn distribute(config: &Config) -> Result<Vec<String>, String> {
    let db = store::connect(&config.store()).await.unwrap();
    store::migrate(&db, config.lanes()).await.unwrap();
    let steps = distribution::distribute(&db).await.map_err(|error| error.to_string());
    store::close(&db).await.unwrap();
    steps
}

#[actix_web::test]
async fn tables_of_matches_are_distributed_by_lane_once() {
    let (_directory, config) = config().await;
    let error = distribute(&config).await.unwrap_err();
    assert!(error.contains("has no Citus"), "{error}");
    let mut session = session(&config).await;
    sqlx::raw_sql(CITUS).execute(&mut session).await.unwrap();
    let steps = distribute(&config).await.unwrap();
    assert_eq!(steps[0], "Each of the 64 lanes has its own feed from now on.");
    let mut expected = vec![
        "reference store_layout".to_owned(),
        "distribute commits by lane with none 64".to_owned(),
    ];
    let others = LANE_TABLES.iter().skip(1);
    expected.extend(others.map(|table| format!("distribute {table} by lane with commits")));
    let function = "function telar_write_lane by the_lane with commits".to_owned();
    expected.push(function.clone());
    assert_eq!(calls(&mut session).await, expected);
    let again = distribute(&config).await.unwrap();
    assert_eq!(again[0], "Every lane has its own feed already.");
    expected.push(function);
    assert_eq!(calls(&mut session).await, expected, "nothing is done twice: {again:?}");
}

#[actix_web::test]
async fn a_store_that_is_distributed_otherwise_is_refused() {
    let (_directory, config) = config().await;
    open_store(&config).await.unwrap();
    let mut session = session(&config).await;
    sqlx::raw_sql(CITUS).execute(&mut session).await.unwrap();
    for (column, reason) in [("match_id", "distributed by match_id"), ("lane", "only in part")] {
        let table = "INSERT INTO citus_tables VALUES ('commits', 'distributed', $1)";
        sqlx::query(table).bind(column).execute(&mut session).await.unwrap();
        let error = open_store(&config).await.unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        sqlx::query("DELETE FROM citus_tables").execute(&mut session).await.unwrap();
    }
}

/// What was written before comes first; nothing is lost and nothing is counted twice.
#[actix_web::test]
async fn a_store_goes_on_after_it_was_distributed() {
    let url = empty_database().await;
    let change = |config: &mut Config| {
        config.database_url = Some(url.clone());
        config.signing_key = Some(KEY.to_owned());
        config.storage_key = Some(KEY.to_owned());
    };
    let server = Server::start_with(Store::Postgres, change).await;
    let mut session = session(&server.config).await;
    sqlx::raw_sql(CITUS).execute(&mut session).await.unwrap();
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let begin = async |ana: &Client, ben: &Client| {
        let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
        ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
        id
    };
    let (first, second) = (begin(&ana, &ben).await, begin(&ana, &ben).await);
    let mut mine = Stream::open(&ana, "/v1/me/stream", Framing::Sse).await;
    let seen = mine.expect("snapshot").await["id"].as_str().unwrap().to_owned();
    drop(mine);
    ben.post(&format!("/v1/matches/{first}/resign"), &json!({})).await.expect(200);
    let error = distribute(&server.config).await.unwrap_err();
    assert!(error.contains("servers are running"), "{error}");

    let config = server.config.clone();
    server.stop().await;
    distribute(&config).await.unwrap();
    let server = Server::start_with(Store::Postgres, change).await;
    let (ana, ben) = (ana.at(&server.url), ben.at(&server.url));
    ben.post(&format!("/v1/matches/{second}/resign"), &json!({})).await.expect(200);
    let mut mine = Stream::resume(&ana, "/v1/me/stream", Framing::Sse, Some(&seen)).await.unwrap();
    mine.expect("snapshot").await;
    for id in [&first, &second] {
        let finished = mine.until("match.finished").await;
        assert_eq!(finished["data"]["match"], id.as_str());
        // An id after the switch says how far every lane is.
        let id = finished["id"].as_str().unwrap();
        assert!(service::streams::NotificationId::parse(id).is_some(), "{id}");
    }
    eventually("both are counted", PATIENCE, async || {
        let stats = ana.get("/v1/games/qwinto/stats").await.expect(200);
        (stats["matches"] == 2).then_some(())
    })
    .await;
    server.stop().await;
}
