//! The process: what it prints, how it ends.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Output, Stdio},
};

use domain::{matches::Commit, proof::Proof, time::Timestamp};

fn telar(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_telar"));
    command.env_clear().env("TELAR_DATA_DIR", directory).env("TELAR_BIND", "127.0.0.1:0");
    command
}

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

/// One line on standard error, and exit code 2.
#[track_caller]
fn complains(output: &Output) -> String {
    ends_with(output, 2)
}

/// One line on standard error, and this exit code.
#[track_caller]
fn ends_with(output: &Output, code: i32) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("telar: "), "{text}");
    text
}

#[test]
fn a_wrong_configuration_is_one_clear_line_and_exit_code_2() {
    let directory = directory();
    for (name, value, mention) in [
        ("DATABASE_URL", "mysql://localhost/telar", "mysql"),
        ("TELAR_DB_CONNECTIONS", "3", "db-connections"),
        ("TELAR_BIND", "here", "bind"),
        ("TELAR_SIGNING_KEY", "short", "TELAR_SIGNING_KEY"),
        ("TELAR_LOG", "=[", "TELAR_LOG"),
        ("TELAR_WORKERS", "0", "workers"),
        ("TELAR_RATE_MOVES", "many", "rate-moves"),
        ("TELAR_TRUSTED_PROXIES", "10.0.0.0/8,elsewhere", "elsewhere"),
        ("TELAR_CORS_ORIGINS", "https://example.com/play", "TELAR_CORS_ORIGINS"),
        ("TELAR_DATA_DIR", "/dev/null/data", "/dev/null"),
    ] {
        let output = telar(directory.path())
            .env("TELAR_LOG", "error")
            .env(name, value)
            .output()
            .expect("it runs");
        let line = complains(&output);
        assert!(line.contains(mention), "{name}={value}: {line}");
    }
    let output = telar(directory.path()).arg("--colour").output().expect("it runs");
    assert!(complains(&output).contains("--colour"));
}

#[test]
fn a_store_that_cannot_be_reached_is_named_and_has_its_own_exit_code() {
    let directory = directory();
    for command in ["serve", "migrate"] {
        let output = telar(directory.path())
            .arg(command)
            .env("TELAR_LOG", "error")
            .env("DATABASE_URL", "postgres://nobody:secret@127.0.0.1:1/none")
            .output()
            .expect("it runs");
        let line = ends_with(&output, 3);
        assert!(line.contains("127.0.0.1:1 cannot be reached: "), "{line}");
        assert!(line.contains("refused") && !line.contains("secret"), "{line}");
    }
}

#[actix_web::test]
async fn a_store_that_refuses_the_connection_is_a_wrong_configuration() {
    let directory = directory();
    let database = tests::postgres::new_database().await;
    let output = telar(directory.path())
        .env("TELAR_LOG", "error")
        .env("DATABASE_URL", format!("{database}_missing"))
        .output()
        .expect("it runs");
    let line = complains(&output);
    assert!(line.contains("127.0.0.1:") && line.contains("does not exist"), "{line}");
    assert!(!line.contains(" at line "), "not where in the source of Postgres: {line}");
}

#[test]
fn it_creates_its_store_says_where_the_docs_are_and_ends_well_on_sigterm() {
    let directory = directory();
    let mut server = telar(directory.path()).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut lines = BufReader::new(server.stdout.take().expect("its output")).lines();
    let first = lines.next().expect("a line").expect("text");
    let second = lines.next().expect("a line").expect("text");
    assert!(first.starts_with("Telar is listening on http://127.0.0.1:"), "{first}");
    assert!(second.ends_with("/docs/"), "{second}");
    assert!(directory.path().join("telar.db").exists());
    let key = directory.path().join("signing.key");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(key.metadata().expect("a key").permissions().mode() & 0o077, 0);
    }
    let told = Command::new("kill").arg(server.id().to_string()).status().expect("kill");
    assert!(told.success());
    assert_eq!(server.wait().expect("it ends").code(), Some(0));
    assert!(!directory.path().join("telar.db-wal").exists(), "everything is in the file");
}

