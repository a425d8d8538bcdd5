//! Bots at work: they move in matches that wait for them, and give hints.
//!
//! Nothing is remembered here. A match that waits for a bot says so in its log and in its summary. The replica that wrote the
//! last commit thinks at once; if it does not move in time, because it was killed or has too much to do, any other replica may.
//! All of them think with the same seed, and the version that the move is based on lets one of them through.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
    time::Instant,
};

use bots::{Choice, Generator};
use domain::{
    bot::BotLevel,
    erased::Json,
    matches::{Command, Commit, Match, Refused},
    seat::Seat,
};
use futures_util::{StreamExt, stream::FuturesUnordered};
use uuid::Uuid;

use crate::{
    bulkheads::{Bulkhead, Turn},
    clock::Clock,
    error::{Error, Result},
    live::{CommandContext, Consistency, Matches},
    tasks::Shutdown,
};

/// Bots queue for turns like an address of their own, so that hints and moves take turns.
const BOTS: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);
/// How many matches are prepared for every thread that thinks.
const AHEAD: usize = 2;

/// The bots of this replica.
#[derive(Debug, Clone)]
pub struct Thinking {
    matches: Matches,
    clock: Clock,
    bulkhead: Arc<Bulkhead>,
    /// How many matches are looked after at the same time; none if bots do not move here.
    at_once: usize,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// A bot moved, here or elsewhere; the match may wait for another one.
    Moved,
    /// The match waits for no bot.
    NotNeeded,
}

impl Thinking {
    /// The bots of these matches, who think in this bulkhead with as many threads.
    #[must_use]
    pub fn new(matches: Matches, clock: Clock, bulkhead: Arc<Bulkhead>, threads: usize) -> Self {
        Self { matches, clock, bulkhead, at_once: threads * AHEAD }
    }

    /// Whether bots move at this replica.
    #[must_use]
    pub const fn moves(&self) -> bool {
        self.at_once > 0
    }

    /// Moves for bots whenever they are called, until told to stop.
    pub async fn run(&self, mut shutdown: Shutdown) {
        let calls = self.matches.bot_calls();
        let mut answers = FuturesUnordered::new();
        loop {
            tokio::select! {
                () = shutdown.requested() => return,
                id = calls.next(), if answers.len() < self.at_once => answers.push(self.answer(id)),
                Some(()) = answers.next(), if !answers.is_empty() => {}
            }
        }
    }

    async fn answer(&self, id: Uuid) {
        // Also if this task is killed.
        let _answered = Answered { matches: &self.matches, id };
        match self.move_in(id).await {
            Ok(Answer::Moved) => self.matches.bot_calls().moved(id),
            Ok(Answer::NotNeeded) => {}
            Err(error) => tracing::warn!(%error, %id, "a bot could not move; it is tried again"),
        }
    }

    /// Makes one move for a bot.
    async fn move_in(&self, id: Uuid) -> Result<Answer> {
        // First of all, so that the match does not grow old while others think.
        let turn = self.bulkhead.enter(BOTS).await?;
        let Some(m) = self.matches.get(id, Consistency::Local).await? else {
            return Ok(Answer::NotNeeded);
        };
        let waiting = m.bots_to_act().iter().find_map(|seat| Some((seat, m.bot_in(seat)?)));
        let Some((seat, level)) = waiting else { return Ok(Answer::NotNeeded) };
        let commits = self.matches.history().whole(id, m.version()).await?;
        let begun = Instant::now();
        let thought = choose(&turn, Arc::clone(&m), commits, seat, level).await?;
        metrics::histogram!("telar_bot_thinking_seconds", "level" => level.id())
            .record(begun.elapsed().as_secs_f64());
        drop(turn);
        let Some(mv) = thought.map_or_else(|| random_move(&m, seat), |choice| Some(best(&choice)))
        else {
            tracing::error!(%id, seat = seat.number(), "a bot has no legal move");
            return Ok(Answer::NotNeeded);
        };
        let command = Command::PlayForBot { level, seat, mv };
        let context = CommandContext {
            command_id: self.clock.new_id(),
            if_match: Some(vec![m.asked_at(seat)]),
            at: self.clock.now(),
        };
        match self.matches.execute(id, &command, &context).await {
            Ok(_) => {
                metrics::counter!("telar_bot_moves_total", "level" => level.id()).increment(1);
                Ok(Answer::Moved)
            }
            // Another replica was faster, or the player is back.
            Err(Error::Stale { .. }) => Ok(Answer::Moved),
            Err(Error::Refused(it)) if matches!(it.refused, Refused::Match(_)) => Ok(Answer::Moved),
            Err(error) => Err(error),
        }
    }

    /// What a bot of a level would do in a seat, for the player in it. Nothing if the seat has nothing to decide.
    pub async fn hint(
        &self,
        turn: &Turn,
        m: Arc<Match>,
        seat: Seat,
        level: BotLevel,
    ) -> Result<Option<Choice>> {
        if !m.to_act().contains(seat) {
            return Ok(None);
        }
        let commits = self.matches.history().whole(m.id(), m.version()).await?;
        choose(turn, m, commits, seat, level).await
    }
}

/// Notes that a call was answered, however that ended.
struct Answered<'a> {
    matches: &'a Matches,
    id: Uuid,
}

impl Drop for Answered<'_> {
    fn drop(&mut self) {
        self.matches.bot_calls().answered(self.id);
    }
}

/// Thinks on a thread of the bulkhead. Nothing comes of it if the seat has no move, or if the search fails.
async fn choose(
    turn: &Turn,
    m: Arc<Match>,
    commits: Vec<Commit>,
    seat: Seat,
    level: BotLevel,
) -> Result<Option<Choice>> {
    let id = m.id();
    let thought = turn.work(move || think(&m, &commits, seat, level)).await;
    match thought {
        Ok(choice) => Ok(choice?),
        // A search that panics must not stop a match for ever.
        Err(stopped) => {
            tracing::error!(error = %stopped, %id, seat = seat.number(), "a bot failed to think");
            Ok(None)
        }
    }
}

fn think(
    m: &Match,
    commits: &[Commit],
    seat: Seat,
    level: BotLevel,
) -> Result<Option<Choice>, domain::matches::Corrupt> {
    let events = m.game_log(commits)?;
    let log: Vec<_> = events.iter().map(|(at, event)| (*at, event)).collect();
    let start = m.opened_state();
    let position = bots::Position::of(m, start.as_ref(), &log);
    Ok(bots::choose(&position, seat, level, m.bot_seed(seat)))
}

/// A legal move, chosen by chance and by what the seat may know.
fn random_move(m: &Match, seat: Seat) -> Option<Json> {
    let mut chance = Generator::new(m.bot_seed(seat));
    m.state()?.random_move(seat, &mut chance).map(|mv| mv.encode())
}

fn best(choice: &Choice) -> Json {
    choice.best().mv.encode()
}
