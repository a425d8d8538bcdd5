//! The log and its feed with many writers: no gap, no loss, no duplicate.

use std::{
    collections::{BTreeMap, HashMap},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use api::config::Config;
use domain::{
    games,
    matches::{Command, Commit, Create, Match},
    seat::Seat,
    time::Timestamp,
};
use futures_util::future::{join_all, poll_immediate};
use reqwest::Method;
use serde_json::json;
use service::{
    Clock,
    live::{CommandContext, Consistency, Matches},
};
use sqlx::{Connection as _, PgConnection, Row as _};
use store::{
    Connection as _, EventLog, Lanes,
    event_log::{Appended, FeedPosition, WholeMatch},
    layout::Feeds,
};
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    server::{Server, Store},
    stream::{Framing, Stream},
};
use tokio::sync::Barrier;
use uuid::Uuid;

/// The number of matches, of commits in each, and of writers that compete for every commit.
const MATCHES: usize = 40;
const COMMITS: usize = 60;
const WRITERS: usize = 6;

/// Several logs on one store, as several replicas would have them.
async fn logs(kind: Store, count: usize) -> (Vec<EventLog>, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let database = match kind {
        Store::Sqlite => None,
        Store::Postgres => Some(tests::postgres::new_database().await),
    };
    let config = Config::for_directory(directory.path().to_owned(), database);
    let mut logs = Vec::new();
    for _ in 0..count {
        logs.push(tests::open_log(&config).await);
    }
    (logs, directory)
}

fn new_match(id: Uuid, player: u128) -> (Match, Commit) {
    let tapestry = games::find("tapestry").unwrap();
    let create = Create::new(id, tapestry, 1, Uuid::from_u128(player), [7; 32].into());
    let decision = Match::create(create, Timestamp::from_micros(0)).unwrap();
    let (table, _, commit) = decision.into_commit(Uuid::from_u128(player));
    (table, commit)
}

/// The first legal move of the only seat, with its own command id.
fn next(table: &Match, command_id: Uuid, at: i64) -> Option<(Match, Commit)> {
    let seat = table.to_act().iter().next()?;
    let mv = table.state()?.legal_moves(seat).next()?;
    let command = Command::Play { player: table.sitter(seat)?.player, mv };
    let decision = table.decide(&command, Timestamp::from_micros(at)).ok()?;
    let (table, _, commit) = decision.into_commit(command_id);
    Some((table, commit))
}

/// Writes to every match at the same time as all others: one of the writers that compete for a place gets it, and the others
/// read the log and try again.
async fn compete(log: EventLog, number: usize, together: Arc<Barrier>) -> Vec<(Uuid, u64)> {
    let mut mine = Vec::new();
    let mut tables: Vec<Option<Match>> = (0..MATCHES).map(|_| None).collect();
    for round in 0..COMMITS {
        together.wait().await;
        let appends = tables.iter().zip(1..).map(|(table, id)| {
            let command = Uuid::from_u128((number as u128) << 64 | (round as u128) << 32 | id);
            let (after, commit) = match table {
                None => new_match(Uuid::from_u128(id), number as u128 + 1),
                Some(table) => next(table, command, i64::try_from(number).unwrap()).unwrap(),
            };
            let log = &log;
            async move {
                let place = (commit.match_id, commit.seq);
                let appended = log.append(commit, table.as_ref(), &after, |_| ()).await.unwrap();
                (appended == Appended::Written).then_some(place)
            }
        });
        mine.extend(join_all(appends).await.into_iter().flatten());
        together.wait().await;
        for (table, id) in tables.iter_mut().zip(1..) {
            let from = table.as_ref().map_or(0, Match::version);
            for commit in log.load(Uuid::from_u128(id), from).await.unwrap() {
                match table {
                    None => *table = Some(Match::open(&commit).unwrap()),
                    Some(table) => drop(table.apply(&commit).unwrap()),
                }
            }
        }
    }
    mine
}

