//! Personal access tokens: `telar_pat_`, 40 random letters and digits, and 6 that check them.
//!
//! The check lets scanners tell a leaked token from a text that looks like one, and lets us refuse most nonsense without
//! asking the store. What the store says of a token is believed for a second: a token that was revoked at another replica
//! ends within that time, at this one at once.

use domain::time::Timestamp;
use quick_cache::sync::Cache;
use sea_orm::{ColumnTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter, sea_query::Expr};
use store::entities::{access_token, player};
use tokio::sync::watch;
use uuid::Uuid;

use super::{Caller, scope::Scopes, tokens::TokenError};
use crate::secret;

/// How every token begins.
pub const PREFIX: &str = "telar_pat_";
const RANDOM: usize = 40;
const CHECK: usize = 6;
/// How long the store is believed.
const FRESH_MILLIS: i64 = 1_000;
/// The last use is written at most this often.
const NOTED_EVERY_MILLIS: i64 = 60_000;
const REMEMBERED: usize = 10_000;

/// Checks personal access tokens.
#[derive(Debug)]
pub struct PersonalTokens {
    db: DatabaseConnection,
    known: Cache<[u8; 32], Known>,
    /// Grows with every revocation: what was learned before counts no longer.
    generation: watch::Sender<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    caller: Caller,
    seen: Timestamp,
    generation: u64,
}

/// Why a personal access token is not good, or could not be checked.
#[derive(Debug)]
pub enum PersonalTokenError {
    /// It is not good.
    Token(TokenError),
    /// The store failed.
    Store(DbErr),
}

impl From<DbErr> for PersonalTokenError {
    fn from(error: DbErr) -> Self {
        Self::Store(error)
    }
}

impl PersonalTokens {
    /// The tokens in this store.
    #[must_use]
    pub fn new(db: DatabaseConnection) -> Self {
        Self { db, known: Cache::new(REMEMBERED), generation: watch::Sender::new(0) }
    }

    /// Whom a token speaks for, and what it may do.
    pub async fn check(&self, token: &str, now: Timestamp) -> Result<Caller, PersonalTokenError> {
        let invalid = || PersonalTokenError::Token(TokenError::Invalid);
        if !is_well_formed(token) {
            return Err(invalid());
        }
        let hash = secret::hash(token.as_bytes());
        // Read first: a revocation that comes in between makes what we learn worthless.
        let generation = *self.generation.borrow();
        let fresh = self.known.get(&hash).filter(|known| {
            known.generation == generation && now.millis_since(known.seen) < FRESH_MILLIS
        });
        let known = if let Some(known) = fresh {
            known
        } else {
            let known = self.look_up(&hash, generation, now).await?.ok_or_else(invalid)?;
            self.known.insert(hash, known);
            known
        };
        if known.caller.expires.micros() <= now.micros() {
            return Err(PersonalTokenError::Token(TokenError::Expired));
        }
        Ok(known.caller)
    }

    /// Forgets what is known of all tokens, because one has been revoked.
    pub fn forget(&self) {
        self.generation.send_modify(|generation| *generation += 1);
    }

    /// Changes whenever a token has been revoked here.
    #[must_use]
    pub fn revoked(&self) -> watch::Receiver<u64> {
        self.generation.subscribe()
    }

    /// Whether there still is a token with this id, whichever replica may have revoked it.
    pub async fn stands(&self, id: Uuid) -> Result<bool, DbErr> {
        Ok(access_token::Entity::find_by_id(id).one(&self.db).await?.is_some())
    }

    async fn look_up(
        &self,
        hash: &[u8; 32],
        generation: u64,
        now: Timestamp,
    ) -> Result<Option<Known>, DbErr> {
        let token = access_token::Entity::find()
            .filter(access_token::Column::TokenHash.eq(hash.to_vec()))
            .one(&self.db)
            .await?;
        let Some(token) = token else { return Ok(None) };
        let Some(player) = player::Entity::find_by_id(token.player_id).one(&self.db).await? else {
            return Ok(None);
        };
        let caller = Caller {
            player: token.player_id,
            session: token.id,
            guest: player.password_hash.is_none(),
            scopes: Scopes::parse(&token.scopes),
            expires: Timestamp::from_micros(token.expires_at),
        };
        let due = now.micros() - NOTED_EVERY_MILLIS * 1_000;
        if token.expires_at > now.micros() && token.last_used_at.is_none_or(|at| at <= due) {
            self.note_use(token.id, now).await?;
        }
        Ok(Some(Known { caller, seen: now, generation }))
    }

    async fn note_use(&self, id: Uuid, now: Timestamp) -> Result<(), DbErr> {
        access_token::Entity::update_many()
            .col_expr(access_token::Column::LastUsedAt, Expr::value(now.micros()))
            .filter(access_token::Column::Id.eq(id))
            .exec(&self.db)
            .await
            .map(drop)
    }
}

/// A new token.
#[must_use]
pub fn generate() -> String {
    let body = format!("{PREFIX}{}", secret::letters(RANDOM));
    let check = check(&body);
    body + &check
}

/// Whether a text could be one of our tokens.
fn is_well_formed(token: &str) -> bool {
    token.len() == PREFIX.len() + RANDOM + CHECK
        && token.starts_with(PREFIX)
        && token
            .split_at_checked(PREFIX.len() + RANDOM)
            .is_some_and(|(body, tail)| check(body) == tail)
}

/// The first four bytes of the SHA-256 of what stands before, as six digits to the base of 62.
fn check(body: &str) -> String {
    let [a, b, c, d, ..] = secret::hash(body.as_bytes());
    let mut number = u32::from_be_bytes([a, b, c, d]);
    let mut digits = [b'0'; CHECK];
    for digit in digits.iter_mut().rev() {
        *digit = secret::ALPHABET[(number % 62) as usize];
        number /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_can_be_told_from_a_text_that_looks_like_one() {
        let token = generate();
        assert_eq!(token.len(), 56);
        assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
        assert!(is_well_formed(&token));
        for at in PREFIX.len()..token.len() {
            let mut typo = token.clone().into_bytes();
            typo[at] = if typo[at] == b'a' { b'b' } else { b'a' };
            let typo = String::from_utf8(typo).unwrap();
            assert!(!is_well_formed(&typo), "{typo}");
        }
        for text in ["", "telar_pat_", &token[1..], &format!("{token}0"), &"ñ".repeat(28)] {
            assert!(!is_well_formed(text), "{text}");
        }
    }

    #[test]
    fn scanners_may_rely_on_the_check() {
        let body = format!("{PREFIX}{}", "0".repeat(RANDOM));
        let digest = secret::hash(body.as_bytes());
        let number = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
        let value = check(&body).bytes().fold(0_u64, |value, digit| {
            let place = secret::ALPHABET.iter().position(|letter| *letter == digit).unwrap();
            value * 62 + place as u64
        });
        assert_eq!(value, u64::from(number));
    }
}
