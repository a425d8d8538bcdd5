//! A TCP proxy that does to connections what networks do: it silences, cuts and delays them.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::JoinHandle,
};

/// A proxy on the loopback address. It ends when it is dropped, together with all its connections.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    line: watch::Sender<Line>,
    accepting: JoinHandle<()>,
}

/// The state of the line. Connections are numbered in the order in which they were accepted.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    /// How many connections have been accepted.
    accepted: u64,
    /// Connections with lower numbers forward nothing and stay open.
    silent: u64,
    /// Connections with lower numbers are closed.
    cut: u64,
    delay: Duration,
}

impl Proxy {
    /// Starts a proxy that forwards to this address.
    pub async fn start(target: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let line = watch::Sender::new(Line::default());
        let accepting = tokio::spawn(accept(listener, target, line.clone()));
        Self { address, line, accepting }
    }

    /// Where the proxy listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops forwarding on the connections that are open now, without closing them. New connections work.
    pub fn silence(&self) {
        self.line.send_modify(|line| line.silent = line.accepted);
    }

    /// Stops forwarding on all connections, including new ones, without closing them.
    pub fn isolate(&self) {
        self.line.send_modify(|line| line.silent = u64::MAX);
    }

    /// Closes the connections that are open now. New connections work.
    pub fn cut(&self) {
        self.line.send_modify(|line| line.cut = line.accepted);
    }

    /// Delays everything that is forwarded by this much, in each direction.
    pub fn delay(&self, delay: Duration) {
        self.line.send_modify(|line| line.delay = delay);
    }

    /// Forwards everything without delay, including what silent connections hold back.
    pub fn heal(&self) {
        self.line.send_modify(|line| (line.silent, line.delay) = (0, Duration::ZERO));
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.line.send_modify(|line| line.cut = u64::MAX);
    }
}

async fn accept(listener: TcpListener, target: SocketAddr, line: watch::Sender<Line>) {
    while let Ok((client, _)) = listener.accept().await {
        let mut number = 0;
        line.send_modify(|line| {
            number = line.accepted;
            line.accepted += 1;
        });
        let line = line.subscribe();
        tokio::spawn(async move {
            let mut closing = line.clone();
            tokio::select! {
                () = connect(client, target, number, line) => {}
                _ = closing.wait_for(|line| number < line.cut) => {}
            }
        });
    }
}

async fn connect(
    client: TcpStream,
    target: SocketAddr,
    number: u64,
    mut line: watch::Receiver<Line>,
) {
    until_audible(number, &mut line).await;
    let Ok(server) = TcpStream::connect(target).await else { return };
    for socket in [&client, &server] {
        socket.set_nodelay(true).expect("a socket");
    }
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    tokio::join!(
        forward(from_client, to_server, number, line.clone()),
        forward(from_server, to_client, number, line),
    );
}

/// Forwards one direction of a connection until it ends.
async fn forward(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    number: u64,
    mut line: watch::Receiver<Line>,
) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let delay = line.borrow().delay;
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        until_audible(number, &mut line).await;
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
    // Nobody learns the end of a silent connection.
    until_audible(number, &mut line).await;
    let _ = to.shutdown().await;
}

async fn until_audible(number: u64, line: &mut watch::Receiver<Line>) {
    if line.wait_for(|line| number >= line.silent).await.is_err() {
        // The proxy has ended.
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that sends back what it gets.
    async fn echo() -> SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = socket.split();
                    tokio::io::copy(&mut from, &mut to).await
                });
            }
        });
        address
    }

    /// Sends a byte and waits for it; nothing if it does not come back in time.
    async fn ask(socket: &mut TcpStream, byte: u8) -> Option<std::io::Result<u8>> {
        let asking = async {
            socket.write_all(&[byte]).await?;
            socket.read_u8().await
        };
        tokio::time::timeout(Duration::from_millis(300), asking).await.ok()
    }

    #[tokio::test]
    async fn silent_connections_stay_open_while_new_ones_work() {
        let proxy = Proxy::start(echo().await).await;
        let mut old = TcpStream::connect(proxy.address()).await.unwrap();
        assert_eq!(ask(&mut old, 1).await.unwrap().unwrap(), 1);
        proxy.silence();
        assert!(ask(&mut old, 2).await.is_none());
        let mut new = TcpStream::connect(proxy.address()).await.unwrap();
        assert_eq!(ask(&mut new, 3).await.unwrap().unwrap(), 3);
        proxy.isolate();
        assert!(ask(&mut new, 4).await.is_none());
        proxy.heal();
        assert_eq!(old.read_u8().await.unwrap(), 2, "what was held back");
        assert_eq!(new.read_u8().await.unwrap(), 4);
        proxy.cut();
        assert!(old.read_u8().await.is_err());
        let mut newer = TcpStream::connect(proxy.address()).await.unwrap();
        assert_eq!(ask(&mut newer, 5).await.unwrap().unwrap(), 5);
    }
}
