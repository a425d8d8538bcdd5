//! Bots in a match (M13, M14): who seats them, which seats they play, and what they need to think.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Commit, Corrupt, Create, Event, Match, MatchRefusal, Origin, Status};
use crate::{
    bot::BotLevel,
    erased::GameEvent,
    seat::{Seat, SeatSet},
    time::Timestamp,
};

/// How long the replica at which a bot's turn began has to move for it, in microseconds: longer than the longest thinking.
const BOT_PATIENCE: i64 = 5_000_000;

impl Create<'_> {
    /// Checks that every bot gets a free seat.
    pub(super) fn check_bots(&self) -> Result<(), MatchRefusal> {
        if self.bots.len() >= self.seats.into() {
            return Err(MatchRefusal::MatchFull);
        }
        let players = self.players.iter().map(|it| it.seat);
        let mut taken: SeatSet = players.chain([self.seat]).collect();
        for bot in &self.bots {
            if bot.seat.number() >= self.seats {
                return Err(MatchRefusal::NoSuchSeat);
            }
            if taken.contains(bot.seat) {
                return Err(MatchRefusal::SeatTaken);
            }
            taken = taken.with(bot.seat);
        }
        Ok(())
    }
}

impl Match {
    /// The level of the bot that plays a seat: its own one, or a stand-in for its player.
    #[must_use]
    pub fn bot_in(&self, seat: Seat) -> Option<BotLevel> {
        self.sitter(seat).filter(|sitter| !sitter.resigned)?.bot
    }

    /// Whether a bot plays a seat for its player.
    #[must_use]
    pub fn has_stand_in(&self, seat: Seat) -> bool {
        self.bot_in(seat).is_some()
            && self.sitter(seat).is_some_and(|sitter| BotLevel::of(sitter.player).is_none())
    }

    /// The seats that the match waits for and that bots play.
    #[must_use]
    pub fn bots_to_act(&self) -> SeatSet {
        self.to_act().iter().filter(|seat| self.bot_in(*seat).is_some()).collect()
    }

    /// When a bot should have moved, if the match waits for one. From then on, any replica may move for it.
    #[must_use]
    pub fn bot_due_at(&self) -> Option<Timestamp> {
        (!self.bots_to_act().is_empty()).then(|| self.at.plus_micros(BOT_PATIENCE))
    }

    /// When the server has to act unless somebody else does before: the next deadline, or when a bot should have moved.
    #[must_use]
    pub fn server_due_at(&self) -> Option<Timestamp> {
        self.due_at().into_iter().chain(self.bot_due_at()).min()
    }

    /// Whether a bot has a seat, or has ever played one.
    #[must_use]
    pub fn has_bots(&self) -> bool {
        self.bots_played || self.seats().iter().flatten().any(|sitter| sitter.bot.is_some())
    }

    /// Whether no player sits in the match. Bots do not count.
    pub(super) fn is_empty(&self) -> bool {
        self.seats().iter().flatten().all(|sitter| BotLevel::of(sitter.player).is_some())
    }

    /// Whether only bots of their own are left who have not resigned.
    pub(super) fn is_left_to_bots(&self) -> bool {
        let staying = self.seats().iter().flatten().filter(|sitter| !sitter.resigned);
        staying.clone().next().is_some()
            && staying.into_iter().all(|sitter| BotLevel::of(sitter.player).is_some())
    }

    /// The seat that a bot gets on behalf of a player (M13).
    pub(super) fn seat_for_bot(
        &self,
        player: Uuid,
        wanted: Option<Seat>,
    ) -> Result<Seat, MatchRefusal> {
        if self.creator() != player {
            return Err(MatchRefusal::NotCreator);
        }
        if self.seat_of(player).is_none() {
            return Err(MatchRefusal::NotSeated);
        }
        self.open_seat(wanted)
    }

    /// Whether players may ask for hints (M14).
    #[must_use]
    pub fn allows_hints(&self) -> bool {
        self.setup.hints || self.seat_count() == 1
    }

    /// Whether the match was created with hints.
    #[must_use]
    pub fn has_hints(&self) -> bool {
        self.setup.hints
    }

    /// The version since which a seat has had the same decision to make.
    #[must_use]
    pub fn asked_at(&self, seat: Seat) -> u64 {
        self.asked_at.get(seat.index()).copied().unwrap_or(self.version)
    }

    /// The seed with which a bot thinks about the decision that a seat has to make now. It is the same at every replica, and
    /// nobody can foresee it before the seed of the match is revealed.
    #[must_use]
    pub fn bot_seed(&self, seat: Seat) -> u64 {
        let mut hash = Sha256::new();
        hash.update(b"telar/bot/1");
        hash.update(self.setup.seed.to_hex());
        hash.update(self.asked_at(seat).to_be_bytes());
        hash.update([seat.number()]);
        let digest: [u8; 32] = hash.finalize().into();
        u64::from_be_bytes(*digest.first_chunk().expect("a digest has 32 bytes"))
    }

    /// All events of the game so far, from the commits of this match, oldest first; those before a fork come first.
    ///
    /// # Errors
    /// If a commit cannot be read.
    pub fn game_log(&self, commits: &[Commit]) -> Result<Vec<(Timestamp, GameEvent)>, Corrupt> {
        let mut log: Vec<(Timestamp, GameEvent)> = match self.origin() {
            Some(Origin::Fork(fork)) if self.status() != Status::Open => fork
                .past(self.started_at().unwrap_or_default())
                .map(|(at, event)| (at, event.clone()))
                .collect(),
            _ => Vec::new(),
        };
        for commit in commits {
            let events = commit.read(Some(self.game()))?.events;
            let events = events.iter().filter_map(Event::game_event).cloned();
            log.extend(events.map(|event| (commit.at, event)));
        }
        Ok(log)
    }
}
