use std::net::Ipv4Addr;

use futures_util::{FutureExt, future::join_all};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    sync::mpsc,
};

use super::*;

const HERE: Uuid = Uuid::from_u128(1);
const THERE: Uuid = Uuid::from_u128(2);

fn key(secret: u8) -> LinkKey {
    LinkKey { id: *b"0000000k", secret: [secret; 32] }
}

/// Both ends of a connection.
async fn sockets() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (connected, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
    (connected.expect("a connection"), accepted.expect("a connection").0)
}

/// What both ends make of a connection, if they look for `wanted` with these keys.
async fn greet(
    connecting: &LinkKey,
    accepting: &[LinkKey],
    wanted: Uuid,
) -> (io::Result<seal::Link>, io::Result<seal::Link>) {
    let (here, there) = sockets().await;
    tokio::join!(
        seal::connect(here, connecting, HERE, wanted),
        seal::accept(there, accepting, THERE)
    )
}

#[tokio::test]
async fn replicas_with_the_same_key_know_each_other() {
    let (here, there) = greet(&key(1), &[key(1)], THERE).await;
    let (mut here, mut there) = (here.expect("a link"), there.expect("a link"));
    assert_eq!((here.peer, there.peer), (THERE, HERE));
    for length in [0, 1, 100_000] {
        let text = vec![7; length];
        let (sent, heard) = tokio::join!(here.writer.write(&text), there.reader.next());
        sent.expect("a link");
        assert_eq!(heard.expect("a record"), text);
    }
    let (sent, heard) = tokio::join!(there.writer.write(b"back"), here.reader.next());
    sent.expect("a link");
    assert_eq!(heard.expect("a record"), b"back");
}

#[tokio::test]
async fn every_key_of_a_store_is_accepted() {
    let new = LinkKey { id: *b"0000000n", secret: [2; 32] };
    let (here, there) = greet(&key(1), &[new.clone(), key(1)], THERE).await;
    assert!(here.is_ok() && there.is_ok());
    // The other way round, a replica that does not know the new key yet does without the link.
    let (here, there) = greet(&new, &[key(1)], THERE).await;
    assert!(here.is_err() && there.is_err());
}

#[tokio::test]
async fn a_replica_with_another_key_is_refused_by_both_ends() {
    let (here, there) = greet(&key(1), &[key(2)], THERE).await;
    assert!(here.is_err());
    assert_eq!(there.expect_err("a stranger").kind(), io::ErrorKind::PermissionDenied);
}

#[tokio::test]
async fn a_replica_that_has_taken_the_address_of_another_is_not_taken_for_it() {
    let (here, there) = greet(&key(1), &[key(1)], Uuid::from_u128(3)).await;
    assert!(here.is_err() && there.is_err());
}

#[tokio::test]
async fn strangers_are_refused_before_anything_that_they_say_is_looked_at() {
    let garbage =
        [b"GET / HTTP/1.1\r\n\r\n".to_vec(), [b"telarln1????????".as_slice(), &[0; 99]].concat()];
    let hello = |length: u32, rest: usize| {
        let rest = vec![0; rest];
        [b"telarln1".as_slice(), b"0000000k", &[0; 32], &length.to_le_bytes(), &rest].concat()
    };
    // A record without the key, and one for which nobody waits.
    for said in garbage.into_iter().chain([hello(16, 16), hello(1_000, 0)]) {
        let (mut stranger, there) = sockets().await;
        stranger.write_all(&said).await.expect("a connection");
        let refused = seal::accept(there, &[key(1)], THERE).await.expect_err("a stranger");
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied, "{refused}");
        // It learns a nonce at most.
        let mut told = Vec::new();
        let _ = stranger.read_to_end(&mut told).await;
        assert!(told.is_empty() || told.len() == 32);
    }
}

/// Somebody between both ends changes, repeats or leaves out what one of them sends.
#[tokio::test]
async fn a_record_that_was_changed_or_repeated_ends_the_link() {
    for tamper in [0, 1, 2] {
        let ((here, near), (far, there)) = (sockets().await, sockets().await);
        let between = tokio::spawn(async move {
            let ((mut source, mut back), (mut answers, mut sink)) =
                (near.into_split(), far.into_split());
            tokio::spawn(async move { tokio::io::copy(&mut answers, &mut back).await });
            // The greeting is passed on as it is: the nonce, and who speaks.
            let mut hello = [0; 4 + 32 + 16];
            for length in [48, hello.len()] {
                source.read_exact(&mut hello[..length]).await.expect("a greeting");
                sink.write_all(&hello[..length]).await.expect("a connection");
            }
            let mut records = [[0; 4 + 5 + 16]; 2];
            for record in &mut records {
                source.read_exact(record).await.expect("a record");
            }
            let [first, second] = records;
            let mut changed = first;
            changed[6] ^= 1;
            let sent = match tamper {
                0 => [changed, second],
                1 => [first, first],
                _ => [second, first],
            };
            sink.write_all(sent.as_flattened()).await.expect("a connection");
        });
        let (alone, other) = (key(1), [key(1)]);
        let (here, there) = tokio::join!(
            seal::connect(here, &alone, HERE, THERE),
            seal::accept(there, &other, THERE)
        );
        let (mut here, mut there) = (here.expect("a link"), there.expect("a link"));
        here.writer.write(b"one!!").await.expect("a link");
        here.writer.write(b"two!!").await.expect("a link");
        let heard = [there.reader.next().await, there.reader.next().await];
        assert!(heard.iter().any(Result::is_err), "{tamper}");
        assert_eq!(heard[0].is_ok(), tamper == 1, "{tamper}");
        between.await.expect("it was forwarded");
    }
}

