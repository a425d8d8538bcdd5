//! Links between replicas: each connects to every other one, asks it over that connection, and hears what happens there.
//!
//! Correctness never depends on a link: the log decides, and a replica that gets no answer goes on alone. What is asked and
//! answered is the business of the [`Handler`]; this module knows replicas, connections and bytes.

use std::{
    collections::{HashMap, HashSet},
    fmt, io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use parking_lot::{Mutex, RwLock};
use store::{Db, LinkKey, replicas, replicas::Replica};
use tokio::{
    net::TcpStream,
    sync::{Semaphore, broadcast},
    task::{AbortHandle, JoinSet},
    time,
};
use uuid::Uuid;

use crate::tasks::Shutdown;

mod frame;
mod members;
mod peer;
mod seal;
mod serve;
#[cfg(test)]
mod tests;

use members::Members;
pub use peer::{NoAnswer, Peer};

/// How often a replica announces that it runs, and looks for the others.
const BEAT: Duration = Duration::from_secs(1);
/// A replica whose beat has not changed for this long is gone.
const GONE: Duration = Duration::from_secs(5);
/// Its row is removed after this time. Until then it may come back.
const FORGOTTEN: Duration = Duration::from_mins(2);
/// How long connecting and proving who one is may take.
const HANDSHAKE: Duration = Duration::from_secs(2);
/// How many connections may be about to prove themselves at the same time.
const STRANGERS: usize = 32;
/// How often something is sent over a link at least.
const KEEP_ALIVE: Duration = Duration::from_secs(1);
/// A link over which nothing came for this long is broken.
const SILENCE: Duration = Duration::from_secs(3);
/// The largest message.
const LARGEST: usize = 8 * 1024 * 1024;
/// How many news are kept for a link that is slow.
const NEWS: usize = 1_024;

/// Something that happened here, as bytes.
type News = Arc<[u8]>;

/// What is done with messages.
pub trait Handler: fmt::Debug + Send + Sync {
    /// Answers a request of another replica. Requests are carried out while they wait for the answer of others.
    fn answer(&self, request: Vec<u8>) -> BoxFuture<'static, Vec<u8>>;

    /// Hears what happened at another replica. Must not block.
    fn hear(&self, from: Uuid, news: &[u8]);
}

/// Where a replica listens for the others.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address to listen on.
    pub bind: SocketAddr,
    /// Where others reach it, if that is another address: a host and a port.
    pub advertised: Option<String>,
}

/// The links of this replica.
#[derive(Debug)]
pub struct Links {
    id: Uuid,
    address: String,
    /// Bound from the start, so that the address is known.
    listener: TcpListener,
    keys: Vec<LinkKey>,
    db: Db,
    members: RwLock<Arc<Members>>,
    /// The replicas that have a link to this one, and how many.
    connected: Mutex<HashMap<Uuid, usize>>,
    news: broadcast::Sender<News>,
    /// The beat, which outlives a failed task.
    beat: Mutex<i64>,
}

impl Links {
    /// Begins to listen. Nothing is accepted or announced until [`Self::accept`] and [`Self::announce`] run.
    pub fn open(settings: &Settings, id: Uuid, keys: Vec<LinkKey>, db: Db) -> io::Result<Self> {
        let listener = TcpListener::bind(settings.bind)?;
        listener.set_nonblocking(true)?;
        let address = match &settings.advertised {
            Some(address) => address.clone(),
            None => listener.local_addr()?.to_string(),
        };
        Ok(Self {
            members: RwLock::new(Arc::new(Members::alone(id))),
            id,
            address,
            listener,
            keys,
            db,
            connected: Mutex::default(),
            news: broadcast::Sender::new(NEWS),
            beat: Mutex::default(),
        })
    }

    /// Identifies this process among the replicas.
    #[must_use]
    pub const fn id(&self) -> Uuid {
        self.id
    }

    /// Where others reach this replica.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The home of a feed, if it is another replica. Replicas agree as long as they know of the same others.
    #[must_use]
    pub fn home(&self, feed: usize) -> Option<Arc<Peer>> {
        self.members.read().home(feed).cloned()
    }

