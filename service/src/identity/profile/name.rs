//! Names that say who somebody is: no invisible characters, no two accounts whose names look alike (Unicode Technical Standard 39).

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};
use unicode_security::{
    GeneralSecurityProfile, RestrictionLevel, RestrictionLevelDetection, skeleton,
};

use super::{InvalidProfile, reserved};

/// What may stand between the letters and digits of a name.
const SEPARATORS: [char; 4] = [' ', '_', '-', '.'];
/// The most accents and vowel signs that a letter may carry besides those that are part of it.
const MARKS: usize = 3;

/// A name of 2 to 30 letters, digits, spaces, dots, hyphens or underscores, in its normal form (NFKC) and without superfluous
/// spaces.
pub fn valid_name(name: &str) -> Result<String, InvalidProfile> {
    let name = normalised(name);
    if !(2..=30).contains(&name.chars().count()) {
        return Err(InvalidProfile::NameLength);
    }
    let is_letter = |letter: char| {
        letter.identifier_allowed() && (letter.is_alphanumeric() || is_combining_mark(letter))
    };
    let is_allowed = |letter: char| SEPARATORS.contains(&letter) || is_letter(letter);
    if !name.chars().all(is_allowed) || !has_sound_marks(&name) {
        return Err(InvalidProfile::NameCharacters);
    }
    // Latin with Cyrillic or Greek is refused; Japanese, or Latin with Japanese or Arabic, is not.
    let letters: String = name.chars().filter(|letter| *letter != ' ').collect();
    if !letters.as_str().check_restriction_level(RestrictionLevel::ModeratelyRestrictive) {
        return Err(InvalidProfile::NameScripts);
    }
    if reserved::is_reserved(&name) { Err(InvalidProfile::NameReserved) } else { Ok(name) }
}

/// The key of an account's name, by which it logs in: the same for names that differ only in case.
#[must_use]
pub fn name_key(name: &str) -> String {
    folded(&normalised(name))
}

/// The key of an account's appearance: the same for names that differ only in case, in their separators, or in letters that look
/// alike. It depends on the version of Unicode, so it can tell look-alikes, but cannot identify anybody.
#[must_use]
pub fn look_key(name: &str) -> String {
    let skeleton: String = skeleton(&name_key(name)).collect();
    // A skeleton has capitals, too: it tells `0` as `O`. And `l` looks like a capital `i`.
    let letters = folded(&skeleton).replace('i', "l");
    let words = letters.split(SEPARATORS).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

fn normalised(name: &str) -> String {
    let normal: String = name.nfkc().collect();
    normal.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Through capitals, because some small letters have the same one.
fn folded(name: &str) -> String {
    name.to_uppercase().to_lowercase().nfkc().collect()
}

/// Whether there is a letter or digit, and no mark without a letter or on top of too many others.
fn has_sound_marks(name: &str) -> bool {
    // The number of marks on the letter before, if there is one.
    let mut marks = None;
    for letter in name.chars() {
        marks = match marks {
            _ if SEPARATORS.contains(&letter) => None,
            Some(count) if is_combining_mark(letter) && count < MARKS => Some(count + 1),
            _ if is_combining_mark(letter) => return false,
            _ => Some(0),
        };
    }
    name.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_normalised_and_bounded() {
        for (given, kept) in [
            ("  Béa Ñandú ", "Béa Ñandú"),
            ("J. R-2_d2", "J. R-2_d2"),
            ("Ana \u{a0}\t María", "Ana María"),
            ("Be\u{301}a", "Béa"),
            ("Ａｎａ", "Ana"),
        ] {
            assert_eq!(valid_name(given), Ok(kept.to_owned()), "{given}");
        }
        for name in ["", " a ", &"x".repeat(31), "\u{200b}\u{200b}"] {
            let refused = valid_name(name).expect_err("refused");
            assert!(
                matches!(refused, InvalidProfile::NameLength | InvalidProfile::NameCharacters),
                "{name}"
            );
        }
    }

    #[test]
    fn names_in_every_living_script_are_welcome() {
        for name in [
            "Íñigo Núñez",
            "Björn Ødegård",
            "Łukasz",
            "Nguyễn Văn A",
            "やまだ太郎",
            "タロウ",
            "Taro 太郎",
            "김철수",
            "王小明",
            "Иван",
            "Αλέξανδρος",
            "محمد",
            "שלום",
            "สมชาย ใจดี",
            "नमस्ते",
        ] {
            assert_eq!(valid_name(name).map(|_| ()), Ok(()), "{name}");
        }
    }

    #[test]
    fn characters_that_nobody_sees_or_that_rearrange_the_others_are_refused() {
        for name in [
            "Ana\u{200b}",          // zero-width space
            "A\u{200d}na",          // zero-width joiner
            "Ana\u{ad}",            // soft hyphen
            "\u{202e}anA",          // right-to-left override
            "Ana\u{2066}x\u{2069}", // isolates
            "Ana\u{3164}",          // Hangul filler
            "Ana\u{fe0f}",          // variation selector
            "Ana\u{e0041}",         // tag
            "Ana\u{7}",
            "ana@home",
            "<b>x",
            "Ana ☺",
            "..",
            "- -",
            "\u{301}Ana",
            "Ana _\u{5b0}b",
            "Z\u{327}\u{335}\u{328}\u{322}\u{327}algo",
        ] {
            assert_eq!(valid_name(name), Err(InvalidProfile::NameCharacters), "{name:?}");
        }
    }

    #[test]
    fn scripts_whose_letters_look_alike_are_not_mixed() {
        for name in ["\u{410}na", "An\u{430}", "Ben\u{3bf}", "Иван Smith"] {
            assert_eq!(valid_name(name), Err(InvalidProfile::NameScripts), "{name}");
        }
    }

    #[test]
    fn an_account_logs_in_whatever_the_case() {
        assert_eq!(name_key("ÑANDÚ"), name_key("ñandú"));
        assert_eq!(name_key(" Ｂéa  x"), name_key("be\u{301}a X"));
        assert_eq!(name_key("ΟΔΥΣΣΕΥΣ"), name_key("Οδυσσευς"));
        assert_ne!(name_key("Gil"), name_key("GiI"));
    }

    #[test]
    fn names_that_look_alike_have_the_same_look() {
        for (one, other) in [
            ("Ana", "ANA"),
            ("Ana", "\u{410}n\u{430}"),
            ("Gil", "GiI"),
            ("Gil", "G1l"),
            ("Bob", "B0b"),
            ("Carmen", "Carrnen"),
            ("Ana María", "Ana_María"),
            ("Ana", "Ana."),
            ("caso", "\u{441}\u{430}\u{455}\u{43e}"),
        ] {
            assert_eq!(look_key(one), look_key(other), "{one} {other}");
        }
        for (one, other) in [
            ("Ana", "Aná"),
            ("Nino", "Niño"),
            ("Ana", "Anna"),
            ("Ana Bel", "Anabel"),
            ("太郎", "次郎"),
        ] {
            assert_ne!(look_key(one), look_key(other), "{one} {other}");
        }
    }
}
