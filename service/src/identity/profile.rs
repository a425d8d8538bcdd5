//! What a player's name, password and e-mail address may look like.

/// A field of a profile that cannot be accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProfile {
    /// The name is too short or too long, or has a character that names cannot have.
    #[error("not a valid name")]
    Name,
    /// The password is too short or too long.
    #[error("not a valid password")]
    Password,
    /// This is not an e-mail address.
    #[error("not a valid e-mail address")]
    Email,
}

/// A name without surrounding spaces: 2 to 30 letters, digits, spaces, dots, hyphens or underscores.
pub fn valid_name(name: &str) -> Result<String, InvalidProfile> {
    let name = name.trim();
    let is_valid = (2..=30).contains(&name.chars().count())
        && name.chars().all(|letter| letter.is_alphanumeric() || " _-.".contains(letter));
    if is_valid { Ok(name.to_owned()) } else { Err(InvalidProfile::Name) }
}

/// The key under which the name of an account is unique: names that differ in case only share it.
#[must_use]
pub fn name_key(name: &str) -> String {
    name.to_lowercase()
}

/// A password of 8 to 128 characters.
pub fn valid_password(password: String) -> Result<String, InvalidProfile> {
    let is_valid = (8..=128).contains(&password.chars().count());
    if is_valid { Ok(password) } else { Err(InvalidProfile::Password) }
}

/// An e-mail address without surrounding spaces. Whether it receives mail is not checked.
pub fn valid_email(email: &str) -> Result<String, InvalidProfile> {
    let email = email.trim();
    let is_valid = email.len() <= 254
        && email.split_once('@').is_some_and(|(local, host)| {
            !local.is_empty()
                && host.contains('.')
                && !host.starts_with('.')
                && !host.ends_with('.')
        })
        && email.matches('@').count() == 1
        && email.chars().all(|letter| letter.is_ascii_graphic() || letter.is_alphanumeric());
    if is_valid { Ok(email.to_owned()) } else { Err(InvalidProfile::Email) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_bounded() {
        assert_eq!(valid_name("  Béa Ñandú "), Ok("Béa Ñandú".to_owned()));
        assert_eq!(valid_name("J. R-2_d2"), Ok("J. R-2_d2".to_owned()));
        for name in ["", " a ", "a\tb", "ana@home", "<b>", &"x".repeat(31)] {
            assert_eq!(valid_name(name), Err(InvalidProfile::Name), "{name}");
        }
        assert_eq!(name_key("ÑANDÚ"), name_key("ñandú"));
    }

    #[test]
    fn passwords_are_counted_in_characters() {
        assert!(valid_password("ñ".repeat(8)).is_ok());
        assert!(valid_password("ñ".repeat(128)).is_ok());
        assert_eq!(valid_password("ñ".repeat(7)), Err(InvalidProfile::Password));
        assert_eq!(valid_password("ñ".repeat(129)), Err(InvalidProfile::Password));
    }

    #[test]
    fn an_email_address_has_a_local_part_and_a_domain() {
        assert_eq!(valid_email(" ana@example.com "), Ok("ana@example.com".to_owned()));
        for email in [
            "",
            "ana",
            "@example.com",
            "ana@example",
            "ana@.com",
            "ana@example.",
            "a@b@c.d",
            "a b@c.d",
        ] {
            assert_eq!(valid_email(email), Err(InvalidProfile::Email), "{email}");
        }
    }
}