/// What the store exports: every match with all that happened in it.
fn exported(directory: &Path) -> String {
    with_server(directory, async |url| {
        let client = tests::client::Client::anonymous(&url);
        let path = "/v1/exports/matches?status=finished";
        let response = client.request(reqwest::Method::GET, path).send().await;
        response.expect("an answer").text().await.expect("a text")
    })
}

/// What a client finds out from a server, given its address.
fn with_server<T: Send + 'static>(
    directory: &Path,
    client: impl AsyncFnOnce(String) -> T + Send + 'static,
) -> T {
    let mut server = telar(directory).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut lines = BufReader::new(server.stdout.take().expect("its output")).lines();
    let first = lines.next().expect("a line").expect("text");
    let url = first.rsplit(' ').next().expect("an address").to_owned();
    let found = std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(client(url))
    });
    let found = found.join().expect("the client succeeds");
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    found
}

#[test]
fn a_backup_is_private_complete_and_never_overwrites_a_file() {
    let (original, restored) = (directory(), directory());
    let run =
        |arguments: &[&str]| telar(original.path()).args(arguments).output().expect("it runs");
    assert!(run(&["seed", "--matches", "30", "--players", "8"]).status.success());
    // While a server uses the store.
    let mut server = telar(original.path()).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut lines = BufReader::new(server.stdout.take().expect("its output")).lines();
    assert!(lines.next().is_some());
    let file = restored.path().join("telar.db");
    let name = file.to_str().expect("a path");
    let output = run(&["backup", name]);
    assert!(output.status.success(), "{output:?}");
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    }
    let before = std::fs::read(&file).expect("a file");
    assert!(complains(&run(&["backup", name])).contains("exists"));
    assert_eq!(std::fs::read(&file).expect("a file"), before);
    let nowhere = restored.path().join("nowhere/telar.db");
    assert!(complains(&run(&["backup", nowhere.to_str().expect("a path")])).contains("nowhere"));
    // The key belongs to a backup as much as the store does.
    let key = |directory: &tempfile::TempDir| directory.path().join("storage.key");
    std::fs::copy(key(&original), key(&restored)).expect("a key");
    let (one, two) = (exported(original.path()), exported(restored.path()));
    assert_eq!(one.lines().count(), 30);
    assert!(one == two, "the restored store differs");
}

#[actix_web::test]
async fn a_backup_of_postgres_is_refused_with_what_to_use_instead() {
    let directory = directory();
    let database = tests::postgres::new_database().await;
    let file = directory.path().join("copy.db");
    let output = telar(directory.path())
        .arg("backup")
        .arg(&file)
        .env("DATABASE_URL", database)
        .output()
        .expect("it runs");
    assert!(complains(&output).contains("pg_dump"));
    assert!(!file.exists());
}

#[test]
fn migrate_brings_the_schema_up_to_date_and_stops() {
    let directory = directory();
    for _ in 0..2 {
        let output = telar(directory.path()).arg("migrate").output().expect("it runs");
        assert!(output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stdout), "The schema is up to date.\n");
    }
}

/// The names and passwords in the output of `telar seed`.
fn logins(said: &str) -> Vec<(&str, &str)> {
    let table = said.lines().skip_while(|line| !line.ends_with("password")).skip(1);
    let columns = table.map(|line| line.rsplit_once("  ").expect("two columns"));
    columns.map(|(name, password)| (name.trim(), password)).collect()
}

