//! Archived matches: the same for everybody who reads them, counted as before, and never in neither place.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use api::config::Config;
use domain::{matches::Match, time::Timestamp};
use reqwest::Method;
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait, Statement};
use serde_json::{Value, json};
use service::{
    Clock,
    archive::{self, Archiver, Candidates, Summary},
    notifications::StepReader,
    statistics::rebuild,
};
use store::{
    Archive, EventLog,
    archive::Directory,
    entities::{match_signature, match_summary, player},
    event_log::{FeedPosition, Moved},
};
use tests::{
    client::Client,
    counted::everything,
    eventually::{PATIENCE, eventually},
    history::{self, Cast, settle},
    open_log,
    postgres::new_database,
    random_play::{Plan, play},
    server::{Server, Store},
};
use uuid::Uuid;

use crate::records::{resigned, signed};

on_both_stores!(
    an_archived_match_reads_the_same_for_everybody,
    archived_matches_can_be_forked_and_played_again,
    an_archive_that_is_away_or_damaged_is_an_error_and_not_a_missing_match,
    files_hold_no_names,
);

/// Makes two tests of each of these functions, which take a log that no server follows.
macro_rules! on_both_logs {
    ($($test:ident),+ $(,)?) => {
        $(
            mod $test {
                use tests::server::Store;

                #[actix_web::test]
                async fn sqlite() {
                    super::$test(super::Filled::new(Store::Sqlite).await).await;
                }

                #[actix_web::test]
                async fn postgres() {
                    super::$test(super::Filled::new(Store::Postgres).await).await;
                }
            }
        )+
    };
}

on_both_logs!(
    statistics_count_archived_matches_as_before,
    followers_that_come_late_see_archived_matches,
    every_step_can_be_the_last_one,
    two_at_once_and_twice_are_harmless,
    a_flawed_match_stays_in_the_log,
);

/// The log of a server, with its archive.
async fn log_of(server: &Server) -> EventLog {
    open_log(&server.config).await.patient()
}

fn directory_of(server: &Server) -> PathBuf {
    server.config.data_dir.join("archive")
}

/// The same server, which reads archived matches.
async fn with_archive(server: Server) -> Server {
    let directory = directory_of(&server);
    server.restart_with(|config| config.archive = Some(directory)).await
}

/// A time at which everything in these tests is over.
fn later() -> Timestamp {
    Timestamp::from_micros(Clock::system().now().micros() + 3_600_000_000)
}

async fn archive_all(log: &EventLog, directory: &Path) -> Summary {
    archive::run(log, directory, (later(), later()), |_| {}).await.expect("matches are archived")
}

/// The number of commits in the log of each match.
async fn stored(log: &EventLog) -> BTreeMap<Uuid, i64> {
    let db = log.database();
    let sql = "SELECT match_id, count(*) AS commits FROM commits GROUP BY match_id";
    let statement = Statement::from_string(db.get_database_backend(), sql);
    let rows = db.query_all_raw(statement).await.unwrap();
    rows.iter()
        .map(|row| (row.try_get("", "match_id").unwrap(), row.try_get("", "commits").unwrap()))
        .collect()
}

/// Every match with its whole log, wherever that is.
async fn everything_read(log: &EventLog) -> BTreeMap<Uuid, Match> {
    let mut all = BTreeMap::new();
    for row in match_summary::Entity::find().all(log.database()).await.unwrap() {
        let commits = log.load(row.id, 0).await.expect("a readable log");
        all.insert(row.id, Match::fold(&commits).expect("a whole log").expect("a match"));
    }
    all
}

fn hashes(all: &BTreeMap<Uuid, Match>) -> Vec<(Uuid, u64, [u8; 32])> {
    all.iter().map(|(id, m)| (*id, m.version(), *m.hash())).collect()
}

/// What a client gets: the status, the tag and the body.
async fn fetch(client: &Client, path: &str, accept: &str) -> (u16, Option<String>, String) {
    let request = client.request(Method::GET, path).header("accept", accept);
    let response = request.send().await.unwrap();
    let tag = response.headers().get("etag").map(|tag| tag.to_str().unwrap().to_owned());
    (response.status().as_u16(), tag, response.text().await.unwrap())
}