async fn writers_compete(kind: Store) {
    let (logs, _directory) = logs(kind, WRITERS).await;
    let together = Arc::new(Barrier::new(WRITERS));
    let writers = logs
        .iter()
        .enumerate()
        .map(|(number, log)| compete(log.clone(), number, Arc::clone(&together)));
    let mut acknowledged: HashMap<(Uuid, u64), usize> = HashMap::new();
    for place in join_all(writers).await.into_iter().flatten() {
        *acknowledged.entry(place).or_default() += 1;
    }
    // One writer got each place; the others, more than ten thousand in total, were told that they had lost.
    assert_eq!(acknowledged.len(), MATCHES * COMMITS);
    assert!(
        acknowledged.values().all(|count| *count == 1),
        "two were told that they had written the same"
    );

    // The feed: positions without a gap, every commit once, in the order of its match.
    let feed = logs[0].feed(&FeedPosition::START, 1_000_000).await.unwrap();
    let head = logs[0].feed_head().await.unwrap();
    assert_eq!(head.entries_since(&FeedPosition::START), feed.len() as u64);
    let mut previous = FeedPosition::START;
    for entry in &feed {
        assert_eq!(entry.pos.before(entry.id), previous, "a gap in the feed");
        previous = entry.pos.clone();
    }
    let mut order: BTreeMap<Uuid, Vec<u64>> = BTreeMap::new();
    for (id, seq) in feed.iter().flat_map(|entry| &entry.commits) {
        order.entry(*id).or_default().push(*seq);
    }
    assert_eq!(order.values().map(Vec::len).sum::<usize>(), acknowledged.len());
    for (id, seqs) in order {
        let commits = logs[0].load(id, 0).await.unwrap();
        assert_eq!(commits.len(), COMMITS);
        assert_eq!(seqs, commits.iter().map(|commit| commit.seq).collect::<Vec<_>>());
        let mut previous = Match::ORIGIN;
        for commit in &commits {
            assert!(commit.follows(&previous), "the chain is broken");
            assert!(acknowledged.contains_key(&(id, commit.seq)), "written but not acknowledged");
            previous = commit.hash;
        }
    }
}

#[actix_web::test]
async fn many_writers_leave_no_gap_no_loss_and_no_duplicate_on_postgres() {
    writers_compete(Store::Postgres).await;
}

#[actix_web::test]
async fn many_writers_leave_no_gap_no_loss_and_no_duplicate_on_sqlite() {
    writers_compete(Store::Sqlite).await;
}

/// A batch sent twice, as after a lost connection, is written once and acknowledged both times.
async fn sent_twice(kind: Store) {
    let (logs, _directory) = logs(kind, 1).await;
    let (table, commit) = new_match(Uuid::from_u128(1), 1);
    for _ in 0..2 {
        let appended = logs[0].append(commit.clone(), None, &table, |_| ()).await;
        assert_eq!(appended.unwrap(), Appended::Written);
    }
    let (other, rival) = new_match(Uuid::from_u128(1), 2);
    let never = |_| panic!("it was not written");
    assert_eq!(logs[0].append(rival, None, &other, never).await.unwrap(), Appended::Lost);
    assert_eq!(logs[0].load(commit.match_id, 0).await.unwrap(), [commit]);
    assert_eq!(logs[0].feed(&FeedPosition::START, 10).await.unwrap().len(), 1);
}

#[actix_web::test]
async fn a_commit_that_is_sent_again_is_written_once_on_postgres() {
    sent_twice(Store::Postgres).await;
}

#[actix_web::test]
async fn a_commit_that_is_sent_again_is_written_once_on_sqlite() {
    sent_twice(Store::Sqlite).await;
}

/// Whole logs are written once; an existing match with the same id is left alone.
async fn imports(kind: Store) {
    let (logs, _directory) = logs(kind, 1).await;
    let whole = |id: u128, player: u128| {
        let (mut table, commit) = new_match(Uuid::from_u128(id), player);
        let mut commits = vec![commit];
        for at in 1..=20 {
            let (after, commit) = next(&table, Uuid::from_u128(at), 5).unwrap();
            table = after;
            commits.push(commit);
        }
        WholeMatch { commits, end: table }
    };
    let written = [Appended::Written; 3];
    for _ in 0..2 {
        let all = (1..=3).map(|id| whole(id, 1)).collect();
        assert_eq!(logs[0].import(all).await.unwrap(), written);
    }
    let another = vec![whole(2, 2), whole(4, 1)];
    assert_eq!(logs[0].import(another).await.unwrap(), [Appended::Lost, Appended::Written]);
    let ids: Vec<Uuid> = (1..=5).map(Uuid::from_u128).collect();
    let heads = logs[0].heads(&ids).await.unwrap();
    assert_eq!(heads.len(), 4);
    for id in 1..=4 {
        let WholeMatch { commits, end: table } = whole(id, 1);
        assert_eq!(logs[0].load(table.id(), 0).await.unwrap(), commits);
        let head = &heads[&table.id()];
        assert_eq!((head.version, &head.hash), (table.version(), table.hash()));
        assert_eq!(head.waiting, table.to_act());
    }
    let fed: usize = logs[0]
        .feed(&FeedPosition::START, 100)
        .await
        .unwrap()
        .iter()
        .map(|it| it.commits.len())
        .sum();
    assert_eq!(fed, 4 * 21);
}