#[test]
fn seed_fills_the_store_with_finished_matches_of_every_game() {
    let directory = directory();
    let seed = |arguments: &[&str]| {
        let output = telar(directory.path()).arg("seed").args(arguments).output().expect("it runs");
        (String::from_utf8_lossy(&output.stdout).into_owned(), output)
    };
    let (said, output) = seed(&["--matches", "40", "--players", "8"]);
    assert!(output.status.success(), "{output:?}");
    let added = "Added 40 finished matches, 4 in progress and 4 open ones.\n";
    assert!(said.starts_with(added), "{said}");
    // Names are unique, also the second time, and nobody knows the passwords beforehand.
    let (again, _) = seed(&["--matches", "10", "--players", "8"]);
    let logins: Vec<(&str, &str)> = [logins(&said), logins(&again)].into_iter().flatten().collect();
    assert_eq!(logins.len(), 8);
    for part in [0, 1] {
        let different: std::collections::BTreeSet<&str> =
            logins.iter().map(|login| if part == 0 { login.0 } else { login.1 }).collect();
        assert_eq!(different.len(), 8, "{logins:?}");
    }
    let logins: Vec<(String, String)> =
        logins.into_iter().map(|(name, password)| (name.to_owned(), password.to_owned())).collect();
    with_server(directory.path(), async move |url| {
        for (number, (name, password)) in logins.into_iter().enumerate() {
            let mut client = tests::client::Client::anonymous(&url);
            let login = serde_json::json!({ "name": name, "password": password });
            let session = client.post("/v1/sessions", &login).await.expect(201);
            client.enter(&session);
            let me = session["player"]["id"].as_str().expect("an id");
            let path = format!("/v1/players/{me}/matches?status=playing");
            let matches = client.get(&path).await.expect(200);
            let none = matches["matches"].as_array().expect("a list").is_empty();
            assert!(!none || number >= 4, "{name} has no match in progress");
        }
        let open = tests::client::Client::anonymous(&url).get("/v1/matches?status=open").await;
        assert_eq!(open.expect(200)["matches"].as_array().map(Vec::len), Some(5));
    });
    for (arguments, mention) in [
        (["--games", "chess"], "chess"),
        (["--seats", "9"], "--seats"),
        (["--players", "7"], "--players"),
    ] {
        assert!(complains(&seed(&arguments).1).contains(mention), "{arguments:?}");
    }
}

#[test]
fn rebuild_makes_the_statistics_anew_and_stops() {
    let directory = directory();
    let run = |arguments: &[&str]| {
        let output = telar(directory.path()).args(arguments).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(run(&["rebuild"]), "Statistics rebuilt from 0 matches.\n");
    run(&["seed", "--matches", "20", "--players", "8"]);
    assert_eq!(run(&["rebuild"]), "Statistics rebuilt from 20 matches.\n");
}

/// The recorded match of Qwinto as a proof.
fn proof() -> String {
    let log = include_str!("../../domain/tests/logs/qwinto.v1.jsonl");
    let commits: Vec<Commit> = log
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).expect("a row");
            let text = |name: &str| row[name].as_str().expect("a text");
            let id = |name: &str| text(name).parse().expect("an id");
            let mut hash = [0; 32];
            hex::decode_to_slice(text("hash"), &mut hash).expect("a hash");
            Commit {
                match_id: id("match_id"),
                seq: row["seq"].as_u64().expect("a number"),
                count: row["count"].as_u64().and_then(|it| it.try_into().ok()).expect("a number"),
                at: Timestamp::from_micros(row["at"].as_i64().expect("a number")),
                player: id("player"),
                command_id: id("command_id"),
                payload: text("payload").to_owned(),
                hash,
            }
        })
        .collect();
    Proof::of(&commits).expect("our own").expect("a match").to_text()
}

#[test]
fn verify_with_keys_refuses_unsigned_matches_and_files_without_keys() {
    let directory = directory();
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    };
    let key = r#"{"kty":"OKP","crv":"Ed25519","x":"tRGaM7c2DFp34U5ZMfX9rJDdPGYsohNWcWYFNWkoV3M","kid":"one","use":"proof"}"#;
    let keys = write("jwks.json", &format!("{{\"keys\":[{key}]}}"));
    let file = write("proof.json", &proof());
    let verify = |keys: &Path| {
        let mut command = telar(directory.path());
        command.arg("verify").arg("--keys").arg(keys).arg(&file).output().expect("it runs")
    };
    let unsigned = verify(&keys);
    let said = String::from_utf8_lossy(&unsigned.stderr).into_owned();
    assert_eq!(unsigned.status.code(), Some(1), "{said}");
    assert!(said.contains("signatures.start: missing"), "{said}");
    let none = write("none.json", "{\"keys\":[]}");
    assert!(complains(&verify(&none)).contains("not a key set"));
    let audit = telar(directory.path())
        .args(["audit", "--keys"])
        .args([&keys, &file, &file])
        .output()
        .expect("it runs");
    assert!(complains(&audit).contains("proof.json"));
}