    /// The replicas that hear the news of this one.
    #[must_use]
    pub fn listening(&self) -> HashSet<Uuid> {
        self.connected.lock().keys().copied().collect()
    }

    /// Whether any replica hears the news of this one.
    #[must_use]
    pub fn has_listeners(&self) -> bool {
        self.news.receiver_count() > 0
    }

    /// Tells all replicas that have a link to this one.
    pub fn tell(&self, news: Vec<u8>) {
        // Nobody may be there.
        let _ = self.news.send(news.into());
    }

    /// Accepts links of other replicas, until told to stop.
    pub async fn accept(self: &Arc<Self>, handler: &Arc<dyn Handler>, mut shutdown: Shutdown) {
        let listener = self.listener.try_clone().and_then(tokio::net::TcpListener::from_std);
        let listener = match listener {
            Ok(listener) => listener,
            Err(error) => {
                // The task ends, and is started again after a while.
                tracing::error!(%error, "cannot listen for other replicas");
                return;
            }
        };
        let strangers = Arc::new(Semaphore::new(STRANGERS));
        // Dropped with this task, and all connections with it.
        let mut connections = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                () = shutdown.requested() => return,
                Some(_) = connections.join_next() => continue,
                accepted = listener.accept() => accepted,
            };
            let socket = match accepted {
                Ok((socket, _)) => socket,
                Err(error) => {
                    tracing::warn!(%error, "cannot accept the connection of another replica");
                    time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let Ok(place) = Arc::clone(&strangers).try_acquire_owned() else { continue };
            let (links, handler) = (Arc::clone(self), Arc::clone(handler));
            connections.spawn(async move {
                let accepting = seal::accept(socket, &links.keys, links.id);
                let link = match in_time(HANDSHAKE, accepting).await {
                    Ok(link) => link,
                    Err(error) => {
                        metrics::counter!("telar_links_refused_total").increment(1);
                        tracing::debug!(%error, "a connection was refused");
                        return;
                    }
                };
                drop(place);
                let listening = Listening::new(&links, link.peer);
                let ended = serve::serve(link, links.news.subscribe(), &*handler).await;
                tracing::info!(peer = %listening.peer, reason = ?ended.err(), "the link of another replica has ended");
            });
        }
    }

    /// Announces this replica and keeps links to all others, until told to stop.
    pub async fn announce(&self, handler: &Arc<dyn Handler>, mut shutdown: Shutdown) {
        let mut watch = Watch::default();
        let mut connections = JoinSet::new();
        loop {
            match self.look().await {
                Ok(seen) => {
                    let now = Instant::now();
                    let alive = watch.update(&seen, self.id, now);
                    self.connect(&alive, &mut watch, &mut connections, handler);
                    for dead in watch.forgotten(now) {
                        // Another replica may have removed it already.
                        let _ = replicas::remove_dead(&self.db, &dead).await;
                    }
                }
                // Links do without the store.
                Err(error) => tracing::warn!(%error, "cannot look for other replicas"),
            }
            let linked = self.members.read().linked();
            metrics::gauge!("telar_links")
                .set(f64::from(u32::try_from(linked).unwrap_or(u32::MAX)));
            tokio::select! {
                () = shutdown.requested() => break,
                () = time::sleep(BEAT) => {}
            }
            while connections.try_join_next().is_some() {}
        }
        *self.members.write() = Arc::new(Members::alone(self.id));
        if let Err(error) = replicas::remove(&self.db, self.id).await {
            tracing::warn!(%error, "cannot remove this replica from the list; the others notice by themselves");
        }
    }

    /// Announces this replica and reads who else did.
    async fn look(&self) -> store::Result<Vec<Replica>> {
        let beat = {
            let mut beat = self.beat.lock();
            *beat += 1;
            *beat
        };
        let here = Replica { id: self.id, address: self.address.clone(), beat };
        replicas::announce(&self.db, &here).await?;
        replicas::all(&self.db).await
    }