#[actix_web::test]
async fn whole_logs_are_written_once_on_postgres() {
    imports(Store::Postgres).await;
}

#[actix_web::test]
async fn whole_logs_are_written_once_on_sqlite() {
    imports(Store::Sqlite).await;
}

/// A client that disconnects while its command is being written does not leave others with an outdated match.
#[actix_web::test]
async fn what_is_written_is_shown_even_if_nobody_waits_for_the_answer() {
    let (logs, _directory) = logs(Store::Sqlite, 1).await;
    let (table, commit) = new_match(Uuid::from_u128(1), 1);
    logs[0].append(commit, None, &table, |_| ()).await.unwrap();
    let matches = Matches::open(logs[0].clone(), Clock::system(), 1 << 20).await.unwrap();
    let version = async || {
        let table = matches.get(Uuid::from_u128(1), Consistency::Local).await.unwrap();
        table.unwrap().version()
    };
    assert_eq!(version().await, table.version());
    let mv = table.state().unwrap().legal_moves(Seat::FIRST).next().unwrap();
    let command = Command::Play { player: Uuid::from_u128(1), mv };
    let context = CommandContext::new(Uuid::from_u128(2), Timestamp::from_micros(1));
    {
        let executing = pin!(matches.execute(Uuid::from_u128(1), &command, &context));
        assert!(poll_immediate(executing).await.is_none(), "it was written in no time");
    }
    // This one is written later, because the writer keeps the order of the queue.
    let (other, commit) = new_match(Uuid::from_u128(2), 1);
    logs[0].append(commit, None, &other, |_| ()).await.unwrap();
    assert!(version().await > table.version());
}

/// The queue is bounded: commands beyond its capacity are refused at once, and nothing acknowledged is lost.
#[actix_web::test]
async fn a_full_queue_refuses_at_once_and_loses_nothing() {
    let (logs, _directory) = logs(Store::Sqlite, 1).await;
    let log = Arc::new(logs.into_iter().next().unwrap());
    let flood: Vec<_> = (1..=20_000_u128)
        .map(|number| {
            let log = Arc::clone(&log);
            async move {
                let (table, commit) = new_match(Uuid::from_u128(number), number);
                log.append(commit, None, &table, |_| ()).await.is_ok()
            }
        })
        .collect();
    let answers = join_all(flood).await;
    let written = answers.iter().filter(|written| **written).count();
    assert!(written < answers.len(), "the queue has a limit");
    let fed: usize = log
        .feed(&FeedPosition::START, 1_000_000)
        .await
        .unwrap()
        .iter()
        .map(|entry| entry.commits.len())
        .sum();
    assert_eq!(fed, written);
}

/// Somebody else's resignation on a database that shows the entry of the feed before the commit.
struct LateCommit {
    session: PgConnection,
    lanes: Lanes,
    commit: Commit,
}

impl LateCommit {
    /// Writes only the entry of the feed.
    async fn announce(server: &Server, id: &str, player: &str) -> Self {
        let log = tests::open_log(&server.config).await;
        let before =
            Match::fold(&log.load(id.parse().unwrap(), 0).await.unwrap()).unwrap().unwrap();
        let resign = Command::Resign { player: player.parse().unwrap() };
        let decision = before.decide(&resign, server.clock.now()).unwrap();
        let (_, _, commit) = decision.into_commit(Uuid::from_u128(7));
        let url = server.config.database_url.as_ref().unwrap();
        let mut session = PgConnection::connect(url).await.unwrap();
        let layout = *log.database().layout();
        let stream = layout.stream_of(layout.lanes.of(commit.match_id)).column();
        let next = "UPDATE lanes SET pos = pos + 1 WHERE lane = $1 RETURNING pos";
        let next = sqlx::query(next).bind(stream).fetch_one(&mut session);
        let position: i64 = next.await.unwrap().get(0);
        let key = [commit.match_id.as_bytes().as_slice(), &commit.seq.to_be_bytes()].concat();
        sqlx::query("INSERT INTO feed (lane, pos, commits) VALUES ($1, $2, $3)")
            .bind(stream)
            .bind(position)
            .bind(key)
            .execute(&mut session)
            .await
            .unwrap();
        Self { session, lanes: layout.lanes, commit }
    }