#[test]
fn verify_says_what_it_checked_or_names_the_flaw() {
    let directory = directory();
    let file = directory.path().join("proof.json");
    let verify = |text: &str| {
        std::fs::write(&file, text).expect("a file");
        telar(directory.path()).arg("verify").arg(&file).output().expect("it runs")
    };
    let proof = proof();
    let good = verify(&proof);
    let said = String::from_utf8_lossy(&good.stdout).into_owned();
    assert_eq!((good.status.code(), said.lines().count()), (Some(0), 1), "{said}");
    assert!(said.contains("(qwinto)") && said.contains("draws follow from the seed"), "{said}");
    assert!(said.contains("nothing shows that a server played this match"), "{said}");
    assert_eq!(verify(&format!("{proof}\n")).status.code(), Some(0));

    for (changed, flaw) in [
        (proof.replacen("[6,5]", "[6,4]", 1), "commit 5, draw 0: recorded 4 of 6, expected 5 of 6"),
        (proof.replacen("\"face\":6", "\"face\":5", 1), "commit 5, event 0"),
        (proof.replacen("\"at\":1000000", "\"at\":1000001", 1), "commit 2: the hash"),
        (proof.replacen("\"seed\":\"0", "\"seed\":\"1", 1), "commitment"),
        (format!("{proof}{{}}"), "trailing characters"),
        (String::new(), "not a proof"),
    ] {
        let bad = verify(&changed);
        let said = String::from_utf8_lossy(&bad.stderr).into_owned();
        assert_eq!((bad.status.code(), said.lines().count()), (Some(1), 1), "{said}");
        assert!(said.contains(flaw), "{flaw}: {said}");
    }
    let missing =
        telar(directory.path()).args(["verify", "nowhere.json"]).output().expect("it runs");
    assert!(complains(&missing).contains("nowhere.json"));
}

#[test]
fn verify_reads_standard_input_and_import_is_harmless_twice() {
    let directory = directory();
    let run = |arguments: &[&str]| {
        let mut process = telar(directory.path())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut input = process.stdin.take().expect("its input");
        input.write_all(proof().as_bytes()).expect("it reads");
        drop(input);
        let output = process.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(run(&["verify", "-"]).0, Some(0));
    let first = "1 imported, 0 already present, 0 refused\n".to_owned();
    assert_eq!(run(&["import", "-"]), (Some(0), first));
    let second = "0 imported, 1 already present, 0 refused\n".to_owned();
    assert_eq!(run(&["import", "-"]), (Some(0), second));
}

#[test]
fn a_match_against_bots_is_played_in_the_terminal() {
    let directory = directory();
    let play = |arguments: &[&str], input: &str| {
        let mut child = telar(directory.path())
            .arg("play")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        // It may have ended before it has read everything.
        let _ = child.stdin.take().expect("an input").write_all(input.as_bytes());
        child.wait_with_output().expect("it ends")
    };
    let output = play(&["qwinto", "--level", "novice"], &"?\n1\n".repeat(2_000));
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in ["   1  ", " %  ", "  1. "] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let quit = play(&["tapestry", "--spanish"], "nonsense\nq\n");
    assert!(String::from_utf8_lossy(&quit.stdout).contains("Escribe el número"));
    assert!(complains(&play(&["chess"], "")).contains("chess"));
    assert!(complains(&play(&["qwinto", "--level", "genius"], "")).contains("novice"));
    assert!(complains(&play(&["qwinto", "--seats", "9"], "")).contains("seats"));
    assert!(
        directory.path().read_dir().expect("a directory").next().is_none(),
        "it leaves no trace"
    );
}

#[test]
fn seed_lets_bots_play() {
    let directory = directory();
    let arguments =
        ["seed", "--bots", "--matches", "4", "--players", "8", "--games", "qwinto,tapestry"];
    let output = telar(directory.path()).args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Added 4 finished matches"));
}
