//! Matches played beforehand. Their seeds are ours, so that all luck is known: clients can send move after move without asking
//! or thinking, and still check what comes back.

use domain::{
    chance::{Chance, Keyed, Seed},
    erased::AnyGame,
    matches::{Command, Commit, Create, Match, Status, Visibility},
    seat::Seat,
    time::Timestamp,
};
use uuid::Uuid;

/// A match up to its start, and everything that will be played in it.
#[derive(Debug)]
pub struct Script {
    /// The match.
    pub id: Uuid,
    /// Its whole log.
    pub commits: Vec<Commit>,
    /// How many commits there are up to the start.
    pub start: usize,
    /// The match when it starts.
    pub table: Match,
    /// The moves until the end.
    pub moves: Vec<Scripted>,
}

/// A move, and what it leads to.
#[derive(Debug)]
pub struct Scripted {
    /// Whose.
    pub seat: Seat,
    /// The body of the request.
    pub body: String,
    /// The version afterwards.
    pub version: u64,
    /// How the match stands afterwards.
    pub status: Status,
}

/// Plays a match at random between these players.
pub fn play(game: &'static dyn AnyGame, id: Uuid, players: &[Uuid], number: u64) -> Script {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    let seed = Seed::from(bytes);
    let create = Create {
        id,
        game,
        seats: u8::try_from(players.len()).expect("a table"),
        options: None,
        visibility: Visibility::Public,
        creator: players[0],
        entropy: None,
        seed,
        invite_code: None,
    };
    let at = |step: u64| Timestamp::from_micros(i64::try_from(step).unwrap_or(i64::MAX));
    let decision = Match::create(create, at(0)).expect("a legal table");
    let (mut table, _, commit) = decision.into_commit(Uuid::nil());
    let mut commits = vec![commit];
    let step = |table: &mut Match, command: &Command, step: u64| {
        let decision = table.decide(command, at(step)).expect("a legal command");
        let (next, _, commit) = decision.into_commit(Uuid::nil());
        *table = next;
        commit
    };
    for player in &players[1..] {
        let sit = Command::Sit { player: *player, seat: None, entropy: None, invite_code: None };
        commits.push(step(&mut table, &sit, 0));
    }
    let (begun, start) = (table.clone(), commits.len());
    let mut luck = Keyed::new(seed.match_key(Uuid::nil(), &[]), 0);
    let luck: &mut dyn Chance = &mut luck;
    let mut moves = Vec::new();
    while table.status() == Status::Playing {
        let waiting: Vec<Seat> = table.to_act().iter().collect();
        let seat = luck.pick(&waiting);
        let mv = table.state().and_then(|state| state.random_move(seat, luck)).expect("a move");
        let body = format!(r#"{{"move":{mv}}}"#);
        let now = table.version();
        let play = Command::Play { player: players[seat.index()], mv };
        commits.push(step(&mut table, &play, now));
        moves.push(Scripted { seat, body, version: table.version(), status: table.status() });
    }
    Script { id, commits, start, table: begun, moves }
}