/// Everything that these clients can read about these matches.
async fn readable(url: &str, clients: &[Client], ids: &[String]) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let paths = ids.iter().flat_map(|id| {
        [
            "",
            "/events?limit=200",
            "/events?after=3&limit=5",
            "/frames?limit=20",
            "/frames?as=archive&limit=200",
            "/frames?as=0&after=7",
            "/replay?at=4",
            "/replay?at=6&as=1",
            "/replay?as=archive",
            "/board",
            "/board?at=5",
            "/proof",
            "/export",
            "/luck",
            "/result",
        ]
        .map(|rest| (format!("/v1/matches/{id}{rest}"), "*/*"))
    });
    let lists = [
        ("/v1/matches?limit=200", "*/*"),
        ("/v1/matches?status=finished", "*/*"),
        ("/v1/matches?mine=true", "*/*"),
        ("/v1/exports/matches", "application/x-ndjson"),
        ("/v1/exports/matches", "text/csv"),
        ("/v1/transparency/tree-head", "*/*"),
    ];
    let lists = lists.map(|(path, accept)| (path.to_owned(), accept));
    for (path, accept) in paths.chain(lists) {
        for (number, client) in clients.iter().enumerate() {
            let got = fetch(&client.at(url), &path, accept).await;
            all.insert(format!("{number} {path} {accept}"), format!("{got:?}"));
        }
    }
    all
}

#[track_caller]
fn assert_same(one: &BTreeMap<String, String>, two: &BTreeMap<String, String>) {
    assert_eq!(one.len(), two.len());
    for ((what, one), (_, two)) in one.iter().zip(two) {
        assert_eq!(one, two, "{what}");
    }
}

/// A match of every game, one that ended early, one that nobody joined, and a private one; and who may see them.
async fn matches_of_all_kinds(url: &str) -> (Vec<Client>, Vec<String>) {
    let mut ids = Vec::new();
    for (seed, game) in (1..).zip(domain::games::all()) {
        let seats = usize::from(game.info().max_seats).min(2);
        let game = game.info().key.to_owned();
        let plan = Plan { game, seats, options: json!({}), seed, look_every: 50, replays: 1 };
        ids.push(play(url, &plan).await.id);
    }
    let (ended, ana, ben) = resigned(url).await;
    ids.push(ended);
    let left = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ana.delete(&format!("/v1/matches/{left}/seats")).await;
    ids.push(left);
    let body = json!({ "game": "trama", "seats": 2, "visibility": "private" });
    let private = ana.post("/v1/matches", &body).await.expect(201);
    let id = private["id"].as_str().unwrap().to_owned();
    let code = json!({ "invite_code": private["invite_code"] });
    ben.post(&format!("/v1/matches/{id}/seats"), &code).await.expect(201);
    ben.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    ids.push(id);
    for id in ids.iter().filter(|id| **id != ids[6]) {
        signed(&ana, id).await;
    }
    (vec![ana, ben, Client::anonymous(url)], ids)
}

async fn an_archived_match_reads_the_same_for_everybody(server: Server) {
    let server = with_archive(server).await;
    let (clients, ids) = matches_of_all_kinds(&server.url).await;
    let going_on = clients[0].create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let log = log_of(&server).await;
    let before = readable(&server.url, &clients, &ids).await;
    let statuses = before.values().filter(|got| got.starts_with("(200")).count();
    assert!(statuses > before.len() / 2, "{statuses} of {} can be read", before.len());
    let summary = archive_all(&log, &directory_of(&server)).await;
    assert_eq!((summary.matches, summary.files, summary.flawed), (ids.len() as u64, 1, 0));
    assert_eq!(stored(&log).await.keys().map(Uuid::to_string).collect::<Vec<_>>(), [going_on]);
    // By a server that has them in memory, and by one that has not.
    assert_same(&before, &readable(&server.url, &clients, &ids).await);
    let server = server.restart().await;
    assert_same(&before, &readable(&server.url, &clients, &ids).await);
    // Nothing happens to a match that is over.
    clients[0]
        .at(&server.url)
        .post(&format!("/v1/matches/{}/resign", ids[5]), &json!({}))
        .await
        .problem(409, "match_over");
    server.stop().await;
}

