//! Signatures of matches: who signs what, with which keys, and what does not pass.

use std::path::PathBuf;

use api::{
    commands::import::{ImportReport, import},
    config::ImportArgs,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::proof::{BadSignature, Flaw, Proof};
use serde_json::{Value, json};
use service::{export::Export, notary::PublicKeys};
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    server::{Server, Store},
};

use crate::records::{otherwise, resigned, signed, text};

on_both_stores!(
    a_match_is_signed_when_it_starts_and_when_it_ends,
    another_match_in_the_place_of_a_signed_one_is_detected,
    an_imported_match_keeps_its_signatures_and_gets_no_others,
    retired_keys_of_proofs_stay_published_and_those_of_tokens_do_not,
    matches_are_signed_once_and_after_a_restart,
);

/// The key set of a server.
async fn keys(url: &str) -> (Value, PublicKeys) {
    let set = Client::anonymous(url).get("/.well-known/jwks.json").await.expect(200);
    let keys = PublicKeys::read(set.to_string().as_bytes()).unwrap();
    (set, keys)
}

fn parsed(proof: &str) -> Proof {
    Proof::from_text(proof.as_bytes()).unwrap()
}

/// The ids of the keys with this use.
fn kids(set: &Value, wanted: &str) -> Vec<String> {
    let keys = set["keys"].as_array().unwrap().iter().filter(|key| key["use"] == wanted);
    keys.map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

async fn a_match_is_signed_when_it_starts_and_when_it_ends(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}/proof");
    assert_eq!(ana.get(&path).await.expect(200)["signatures"], Value::Null);
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({ "entropy": "dados" })).await.expect(201);
    let before = eventually("the start is signed", PATIENCE, async || {
        let proof = text(&ana, &path, "application/json").await;
        parsed(&proof).signatures.is_some().then_some(proof)
    })
    .await;
    let (set, keys) = keys(&server.url).await;
    let early = parsed(&before);
    early.check_signatures(&keys).unwrap();
    let signatures = early.signatures.clone().unwrap();
    assert_eq!((signatures.start.as_ref().unwrap().seq, signatures.end), (2, None));
    assert_eq!(kids(&set, "proof"), [signatures.start.unwrap().kid]);
    // Other entropy, another commitment: what was signed is what the match started with.
    for (field, other) in [("dados", "dedos"), (early.commitment.as_str(), &"0".repeat(64))] {
        let flaw = parsed(&before.replacen(field, other, 1)).check_signatures(&keys).unwrap_err();
        assert_eq!(flaw, Flaw::Signature { which: "start", reason: BadSignature::Wrong });
    }

    ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    let after = parsed(&signed(&ana, &id).await);
    after.verify().unwrap();
    after.continues(&early).unwrap();
    after.check_signatures(&keys).unwrap();
    let reply = ana.get(&path).await;
    assert!(reply.header("cache-control").unwrap().ends_with("immutable"));

    // A match that never starts is signed at its end only.
    let left = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ana.delete(&format!("/v1/matches/{left}/seats")).await;
    let left = parsed(&signed(&ana, &left).await);
    left.check_signatures(&keys).unwrap();
    assert_eq!(left.signatures.unwrap().start, None);
}

async fn another_match_in_the_place_of_a_signed_one_is_detected(server: Server) {
    let (id, ana, _) = resigned(&server.url).await;
    let honest = parsed(&signed(&ana, &id).await);
    let export = text(&ana, &format!("/v1/matches/{id}/export"), "application/json").await;
    let (_, keys) = keys(&server.url).await;
    // All of its hashes are right, and it verifies: only the signatures tell.
    let forged = parsed(&otherwise(&export));
    forged.verify().unwrap();
    let missing = Flaw::Signature { which: "end", reason: BadSignature::Missing };
    assert_eq!(forged.check_signatures(&keys).unwrap_err(), missing);
    let mut signatures = honest.signatures.clone().unwrap();
    signatures.end.as_mut().unwrap().seq = forged.commits.last().unwrap().seq;
    let forged = forged.signed(signatures);
    let wrong = Flaw::Signature { which: "end", reason: BadSignature::Wrong };
    assert_eq!(forged.check_signatures(&keys).unwrap_err(), wrong);
    // Nor does it help to sign with a key of one's own.
    let other = Server::start(Store::Sqlite).await;
    let (_, others) = self::keys(&other.url).await;
    let unknown = Flaw::Signature { which: "start", reason: BadSignature::UnknownKey };
    assert_eq!(honest.check_signatures(&others).unwrap_err(), unknown);

    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let set = Client::anonymous(&server.url).get("/.well-known/jwks.json").await.expect(200);
    let keys = Some(write("jwks.json", &set.to_string()));
    let forged = ImportArgs { files: vec![write("forged.json", &otherwise(&export))], keys };
    let report = import(&other.config, &forged).await.unwrap();
    assert_eq!((report.imported, report.refused), (0, 1));
    let honest = ImportArgs { files: vec![write("honest.json", &export)], ..forged };
    let report = import(&other.config, &honest).await.unwrap();
    assert_eq!(report, ImportReport { imported: 1, present: 0, refused: 0, signed: 1 });
    other.stop().await;
}

