//! Verifies a proof: checks the chain and the commitment, and decides every command again with the seed.
//!
//! A thin loop around [`Commit::decide_again`]: it knows neither the games nor the kinds of commands.

use uuid::Uuid;

use super::{FORMAT, Flaw, Proof, seats};
use crate::{
    chance::Seed,
    game::Refusal,
    games,
    matches::{Commit, CommitContents, Corrupt, Decision, Event, Match, Refused},
};

/// The result of a successful verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The match.
    pub match_id: Uuid,
    /// The key of its game.
    pub game: &'static str,
    /// The number of commits.
    pub commits: usize,
    /// The number of events.
    pub events: u64,
    /// The number of random draws.
    pub draws: usize,
    /// The hash of the last commit, which covers all of them.
    pub hash: [u8; 32],
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { match_id, game, commits, events, draws, hash } = self;
        write!(
            f,
            "match {match_id} ({game}): {commits} commits, {events} events and {draws} draws follow from the seed; \
             the last hash is {}",
            hex::encode(hash)
        )
    }
}

impl Proof {
    /// Verifies the proof. Returns a report and the final match.
    ///
    /// # Errors
    /// The first error in the proof.
    pub fn verify(&self) -> Result<(Report, Match), Flaw> {
        let seed = self.beginning()?;
        let (mut m, mut previous, mut draws) = (None::<Match>, Match::ORIGIN, 0);
        for commit in &self.commits {
            let expected = m.as_ref().map_or(0, Match::version);
            if commit.seq != expected {
                return Err(Flaw::Missing { expected, found: commit.seq });
            }
            let row = commit.row(self.header.id)?;
            let unreadable =
                |corrupt: Corrupt| Flaw::Unreadable { seq: row.seq, reason: corrupt.reason };
            let recorded = row.read(m.as_ref().map(Match::game)).map_err(unreadable)?;
            let decided = row.decide_again(m.as_ref()).map_err(unreadable)?;
            let decided = decided.map_err(|refused| Flaw::refused(row.seq, refused))?;
            self.compare(&row, &recorded, &decided)?;
            if !row.follows(&previous) {
                return Err(Flaw::Chain { seq: row.seq });
            }
            if seed.seal(&row.hash) != commit.seal {
                return Err(Flaw::Seal { seq: row.seq });
            }
            previous = row.hash;
            draws += recorded.draws.len();
            let taken_in = match &mut m {
                Some(m) => m.apply(&row).map(drop),
                None => Match::open(&row).map(|opened| m = Some(opened)),
            };
            taken_in.map_err(unreadable)?;
        }
        let m = m.ok_or(Flaw::Cut { expected: 0 })?;
        self.end(&m)?;
        let report = Report {
            match_id: m.id(),
            game: m.game().info().key,
            commits: self.commits.len(),
            events: m.version(),
            draws,
            hash: previous,
        };
        Ok((report, m))
    }

    /// Checks that this proof continues an earlier one of the same match, with nothing changed.
    ///
    /// # Errors
    /// The first difference.
    pub fn continues(&self, earlier: &Self) -> Result<(), Flaw> {
        if earlier.header.id != self.header.id {
            return Err(Flaw::OtherMatch(earlier.header.id));
        }
        if earlier.commitment != self.commitment {
            return Err(Flaw::Commitment);
        }
        for (index, was) in earlier.commits.iter().enumerate() {
            match self.commits.get(index) {
                None => return Err(Flaw::Cut { expected: was.seq }),
                Some(is) if is.seq != was.seq => {
                    return Err(Flaw::Missing { expected: was.seq, found: is.seq });
                }
                Some(is) if (is.at, &is.seal) != (was.at, &was.seal) => {
                    return Err(Flaw::Seal { seq: was.seq });
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Checks everything before the first commit.
    fn beginning(&self) -> Result<Seed, Flaw> {
        if self.format != FORMAT {
            return Err(Flaw::Format(self.format.clone()));
        }
        if !self.status.is_over() {
            return Err(Flaw::NotOver);
        }
        self.check_form()?;
        let game = &self.header.game;
        let known = games::find(game).ok_or_else(|| Flaw::Game(game.clone()))?;
        let (recorded, known) = (self.header.rules_version, known.info().rules_version);
        if !(1..=known).contains(&recorded) {
            return Err(Flaw::Rules { recorded, known });
        }
        let text = self.seed.as_deref().ok_or(Flaw::Seed)?;
        let seed = Seed::from_hex(text).filter(|seed| seed.to_hex() == text).ok_or(Flaw::Seed)?;
        if seed.commitment().to_string() != self.commitment {
            return Err(Flaw::Commitment);
        }
        Ok(seed)
    }

    /// Checks that a commit is what follows from its command.
    fn compare(
        &self,
        row: &Commit,
        recorded: &CommitContents,
        decided: &Decision,
    ) -> Result<(), Flaw> {
        let seq = row.seq;
        if self.seed != Some(decided.next.seed().to_hex()) {
            return Err(Flaw::OtherSeed);
        }
        let most = recorded.draws.len().max(decided.draws().len());
        for index in 0..most {
            let recorded = recorded.draws.get(index).copied();
            let expected = decided.draws().get(index).copied();
            if recorded != expected {
                return Err(Flaw::Draw { seq, index, recorded, expected });
            }
        }
        let most = recorded.events.len().max(decided.events.len());
        for index in 0..most {
            let stored = recorded.events.get(index).map(Event::stored);
            if stored != decided.events.get(index).map(Event::stored) {
                return Err(Flaw::Event { seq, index });
            }
        }
        if recorded.command.get() != decided.command() {
            return Err(Flaw::Command { seq });
        }
        if decided.at() != row.at {
            return Err(Flaw::Time { seq });
        }
        if decided.player() != row.player {
            return Err(Flaw::Player { seq });
        }
        Ok(())
    }

    /// Checks that the other fields follow from the commits.
    fn end(&self, m: &Match) -> Result<(), Flaw> {
        if !m.status().is_over() {
            return Err(Flaw::Cut { expected: m.version() });
        }
        let header = &self.header;
        let seats = seats(m);
        for (seat, (said, true_one)) in self.seats.iter().zip(&seats).enumerate() {
            if said.entropy != true_one.entropy {
                return Err(Flaw::Entropy { seat });
            }
        }
        for (field, is_right) in [
            ("match.id", header.id == m.id()),
            ("match.game", header.game == m.game().info().key),
            ("match.rules_version", header.rules_version == m.rules_version()),
            ("match.options", header.options.get() == m.options().get()),
            ("match.visibility", header.visibility == m.visibility()),
            ("match.creator", header.creator == m.creator()),
            ("status", self.status == m.status()),
            ("version", self.version == m.version()),
            ("seats", self.seats == seats),
            ("outcome", self.outcome.as_ref() == m.outcome()),
        ] {
            if !is_right {
                return Err(Flaw::Field { field });
            }
        }
        Ok(())
    }
}

impl Flaw {
    fn refused(seq: u64, refused: Refused) -> Self {
        let code = match refused {
            Refused::Malformed(shape) => {
                return Self::Unreadable { seq, reason: format!("command: {shape}") };
            }
            Refused::Match(refusal) => refusal.info().code,
            Refused::Rule(info) => info.code,
            Refused::Stale { .. } => {
                unreachable!("no version is required when a command is decided again")
            }
        };
        Self::Refused { seq, code: code.to_owned() }
    }
}
