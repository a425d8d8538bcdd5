//! Matches played in advance. Their seeds are known, and with them all luck, so clients can send move after move and still
//! check the responses.

use domain::{
    chance::{Keyed, Seed},
    demo::Demo,
    erased::AnyGame,
    matches::{Commit, Create, Match},
    seat::Seat,
    time::Timestamp,
};
use uuid::Uuid;

/// A match up to its start, and all the moves that follow.
#[derive(Debug)]
pub struct Script {
    /// The match.
    pub id: Uuid,
    /// Its whole log.
    pub commits: Vec<Commit>,
    /// The number of commits up to the start.
    pub start: usize,
    /// The match when it starts.
    pub table: Match,
    /// The moves until the end.
    pub moves: Vec<Scripted>,
}

/// A move and its result.
#[derive(Debug)]
pub struct Scripted {
    /// The seat.
    pub seat: Seat,
    /// The body of the request.
    pub body: String,
    /// The beginning of the response: the version and the status after the move.
    pub answer: String,
}

/// Plays a match at random between these players.
pub fn play(game: &'static dyn AnyGame, id: Uuid, players: &[Uuid], number: u64) -> Script {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    let seed = Seed::from(bytes);
    let seats = u8::try_from(players.len()).expect("a table");
    let create = Create::new(id, game, seats, players[0], seed);
    let at = |step: u64| Timestamp::from_micros(i64::try_from(step).unwrap_or(i64::MAX));
    let mut demo = Demo::start(create, players, at(0)).expect("a legal table");
    let (begun, start) = (demo.game_match.clone(), demo.commits.len());
    let mut luck = Keyed::new(seed.match_key(Uuid::nil(), &[]), 0);
    let mut moves = Vec::new();
    while let Some(step) = demo.step(at(demo.game_match.version()), &mut luck) {
        moves.push(Scripted {
            seat: step.seat,
            body: format!(r#"{{"move":{}}}"#, step.mv),
            answer: format!(
                r#"{{"version":{},"status":"{}","#,
                demo.game_match.version(),
                demo.game_match.status().id()
            ),
        });
    }
    Script { id, commits: demo.commits, start, table: begun, moves }
}
