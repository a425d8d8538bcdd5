//! Decides a stored commit again, to verify a match.

use super::{
    BotSeat, Command, Commit, Corrupt, Create, Decision, Event, Match, Origin, PlayerSeat, Refused,
    event::{EventKind, MatchEvent},
};
use crate::bot::BotLevel;

/// The seat that a bot took with this event.
fn bot_seat(event: &Event) -> Option<BotSeat> {
    match &event.0 {
        EventKind::Match(MatchEvent::SeatTaken { seat, player, .. }) => {
            Some(BotSeat { seat: *seat, level: BotLevel::of(*player)? })
        }
        _ => None,
    }
}

/// The seat that a further player was given with this event.
fn further_seat(event: &Event) -> Option<PlayerSeat> {
    match &event.0 {
        EventKind::Match(MatchEvent::SeatTaken { seat, player, .. })
            if BotLevel::of(*player).is_none() =>
        {
            Some(PlayerSeat { seat: *seat, player: *player })
        }
        _ => None,
    }
}

impl Commit {
    /// Decides the recorded command again, in the match before it, or in none if it is the first. An unaltered commit comes
    /// out the same, byte for byte.
    ///
    /// # Errors
    /// If the commit cannot be read. The inner error says why the command is refused.
    pub fn decide_again(
        &self,
        before: Option<&Match>,
    ) -> Result<Result<Decision, Refused>, Corrupt> {
        let corrupt = |reason: &str| self.corrupt(reason.to_owned());
        let recorded = self.read(before.map(Match::game))?;
        if let Some(m) = before {
            let command = Command::recorded(&recorded.command, self.player, m.invite_code())
                .map_err(|error| corrupt(&error))?;
            return Ok(m.decide(&command, self.at));
        }
        let mut events = recorded.events.iter();
        let (Some(first), Some(second)) = (events.next(), events.next()) else {
            return Err(corrupt("a match begins with its creation"));
        };
        let (
            EventKind::Match(MatchEvent::MatchCreated(created)),
            EventKind::Match(MatchEvent::SeatTaken { seat, entropy, .. }),
        ) = (&first.0, &second.0)
        else {
            return Err(corrupt("a match begins with its creation"));
        };
        let m = Match::created(first, self.at).map_err(corrupt)?;
        if let Some(Origin::Fork(fork)) = m.origin()
            && !fork.is_possible(self.at)
        {
            return Err(corrupt("the past of the fork does not follow from the rules"));
        }
        if created.time_limit.is_some_and(|limit| !limit.is_allowed()) {
            return Err(corrupt("there is no such time limit"));
        }
        let create = Create {
            rules_version: created.rules_version,
            options: Some(m.options()),
            visibility: created.visibility,
            seat: *seat,
            entropy: entropy.clone(),
            invite_code: created.invite_code.clone(),
            time_limit: created.time_limit,
            bots: events.clone().filter_map(bot_seat).collect(),
            players: events.filter_map(further_seat).collect(),
            hints: created.hints,
            origin: m.origin().cloned(),
            rematch_of: created.rematch_of,
            ..Create::new(created.id, m.game(), created.seats, created.creator, created.seed)
        };
        Ok(Match::create(create, self.at))
    }
}
