//! The players of generated matches.

use domain::time::Timestamp;
use service::{
    clock,
    identity::{passwords, profile},
    secret,
};
use store::{
    Db, OpenError,
    players::{self, Player},
};
use uuid::Uuid;

use crate::config::SeedArgs;

const NAMES: [&str; 16] = [
    "Alba", "Bruno", "Carla", "Diego", "Elena", "Félix", "Greta", "Hugo", "Inés", "Jorge", "Karen",
    "Lucía", "Marco", "Nora", "Óscar", "Pilar",
];
/// How many players one can log in as.
pub(super) const LOGINS: usize = 4;
/// The length of generated passwords: 71 bits.
const PASSWORD: usize = 12;

/// The players of generated matches.
pub(super) struct Cast {
    /// All of them; those with logins come first.
    pub(super) players: Vec<Uuid>,
    pub(super) logins: Vec<Login>,
}

/// The name and the password of a player.
pub(super) struct Login {
    pub(super) name: String,
    pub(super) password: String,
}

/// Adds players. One can log in as a few of them.
pub(super) async fn add(db: &Db, seed: &SeedArgs, now: Timestamp) -> Result<Cast, OpenError> {
    let mut logins = Vec::new();
    let mut new = Vec::new();
    for name in &NAMES[..LOGINS] {
        let name = free_name(db, name).await?;
        let password = secret::letters(PASSWORD);
        new.push(Player {
            name_key: Some(profile::name_key(&name)),
            look_key: Some(profile::look_key(&name)),
            password_hash: passwords::digest(&password),
            // From the beginning, because their matches are older than this command.
            account_since: Some(0),
            ..player(name.clone(), now)
        });
        logins.push(Login { name, password });
    }
    let others = u32::try_from(LOGINS).expect("a few")..seed.players;
    new.extend(others.map(|number| {
        let name = NAMES[number as usize % NAMES.len()];
        let player = player(format!("{name} {number}"), now);
        Player {
            // A slash is not allowed in names, so this key cannot collide, and nobody can log in with it.
            name_key: seed.rated.then(|| format!("demo/{}", player.id)),
            account_since: seed.rated.then_some(0),
            ..player
        }
    }));
    let ids = new.iter().map(|player| player.id).collect();
    players::insert_missing(db, new).await?;
    Ok(Cast { players: ids, logins })
}

fn player(name: String, now: Timestamp) -> Player {
    Player::guest(clock::new_id(now), name, now)
}

/// A name that no account has: this one, or with a number after it.
async fn free_name(db: &Db, name: &str) -> Result<String, OpenError> {
    let mut free = name.to_owned();
    for number in 2.. {
        let (name_key, look_key) = (profile::name_key(&free), profile::look_key(&free));
        if !players::is_taken(db, &name_key, &look_key).await? {
            break;
        }
        free = format!("{name} {number}");
    }
    Ok(free)
}
