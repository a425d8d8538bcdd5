//! Names that would pass for the server or for somebody who runs it.

use std::{collections::HashSet, sync::LazyLock};

use super::look_key;

/// Words that no name contains.
const WORDS: [&str; 18] = [
    "telar",
    "admin",
    "admins",
    "administrator",
    "administrador",
    "administradora",
    "mod",
    "moderator",
    "moderador",
    "moderadora",
    "staff",
    "support",
    "soporte",
    "official",
    "oficial",
    "sysadmin",
    "webmaster",
    "postmaster",
];

/// Whole names that nobody has.
const NAMES: [&str; 46] = [
    "system",
    "sistema",
    "server",
    "servidor",
    "root",
    "owner",
    "security",
    "seguridad",
    "help",
    "ayuda",
    "info",
    "api",
    "bot",
    "botnovice",
    "botcasual",
    "botclub",
    "botexpert",
    "botmaster",
    "guest",
    "invitado",
    "invitada",
    "anonymous",
    "anónimo",
    "anónima",
    "nobody",
    "nadie",
    "everybody",
    "everyone",
    "todos",
    "todas",
    "somebody",
    "alguien",
    "deleted",
    "eliminado",
    "eliminada",
    "unknown",
    "desconocido",
    "desconocida",
    "null",
    "undefined",
    "you",
    "yo",
    "tú",
    "me",
    "equipo",
    "team",
];

static RESERVED_WORDS: LazyLock<HashSet<String>> =
    LazyLock::new(|| WORDS.into_iter().map(look_key).collect());
static RESERVED_NAMES: LazyLock<HashSet<String>> =
    LazyLock::new(|| NAMES.into_iter().map(look_key).collect());

/// Whether nobody may have this name, nor one that looks like it. Digits at the end make no difference.
pub(super) fn is_reserved(name: &str) -> bool {
    let without_digits = name.trim_end_matches(|letter: char| !letter.is_alphabetic());
    [name, without_digits].into_iter().any(|name| {
        let look = look_key(name);
        let whole = look.replace('-', "");
        RESERVED_NAMES.contains(&whole)
            || RESERVED_WORDS.contains(&whole)
            || look.split('-').any(|word| RESERVED_WORDS.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_passes_for_the_server() {
        for name in [
            "Admin",
            "ADMIN",
            "admin1",
            "admin_2026",
            "Adm1n",
            "a.d.m.i.n",
            "Telar",
            "Telar Support",
            "Soporte Telar",
            "Moderadora",
            "el admin",
            "System",
            "sistema",
            "Guest 7",
            "Bot club",
            "bot-master 2",
            "Invitado",
            "Anónima",
            "\u{430}dm\u{456}n",
            "Tú",
        ] {
            assert!(is_reserved(name), "{name}");
        }
    }

    #[test]
    fn ordinary_names_are_free() {
        for name in [
            "Ana",
            "Adminda",
            "Telaraña",
            "Modesta",
            "System of Luck",
            "TypeScript bot",
            "Rooth",
            "Player 1",
            "Yolanda",
        ] {
            assert!(!is_reserved(name), "{name}");
        }
    }
}
