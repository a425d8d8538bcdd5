//! Where a fault happens: a store, one or two servers on it, a crowd that plays, and a receiver of webhooks.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use api::{config::Config, startup::open_store};
use tempfile::TempDir;

use super::{
    checks,
    clock_jumps::FakeClock,
    crowd::Crowd,
    disk_full::SmallDisk,
    fault::Needs,
    invariants::{Breaches, Invariant},
    ledger::Ledger,
};
use crate::{
    detour,
    postgres::Postgres,
    process::{KEY, Telar},
    proxy::Proxy,
    receiver::Receiver,
    server::Store,
};

/// The servers log nothing, have little memory, so that matches are evicted, and call webhooks on this machine.
const VARIABLES: [(&str, &str); 5] = [
    ("TELAR_LOG", "off"),
    ("TELAR_LIVE_MIB", "1"),
    ("TELAR_WEBHOOK_ALLOW_HTTP", "true"),
    ("TELAR_WEBHOOK_ALLOW_PRIVATE", "true"),
    ("TELAR_WEBHOOK_RETRY_MILLIS", "50"),
];

/// How long a server may take to end: requests and tasks have half a minute each.
const SHUTDOWN: Duration = Duration::from_secs(65);

/// What to set up.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The program.
    pub binary: PathBuf,
    /// The kind of store.
    pub store: Store,
    /// What the fault needs.
    pub needs: Needs,
    /// The size of the crowd.
    pub players: usize,
    /// The seed of all choices.
    pub seed: u64,
}

/// The stage of a fault.
#[derive(Debug)]
pub struct Stage {
    /// The players.
    pub crowd: Crowd,
    /// The servers.
    pub replicas: Vec<Telar>,
    /// The database server, if the store is one.
    pub postgres: Option<Postgres>,
    /// The small disk of the store, if it has one.
    pub disk: Option<SmallDisk>,
    /// The clock of the servers, if it can be set.
    pub clock: Option<FakeClock>,
    proxy: Option<Proxy>,
    receiver: Receiver,
    /// The database without a detour.
    config: Config,
    start: Start,
    _directory: TempDir,
}

/// How to start a server.
#[derive(Debug, Clone)]
struct Start {
    binary: PathBuf,
    directory: PathBuf,
    variables: Vec<(String, String)>,
}

impl Start {
    /// Starts one, on another thread: it may have to reach its store through a proxy on this one.
    async fn server(&self) -> Telar {
        let Self { binary, directory, variables } = self.clone();
        let starting = tokio::task::spawn_blocking(move || {
            let variables: Vec<(&str, &str)> =
                variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            Telar::start_in(&binary, &directory, &variables)
        });
        starting.await.expect("telar starts")
    }
}

/// Why a fault cannot be tried, and what was handed in.
pub type Impossible = (&'static str, Option<Postgres>);

impl Stage {
    /// Sets everything up and lets the crowd play. A store in Postgres is a new database in `postgres`.
    pub async fn set(setting: &Setting, postgres: Option<Postgres>) -> Result<Self, Impossible> {
        let temporary = tempfile::tempdir().expect("a directory");
        let (mut disk, mut clock, mut proxy) = (None, None, None);
        match setting.needs {
            Needs::Disk => {
                disk = SmallDisk::mount();
                if disk.is_none() {
                    return Err(("needs the permission to mount a file system", postgres));
                }
            }
            Needs::Clock => {
                clock = FakeClock::new(temporary.path());
                if clock.is_none() {
                    return Err(("needs libfaketime", postgres));
                }
            }
            Needs::Nothing | Needs::Proxy | Needs::Link => {}
        }
        let small = disk.as_ref().map(SmallDisk::directory);
        let mut variables =
            VARIABLES.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        variables.extend(clock.iter().flat_map(FakeClock::variables));
        let mut database = None;
        if let Some(postgres) = &postgres {
            let direct = match &small {
                Some(small) => postgres.create_database_in(small).await,
                None => postgres.create_database().await,
            };
            let mut url = direct.clone();
            if setting.needs == Needs::Proxy {
                let target = SocketAddr::from(([127, 0, 0, 1], postgres.port));
                let between = Proxy::start(target).await;
                url = url.replace(&target.to_string(), &between.address().to_string());
                proxy = Some(between);
            }
            variables.push(("DATABASE_URL".to_owned(), url));
            database = Some(direct);
        }
        let directory = match (setting.store, small) {
            (Store::Sqlite, Some(small)) => small,
            _ => temporary.path().to_owned(),
        };
        let mut config = Config::for_directory(directory.clone(), database);
        config.storage_key = Some(KEY.to_owned());
        let start = Start { binary: setting.binary.clone(), directory, variables };
        let mut replicas = vec![start.server().await];
        if let (Needs::Link, Some(database)) = (setting.needs, &config.database_url) {
            proxy = Some(detour::before_the_replica(database).await);
        }
        if setting.store == Store::Postgres {
            replicas.push(start.server().await);
        }
        let receiver = Receiver::start(|_| 200);
        let urls = replicas.iter().map(|telar| telar.url.clone()).collect();
        let crowd = Crowd::start(urls, setting.players, &receiver.url, setting.seed).await;
        Ok(Self {
            crowd,
            replicas,
            postgres,
            disk,
            clock,
            proxy,
            receiver,
            config,
            start,
            _directory: temporary,
        })
    }

    /// The proxy between the servers and Postgres, or between the servers.
    pub fn proxy(&self) -> &Proxy {
        self.proxy.as_ref().expect("a stage with a proxy")
    }

    /// Kills the last server.
    pub fn kill_server(&mut self) {
        self.replicas.pop().expect("a server").kill();
    }

    /// Starts a server in the place of the one that was killed.
    pub async fn start_server(&mut self) {
        let server = self.start.server().await;
        self.crowd.moved_to(self.replicas.len(), &server.url);
        self.replicas.push(server);
    }

    /// Ends the play, checks everything and clears up. Returns what the players know, with all breaches, and Postgres.
    pub async fn end(self) -> (Ledger, Option<Postgres>) {
        let Self { crowd, replicas, postgres, proxy, mut receiver, config, disk, .. } = self;
        let (mut ledger, clients) = crowd.finish().await;
        let mut breaches = Breaches::default();
        for replica in &replicas {
            breaches.extend(checks::shown(&replica.url, &ledger, &clients).await);
        }
        let log = open_store(&config).await.expect("the store");
        breaches.extend(checks::told(&mut receiver, &ledger, log.database()).await);
        for replica in replicas {
            let status = replica.terminate_within(SHUTDOWN).await;
            if !status.is_some_and(|status| status.success()) {
                breaches.add(Invariant::Stuck, format!("the server ends with {status:?}"));
            }
        }
        breaches.extend(checks::stored(&log, &ledger).await);
        store::close(log.database()).await.ok();
        drop(proxy);
        if let (Some(postgres), Some(url), Some(_)) = (&postgres, &config.database_url, &disk) {
            postgres.drop_database_in(url).await;
        }
        ledger.breaches.extend(breaches);
        (ledger, postgres)
    }
}
