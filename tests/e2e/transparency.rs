//! The transparency log: what has ended here is in it, once and for ever, and it says nothing to those who know no match.

use std::{path::PathBuf, process::Command as Process};

use domain::proof::{
    ConsistencyProof, InclusionProof, LogFlaw, Proof, SignedHead,
    merkle::{Edge, Hash},
};
use serde_json::{Value, json};
use service::notary::PublicKeys;
use tests::{client::Client, server::Server};

use crate::records::{resigned, signed};

on_both_stores!(
    every_match_that_ends_is_in_the_log,
    the_log_is_only_appended_to,
    wrong_questions_about_the_log_are_refused,
    a_private_match_is_in_the_log_but_nobody_else_can_tell,
    the_verifier_in_python_agrees_about_signatures_and_the_log,
);

async fn keys(url: &str) -> PublicKeys {
    let set = Client::anonymous(url).get("/.well-known/jwks.json").await.expect(200);
    PublicKeys::read(set.to_string().as_bytes()).unwrap()
}

async fn head(client: &Client) -> SignedHead {
    let head = client.get("/v1/transparency/tree-head").await.expect(200);
    serde_json::from_value(head).unwrap()
}

async fn inclusion(client: &Client, query: &str) -> InclusionProof {
    let proof = client.get(&format!("/v1/transparency/inclusion?{query}")).await.expect(200);
    serde_json::from_value(proof).unwrap()
}

/// Plays a match and waits until it is in the log.
async fn ended(server: &Server) -> (String, Proof) {
    let (id, ana, _) = resigned(&server.url).await;
    let proof = signed(&ana, &id).await;
    (id, Proof::from_text(proof.as_bytes()).unwrap())
}

async fn every_match_that_ends_is_in_the_log(server: Server) {
    let anybody = Client::anonymous(&server.url);
    let keys = keys(&server.url).await;
    let empty = head(&anybody).await;
    empty.check(&keys).unwrap();
    assert_eq!(empty.size, 0);
    let mut all = Vec::new();
    for _ in 0..5 {
        all.push(ended(&server).await);
    }
    let last = head(&anybody).await;
    assert_eq!(last.size, 5);
    for (index, (id, proof)) in (0..).zip(&all) {
        let by_match = inclusion(&anybody, &format!("match={id}")).await;
        assert_eq!((by_match.index, &by_match.tree_head), (index, &last));
        by_match.check(proof, &keys).unwrap();
        let leaf = hex::encode(proof.leaf().unwrap());
        assert_eq!(by_match, inclusion(&anybody, &format!("leaf={leaf}")).await);
        // Of another match it proves nothing.
        let other = &all[(usize::try_from(index).unwrap() + 1) % all.len()].1;
        assert_eq!(by_match.check(other, &keys), Err(LogFlaw::OtherMatch));
    }
    // With all leaves, anybody can compute the root.
    let mut leaves: Vec<Hash> = Vec::new();
    let mut start = 0;
    loop {
        let page = anybody
            .get(&format!("/v1/transparency/leaves?start={start}&limit=2"))
            .await
            .expect(200);
        for leaf in page["leaves"].as_array().unwrap() {
            leaves.push(hex::decode(leaf.as_str().unwrap()).unwrap().try_into().unwrap());
        }
        match page["next"].as_u64() {
            Some(next) => start = next,
            None => break,
        }
    }
    let mut edge = Edge::new(0, Vec::new()).unwrap();
    for leaf in leaves {
        edge.append(leaf);
    }
    assert_eq!((edge.size(), hex::encode(edge.root())), (5, last.root));
}

