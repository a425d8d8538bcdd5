//! What has to hold whatever breaks. A breach is counted, and the first few are described.

use std::{collections::BTreeMap, fmt};

/// Something that must never be found, during a fault or after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Invariant {
    /// A command that was acknowledged is not in the log.
    Lost,
    /// A command was carried out more than once, or its copies got different results.
    Repeated,
    /// A reader does not see a command that was acknowledged before.
    Unseen,
    /// The log of a match, or the proof of a finished one, does not verify.
    Unproven,
    /// The feed has a gap, lists a commit twice or not at all, or lists one that is not in the log.
    Feed,
    /// The statistics differ from those rebuilt from the log.
    Statistics,
    /// A webhook was not told about the start or the end of a match.
    Untold,
    /// A name that was acknowledged is not the player's name.
    Name,
    /// A response is neither a success nor a well-formed problem document.
    Malformed,
    /// A response is a 500.
    Internal,
    /// A valid request was refused.
    Refused,
    /// After the fault was healed, a player could not move in time, or the server did not end well.
    Stuck,
}

impl Invariant {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 12] = [
        Self::Lost,
        Self::Repeated,
        Self::Unseen,
        Self::Unproven,
        Self::Feed,
        Self::Statistics,
        Self::Untold,
        Self::Name,
        Self::Malformed,
        Self::Internal,
        Self::Refused,
        Self::Stuck,
    ];

    /// The head of its column.
    #[must_use]
    pub const fn head(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Repeated => "repeated",
            Self::Unseen => "unseen",
            Self::Unproven => "unproven",
            Self::Feed => "feed",
            Self::Statistics => "stats",
            Self::Untold => "untold",
            Self::Name => "names",
            Self::Malformed => "malformed",
            Self::Internal => "500s",
            Self::Refused => "refused",
            Self::Stuck => "stuck",
        }
    }
}

/// The number of breaches of each invariant that are described.
const EXAMPLES: usize = 3;

/// The breaches that were found.
#[derive(Debug, Clone, Default)]
pub struct Breaches(BTreeMap<Invariant, Vec<String>>, BTreeMap<Invariant, usize>);

impl Breaches {
    /// Adds a breach.
    pub fn add(&mut self, invariant: Invariant, what: impl fmt::Display) {
        *self.1.entry(invariant).or_default() += 1;
        let examples = self.0.entry(invariant).or_default();
        if examples.len() < EXAMPLES {
            examples.push(what.to_string());
        }
    }

    /// Adds the breaches that were found elsewhere.
    pub fn extend(&mut self, others: Self) {
        for (invariant, count) in others.1 {
            *self.1.entry(invariant).or_default() += count;
        }
        for (invariant, examples) in others.0 {
            self.0.entry(invariant).or_default().extend(examples);
        }
    }

    /// How often an invariant was broken.
    #[must_use]
    pub fn count(&self, invariant: Invariant) -> usize {
        self.1.get(&invariant).copied().unwrap_or_default()
    }

    /// Whether every invariant holds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.1.is_empty()
    }

    /// The descriptions, by invariant.
    pub fn examples(&self) -> impl Iterator<Item = (Invariant, &str)> {
        self.0.iter().flat_map(|(invariant, examples)| {
            examples.iter().map(|example| (*invariant, example.as_str()))
        })
    }
}
