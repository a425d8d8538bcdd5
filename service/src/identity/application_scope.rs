//! What an application may do.

use std::fmt;

use super::scope::{Scope, Scopes};

/// A permission of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApplicationScope {
    /// Create, read, change and delete its own players.
    PlayerWrite,
    /// Open sessions for its own players.
    SessionCreate,
    /// Read matches as its own players see them.
    MatchRead,
    /// Seat its own players, and play for them.
    MatchPlay,
}

impl ApplicationScope {
    /// All scopes.
    pub const ALL: [Self; 4] =
        [Self::PlayerWrite, Self::SessionCreate, Self::MatchRead, Self::MatchPlay];

    /// The scope as it is written.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::PlayerWrite => "player:write",
            Self::SessionCreate => "session:create",
            Self::MatchRead => "match:read",
            Self::MatchPlay => "match:play",
        }
    }

    /// What the scope allows, in a few words.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::PlayerWrite => "Create, read, change and delete players of the application.",
            Self::SessionCreate => "Open sessions for players of the application.",
            Self::MatchRead => "Read matches on behalf of players of the application.",
            Self::MatchPlay => "Seat players of the application, and play on their behalf.",
        }
    }

    /// Parses a scope.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.id() == id)
    }

    /// The scope that a token of a player has when an application with this scope acts on the player's behalf.
    const fn on_behalf(self) -> Option<Scope> {
        match self {
            Self::MatchRead => Some(Scope::MatchRead),
            Self::MatchPlay => Some(Scope::MatchPlay),
            Self::PlayerWrite | Self::SessionCreate => None,
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of scopes of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApplicationScopes(u8);

impl ApplicationScopes {
    /// Whether a scope is in this set.
    #[must_use]
    pub const fn has(self, scope: ApplicationScope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The scopes of both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Parses stored scopes and skips unknown ones.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        text.split(' ').filter_map(ApplicationScope::from_id).collect()
    }

    /// The scopes in this set.
    pub fn iter(self) -> impl Iterator<Item = ApplicationScope> {
        ApplicationScope::ALL.into_iter().filter(move |scope| self.has(*scope))
    }

    /// What the application may do on behalf of one of its players.
    #[must_use]
    pub fn on_behalf(self) -> Scopes {
        self.iter().filter_map(ApplicationScope::on_behalf).collect()
    }
}

impl FromIterator<ApplicationScope> for ApplicationScopes {
    fn from_iter<T: IntoIterator<Item = ApplicationScope>>(scopes: T) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

impl fmt::Display for ApplicationScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<&str> = self.iter().map(ApplicationScope::id).collect();
        f.write_str(&ids.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Requirement;

    #[test]
    fn an_application_acts_for_players_in_matches_only() {
        let all: ApplicationScopes = ApplicationScope::ALL.into_iter().collect();
        assert_eq!(ApplicationScopes::parse(&all.to_string()), all);
        let scopes = all.on_behalf();
        assert!(!scopes.allow(Requirement::Session));
        for scope in Scope::ALL {
            let is_allowed = matches!(scope, Scope::MatchRead | Scope::MatchPlay);
            assert_eq!(scopes.allow(Requirement::Scope(scope)), is_allowed, "{scope:?}");
        }
        for scope in ApplicationScope::ALL {
            assert!(!scopes.allow(Requirement::Application(scope)));
            assert!(!Scopes::SESSION.allow(Requirement::Application(scope)));
            let alone: ApplicationScopes = [scope].into_iter().collect();
            assert!(
                ApplicationScope::ALL.into_iter().all(|other| alone.has(other) == (other == scope))
            );
        }
    }
}