async fn the_log_is_only_appended_to(server: Server) {
    let anybody = Client::anonymous(&server.url);
    let keys = keys(&server.url).await;
    let mut heads = vec![head(&anybody).await];
    for _ in 0..5 {
        ended(&server).await;
        heads.push(head(&anybody).await);
    }
    for (index, first) in heads.iter().enumerate() {
        for second in &heads[index..] {
            let path =
                format!("/v1/transparency/consistency?first={}&second={}", first.size, second.size);
            let proof: ConsistencyProof =
                serde_json::from_value(anybody.get(&path).await.expect(200)).unwrap();
            assert_eq!(proof.tree_head, *second);
            proof.check(first, &keys).unwrap();
        }
    }
    let path = "/v1/transparency/consistency?first=2";
    let proof: ConsistencyProof =
        serde_json::from_value(anybody.get(path).await.expect(200)).unwrap();
    assert_eq!(proof.tree_head, *heads.last().unwrap());
    // The heads of two histories do not fit, even if both are signed.
    let other = Server::start(tests::server::Store::Sqlite).await;
    let other = other.restart_with(|config| config.signing_key = Some(ONE.to_owned())).await;
    let server = server.restart_with(|config| config.signing_key = Some(ONE.to_owned())).await;
    for _ in 0..2 {
        ended(&other).await;
    }
    ended(&server).await;
    let rewritten = head(&Client::anonymous(&other.url)).await;
    let anybody = Client::anonymous(&server.url);
    let proof = anybody.get("/v1/transparency/consistency?first=2").await.expect(200);
    let proof: ConsistencyProof = serde_json::from_value(proof).unwrap();
    let keys = self::keys(&server.url).await;
    assert_eq!(proof.check(&rewritten, &keys), Err(LogFlaw::Rewritten));
    other.stop().await;
    server.stop().await;
}

const ONE: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

async fn wrong_questions_about_the_log_are_refused(server: Server) {
    let anybody = Client::anonymous(&server.url);
    let (id, _) = ended(&server).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let open = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let leaf = "0".repeat(64);
    let unknown = "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10";
    for (query, status, code) in [
        ("inclusion".to_owned(), 400, "invalid_field"),
        (format!("inclusion?match={id}&leaf={leaf}"), 400, "invalid_field"),
        ("inclusion?leaf=00".to_owned(), 400, "invalid_field"),
        (format!("inclusion?leaf={}", "A".repeat(64)), 400, "invalid_field"),
        (format!("inclusion?leaf={leaf}"), 404, "not_in_log"),
        (format!("inclusion?match={open}"), 404, "not_in_log"),
        (format!("inclusion?match={unknown}"), 404, "not_found"),
        (format!("inclusion?match={id}&size=0"), 404, "not_in_log"),
        (format!("inclusion?match={id}&size=2"), 404, "no_tree_head"),
        (format!("inclusion?match={id}&size={}", u64::MAX), 404, "no_tree_head"),
        ("consistency".to_owned(), 400, "malformed"),
        ("consistency?first=2".to_owned(), 404, "no_tree_head"),
        (format!("consistency?first={}", u64::MAX), 404, "no_tree_head"),
        ("consistency?first=0&second=9".to_owned(), 404, "no_tree_head"),
        ("consistency?first=1&second=0".to_owned(), 404, "no_tree_head"),
        ("leaves?limit=0".to_owned(), 400, "malformed"),
        (format!("leaves?start={}", u64::MAX / 2 + 1), 400, "invalid_field"),
    ] {
        anybody.get(&format!("/v1/transparency/{query}")).await.problem(status, code);
    }
    for start in [1, u64::MAX / 2] {
        let page = anybody.get(&format!("/v1/transparency/leaves?start={start}")).await.expect(200);
        assert_eq!(page, json!({ "start": start, "leaves": [] }));
    }
}

