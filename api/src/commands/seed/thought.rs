//! Moves of generated matches that are not random: every player has a level of its own.

use domain::{
    bot::BotLevel,
    chance::Chance,
    demo::{Demo, DemoMove},
    erased::{GameEvent, Json},
    seat::Seat,
    time::Timestamp,
};
use uuid::Uuid;

/// The levels of players, from the weakest on. Higher ones would take too long.
const LEVELS: [BotLevel; 3] = [BotLevel::Novice, BotLevel::Casual, BotLevel::Club];

/// The level of a player, which never changes.
fn level(player: Uuid) -> BotLevel {
    let number = player.as_bytes().iter().map(|byte| usize::from(*byte)).sum::<usize>();
    LEVELS[number % LEVELS.len()]
}

/// Makes a move in a generated match, by bots or at random; nothing once it is over.
pub(super) fn step(
    demo: &mut Demo,
    at: Timestamp,
    luck: &mut dyn Chance,
    by_bots: bool,
) -> Option<DemoMove> {
    if by_bots {
        demo.step_by(at, luck, |demo, seat, _| choose(demo, seat))
    } else {
        demo.step(at, luck)
    }
}

fn choose(demo: &Demo, seat: Seat) -> Option<Json> {
    let m = &demo.game_match;
    let events = m.game_log(&demo.commits).expect("these commits were written just now");
    let log: Vec<(Timestamp, &GameEvent)> = events.iter().map(|(at, event)| (*at, event)).collect();
    let start = m.opened_state();
    let position = bots::Position::of(m, start.as_ref(), &log);
    let player = m.sitter(seat)?.player;
    let choice = bots::choose(&position, seat, level(player), m.bot_seed(seat))?;
    Some(choice.best().mv.encode())
}