    /// Writes the commit and the summaries.
    async fn appear(mut self) {
        let mut work = self.session.begin().await.unwrap();
        let insert = "INSERT INTO commits \
            (lane, match_id, seq, count, at, player_id, command_id, payload, hash, waiting, life) \
            VALUES ($9, $1, $2, $3, $4, $5, $6, $7::json, $8, 0, true)";
        sqlx::query(insert)
            .bind(self.commit.match_id)
            .bind(i64::try_from(self.commit.seq).unwrap())
            .bind(i32::try_from(self.commit.count).unwrap())
            .bind(self.commit.at.micros())
            .bind(self.commit.player)
            .bind(self.commit.command_id)
            .bind(&self.commit.payload)
            .bind(self.commit.hash.as_slice())
            .bind(self.lanes.of(self.commit.match_id).column())
            .execute(&mut *work)
            .await
            .unwrap();
        for update in [
            "UPDATE matches SET status = 'finished' WHERE id = $1",
            "UPDATE match_seats SET over = true WHERE match_id = $1",
        ] {
            sqlx::query(update).bind(self.commit.match_id).execute(&mut *work).await.unwrap();
        }
        work.commit().await.unwrap();
    }
}

async fn begin_match(ana: &Client, ben: &Client) -> String {
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    id
}

async fn counted(client: &Client) -> i64 {
    client.get("/v1/games/qwinto/stats").await.expect(200)["matches"].as_i64().unwrap()
}

/// Waits until the server has noticed that a commit is missing.
async fn notices_a_gap(client: &Client) {
    eventually("the gap is noticed", PATIENCE, async || {
        let page = client.request(Method::GET, "/metrics").send().await.unwrap();
        page.text().await.unwrap().contains("\ntelar_feed_gaps_total 1\n").then_some(())
    })
    .await;
}

/// Parts of a database may show an entry of the feed before the commits that it names.
#[actix_web::test]
async fn followers_wait_for_commits_that_are_not_visible_yet() {
    let server = Server::start(Store::Postgres).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let late = begin_match(&ana, &ben).await;
    let prompt = begin_match(&ana, &ben).await;
    let mut watching =
        Stream::open(&ana, &format!("/v1/matches/{late}/events"), Framing::Sse).await;
    watching.expect("snapshot").await;
    let mut mine = Stream::open(&ana, "/v1/me/stream", Framing::Sse).await;
    mine.expect("snapshot").await;
    let commit = LateCommit::announce(&server, &late, ben.player.as_ref().unwrap()).await;
    notices_a_gap(&ana).await;
    ben.post(&format!("/v1/matches/{prompt}/resign"), &json!({})).await.expect(200);
    // If each lane has a feed of its own, only that of the missing commit waits.
    if server.matches().log().database().layout().feeds == Feeds::Shared {
        assert_eq!(counted(&ana).await, 0, "what comes after the gap waits, too");
    }
    commit.appear().await;
    eventually("both are counted", PATIENCE, async || (counted(&ana).await == 2).then_some(()))
        .await;
    assert_eq!(watching.expect("event").await["event"]["type"], "seat_resigned");
    let mut finished = Vec::new();
    for _ in 0..2 {
        let id = mine.until("match.finished").await["data"]["match"].clone();
        finished.push(id.as_str().unwrap().to_owned());
    }
    finished.sort();
    let mut expected = [late, prompt];
    expected.sort();
    assert_eq!(finished, expected);
}

/// A commit that never appears does not stop everybody for ever.
#[actix_web::test]
async fn followers_go_on_without_a_commit_that_never_appears() {
    let server = Server::start_frozen(Store::Postgres).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let lost = begin_match(&ana, &ben).await;
    let prompt = begin_match(&ana, &ben).await;
    LateCommit::announce(&server, &lost, ben.player.as_ref().unwrap()).await;
    notices_a_gap(&ana).await;
    ben.post(&format!("/v1/matches/{prompt}/resign"), &json!({})).await.expect(200);
    server.clock.advance(Duration::from_mins(1));
    eventually("the other one is counted", PATIENCE, async || {
        (counted(&ana).await == 1).then_some(())
    })
    .await;
}