async fn a_private_match_is_in_the_log_but_nobody_else_can_tell(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let body = json!({ "game": "tapestry", "seats": 1, "visibility": "private" });
    let id = ana.post("/v1/matches", &body).await.expect(201)["id"].as_str().unwrap().to_owned();
    ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    let proof = Proof::from_text(signed(&ana, &id).await.as_bytes()).unwrap();
    let included = inclusion(&ana, &format!("match={id}")).await;
    included.check(&proof, &keys(&server.url).await).unwrap();
    let eve = Client::guest(&server.url, "Eve").await;
    for stranger in [&eve, &Client::anonymous(&server.url)] {
        let path = format!("/v1/transparency/inclusion?match={id}");
        stranger.get(&path).await.problem(404, "not_found");
        let leaves = stranger.get("/v1/transparency/leaves").await.expect(200);
        assert_eq!(leaves["leaves"], json!([included.leaf]));
        assert!(!leaves.to_string().contains(&id));
    }
}

async fn the_verifier_in_python_agrees_about_signatures_and_the_log(server: Server) {
    if Process::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3 is not there");
        return;
    }
    let anybody = Client::anonymous(&server.url);
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    ended(&server).await;
    ended(&server).await;
    let earlier = write(
        "earlier.json",
        anybody.get("/v1/transparency/tree-head").await.expect(200).to_string(),
    );
    let (id, proof) = ended(&server).await;
    let set = anybody.get("/.well-known/jwks.json").await.expect(200);
    let set = write("jwks.json", set.to_string());
    let of = |path: &str| -> Value { serde_json::from_str(path).unwrap() };
    let included = anybody.get(&format!("/v1/transparency/inclusion?match={id}")).await.expect(200);
    let continued = anybody.get("/v1/transparency/consistency?first=2").await.expect(200);
    let good = write("good.json", proof.to_text());
    let inclusion = write("inclusion.json", included.to_string());
    let consistency = write("consistency.json", continued.to_string());

    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("verify.py");
    let run = |arguments: &[&std::ffi::OsStr]| {
        let output = Process::new("python3").arg(&script).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        (output.status.code(), said)
    };
    let (keys_flag, inclusion_flag) = ("--keys".as_ref(), "--inclusion".as_ref());
    let consistency_flag = "--consistency".as_ref();
    let (code, said) = run(&[good.as_ref()]);
    assert!(code == Some(0) && said.contains("were not checked"), "{said}");
    let (code, said) = run(&[keys_flag, set.as_ref(), good.as_ref()]);
    assert!(code == Some(0) && said.contains("signed by the server with these keys"), "{said}");
    let full = [keys_flag, set.as_ref(), inclusion_flag, inclusion.as_ref(), good.as_ref()];
    let (code, said) = run(&full);
    assert!(code == Some(0) && said.contains("leaf 2 of 3"), "{said}");
    let audit = [keys_flag, set.as_ref(), consistency_flag, earlier.as_ref(), consistency.as_ref()];
    let (code, said) = run(&audit);
    assert!(code == Some(0) && said.contains("from 2 leaves to 3"), "{said}");

    // What it does not accept: no signature, a changed one, another path, another head.
    let unsigned = write("unsigned.json", Proof { signatures: None, ..proof.clone() }.to_text());
    let (code, said) = run(&[keys_flag, set.as_ref(), unsigned.as_ref()]);
    assert!(code == Some(1) && said.contains("nothing shows that a server played"), "{said}");
    let mut other = proof.clone();
    let end = other.signatures.as_mut().unwrap().end.as_mut().unwrap();
    let first = if end.signature.starts_with('0') { "1" } else { "0" };
    end.signature.replace_range(..1, first);
    let changed = write("changed.json", other.to_text());
    let (code, said) = run(&[keys_flag, set.as_ref(), changed.as_ref()]);
    assert!(code == Some(1) && said.contains("signatures.end"), "{said}");
    let mut moved = of(&included.to_string());
    moved["path"][0] = json!("0".repeat(64));
    write("inclusion.json", moved.to_string());
    let (code, said) = run(&full);
    assert!(code == Some(1) && said.contains("does not include"), "{said}");
    let mut moved = of(&continued.to_string());
    moved["path"][0] = json!("0".repeat(64));
    write("consistency.json", moved.to_string());
    let (code, said) = run(&audit);
    assert!(code == Some(1) && said.contains("rewritten"), "{said}");
}