async fn an_imported_match_keeps_its_signatures_and_gets_no_others(server: Server) {
    let (id, ana, _) = resigned(&server.url).await;
    let proof = signed(&ana, &id).await;
    let export = text(&ana, &format!("/v1/matches/{id}/export"), "application/json").await;
    let (unsigned_id, _, _) = resigned(&server.url).await;
    signed(&ana, &unsigned_id).await;
    let unsigned =
        text(&ana, &format!("/v1/matches/{unsigned_id}/export"), "application/json").await;
    let mut unsigned = Export::from_text(unsigned.as_bytes()).unwrap();
    unsigned.proof.signatures = None;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("matches.ndjson");
    std::fs::write(&file, format!("{export}\n{}\n", unsigned.to_text())).unwrap();
    let other = Server::start(Store::Sqlite).await;
    let args = ImportArgs { files: vec![file], keys: None };
    let report = import(&other.config, &args).await.unwrap();
    assert_eq!(report, ImportReport { imported: 2, present: 0, refused: 0, signed: 1 });
    // Once a match that was played there is signed, the imported ones would be, too.
    let (theirs, eve, _) = resigned(&other.url).await;
    signed(&eve, &theirs).await;
    let there = Client::anonymous(&other.url);
    let kept = text(&there, &format!("/v1/matches/{id}/proof"), "application/json").await;
    assert_eq!(kept, proof);
    let shown = there.get(&format!("/v1/matches/{unsigned_id}/proof")).await.expect(200);
    assert_eq!(shown["signatures"], Value::Null);
    let head = there.get("/v1/transparency/tree-head").await.expect(200);
    assert_eq!(head["size"], 1, "only what was played there is in its log");
    let inclusion = format!("/v1/transparency/inclusion?match={id}");
    there.get(&inclusion).await.problem(404, "not_in_log");
    other.stop().await;
}

async fn retired_keys_of_proofs_stay_published_and_those_of_tokens_do_not(server: Server) {
    let (id, ana, _) = resigned(&server.url).await;
    let old = parsed(&signed(&ana, &id).await);
    let (before, _) = keys(&server.url).await;
    let seed = BASE64_STANDARD.encode([7; 32]);
    let server = server.restart_with(|config| config.signing_key = Some(seed)).await;
    let (after, keys) = keys(&server.url).await;
    old.check_signatures(&keys).unwrap();
    let (new_id, ana, _) = resigned(&server.url).await;
    let new = parsed(&signed(&ana, &new_id).await);
    new.check_signatures(&keys).unwrap();
    let kid = |proof: &Proof| proof.signatures.clone().unwrap().end.unwrap().kid;
    assert_ne!(kid(&old), kid(&new));
    assert_eq!(kids(&after, "proof").len(), 2);
    assert_eq!(kids(&after, "sig").len(), 1);
    assert!(!kids(&after, "sig").contains(&kids(&before, "sig")[0]));
    // A key signs either tokens or proofs.
    assert!(kids(&after, "sig").iter().all(|kid| !kids(&after, "proof").contains(kid)));
    server.stop().await;
}

async fn matches_are_signed_once_and_after_a_restart(server: Server) {
    let (first, ana, _) = resigned(&server.url).await;
    let proof = signed(&ana, &first).await;
    // This match may end right before the server does.
    let (second, _, _) = resigned(&server.url).await;
    let server = server.restart().await;
    let anybody = Client::anonymous(&server.url);
    signed(&anybody, &second).await;
    assert_eq!(signed(&anybody, &first).await, proof);
    let head = anybody.get("/v1/transparency/tree-head").await.expect(200);
    assert_eq!(head["size"], 2);
    server.stop().await;
}