async fn archived_matches_can_be_forked_and_played_again(server: Server) {
    let server = with_archive(server).await;
    let (id, ana, ben) = resigned(&server.url).await;
    let plan = Plan {
        game: "qwinto".to_owned(),
        seats: 2,
        options: json!({}),
        seed: 1,
        look_every: 50,
        replays: 1,
    };
    let played = play(&server.url, &plan).await.id;
    let log = log_of(&server).await;
    archive_all(&log, &directory_of(&server)).await;
    let server = server.restart().await;
    let (ana, ben) = (ana.at(&server.url), ben.at(&server.url));
    let fork = ana.post(&format!("/v1/matches/{played}/forks"), &json!({ "at": 8 })).await;
    assert_eq!(fork.expect(201)["origin"]["match"], played);
    let rematch = ana.post(&format!("/v1/matches/{id}/rematch"), &json!({})).await.expect(201);
    let again = ben.post(&format!("/v1/matches/{id}/rematch"), &json!({})).await;
    again.expect(200);
    let shown = ben.get(&format!("/v1/matches/{id}")).await.expect(200);
    assert_eq!(shown["rematch"], rematch["id"]);
    // A player who is deleted disappears from archived matches, too.
    ana.delete("/v1/me").await;
    let shown = ben.get(&format!("/v1/matches/{id}")).await.expect(200);
    assert_eq!(shown["seats"][0]["player"]["name"], Value::Null);
    server.stop().await;
}

async fn an_archive_that_is_away_or_damaged_is_an_error_and_not_a_missing_match(server: Server) {
    let (id, ana, _) = resigned(&server.url).await;
    let log = log_of(&server).await;
    let directory = directory_of(&server);
    // Nobody who follows the feed reads it again, and keeps it in memory.
    signed(&ana, &id).await;
    settle(&log).await;
    archive_all(&log, &directory).await;
    let unknown = Uuid::from_u128(77);
    let paths = ["", "/events", "/frames", "/replay", "/proof", "/export"];
    // Nobody told the server where the archive is.
    let server = server.restart().await;
    let client = ana.at(&server.url);
    for path in paths {
        let path = format!("/v1/matches/{id}{path}");
        let problem = client.get(&path).await.problem(503, "archive_unavailable");
        assert!(problem["detail"].as_str().unwrap().contains("archived"), "{problem}");
    }
    client.get(&format!("/v1/matches/{unknown}")).await.problem(404, "not_found");
    assert_eq!(client.get("/v1/matches").await.expect(200)["matches"][0]["id"], id);
    // It comes back without a restart, and goes away again.
    let server = with_archive(server).await;
    let client = ana.at(&server.url);
    let away = directory.with_extension("away");
    fs::rename(&directory, &away).unwrap();
    client.get(&format!("/v1/matches/{id}")).await.problem(503, "archive_unavailable");
    fs::rename(&away, &directory).unwrap();
    client.get(&format!("/v1/matches/{id}")).await.expect(200);
    // Every byte counts.
    let server = server.restart().await;
    let client = ana.at(&server.url);
    let folder = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path());
    let folder = folder.into_iter().find(|path| path.is_dir()).unwrap();
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let file = files.into_iter().find(|path| path.extension().unwrap() == "zst").unwrap();
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();
    for path in paths {
        client.get(&format!("/v1/matches/{id}{path}")).await.problem(500, "archive_damaged");
    }
    assert_eq!(client.get("/v1/matches").await.expect(200)["matches"][0]["id"], id);
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();
    client.get(&format!("/v1/matches/{id}/proof")).await.expect(200);
    server.stop().await;
}

