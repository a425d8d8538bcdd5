//! Every game has the same files, and each role is implemented in the file that is named after it.

use std::{collections::BTreeSet, fs, path::Path};

use domain::games;

/// The files of a game, with the trait that each implements. A file that grows long is a folder of the same name.
const FILES: [(&str, &str); 16] = [
    ("mod", "impl Game for "),
    ("components", ""),
    ("moves", ""),
    ("events", "impl StoredEvent for "),
    ("refusal", "impl game::Refusal for "),
    ("state", "impl Turns for "),
    ("decide", "impl Decide for "),
    ("evolve", "impl Evolve for "),
    ("legal_moves", "impl LegalMoves for "),
    ("view", "impl ShowState for "),
    ("event_view", "impl ShowEvent for "),
    ("words", "impl Words for "),
    ("score", "impl Score for "),
    ("luck", "impl MeasureLuck for "),
    ("redeal", "impl Redeal for "),
    ("retrace", "impl Retrace for "),
];

#[test]
fn every_role_is_implemented_in_its_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games");
    for game in games::all() {
        let folder = folder.join(game.info().key);
        for (name, role) in FILES {
            let source = fs::read_to_string(folder.join(name).with_extension("rs"))
                .or_else(|_| fs::read_to_string(folder.join(name).join("mod.rs")));
            let source = source.unwrap_or_else(|error| panic!("{name} of {folder:?}: {error}"));
            assert!(source.contains(role), "{name} of {folder:?} has no `{role}`");
        }
        assert!(folder.join("tests/mod.rs").exists(), "{folder:?} has no tests");
    }
}

#[test]
fn every_folder_is_a_registered_game() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games");
    let folders: BTreeSet<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    let keys: BTreeSet<String> = games::all().map(|game| game.info().key.to_owned()).collect();
    assert_eq!(folders, keys);
}