/// Answers with what it is asked, in the order that it likes, and notes news.
#[derive(Debug)]
struct Echo(mpsc::UnboundedSender<Vec<u8>>);

impl Handler for Echo {
    fn answer(&self, request: Vec<u8>) -> BoxFuture<'static, Vec<u8>> {
        if request == b"silence" {
            return std::future::pending().boxed();
        }
        async move {
            if request[0].is_multiple_of(2) {
                tokio::task::yield_now().await;
            }
            request
        }
        .boxed()
    }

    fn hear(&self, _: Uuid, news: &[u8]) {
        let _ = self.0.send(news.to_vec());
    }
}

#[tokio::test]
async fn many_ask_at_once_and_each_gets_its_own_answer() {
    let (here, there) = greet(&key(1), &[key(1)], THERE).await;
    let (here, there) = (here.expect("a link"), there.expect("a link"));
    let (heard, mut news) = mpsc::unbounded_channel();
    let peer = Arc::new(Peer::new(THERE));
    assert_eq!(peer.ask(b"x".to_vec()).await, Err(NoAnswer::Unasked), "there is no link yet");
    let say: broadcast::Sender<News> = broadcast::Sender::new(4);
    let told = say.subscribe();
    let echo = Echo(heard.clone());
    let serving = tokio::spawn(async move { serve::serve(there, told, &echo).await });
    let running = {
        let peer = Arc::clone(&peer);
        tokio::spawn(async move { peer.run(here, &Echo(heard)).await })
    };
    while !peer.is_linked() {
        tokio::task::yield_now().await;
    }
    let asking = (0..200_u8).map(|number| peer.ask(vec![number; 300]));
    for (number, answer) in (0_u8..).zip(join_all(asking).await) {
        assert_eq!(answer.expect("an answer"), vec![number; 300]);
    }
    say.send(b"news".as_slice().into()).expect("a listener");
    assert_eq!(news.recv().await.expect("news"), b"news");
    // A link that breaks down leaves nobody waiting.
    let mut waiting = Box::pin(peer.ask(b"silence".to_vec()));
    assert!(futures_util::future::poll_immediate(&mut waiting).await.is_none());
    peer.ask(vec![1]).await.expect("it was sent after the other one");
    serving.abort();
    assert_eq!(waiting.await, Err(NoAnswer::Unanswered));
    let _ = running.await;
    assert!(!peer.is_linked());
    assert_eq!(peer.ask(vec![1]).await, Err(NoAnswer::Unasked));
}

#[test]
fn a_replica_counts_while_its_beat_changes_by_the_clock_of_the_observer() {
    let mut watch = Watch::default();
    let start = Instant::now();
    let row = |id: u128, beat| Replica { id: Uuid::from_u128(id), address: String::new(), beat };
    let mut alive = |rows: &[Replica], after: Duration| {
        let alive = watch.update(rows, HERE, start + after);
        (alive.iter().map(|it| it.id.as_u128()).collect::<Vec<_>>(), watch.forgotten(start + after))
    };
    let second = Duration::from_secs(1);
    assert_eq!(alive(&[row(1, 7), row(3, 1), row(2, 1)], Duration::ZERO).0, [2, 3]);
    assert_eq!(alive(&[row(1, 8), row(3, 1), row(2, 2)], second).0, [2, 3]);
    assert_eq!(alive(&[row(3, 1), row(2, 3)], GONE).0, [2], "the beat of 3 has not changed");
    assert_eq!(alive(&[row(3, 2), row(2, 4)], GONE + second).0, [2, 3], "it is back");
    assert_eq!(alive(&[row(2, 4)], GONE + second * 2).0, [2], "it has gone by itself");
    let (running, forgotten) = alive(&[row(2, 4)], GONE + second + FORGOTTEN);
    assert_eq!((running.len(), forgotten), (0, vec![row(2, 4)]));
}