/// Players with and without accounts.
async fn cast(log: &EventLog) -> Cast {
    let ids: Vec<Uuid> = (1..=9).map(Uuid::from_u128).collect();
    let rows = ids.iter().map(|id| player::ActiveModel {
        id: Set(*id),
        name: Set(format!("Player {}", id.as_u128())),
        name_key: Set(None),
        look_key: Set(None),
        email: Set(None),
        password_hash: Set(None),
        created_at: Set(0),
        account_since: Set((id.as_u128() <= 6).then_some(0)),
        ..Default::default()
    });
    player::Entity::insert_many(rows).exec_without_returning(log.database()).await.unwrap();
    Cast { accounts: ids[..6].to_vec(), guests: ids[6..].to_vec() }
}

/// A log with matches of five months, which no server follows, and the directory of its archive.
struct Filled {
    log: EventLog,
    directory: PathBuf,
    config: Config,
    _data: tempfile::TempDir,
}

impl Filled {
    async fn new(store: Store) -> Self {
        let data = tempfile::tempdir().unwrap();
        let database = match store {
            Store::Sqlite => None,
            Store::Postgres => Some(new_database().await),
        };
        let directory = data.path().join("archive");
        let mut config = Config::for_directory(data.path().to_owned(), database);
        config.archive = Some(directory.clone());
        let log = open_log(&config).await.patient();
        let cast = cast(&log).await;
        history::write(&log, &cast, 0..50).await;
        Self { log, directory, config, _data: data }
    }
}

async fn statistics_count_archived_matches_as_before(filled: Filled) {
    let (log, directory) = (filled.log.clone(), filled.directory.clone());
    settle(&log).await;
    let counted = everything(&log).await;
    let read = everything_read(&log).await;
    // Some of them first.
    let march = Timestamp::from_micros(1_772_323_200_000_000);
    let summary = archive::run(&log, &directory, (march, later()), |_| {}).await.unwrap();
    assert!(summary.matches > 10 && summary.files >= 2, "{summary:?}");
    let gone: HashSet<Uuid> =
        read.values().filter(|m| m.status().is_over()).map(Match::id).collect();
    let kept: HashSet<Uuid> = stored(&log).await.into_keys().collect();
    for (id, m) in &read {
        let is_archived = m.status().is_over() && m.updated_at() < march;
        assert_eq!(is_archived, !kept.contains(id), "{id}");
    }
    rebuild(&log, std::time::Duration::ZERO).await.unwrap();
    assert_eq!(everything(&log).await, counted);
    archive_all(&log, &directory).await;
    let kept: HashSet<Uuid> = stored(&log).await.into_keys().collect();
    assert!(kept.is_disjoint(&gone) && !kept.is_empty());
    assert_eq!(everything(&log).await, counted);
    rebuild(&log, std::time::Duration::ZERO).await.unwrap();
    assert_eq!(everything(&log).await, counted);
    assert_eq!(hashes(&everything_read(&log).await), hashes(&read));
    // Without the archive nothing is counted wrongly: the rebuild fails, and the numbers stay.
    let blind = log.clone().with_archive(Archive::new(None));
    let error = rebuild(&blind, std::time::Duration::ZERO).await.expect_err("unreadable matches");
    assert!(error.to_string().contains("TELAR_ARCHIVE"), "{error}");
    assert_eq!(everything(&log).await, counted);
}

