//! What a personal access token may do. Sessions may do everything.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::application_scope::ApplicationScope;

/// A permission of a personal access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = TokenScope)]
pub enum Scope {
    /// Read your profile, including your e-mail address.
    #[serde(rename = "account:read")]
    AccountRead,
    /// Read matches as you see them, including your private ones.
    #[serde(rename = "match:read")]
    MatchRead,
    /// Create matches, take seats, make moves and resign.
    #[serde(rename = "match:play")]
    MatchPlay,
    /// Read statistics as you see them.
    #[serde(rename = "stats:read")]
    StatsRead,
    /// Read and change your webhooks.
    #[serde(rename = "webhook:write")]
    WebhookWrite,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 5] =
        [Self::AccountRead, Self::MatchRead, Self::MatchPlay, Self::StatsRead, Self::WebhookWrite];

    /// The scope as it is written.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::AccountRead => "account:read",
            Self::MatchRead => "match:read",
            Self::MatchPlay => "match:play",
            Self::StatsRead => "stats:read",
            Self::WebhookWrite => "webhook:write",
        }
    }

    /// Parses a scope.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.id() == id)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What an operation requires of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// A session, or a personal access token with this scope.
    Scope(Scope),
    /// A session. The default for operations that declare nothing.
    Session,
    /// An application with this scope.
    Application(ApplicationScope),
}

impl Requirement {
    /// The requirement as operations declare it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Scope(scope) => scope.id(),
            Self::Session => "session",
            Self::Application(scope) => scope.id(),
        }
    }

    /// Parses a declared requirement of a player's token.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        match id {
            "session" => Some(Self::Session),
            id => Scope::from_id(id).map(Self::Scope),
        }
    }
}

/// A set of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// The permissions of a session: everything, including what no token may do.
    pub const SESSION: Self = Self(u8::MAX);

    /// Whether these scopes meet a requirement.
    #[must_use]
    pub const fn allow(self, requirement: Requirement) -> bool {
        match requirement {
            Requirement::Scope(scope) => self.0 & scope.bit() != 0,
            Requirement::Session => self.0 == u8::MAX,
            // No token of a player is one of an application.
            Requirement::Application(_) => false,
        }
    }

    /// Parses stored scopes and skips unknown ones.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        text.split(' ').filter_map(Scope::from_id).collect()
    }

    /// The scopes in this set.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.0 & scope.bit() != 0)
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<T: IntoIterator<Item = Scope>>(scopes: T) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<&str> = self.iter().map(Scope::id).collect();
        f.write_str(&ids.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_allows_what_is_in_it_and_never_what_only_sessions_may() {
        let all: Scopes = Scope::ALL.into_iter().collect();
        assert_eq!(Scopes::parse(&all.to_string()), all);
        assert!(!all.allow(Requirement::Session));
        assert!(Scopes::SESSION.allow(Requirement::Session));
        for scope in Scope::ALL {
            assert!(all.allow(Requirement::Scope(scope)));
            assert!(Scopes::SESSION.allow(Requirement::Scope(scope)));
            let others: Scopes = Scope::ALL.into_iter().filter(|other| *other != scope).collect();
            assert!(!others.allow(Requirement::Scope(scope)));
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.id());
        }
        assert!(!Scopes::parse("session everything").allow(Requirement::Session));
    }
}
