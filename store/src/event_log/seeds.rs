//! The seed of a match is encrypted in the payload of its first commit, between the log and the database. Hashes, proofs and
//! everything above the log know plain payloads only.

use std::ops::Range;

use domain::matches::Commit;

use crate::{
    encryption::{PREFIX, StorageKeys},
    error::Result,
};

/// Where a seed belongs to.
const TABLE: &str = "commits";
/// The member of the first event that holds the seed. Quotes are escaped within strings, so no text of a player looks like it.
const SEED: &str = "\"seed\":\"";
/// The length of a seed in hexadecimal.
const DIGITS: usize = 64;

/// The payload as the database stores it, if that is not the payload itself.
pub(super) fn hide(keys: &StorageKeys, commit: &Commit) -> Option<String> {
    if commit.seq > 0 {
        return None;
    }
    let is_seed =
        |text: &str| text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let place = find(&commit.payload, is_seed)?;
    let encrypted = keys.encrypt(&commit.payload[place.clone()], TABLE, commit.match_id);
    Some(replace(&commit.payload, place, &encrypted))
}

/// Makes the payload of a commit from the database plain.
pub(super) fn reveal(keys: &StorageKeys, commit: &mut Commit) -> Result<()> {
    if commit.seq > 0 {
        return Ok(());
    }
    let Some(place) = find(&commit.payload, |text| text.starts_with(PREFIX)) else {
        return Ok(());
    };
    let seed = keys.decrypt(&commit.payload[place.clone()], TABLE, commit.match_id)?;
    commit.payload = replace(&commit.payload, place, &seed);
    Ok(())
}

/// The place of the first seed that looks as expected.
fn find(payload: &str, is_expected: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    payload.match_indices(SEED).find_map(|(at, _)| {
        let start = at + SEED.len();
        let end = start + payload[start..].find('"')?;
        is_expected(&payload[start..end]).then_some(start..end)
    })
}

fn replace(payload: &str, place: Range<usize>, text: &str) -> String {
    [&payload[..place.start], text, &payload[place.end..]].concat()
}

#[cfg(test)]
mod tests {
    use domain::{
        games,
        matches::{Create, Match},
        time::Timestamp,
    };
    use uuid::Uuid;

    use super::*;

    fn first_commit() -> Commit {
        let game = games::find("qwinto").expect("a registered game");
        let create = Create {
            entropy: Some(format!("\"seed\":\"{}\"", "0".repeat(DIGITS))),
            ..Create::new(Uuid::from_u128(5), game, 2, Uuid::from_u128(1), [7; 32].into())
        };
        let decision = Match::create(create, Timestamp::from_micros(0)).expect("a match");
        decision.into_commit(Uuid::from_u128(2)).2
    }

    #[test]
    fn a_hidden_seed_comes_back_to_the_byte() {
        let keys = StorageKeys::new(&[[3; 32]]);
        let commit = first_commit();
        let seed = "07".repeat(32);
        assert!(commit.payload.contains(&seed));
        let stored = hide(&keys, &commit).expect("the first commit holds a seed");
        assert!(!stored.contains(&seed), "{stored}");
        let mut read = Commit { payload: stored, ..commit.clone() };
        reveal(&keys, &mut read).expect("the same key");
        assert_eq!(read, commit);
    }

    #[test]
    fn a_plain_payload_stays_as_it_is_and_a_wrong_key_is_an_error() {
        let commit = first_commit();
        let mut read = commit.clone();
        reveal(&StorageKeys::new(&[[3; 32]]), &mut read).expect("nothing to decrypt");
        assert_eq!(read, commit);
        read.payload = hide(&StorageKeys::new(&[[3; 32]]), &commit).expect("a seed");
        reveal(&StorageKeys::new(&[[4; 32]]), &mut read).expect_err("another key");
    }

    #[test]
    fn other_commits_are_left_alone() {
        let commit = Commit { seq: 1, ..first_commit() };
        assert_eq!(hide(&StorageKeys::new(&[[3; 32]]), &commit), None);
    }
}
