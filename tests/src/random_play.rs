//! Random matches over HTTP: moves are chosen from the listed legal moves, and all views are recorded and compared with the
//! replay afterwards.

use std::collections::BTreeMap;

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use serde_json::{Value, json};

use crate::client::Client;

/// What to play.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The key of the game.
    pub game: String,
    /// The number of seats.
    pub seats: usize,
    /// Options of the game.
    pub options: Value,
    /// The seed of all choices.
    pub seed: u64,
    /// The number of moves between two looks at the match by all viewers; 1 for after every move.
    pub look_every: usize,
    /// The largest number of versions per viewer to compare with the replay.
    pub replays: usize,
}

/// The result.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The id of the match.
    pub id: String,
    /// Moves made.
    pub moves: usize,
    /// Views compared with the replay.
    pub views: usize,
    /// The document of the finished match, as a spectator sees it.
    pub finished: Value,
}

/// Views by version, for each viewer.
type Seen = BTreeMap<u64, Value>;

/// Plays a match to its end; every view of every viewer is compared with the replay at that version.
pub async fn play(url: &str, plan: &Plan) -> Report {
    let mut seats = Vec::new();
    for seat in 0..plan.seats {
        seats.push(Client::guest(url, &format!("Seat {seat}")).await);
    }
    let id = start(&seats, plan).await;
    carry_on(url, &seats, &id, plan).await
}

/// Plays a match that has started to its end, in the same way.
pub async fn carry_on(url: &str, seats: &[Client], id: &str, plan: &Plan) -> Report {
    let mut luck = ChaCha8Rng::seed_from_u64(plan.seed);
    let spectator = Client::anonymous(url);
    let mut seen: Vec<Seen> = vec![Seen::new(); plan.seats + 1];
    let mut report = Report { id: id.to_owned(), ..Report::default() };

    let mut waiting = to_act(&spectator.get(&format!("/v1/matches/{id}")).await.expect(200));
    loop {
        if report.moves.is_multiple_of(plan.look_every) {
            for (viewer, client) in seats.iter().chain([&spectator]).enumerate() {
                let document = client.get(&format!("/v1/matches/{id}")).await.expect(200);
                let version = document["version"].as_u64().expect("a version");
                assert_eq!(to_act(&document), waiting, "whom {id} waits for");
                seen[viewer].insert(version, document["view"].clone());
            }
        }
        assert!(!waiting.is_empty(), "nobody can act in {id}");
        let seat = waiting[below(&mut luck, waiting.len())];
        let moves = seats[seat].legal_moves(id).await;
        assert!(!moves.is_empty(), "seat {seat} is waited for but has no move in {id}");
        let mv = choose(&moves, &mut luck);
        let answer = seats[seat].make_move(id, mv).await.expect(200);
        report.moves += 1;
        if answer["status"] == "finished" {
            break;
        }
        let version = answer["version"].as_u64().expect("a version");
        seen[seat].insert(version, answer["view"].clone());
        waiting = numbers(&answer["to_act"]);
    }
    report.views = compare(seats, &spectator, id, &seen, plan.replays).await;
    report.finished = spectator.get(&format!("/v1/matches/{id}")).await.expect(200);
    report
}

/// The seats that the match is waiting for, from its document.
fn to_act(document: &Value) -> Vec<usize> {
    let seats = document["seats"].as_array().expect("seats");
    (0..).zip(seats).filter(|(_, seat)| seat["to_act"] == true).map(|(seat, _)| seat).collect()
}

fn numbers(list: &Value) -> Vec<usize> {
    let numbers = list.as_array().expect("a list").iter().filter_map(Value::as_u64);
    numbers.filter_map(|number| usize::try_from(number).ok()).collect()
}

/// Creates the match and seats everybody.
async fn start(seats: &[Client], plan: &Plan) -> String {
    let body = json!({
        "game": plan.game, "seats": plan.seats, "options": plan.options,
        "entropy": format!("seed {}", plan.seed),
    });
    let created = seats[0].post("/v1/matches", &body).await.expect(201);
    let id = created["id"].as_str().expect("an id").to_owned();
    for client in &seats[1..] {
        client.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    }
    id
}

/// Checks that the replay shows each viewer what it saw live.
async fn compare(
    seats: &[Client],
    spectator: &Client,
    id: &str,
    seen: &[Seen],
    most: usize,
) -> usize {
    let mut views = 0;
    for (viewer, client) in seats.iter().chain([spectator]).enumerate() {
        let eyes = if viewer < seats.len() { "seat" } else { "spectator" };
        let step = seen[viewer].len() / most + 1;
        for (version, view) in seen[viewer].iter().step_by(step) {
            let path = format!("/v1/matches/{id}/replay?at={version}&as={eyes}");
            let replay = client.get(&path).await.expect(200);
            assert_eq!(&replay["view"], view, "{eyes} {viewer} at version {version} of {id}");
            views += 1;
        }
    }
    views
}

/// Kinds of moves that are made whenever possible, because they bring the match closer to its end.
const FIRST: [&str; 2] = ["claim", "buy_design"];

/// Chooses first the kind of move, then one of that kind; otherwise kinds with many variants would crowd out the others.
pub fn choose<'a>(moves: &'a [Value], luck: &mut ChaCha8Rng) -> &'a Value {
    let mut kinds: Vec<&Value> = Vec::new();
    for mv in moves {
        if !kinds.contains(&&mv["type"]) {
            kinds.push(&mv["type"]);
        }
    }
    let urgent = FIRST.iter().find_map(|first| kinds.iter().position(|kind| kind == first));
    let kind = kinds[urgent.unwrap_or_else(|| below(luck, kinds.len()))];
    let moves: Vec<&Value> = moves.iter().filter(|mv| &mv["type"] == kind).collect();
    moves[below(luck, moves.len())]
}

fn below(luck: &mut ChaCha8Rng, count: usize) -> usize {
    let count = u32::try_from(count).expect("a list of moves");
    (luck.next_u32() % count) as usize
}
