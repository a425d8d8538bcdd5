//! Files of the archive: what is written is read, and what is damaged is never shown.

use std::{fs, path::Path};

use domain::{
    chance::{Keyed, Seed},
    demo::Demo,
    games,
    matches::{Commit, Create},
    proof::Proof,
    time::Timestamp,
};
use uuid::Uuid;

use super::{ArchivedMatch, Directory, PublishedFile, files};
use crate::error::Error;

/// A match of Qwinto, played to its end in January 2026.
fn played(number: u8) -> Vec<Commit> {
    let at = 1_767_225_600_000_000 + i64::from(number);
    let id = uuid::Builder::from_unix_timestamp_millis(1_767_225_600_000, &[number; 10]);
    let players = [Uuid::from_u128(1), Uuid::from_u128(2)];
    let qwinto = games::find("qwinto").expect("a game");
    let create = Create::new(id.into_uuid(), qwinto, 2, players[0], [number; 32].into());
    let mut demo = Demo::start(create, &players, Timestamp::from_micros(at)).expect("a match");
    let mut luck = Keyed::new(Seed::from([9; 32]).match_key(Uuid::nil(), &[]), number.into());
    while demo.step(Timestamp::from_micros(at), &mut luck).is_some() {}
    demo.commits
}

fn prove(commits: &[Commit]) -> Proof {
    Proof::of(commits).expect("a log").expect("a match")
}

fn publish(directory: &Path, matches: &[Vec<Commit>]) -> PublishedFile {
    let directory = Directory::open(directory, || panic!("nobody else writes")).expect("writable");
    let mut file = directory.begin().expect("a file");
    for commits in matches {
        file.add(&prove(commits), commits.last().expect("a commit").clone()).expect("space");
    }
    let written = file.finish().expect("space");
    written.verify().expect("readable").expect("no flaws").publish().expect("a name")
}

#[test]
fn a_published_match_is_read_by_its_place_alone() {
    let directory = tempfile::tempdir().unwrap();
    let matches: Vec<_> = (0..5).map(played).collect();
    let file = publish(directory.path(), &matches);
    assert!(file.path().starts_with(directory.path().join("2026-01")), "{file:?}");
    for (commits, archived) in matches.iter().zip(file.matches()) {
        assert_eq!(&files::read(directory.path(), archived).expect("intact"), commits);
    }
    let index = fs::read_to_string(file.path().with_extension("").with_extension("index.tsv"));
    let index = index.expect("an index");
    assert_eq!(index.lines().count(), 1 + matches.len());
    assert!(index.lines().nth(3).unwrap().starts_with(&matches[2][0].match_id.to_string()));
    // The whole file is plain lines of proofs to every other program.
    let lines = zstd::decode_all(fs::File::open(file.path()).unwrap()).expect("frames");
    let lines: Vec<&[u8]> = lines.split(|byte| *byte == b'\n').collect();
    assert_eq!(lines.len(), 1 + matches.len());
    assert_eq!(lines[4], prove(&matches[4]).to_text().as_bytes());
}

#[test]
fn the_same_matches_make_the_same_file() {
    let directory = tempfile::tempdir().unwrap();
    let matches = [played(1), played(2)];
    let (one, two) = (publish(directory.path(), &matches), publish(directory.path(), &matches));
    assert_eq!(one.matches(), two.matches());
    assert_eq!(fs::read_dir(directory.path().join("2026-01")).unwrap().count(), 2);
    assert_ne!(publish(directory.path(), &matches[..1]).path(), one.path());
}

#[test]
fn a_damaged_or_missing_file_is_an_error_and_never_another_match() {
    let directory = tempfile::tempdir().unwrap();
    let matches = [played(1), played(2)];
    let file = publish(directory.path(), &matches);
    let intact = fs::read(file.path()).unwrap();
    let [first, second] = file.matches() else { panic!("two matches") };
    let read = |archived: &ArchivedMatch| files::read(directory.path(), archived);
    for at in (0..intact.len()).step_by(61) {
        let mut damaged = intact.clone();
        damaged[at] ^= 0x10;
        fs::write(file.path(), &damaged).unwrap();
        for (commits, archived) in matches.iter().zip(file.matches()) {
            let is_inside = (archived.position..archived.position + u64::from(archived.length))
                .contains(&(at as u64));
            match read(archived) {
                Ok(read) => assert_eq!(&read, commits, "byte {at}"),
                Err(Error::ArchiveDamaged(_)) => assert!(is_inside, "byte {at}"),
                Err(other) => panic!("byte {at}: {other}"),
            }
        }
    }
    // A whole match in the wrong place is as wrong as a damaged one.
    fs::write(file.path(), &intact).unwrap();
    let swapped =
        ArchivedMatch { position: second.position, length: second.length, ..first.clone() };
    assert!(matches!(read(&swapped), Err(Error::ArchiveDamaged(_))));
    fs::write(file.path(), &intact[..intact.len() - 1]).unwrap();
    assert!(matches!(read(second), Err(Error::ArchiveDamaged(_))));
    read(first).expect("the first one is still whole");
    fs::remove_file(file.path()).unwrap();
    assert!(matches!(read(first), Err(Error::ArchiveUnavailable(_))));
}

#[test]
fn what_is_read_back_has_to_be_what_was_written() {
    let directory = tempfile::tempdir().unwrap();
    let begin = || {
        let open = Directory::open(directory.path(), || ()).expect("writable");
        let mut file = open.begin().expect("a file");
        let commits = played(3);
        file.add(&prove(&commits), commits.last().unwrap().clone()).expect("space");
        (open, file.finish().expect("space"))
    };
    let (open, written) = begin();
    let partial = directory.path().join("partial.ndjson.zst");
    let mut bytes = fs::read(&partial).unwrap();
    bytes[40] ^= 1;
    fs::write(&partial, bytes).unwrap();
    written.verify().expect_err("another content");
    drop(open);
    // What a process leaves behind when it is killed is removed by the next one.
    let (open, _) = begin();
    assert!(partial.exists());
    drop(open);
    Directory::open(directory.path(), || ()).expect("writable");
    assert!(!partial.exists());
}

#[test]
fn a_match_that_does_not_follow_from_its_seed_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let open = Directory::open(directory.path(), || ()).expect("writable");
    let mut file = open.begin().expect("a file");
    let (good, commits) = (played(1), played(2));
    file.add(&prove(&good), good.last().unwrap().clone()).expect("space");
    let mut proof = prove(&commits);
    proof.commits.remove(3);
    file.add(&proof, commits.last().unwrap().clone()).expect("space");
    let flawed = file.finish().unwrap().verify().expect("readable").expect_err("a flaw");
    assert_eq!(flawed.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [commits[0].match_id]);
    assert!(!directory.path().join("2026-01").exists());
}
