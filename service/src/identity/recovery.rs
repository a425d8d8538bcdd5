//! Recovery codes: with one, a guest, who has no password, comes back on a new device.
//!
//! A code works once and is replaced by the next one. The next one follows from the code and a key of the server, so that a
//! request whose response got lost can be repeated for a while and gets the same one, although only hashes are stored.

use std::time::Duration;

use domain::time::Timestamp;
use store::{players::Player, recovery_codes};

use super::{AccountError, Accounts, Device, SessionTokens, accounts::Result};
use crate::{clock, secret};

/// The letters of a code: none that look alike.
const LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/// A code has this many letters, 5 bits each: nobody guesses one, from however many addresses.
const LENGTH: usize = 20;
const GROUP: usize = 5;
/// How long a code that was used can be used again, as long as the next one has not been.
const RETRIES: Duration = Duration::from_mins(15);
/// What wrong codes are counted under. Whose code was meant is not known.
const ATTEMPTS: &str = "recovery code";

impl Accounts {
    /// The first code of a new guest; nothing if the guest has used it already. It follows from the guest, so that a retry of the
    /// creation shows it again.
    pub(super) async fn first_code(&self, guest: &Player) -> Result<Option<String>> {
        let code = self.code_for(&format!("guest {} {}", guest.id, guest.created_at));
        let is_current = recovery_codes::insert_missing(&self.db, guest.id, hash(&code)).await?;
        Ok(is_current.then_some(code))
    }

    /// Opens a session for the guest with this code, and replaces the code.
    pub async fn recover(&self, code: &str, device: &Device) -> Result<SessionTokens> {
        let now = self.clock.now();
        let attempt = self.attempts.begin(ATTEMPTS, device.address, now)?;
        let hash = hash(code);
        let next = self.code_for(&format!("after {}", hex::encode(hash)));
        let next_hash = self::hash(&next);
        let found = recovery_codes::find(&self.db, hash).await?;
        let found = found.ok_or(AccountError::WrongRecoveryCode)?;
        let is_used = found.code_hash != hash
            || !recovery_codes::replace(&self.db, hash, next_hash, now).await?;
        if is_used {
            let found = recovery_codes::find(&self.db, hash).await?;
            let is_retry = found.is_some_and(|found| {
                found.code_hash == next_hash && is_recent(found.replaced_at, now)
            });
            if !is_retry {
                return Err(AccountError::WrongRecoveryCode);
            }
        }
        let guest = self.find(found.player_id).await?.filter(Player::is_guest);
        let guest = guest.ok_or(AccountError::WrongRecoveryCode)?;
        let session = self.sessions.open(guest, device, now).await?;
        let session = session.ok_or(AccountError::WrongRecoveryCode)?;
        self.attempts.succeed(attempt);
        Ok(SessionTokens { recovery_code: Some(next), ..session })
    }

    /// The code that follows from a text, in groups of five letters.
    fn code_for(&self, text: &str) -> String {
        let bytes = secret::derived(&self.sessions.recovery_key(), text.as_bytes());
        let letters: Vec<char> = bytes[..LENGTH]
            .iter()
            .map(|byte| char::from(LETTERS[usize::from(byte % 32)]))
            .collect();
        let groups: Vec<String> =
            letters.chunks(GROUP).map(|group| group.iter().collect()).collect();
        groups.join("-")
    }
}

/// What is stored of a code, however it was typed.
fn hash(code: &str) -> [u8; 32] {
    let letters = code.chars().filter(char::is_ascii_alphanumeric);
    let letters: String = letters.map(|letter| letter.to_ascii_uppercase()).collect();
    secret::hash(letters.as_bytes())
}

fn is_recent(replaced_at: Option<i64>, now: Timestamp) -> bool {
    replaced_at
        .is_some_and(|at| now.micros() < clock::after(Timestamp::from_micros(at), RETRIES).micros())
}
