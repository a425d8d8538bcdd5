//! What a player's name, password and e-mail address may look like.

mod name;
mod password;
mod reserved;

pub use name::{look_key, name_key, valid_name};
pub use password::valid_password;

/// A field of a profile that cannot be accepted: the rule that it breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProfile {
    /// The name is too short or too long.
    #[error("the name is too short or too long")]
    NameLength,
    /// The name has a character that names cannot have, or no letter or digit.
    #[error("the name has a character that names cannot have")]
    NameCharacters,
    /// The name mixes scripts whose letters look alike.
    #[error("the name mixes scripts")]
    NameScripts,
    /// The name could be taken for that of the server or of somebody who runs it.
    #[error("the name is reserved")]
    NameReserved,
    /// The password is too short or too long.
    #[error("the password is too short or too long")]
    PasswordLength,
    /// The password consists of blanks.
    #[error("the password is blank")]
    PasswordBlank,
    /// The password is among those that are guessed first.
    #[error("the password is common")]
    PasswordCommon,
    /// The password is the name or the e-mail address of the player.
    #[error("the password is the name or e-mail address")]
    PasswordPersonal,
    /// This is not an e-mail address.
    #[error("not a valid e-mail address")]
    Email,
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
