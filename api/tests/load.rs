//! An attack on a real process that may have few files open.
#![cfg(unix)]

use std::{
    fs,
    net::{IpAddr, Ipv4Addr},
    os::unix::fs::PermissionsExt,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use tests::{
    client::Client,
    postgres::new_database,
    process::Telar,
    socket::{Socket, half_a_request},
};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// 256 open files are allowed until the process asks for more. The attack comes from the address of everybody else.
#[actix_web::test]
async fn a_server_answers_while_more_requests_are_half_sent_than_files_may_be_open() {
    let directory = tempfile::tempdir().expect("a directory");
    let script = directory.path().join("telar");
    let text = format!("#!/bin/sh\nulimit -S -n 256\nexec {}\n", env!("CARGO_BIN_EXE_telar"));
    fs::write(&script, text).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("permissions");
    let telar = Telar::start(&script, &new_database().await, &[]);
    let ana = Client::guest(&telar.url, "Ana").await;
    let attack =
        [half_a_request("POST", "/v1/guests"), "POST /v1/guests HTTP/1.1\r\nhost: te".to_owned()];
    for request in attack {
        let mut sockets = join_all((0..1_100).map(|_| Socket::open(&telar.url, HERE))).await;
        join_all(sockets.iter_mut().map(|socket| socket.send(&request))).await;
        let mut times = Vec::new();
        for _ in 0..21 {
            let started = Instant::now();
            ana.get("/healthz").await.expect(200);
            Client::anonymous(&telar.url).get("/healthz").await.expect(200);
            times.push(started.elapsed() / 2);
        }
        times.sort_unstable();
        assert!(times[10] < Duration::from_millis(100), "{times:?}");
        ana.create_match("qwinto", 2).await;
    }
}
