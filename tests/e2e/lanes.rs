//! Lanes: what the catalogue of the database and the statements of the server must be like, so that lanes can be distributed;
//! and lanes that live on different nodes.

use std::time::Duration;

use serde_json::json;
use service::statistics;
use sqlx::{Connection as _, PgConnection, Row as _};
use store::{Connection as _, lane::LANE_TABLES};
use tests::{
    client::Client,
    distributed,
    eventually::{PATIENCE, eventually},
    postgres::{Disk, Postgres, empty_database},
    process::KEY,
    random_play::{Plan, play},
    server::{Server, Store},
    statements,
    stream::{Framing, Stream},
};
use uuid::Uuid;

/// The columns of the unique keys of a table, by key.
const UNIQUE_KEYS: &str = "
SELECT pg_index.indexrelid::regclass::text AS key, array_agg(attname::text ORDER BY attnum) AS columns
FROM pg_index JOIN pg_attribute ON attrelid = indexrelid
WHERE indisunique AND indrelid = $1::text::regclass GROUP BY 1";

/// What would tie a table of matches to other tables, or to one node.
const TIES: &str = "
SELECT 'foreign key ' || conname AS tie FROM pg_constraint
    WHERE contype = 'f' AND $1::text::regclass IN (conrelid, confrelid)
UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE tgrelid = $1::text::regclass AND NOT tgisinternal
UNION ALL SELECT 'sequence of ' || attname FROM pg_attribute
    WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped
    AND (attidentity <> '' OR pg_get_serial_sequence($1, attname) IS NOT NULL)";

/// Starts a server on this database.
async fn serve(url: &str) -> Server {
    Server::start_with(Store::Postgres, |config| {
        config.database_url = Some(url.to_owned());
        config.signing_key = Some(KEY.to_owned());
        config.storage_key = Some(KEY.to_owned());
    })
    .await
}

#[actix_web::test]
async fn every_unique_key_of_a_table_of_matches_contains_the_lane() {
    let url = empty_database().await;
    let server = serve(&url).await;
    let mut db = PgConnection::connect(&url).await.unwrap();
    for table in LANE_TABLES {
        let keys = sqlx::query(UNIQUE_KEYS).bind(table).fetch_all(&mut db).await.unwrap();
        assert_eq!(keys.len(), 1, "{table} has another key than its primary key");
        let columns: Vec<String> = keys[0].get("columns");
        assert_eq!(columns.first().map(String::as_str), Some("lane"), "{table}: {columns:?}");
        let ties = sqlx::query(TIES).bind(table).fetch_all(&mut db).await.unwrap();
        let ties: Vec<String> = ties.iter().map(|row| row.get("tie")).collect();
        assert_eq!(ties, [""; 0], "{table}");
    }
    assert_eq!(server.matches().log().database().lanes().count(), 64);
}

fn plan(seed: u64) -> Plan {
    let (game, options) = ("qwinto".to_owned(), json!({}));
    Plan { game, seats: 2, options, seed, look_every: 4, replays: 4 }
}

/// Two players of a match, and the match.
async fn pair(server: &Server, other: &Server) -> (Client, Client, String) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&other.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    (ana, ben, id)
}

async fn counted(client: &Client) -> u64 {
    client.get("/v1/games/qwinto/stats").await.expect(200)["matches"].as_u64().unwrap()
}

async fn are_counted(client: &Client, count: u64) {
    eventually("the matches are counted", PATIENCE, async || {
        (counted(client).await == count).then_some(())
    })
    .await;
}

/// Uses whatever has to do with matches, on two replicas.
async fn use_everything(url: &str) {
    let (server, other) = (serve(url).await, serve(url).await);
    play(&server.url, &plan(1)).await;
    let (ana, ben, id) = pair(&server, &other).await;
    let mut mine = Stream::open(&ana, "/v1/me/stream", Framing::Sse).await;
    let mut watching = Stream::open(&ben, &format!("/v1/matches/{id}/events"), Framing::Sse).await;
    mine.expect("snapshot").await;
    watching.expect("snapshot").await;
    ben.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    mine.until("match.finished").await;
    ana.post(&format!("/v1/matches/{id}/rematch"), &json!({})).await;
    let player = ben.player.clone().unwrap();
    let body = json!({ "game": "qwinto", "seats": 2, "visibility": "private" });
    let open = ana.post("/v1/matches", &body).await.expect(201)["id"].clone();
    let invitations = format!("/v1/matches/{}/invitations", open.as_str().unwrap());
    ana.post(&invitations, &json!({ "players": [player] })).await;
    ana.delete(&format!("{invitations}/{player}")).await;
    are_counted(&ana, 2).await;
    for path in [
        "/v1/matches".to_owned(),
        "/v1/matches?status=finished&game=qwinto".to_owned(),
        "/v1/matches?waiting=true".to_owned(),
        "/v1/me/invitations".to_owned(),
        format!("/v1/players/{player}/matches"),
        format!("/v1/matches/{id}/proof"),
        format!("/v1/matches/{id}/result"),
        format!("/v1/matches/{id}/replay?at=1"),
        format!("/v1/matches/{id}/events?after=1&limit=1"),
    ] {
        ana.get(&path).await;
    }
    ben.delete("/v1/me").await;
    let log = server.matches().log().clone();
    statistics::rebuild(&log, Duration::ZERO).await.unwrap();
    other.stop().await;
    server.restart().await.stop().await;
}

