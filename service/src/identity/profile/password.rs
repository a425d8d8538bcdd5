//! Passwords that are not among the first that somebody would try.

use std::{collections::HashSet, sync::LazyLock};

use super::{InvalidProfile, name_key};

/// Passwords that leaks contain most often, of those that are long enough: Django's list (BSD), which was compiled by Royce
/// Williams, and Spanish ones. In small letters.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// A password of 8 to 128 characters that is neither blank nor common nor the player's own name or e-mail address.
pub fn valid_password(
    password: String,
    name: &str,
    email: Option<&str>,
) -> Result<String, InvalidProfile> {
    if !(8..=128).contains(&password.chars().count()) {
        return Err(InvalidProfile::PasswordLength);
    }
    if password.chars().all(is_blank) {
        return Err(InvalidProfile::PasswordBlank);
    }
    if COMMON.contains(password.to_lowercase().trim()) {
        return Err(InvalidProfile::PasswordCommon);
    }
    let local_part = email.and_then(|email| email.split('@').next());
    let own = [Some(name), email, local_part].into_iter().flatten();
    let core = core(&password);
    if own.map(self::core).any(|own| !own.is_empty() && own == core) {
        return Err(InvalidProfile::PasswordPersonal);
    }
    Ok(password)
}

/// The letters and digits of a text whatever their case, without digits at the end: `Ana-María 99` is as easily guessed as
/// `anamaría`.
fn core(text: &str) -> String {
    let letters: String =
        name_key(text).chars().filter(|letter| letter.is_alphanumeric()).collect();
    let without_digits = letters.trim_end_matches(char::is_numeric);
    if without_digits.is_empty() { letters } else { without_digits.to_owned() }
}

/// Whether a character leaves no trace on a screen.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(password: &str) -> Result<(), InvalidProfile> {
        valid_password(password.to_owned(), "Ana-María 7", Some("mariposas@example.com")).map(drop)
    }

    #[test]
    fn passwords_are_counted_in_characters() {
        assert_eq!(check(&"ñ".repeat(8)), Ok(()));
        assert_eq!(check(&"ñ".repeat(128)), Ok(()));
        assert_eq!(check(&"ñ".repeat(7)), Err(InvalidProfile::PasswordLength));
        assert_eq!(check(&"ñ".repeat(129)), Err(InvalidProfile::PasswordLength));
    }

    #[test]
    fn blanks_are_no_password() {
        for password in
            ["        ", "\t\t\t\t\t\t\t\t", "\u{200b}\u{3164} \u{200b}\u{3164} \u{2800}\u{ad}"]
        {
            assert_eq!(check(password), Err(InvalidProfile::PasswordBlank), "{password:?}");
        }
        assert_eq!(check("correct horse"), Ok(()));
        assert_eq!(check("       x"), Ok(()));
    }

    #[test]
    fn the_passwords_that_everybody_tries_first_are_refused() {
        for password in [
            "password",
            "PassWord1",
            "12345678",
            "qwertyuiop",
            "iloveyou",
            "contraseña",
            "tequieromucho",
            "password ",
        ] {
            assert_eq!(check(password), Err(InvalidProfile::PasswordCommon), "{password}");
        }
        assert!(COMMON.len() > 8_000);
        assert!(COMMON.iter().all(|common| common.chars().count() >= 8));
        assert!(COMMON.iter().all(|common| common.to_lowercase() == **common));
    }

    #[test]
    fn ones_own_name_and_address_are_refused() {
        for password in [
            "Ana-María 7",
            "anamaría",
            "ANAMARÍA2026!",
            "mariposas",
            "Mariposas99",
            "mariposas@example.com",
        ] {
            assert_eq!(check(password), Err(InvalidProfile::PasswordPersonal), "{password}");
        }
        assert_eq!(check("anamaría teje"), Ok(()));
    }
}
