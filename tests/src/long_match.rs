//! Matches of any length: between two moves, a player asks for a pause and withdraws the request, again and again.

use domain::{
    chance::{Chance, Keyed},
    matches::{Command, Create, Match},
    seat::Seat,
    time::Timestamp,
};
use store::event_log::WholeMatch;
use uuid::Uuid;

/// Plays a match between these players until it has this many events. There are `requests` requests for a pause between two
/// moves. The same arguments give the same match, and more events only continue it.
#[must_use]
pub fn play(create: Create<'_>, players: &[Uuid], requests: u64, events: u64) -> WholeMatch {
    let mut luck = Keyed::new(create.seed.match_key(Uuid::nil(), &[]), 0);
    let at = |version: u64| Timestamp::from_micros(i64::try_from(version).expect("a short time"));
    let (mut m, _, first) = Match::create(create, at(0)).expect("a match").into_commit(Uuid::nil());
    let mut commits = vec![first];
    let mut carry_out = |m: &mut Match, command: &Command| {
        let decision = m.decide(command, at(m.version())).expect("a legal command");
        let (after, _, commit) = decision.into_commit(Uuid::from_u128(m.version().into()));
        *m = after;
        commits.push(commit);
    };
    for player in &players[1..] {
        let sit = Command::Sit { player: *player, seat: None, entropy: None, invite_code: None };
        carry_out(&mut m, &sit);
    }
    let player = players[0];
    while m.version() < events {
        for _ in 0..requests {
            carry_out(&mut m, &Command::Pause { player });
            carry_out(&mut m, &Command::Resume { player });
            if m.version() >= events {
                break;
            }
        }
        let command = random_move(&m, players, &mut luck);
        carry_out(&mut m, &command);
    }
    WholeMatch { commits, end: m }
}

fn random_move(m: &Match, players: &[Uuid], luck: &mut dyn Chance) -> Command {
    let waiting: Vec<Seat> = m.to_act().iter().collect();
    let seat = luck.pick(&waiting);
    let state = m.state().expect("the match is being played");
    let mv = state.random_move(seat, luck).expect("a seat in turn has a legal move").encode();
    Command::Play { player: players[seat.index()], mv }
}