/// Statements about a match go to one node, so they have to name the lane.
#[actix_web::test]
async fn every_statement_about_a_match_names_its_lane() {
    let postgres = Postgres::start_with(Disk::Careless, &statements::LOGGING);
    use_everything(&postgres.create_database().await).await;
    let apart = postgres.create_database().await;
    if !distributed::is_default() {
        distributed::prepare(&apart).await;
    }
    use_everything(&apart).await;
    let statements = statements::logged(&postgres.log());
    assert!(statements.len() > 100, "{statements:?}");
    let strays = statements::without_lane(&statements);
    assert!(strays.is_empty(), "{strays:#?}");
}

/// Lets some lanes fail as if their node were away: every statement that touches one of their rows fails.
const NODES: &str = "
CREATE TABLE dead_lanes (lane int2);
CREATE FUNCTION is_alive(lane int2) RETURNS bool LANGUAGE plpgsql STABLE AS $$ BEGIN
    IF EXISTS (SELECT FROM dead_lanes WHERE dead_lanes.lane = $1) THEN
        RAISE EXCEPTION 'a node is away' USING ERRCODE = '08006';
    END IF;
    RETURN true;
END $$;";

struct Cluster {
    url: String,
    admin: PgConnection,
}

impl Cluster {
    /// A distributed store whose lanes can fail. Superusers see all rows, so it belongs to somebody else.
    async fn new() -> Self {
        let url = empty_database().await;
        let mut admin = PgConnection::connect(&url).await.unwrap();
        let database = url.rsplit('/').next().unwrap();
        let owner = format!("owner_{database}");
        for sql in [
            format!("CREATE ROLE {owner} LOGIN"),
            format!("ALTER DATABASE {database} OWNER TO {owner}"),
        ] {
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut admin).await.unwrap();
        }
        let url = url.replace("//telar@", &format!("//{owner}@"));
        distributed::prepare(&url).await;
        let mut session = PgConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(NODES).execute(&mut session).await.unwrap();
        for table in LANE_TABLES {
            let sql = format!(
                "ALTER TABLE {table} ENABLE ROW LEVEL SECURITY; \
                 ALTER TABLE {table} FORCE ROW LEVEL SECURITY; \
                 CREATE POLICY node ON {table} USING (is_alive(lane)) WITH CHECK (is_alive(lane))"
            );
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut session).await.unwrap();
        }
        Self { url, admin: session }
    }

    async fn kill(&mut self, lane: i16) {
        let kill = sqlx::query("INSERT INTO dead_lanes VALUES ($1)").bind(lane);
        kill.execute(&mut self.admin).await.unwrap();
    }

    async fn revive(&mut self) {
        sqlx::query("DELETE FROM dead_lanes").execute(&mut self.admin).await.unwrap();
    }
}

/// A node that is away stops its own lanes only.
#[actix_web::test]
async fn a_dead_node_fails_its_own_lanes_only() {
    let mut cluster = Cluster::new().await;
    let (server, other) = (serve(&cluster.url).await, serve(&cluster.url).await);
    let lanes = server.matches().log().database().lanes();
    let lane = |id: &str| lanes.of(id.parse::<Uuid>().unwrap());
    let (ana, ben, dead) = pair(&server, &other).await;
    let (eva, leo, alive) = loop {
        let (eva, leo, id) = pair(&server, &other).await;
        if lane(&id) != lane(&dead) {
            break (eva, leo, id);
        }
    };
    let mut watching =
        Stream::open(&leo, &format!("/v1/matches/{alive}/events"), Framing::Sse).await;
    watching.expect("snapshot").await;
    cluster.kill(lane(&dead).column()).await;
    let resign = |id: &str| format!("/v1/matches/{id}/resign");
    let stuck = {
        let (ana, path) = (ana.clone(), resign(&dead));
        actix_web::rt::spawn(async move { ana.post(&path, &json!({})).await.status })
    };
    // The other replica reads of it, although the feed of one lane cannot be read.
    eva.post(&resign(&alive), &json!({})).await.expect(200);
    assert_eq!(watching.expect("event").await["event"]["type"], "seat_resigned");
    are_counted(&leo, 1).await;
    assert!(!stuck.is_finished(), "the command is sent again until its time is over");
    cluster.revive().await;
    assert_eq!(stuck.await.unwrap(), 200);
    are_counted(&ben, 2).await;
}

/// After a while, the command that cannot be written is refused.
#[actix_web::test]
async fn a_command_for_a_dead_node_is_refused_in_the_end() {
    let mut cluster = Cluster::new().await;
    let server = serve(&cluster.url).await;
    let (ana, _, id) = pair(&server, &server).await;
    let lane = server.matches().log().database().lanes().of(id.parse().unwrap());
    cluster.kill(lane.column()).await;
    let reply = ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await;
    assert_eq!(reply.status, 503, "{reply:?}");
    cluster.revive().await;
    eventually("it can be written to again", PATIENCE, async || {
        let reply = ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await;
        (reply.status == 200 || reply.status == 409 || reply.status == 422).then_some(())
    })
    .await;
    are_counted(&ana, 1).await;
}