async fn followers_that_come_late_see_archived_matches(filled: Filled) {
    let Filled { log, directory, config, _data } = filled;
    let entries = log.feed(&FeedPosition::START, 10_000).await.unwrap();
    let keys: Vec<(Uuid, u64)> = entries.into_iter().flat_map(|entry| entry.commits).collect();
    let read = everything_read(&log).await;
    archive_all(&log, &directory).await;
    if log.is_shared() {
        assert_eq!(log.missing(&keys).await.unwrap(), HashSet::new());
        let unknown = (*keys.first().unwrap().0.as_bytes(), 1_000_000);
        let unknown = (Uuid::from_bytes(unknown.0), unknown.1);
        assert_eq!(log.missing(&[unknown]).await.unwrap(), HashSet::from([unknown]));
    }
    let steps = StepReader::new(log.clone());
    for (id, seq) in keys.iter().take(500) {
        let step = steps.step(*id, *seq).await.expect("a step");
        assert_eq!(step.after().id(), *id);
        assert!(step.after().version() > *seq);
    }
    settle(&log).await;
    let counted = everything(&log).await;
    rebuild(&log, std::time::Duration::ZERO).await.unwrap();
    assert_eq!(everything(&log).await, counted);
    let finished = read.values().filter(|m| m.outcome().is_some()).count();
    assert!(counted.len() > finished, "{} rows", counted.len());
    // A server that starts now looks at the whole feed: its notary finds what was not imported.
    let running = api::startup::build(&config, Clock::system()).await.unwrap();
    let (server, stop) = running.split();
    let serving = actix_web::rt::spawn(server);
    let imported =
        store::entities::imported_match::Entity::find().all(log.database()).await.unwrap();
    let imported: HashSet<Uuid> = imported.into_iter().map(|row| row.match_id).collect();
    let played = read.values().filter(|m| m.started_at().is_some() && !imported.contains(&m.id()));
    let expected: HashSet<Uuid> = played.map(Match::id).collect();
    assert!(!expected.is_empty());
    eventually("everything is signed", PATIENCE, async || {
        let rows = match_signature::Entity::find().all(log.database()).await.unwrap();
        let signed: HashSet<Uuid> = rows.into_iter().map(|row| row.match_id).collect();
        expected.is_subset(&signed).then_some(())
    })
    .await;
    stop.stop().await;
    serving.await.unwrap().unwrap();
}

async fn every_step_can_be_the_last_one(filled: Filled) {
    let (log, directory) = (filled.log.clone(), filled.directory.clone());
    let read = hashes(&everything_read(&log).await);
    let commits: i64 = stored(&log).await.values().sum();
    let open = || Directory::open(&directory, || ()).expect("writable");
    let all = async || {
        let mut ids = Vec::new();
        let mut candidates = Candidates::new(log.clone(), later(), later());
        while let Some(id) = candidates.next().await.unwrap() {
            ids.push(id);
        }
        ids
    };
    let ids = all().await;
    assert_eq!(
        archive::count(Candidates::new(log.clone(), later(), later()))
            .await
            .unwrap()
            .values()
            .sum::<u64>(),
        ids.len() as u64
    );
    // A file that is still being written, and one that is written but was never published.
    drop(open().begin().unwrap());
    let january = |ids: &[Uuid]| {
        let month = store::months::Month::of_id(ids[0]);
        ids.iter().filter(|id| store::months::Month::of_id(**id) == month).copied().collect()
    };
    assert_eq!(hashes(&everything_read(&log).await), read);
    // A file that was published, and whose matches are still in the log.
    let mut some: Vec<Uuid> = january(&ids);
    let published = Archiver::new(log.clone(), open()).write(&mut some, &mut |_| {}).await;
    let published = published.unwrap().expect("a file");
    assert_eq!(stored(&log).await.values().sum::<i64>(), commits);
    assert_eq!(hashes(&everything_read(&log).await), read);
    assert_eq!(all().await, ids);
    // Written again, it is the same file.
    let mut some: Vec<Uuid> = january(&ids);
    let again = Archiver::new(log.clone(), open()).write(&mut some, &mut |_| {}).await;
    assert_eq!(again.unwrap().expect("a file").path(), published.path());
    // A file whose matches were moved, but the caller did not hear of it.
    let first = log.move_to_archive(&published).await.unwrap();
    assert_eq!(first.matches, published.matches().len() as u64);
    let second = log.move_to_archive(&published).await.unwrap();
    assert_eq!(second, Moved { left: first.matches, ..Moved::default() });
    assert_eq!(hashes(&everything_read(&log).await), read);
    let rest = archive_all(&log, &directory).await;
    assert_eq!(rest.matches + first.matches, ids.len() as u64);
    assert_eq!(hashes(&everything_read(&log).await), read);
    assert!(!directory.join("partial.ndjson.zst").exists());
}