    /// Connects to replicas that have come, and ends the links to those that are gone.
    fn connect(
        &self,
        alive: &[Replica],
        watch: &mut Watch,
        connections: &mut JoinSet<()>,
        handler: &Arc<dyn Handler>,
    ) {
        let known = Arc::clone(&self.members.read());
        let is_same = known.peers().map(|peer| peer.id()).collect::<HashSet<_>>()
            == alive.iter().map(|replica| replica.id).collect();
        let peers = alive.iter().map(|replica| {
            let known = known.peers().find(|peer| peer.id() == replica.id);
            known.cloned().unwrap_or_else(|| Arc::new(Peer::new(replica.id)))
        });
        let peers: Vec<Arc<Peer>> = peers.collect();
        watch.connecting.retain(|id, connection| {
            let stays = alive.iter().any(|replica| replica.id == *id);
            if !stays {
                connection.abort();
            }
            stays && !connection.is_finished()
        });
        for (peer, replica) in peers.iter().zip(alive) {
            if watch.connecting.contains_key(&peer.id()) {
                continue;
            }
            let (peer, handler) = (Arc::clone(peer), Arc::clone(handler));
            let (here, key, address) = (self.id, self.keys[0].clone(), replica.address.clone());
            let connection = connections.spawn(async move {
                let connecting = async {
                    let socket = TcpStream::connect(&address).await?;
                    seal::connect(socket, &key, here, peer.id()).await
                };
                match in_time(HANDSHAKE, connecting).await {
                    Ok(link) => {
                        tracing::info!(peer = %peer.id(), %address, "linked to another replica");
                        let ended = peer.run(link, &*handler).await;
                        tracing::info!(peer = %peer.id(), reason = ?ended.err(), "the link to another replica has ended");
                    }
                    Err(error) => {
                        tracing::debug!(peer = %peer.id(), %address, %error, "cannot link to another replica");
                    }
                }
            });
            watch.connecting.insert(replica.id, connection);
        }
        if !is_same {
            *self.members.write() = Arc::new(Members::new(self.id, peers));
        }
    }
}

/// A replica that hears the news of this one, until dropped.
struct Listening<'a> {
    links: &'a Links,
    peer: Uuid,
}

impl<'a> Listening<'a> {
    fn new(links: &'a Links, peer: Uuid) -> Self {
        *links.connected.lock().entry(peer).or_default() += 1;
        Self { links, peer }
    }
}

impl Drop for Listening<'_> {
    fn drop(&mut self) {
        let mut connected = self.links.connected.lock();
        if let Some(count) = connected.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                connected.remove(&self.peer);
            }
        }
    }
}

/// What an observer knows about the others, by its own clock.
#[derive(Debug, Default)]
struct Watch {
    /// Each replica as it was last seen, and since when its beat is the same.
    seen: HashMap<Uuid, (Replica, Instant)>,
    connecting: HashMap<Uuid, AbortHandle>,
}

impl Watch {
    /// Notes what was seen and returns those that run, except `here`, in the order of their ids.
    fn update(&mut self, seen: &[Replica], here: Uuid, now: Instant) -> Vec<Replica> {
        self.seen.retain(|id, _| seen.iter().any(|replica| replica.id == *id));
        for replica in seen.iter().filter(|replica| replica.id != here) {
            let known = self.seen.entry(replica.id).or_insert_with(|| (replica.clone(), now));
            if known.0 != *replica {
                *known = (replica.clone(), now);
            }
        }
        let alive = self.seen.values().filter(|(_, since)| now - *since < GONE);
        let mut alive: Vec<Replica> = alive.map(|(replica, _)| replica.clone()).collect();
        alive.sort_unstable_by_key(|replica| replica.id);
        alive
    }

    /// Replicas that will not come back.
    fn forgotten(&self, now: Instant) -> Vec<Replica> {
        let dead = self.seen.values().filter(|(_, since)| now - *since >= FORGOTTEN);
        dead.map(|(replica, _)| replica.clone()).collect()
    }
}

async fn in_time<T>(limit: Duration, work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    time::timeout(limit, work).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// Sends a record. An end that does not take it in time is gone.
async fn send(writer: &mut seal::RecordWriter, record: &[u8]) -> io::Result<()> {
    in_time(SILENCE, writer.write(record)).await
}
