//! A match in the middle of a decision: applies events as they are decided, until nothing more follows from the command.

use uuid::Uuid;

use super::{
    BotSeat, Decision, Draft, Event, Match, OnTimeout, Origin, TimeLimit,
    event::{EventKind, MatchEvent},
    payload::Payload,
};
use crate::{
    bot::BotLevel,
    chance::{Chance, Draw, Keyed},
    erased::GameEvent,
    game::Context,
    outcome::Ending,
    seat::Seat,
    time::Timestamp,
};

/// The maximum number of automatic moves after one command; no game comes near it.
const AUTOPLAY_LIMIT: usize = 10_000;

/// A match in the middle of a decision.
pub(super) struct Stage {
    pub(super) next: Match,
    pub(super) events: Vec<Event>,
    pub(super) at: Timestamp,
}

impl Stage {
    pub(super) fn new(mut next: Match, at: Timestamp) -> Self {
        next.begin_commit();
        Self { next, events: Vec::new(), at }
    }

    pub(super) fn emit(&mut self, kind: EventKind) {
        let event = Event(kind);
        self.next.evolve(&event, self.at);
        self.events.push(event);
    }

    pub(super) fn record(&mut self, event: MatchEvent) {
        self.emit(EventKind::Match(event));
    }

    /// Takes a seat, and starts the match if it was the last one (M3).
    pub(super) fn sit(
        &mut self,
        seat: Seat,
        player: Uuid,
        entropy: Option<String>,
        chance: &mut CommandChance,
    ) {
        self.record(MatchEvent::SeatTaken { seat, player, entropy });
        if self.next.seats.iter().any(Option::is_none) {
            return;
        }
        self.record(MatchEvent::MatchStarted);
        if let Some(Origin::Fork(_)) = self.next.origin() {
            return; // A fork is set up already (M8).
        }
        let at = self.at;
        let state = self.next.state.as_deref().expect("a match that has started has a state");
        for event in state.setup(&mut Context { chance: chance.of(&self.next), at }) {
            self.emit(EventKind::Game { by: None, event, automatic: false });
        }
        self.finish_by_rules();
    }

    /// Gives bots their seats (M13).
    pub(super) fn seat_bots(&mut self, bots: &[BotSeat], chance: &mut CommandChance) {
        for BotSeat { seat, level } in bots {
            self.sit(*seat, level.player(), None, chance);
        }
    }

    /// Takes the seat of a player who does something back from the bot that stands in (M10).
    pub(super) fn welcome_back(&mut self, seat: Seat) {
        if self.next.has_stand_in(seat) {
            self.record(MatchEvent::PlayerReturned { seat });
        }
    }

    /// Adds the events of a move.
    pub(super) fn take_in(&mut self, seat: Seat, events: Vec<GameEvent>, automatic: bool) {
        for event in events {
            self.emit(EventKind::Game { by: Some(seat), event, automatic });
        }
    }

    /// Moves for seats that have resigned, until the match waits for another seat or is over (M6).
    pub(super) fn autoplay(&mut self, chance: &mut CommandChance) {
        for _ in 0..AUTOPLAY_LIMIT {
            if self.finish_by_rules() {
                return;
            }
            let resigned = self.next.resigned();
            let Some(seat) = self.next.to_act().iter().find(|seat| resigned.contains(*seat)) else {
                return;
            };
            self.move_for(seat, chance);
        }
    }

    /// Makes a legal move for a seat that the match waits for, chosen by chance and by what the seat may know.
    pub(super) fn move_for(&mut self, seat: Seat, chance: &mut CommandChance) {
        let state = self.next.in_play().expect("a match that waits for a seat is being played");
        let mv = state
            .random_move(seat, chance.of(&self.next))
            .expect("a seat that the match waits for has a legal move");
        let mut context = Context { chance: chance.of(&self.next), at: self.at };
        let events = state.decide(seat, &mv, &mut context).expect("a legal move is accepted");
        self.take_in(seat, events, true);
    }

    /// Handles resignations (M6).
    pub(super) fn after_resigning(&mut self, chance: &mut CommandChance) {
        let resigned = self.next.resigned().len();
        if resigned + 1 >= u32::from(self.next.seat_count()) || self.next.is_left_to_bots() {
            self.finish(Ending::Resignation);
        } else {
            self.autoplay(chance);
            self.pause_if_agreed();
        }
    }

    /// Pauses if all seats that have not resigned have asked for it (M11).
    pub(super) fn pause_if_agreed(&mut self) {
        if self.next.agrees_to_pause() {
            self.record(MatchEvent::MatchPaused);
        }
    }

    /// Handles the seats whose deadline has passed, the longest overdue first (M10).
    pub(super) fn time_out(&mut self, limit: TimeLimit, chance: &mut CommandChance) {
        while let Some(due) = self.next.due_at().filter(|due| *due <= self.at) {
            let overdue: Vec<Seat> = Seat::all(self.next.seat_count())
                .filter(|seat| self.next.deadline(*seat) == Some(due))
                .collect();
            for seat in overdue {
                // An automatic move of another seat may have given this one a new decision.
                if self.next.deadline(seat) != Some(due) {
                    continue;
                }
                self.record(MatchEvent::SeatTimedOut { seat });
                match limit.on_timeout() {
                    OnTimeout::Forfeit => self.record(MatchEvent::SeatResigned { seat }),
                    OnTimeout::Bot => {
                        let level = BotLevel::STAND_IN;
                        self.record(MatchEvent::BotSteppedIn { seat, level });
                        self.pause_if_agreed();
                    }
                    OnTimeout::Automatic => {
                        self.move_for(seat, chance);
                        self.autoplay(chance);
                    }
                }
            }
            if limit.on_timeout() == OnTimeout::Forfeit {
                self.after_resigning(chance);
            }
        }
    }

    pub(super) fn finish_by_rules(&mut self) -> bool {
        if self.next.status.is_over() {
            return true;
        }
        let state = self.next.state.as_deref().expect("a match that has started has a state");
        let finished = state.finished();
        if finished {
            self.finish(Ending::Rules);
        }
        finished
    }

    pub(super) fn finish(&mut self, ending: Ending) {
        let outcome = self.next.result(ending);
        self.record(MatchEvent::MatchFinished { outcome });
    }

    pub(super) fn done(
        self,
        m: Option<&Match>,
        player: Uuid,
        payload: Payload,
        chance: CommandChance,
    ) -> Decision {
        let draft = Draft {
            payload,
            player,
            draws: chance.into_draws(),
            seq: m.map_or(0, |m| m.version),
            at: self.at,
            previous: m.map_or(Match::ORIGIN, |m| m.hash),
        };
        Decision { next: self.next, events: self.events, draft }
    }
}

/// The random generator of one command. Its key is known once the match has started.
pub(super) struct CommandChance {
    seq: u64,
    keyed: Option<Keyed>,
}

impl CommandChance {
    pub(super) const fn new(seq: u64) -> Self {
        Self { seq, keyed: None }
    }

    pub(super) fn of(&mut self, m: &Match) -> &mut dyn Chance {
        self.keyed.get_or_insert_with(|| {
            Keyed::new(m.key.expect("luck is drawn once the match has started"), self.seq)
        })
    }

    pub(super) fn into_draws(self) -> Vec<Draw> {
        self.keyed.map_or_else(Vec::new, Keyed::into_draws)
    }
}