async fn two_at_once_and_twice_are_harmless(filled: Filled) {
    let (log, directory) = (filled.log.clone(), filled.directory.clone());
    let read = hashes(&everything_read(&log).await);
    let elsewhere = directory.with_extension("other");
    // Into the same directory they take turns; into different ones each match is moved once.
    let (one, two, three) = tokio::join!(
        archive_all(&log, &directory),
        archive_all(&log, &directory),
        archive_all(&log, &elsewhere),
    );
    let over = archive::count(Candidates::new(log.clone(), later(), later())).await.unwrap();
    assert!(over.is_empty(), "{over:?}");
    let moved = one.matches + two.matches + three.matches;
    assert_eq!(archive_all(&log, &directory).await, Summary::default());
    for entry in fs::read_dir(&elsewhere).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            let folder = directory.join(entry.file_name().unwrap());
            fs::create_dir_all(&folder).unwrap();
            for file in fs::read_dir(entry).unwrap().map(|entry| entry.unwrap().path()) {
                fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
            }
        }
    }
    assert_eq!(hashes(&everything_read(&log).await), read);
    let left = stored(&log).await.len() as u64;
    assert_eq!(moved + left, read.len() as u64);
}

async fn files_hold_no_names(server: Server) {
    let server = with_archive(server).await;
    let ana = Client::guest(&server.url, "Anastasia Zuñiga").await;
    let ben = Client::guest(&server.url, "Benedicto").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    let log = log_of(&server).await;
    archive_all(&log, &directory_of(&server)).await;
    let mut texts = String::new();
    for folder in fs::read_dir(directory_of(&server)).unwrap().map(|it| it.unwrap().path()) {
        for file in fs::read_dir(folder).into_iter().flatten().map(|it| it.unwrap().path()) {
            let bytes = fs::read(&file).unwrap();
            texts += &match file.extension().unwrap().to_str().unwrap() {
                "zst" => String::from_utf8(zstd::decode_all(&bytes[..]).unwrap()).unwrap(),
                _ => String::from_utf8(bytes).unwrap(),
            };
        }
    }
    assert!(texts.contains(&id) && texts.contains(ana.player.as_deref().unwrap()));
    for name in ["Anastasia", "Benedicto"] {
        assert!(!texts.contains(name), "{name}");
    }
    server.stop().await;
}

async fn a_flawed_match_stays_in_the_log(filled: Filled) {
    let (log, directory) = (filled.log.clone(), filled.directory.clone());
    let over = archive::count(Candidates::new(log.clone(), later(), later())).await.unwrap();
    let over: u64 = over.values().sum();
    let mut candidates = Candidates::new(log.clone(), later(), later());
    let flawed =
        [candidates.next().await.unwrap().unwrap(), candidates.next().await.unwrap().unwrap()];
    // One does not follow from its seed any more, and the other cannot be read at all.
    let db = log.database();
    let backend = db.get_database_backend();
    let changes = [
        "UPDATE commits SET at = at + 1 WHERE match_id = $1 AND seq = 0",
        "UPDATE commits SET payload = '{}' WHERE match_id = $1 AND seq > 0",
    ];
    for (id, sql) in flawed.iter().zip(changes) {
        db.execute_raw(Statement::from_sql_and_values(backend, sql, [(*id).into()])).await.unwrap();
    }
    let mut named = Vec::new();
    let summary = archive::run(&log, &directory, (later(), later()), |step| {
        if let archive::Step::Flawed { id, .. } = step {
            named.push(id);
        }
    });
    let summary = summary.await.unwrap();
    assert_eq!((summary.flawed, summary.matches), (2, over - 2));
    assert_eq!(named.iter().collect::<HashSet<_>>(), flawed.iter().collect());
    let kept = stored(&log).await;
    assert!(flawed.iter().all(|id| kept.contains_key(id)));
}
