//! Building a server from a configuration: the same for the process and for tests.

use std::{
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use actix_web::{
    App as Service,
    dev::{Extensions, Server, ServerHandle},
    middleware::{Condition, from_fn},
    rt::net::TcpStream,
    web::{self, Data},
};
use service::{
    applications::Applications,
    archive::RunError,
    blocks::Blocks,
    bulkheads::Bulkheads,
    clock::Clock,
    deletion::Deletions,
    expiry::Expiry,
    identity::{
        AccessTokens, Accounts, EndedSessions, LoginAttempts, Passwords, PersonalTokens, Sessions,
    },
    invitations::Invitations,
    keys::{self, KeyError, MissingKey},
    link::Links,
    live::{Matches, Presence},
    names::NameCache,
    notary::{Notary, ProofKeys},
    occupancy::Occupancy,
    partitions,
    readiness::Readiness,
    rematches::RematchCache,
    standby,
    statistics::{self, RebuildError},
    streams::Hub,
    tasks::Tasks,
    thinking::Thinking,
    webhooks::Webhooks,
};
use store::{
    Archive, EventLog, OpenError, archive,
    backup::BackupError,
    distribution::{self, DistributeError},
};

use crate::{
    app::App,
    config::{Config, ConfigError},
    docs,
    error::ApiError,
    http::{Addresses, Bodies, Connections, compress::compress},
    limits::Limits,
    middleware::{Endpoint, around, cors, endpoint},
    rendered::{MatchPageCache, StatsCache},
    routes,
    server::{self, Serving},
    telemetry,
};

/// How long requests in flight may take when the server stops, and the background tasks after them: half a minute together.
const REQUESTS: Duration = Duration::from_secs(25);
const TASKS: Duration = Duration::from_secs(5);
/// How long closing the store may take after that.
const STORE: Duration = Duration::from_secs(5);

const SERVING: Serving = Serving {
    workers: None,
    // Longer than the idle time of common clients and proxies: a connection should not close while it is being reused.
    keep_alive: Duration::from_secs(75),
    head: Duration::from_secs(5),
    shutdown: REQUESTS,
};

/// A server that listens already.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// Ends when its handle is told to stop.
    pub server: Server,
    metrics: Option<MetricsServer>,
    tasks: Arc<Tasks>,
    matches: Matches,
}

/// The server of the metrics, if they have an address of their own.
#[derive(Debug)]
struct MetricsServer {
    address: SocketAddr,
    handle: ServerHandle,
}

/// Stops a server.
#[derive(Debug)]
pub struct Stop {
    handle: ServerHandle,
    metrics: Option<MetricsServer>,
    tasks: Arc<Tasks>,
    matches: Matches,
}

impl Stop {
    /// Stops the server: streams end, requests in flight are answered, then the background tasks stop in order, and the store
    /// is closed.
    pub async fn stop(&self) {
        self.tasks.close();
        self.handle.stop(true).await;
        self.tasks.stop(TASKS).await;
        if let Some(metrics) = &self.metrics {
            metrics.handle.stop(true).await;
        }
        match tokio::time::timeout(STORE, store::close(self.matches.log().database())).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the store could not be closed"),
            Err(_) => tracing::warn!("closing the store takes too long"),
        }
    }

    /// The background tasks.
    #[must_use]
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// The matches.
    #[must_use]
    pub fn matches(&self) -> &Matches {
        &self.matches
    }
}

impl Running {
    /// The server, and what stops it.
    pub fn split(self) -> (Server, Stop) {
        let handle = self.server.handle();
        let Self { metrics, tasks, matches, .. } = self;
        (self.server, Stop { handle, metrics, tasks, matches })
    }

    /// Where the metrics are served, if they have an address of their own.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(|metrics| metrics.address)
    }
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Running({})", self.address)
    }
}

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration cannot work.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The store was not distributed.
    #[error(transparent)]
    Distribute(#[from] DistributeError),
    /// A backup could not be made.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// A key cannot be used.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Matches could not be archived.
    #[error(transparent)]
    Archive(#[from] RunError),
    /// A service could not start.
    #[error(transparent)]
    Service(#[from] service::Error),
    /// The statistics could not be rebuilt.
    #[error(transparent)]
    Rebuild(#[from] RebuildError),
    /// A file cannot be read.
    #[error("{path}: {error}")]
    File {
        /// Which file.
        path: String,
        /// What is wrong.
        error: std::io::Error,
    },
    /// A file cannot be understood.
    #[error("{path}: {reason}")]
    Document {
        /// Which file.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// The address cannot be used.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Which address.
        address: SocketAddr,
        /// What is wrong.
        error: std::io::Error,
    },
}

impl StartError {
    /// Whether the store is away, so that the same start may well succeed later.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        let error = match self {
            Self::Store(error) => return error.is_outage(),
            Self::Service(error)
            | Self::Rebuild(RebuildError::Failed(error))
            | Self::Archive(RunError::Failed(error)) => error,
            _ => return false,
        };
        matches!(error, service::Error::Store(store::Error::Unavailable(..)))
    }
}

/// Connects to the store, migrates it, and checks that its keys are at hand. A read-only server only checks the schema.
pub async fn open_store(config: &Config) -> Result<EventLog, StartError> {
    let keys =
        keys::storage_keys(config.storage_key.as_deref(), &config.data_dir, missing_key(config))?;
    let db = store::connect(&config.store()).await?;
    if config.read_only {
        store::check_schema(&db, config.lanes()).await?;
        keys.check(&db).await?;
    } else {
        store::migrate(&db, config.lanes()).await?;
        keys.register(&db).await?;
    }
    distribution::check(&db).await?;
    let log = EventLog::new(db, keys).with_archive(Archive::new(config.archive.clone()));
    check_archive(config, &log).await?;
    Ok(log)
}

/// Warns of archived matches that cannot be read. The directory may still be mounted later.
async fn check_archive(config: &Config, log: &EventLog) -> Result<(), OpenError> {
    match &config.archive {
        Some(directory) if !directory.is_dir() => {
            tracing::warn!(path = %directory.display(), "the directory of the archive does not exist");
        }
        Some(_) => {}
        None if archive::is_empty(log.database()).await? => {}
        None => {
            tracing::warn!(
                "there are archived matches; set TELAR_ARCHIVE so that they can be read"
            );
        }
    }
    Ok(())
}

/// Tokens and seeds were made with the keys of the servers that write: a read-only server has no use for keys of its own.
fn missing_key(config: &Config) -> MissingKey {
    if config.read_only { MissingKey::Refuse } else { MissingKey::Generate }
}

/// Connects, migrates, starts the background tasks and listens.
pub async fn build(config: &Config, clock: Clock) -> Result<Running, StartError> {
    config.check()?;
    let seeds =
        keys::signing_seeds(config.signing_key.as_deref(), &config.data_dir, missing_key(config))?;
    let log = open_store(config).await?;
    let app = Data::new(assemble(config, clock, log, &seeds).await?);
    start_tasks(&app);
    // Needs the writer: deletions that were cut short leave matches.
    app.deletions.load().await?;
    app.ended_sessions.load().await?;
    let (tasks, matches) = (Arc::clone(&app.tasks), app.matches.clone());
    let addresses = Data::new(Addresses {
        trusted: config.trusted_proxies.clone(),
        header: config.proxy_header,
    });
    let connections = Arc::new(Connections::new(
        config.connections,
        config.connections_per_address,
        config.db_connections,
        addresses.clone(),
    ));
    let request_time = Duration::from_secs(config.request_seconds);
    let bodies = Data::new(Bodies::new(request_time));
    let metrics = match config.metrics_bind {
        Some(address) => Some(serve_metrics(address, app.clone())?),
        None => None,
    };
    let has_metrics = metrics.is_none();
    let cors_origins = cors::origins(config)?;
    let listen = |error| StartError::Listen { address: config.bind, error };
    let listener = TcpListener::bind(config.bind).map_err(listen)?;
    let address = listener.local_addr().map_err(listen)?;
    let app = move || {
        Service::new()
            .configure(|config| endpoint::register(endpoints(has_metrics), config))
            .app_data(app.clone())
            .app_data(addresses.clone())
            .app_data(bodies.clone())
            .app_data(web::PathConfig::default().error_handler(|_, _| ApiError::not_found().into()))
            .configure(docs::register)
            .wrap(from_fn(around))
            .wrap(from_fn(compress))
            .wrap(Condition::new(!cors_origins.is_empty(), cors::allow(&cors_origins)))
            .wrap(Condition::new(!cors_origins.is_empty(), from_fn(cors::explain_refusal)))
    };
    let serving =
        Serving { workers: config.workers.map(usize::from), head: request_time, ..SERVING };
    let admit = move |stream: &TcpStream, data: &mut Extensions| connections.admit(stream, data);
    let server = server::serve(listener, serving, admit, app).map_err(listen)?;
    Ok(Running { address, server, metrics, tasks, matches })
}

/// The endpoints of the main server, with or without the metrics.
fn endpoints(has_metrics: bool) -> Vec<Endpoint> {
    let metrics = routes::system::metrics::PATH;
    routes::endpoints().into_iter().filter(|it| has_metrics || it.path() != metrics).collect()
}

/// Serves the metrics, and nothing else, at an address of their own.
fn serve_metrics(bind: SocketAddr, app: Data<App>) -> Result<MetricsServer, StartError> {
    let listen = |error| StartError::Listen { address: bind, error };
    let listener = TcpListener::bind(bind).map_err(listen)?;
    let address = listener.local_addr().map_err(listen)?;
    let app = move || {
        Service::new()
            .configure(|config| {
                endpoint::register(vec![routes::system::metrics::endpoint()], config);
            })
            .app_data(app.clone())
            .wrap(from_fn(around))
    };
    let serving = Serving { workers: Some(1), ..SERVING };
    let server = server::serve(listener, serving, |_, _| {}, app).map_err(listen)?;
    let handle = server.handle();
    tokio::spawn(server);
    Ok(MetricsServer { address, handle })
}

/// Puts the parts together; nothing runs yet.
async fn assemble(
    config: &Config,
    clock: Clock,
    log: EventLog,
    seeds: &[[u8; 32]],
) -> Result<App, StartError> {
    let db = log.database().clone();
    let live_bytes = u64::from(config.live_mib) * 1024 * 1024;
    let matches = Matches::open(log, clock.clone(), live_bytes).await?;
    let matches = link(config, matches)?;
    let names = Arc::new(NameCache::new(db.clone()));
    let bulkheads = Bulkheads::here(config.bot_threads());
    let tokens = Arc::new(AccessTokens::new(&config.issuer, seeds)?);
    let notary = Notary::open(&matches, clock.clone(), ProofKeys::new(seeds)?).await?;
    let personal_tokens = Arc::new(PersonalTokens::new(db.clone(), tokens.personal_key()));
    let deletions = Arc::new(Deletions::new(
        clock.clone(),
        matches.clone(),
        Arc::clone(&names),
        Arc::clone(&personal_tokens),
    ));
    let ended_sessions = Arc::new(EndedSessions::new(db.clone(), clock.clone()));
    let expiry =
        Expiry::new(matches.clone(), clock.clone(), Arc::clone(&deletions), config.ages.into());
    let accounts = Accounts::new(
        db.clone(),
        clock.clone(),
        Arc::clone(&names),
        Sessions::new(db.clone(), Arc::clone(&tokens), Arc::clone(&ended_sessions)),
        Arc::clone(&personal_tokens),
        LoginAttempts::new(config.rates.failures),
        Passwords::new(Arc::clone(&bulkheads.passwords)),
    );
    let thinking = Thinking::new(
        matches.clone(),
        clock.clone(),
        Arc::clone(&bulkheads.bots),
        config.bot_threads(),
    );
    let applications = Applications::new(db.clone(), Arc::clone(&tokens), Arc::clone(&names));
    let hub = Arc::new(Hub::new(&matches, clock.clone()));
    let lookups = Arc::clone(&bulkheads.lookups);
    let webhooks = Webhooks::new(&matches, clock.clone(), config.webhooks(), lookups);
    let webhooks = Arc::new(webhooks);
    Ok(App {
        names,
        match_pages: MatchPageCache::default(),
        stats: StatsCache::default(),
        rematches: RematchCache::new(db.clone()),
        accounts,
        applications,
        tokens,
        personal_tokens,
        ended_sessions,
        deletions,
        expiry: Arc::new(expiry),
        limits: Arc::new(Limits::new(config.rates)),
        bulkheads,
        thinking,
        open_streams: Occupancy::new("telar_streams", config.stream_caps()),
        running_exports: Occupancy::new("telar_exports", config.export_caps()),
        presence: Arc::new(Presence::new(&matches)),
        notary: Arc::new(notary),
        blocks: Blocks::new(matches.clone()),
        invitations: Invitations::new(matches.clone(), Arc::clone(&webhooks), Arc::clone(&hub)),
        hub,
        webhooks,
        readiness: Readiness::new(db.clone(), clock.clone()),
        tasks: Arc::new(Tasks::new(clock.clone())),
        metrics: telemetry::recorder(),
        matches,
        clock,
        db,
    })
}

/// Opens the link to other replicas, if there can be any: a read-only server has no commands to send.
fn link(config: &Config, matches: Matches) -> Result<Matches, StartError> {
    let log = matches.log();
    let Some(settings) = config.link().filter(|_| log.is_shared() && !config.read_only) else {
        return Ok(matches);
    };
    let keys = log.keys().link_keys();
    let links = Links::open(&settings, matches.replica(), keys, log.database().clone())
        .map_err(|error| StartError::Listen { address: settings.bind, error })?;
    Ok(matches.with_links(Arc::new(links)))
}

/// Starts the background tasks; on a read-only server, only those that do not write. They are stopped in the opposite order: the writer last, when nobody appends any more.
fn start_tasks(app: &App) {
    /// Supervises a method that runs until it is told to stop.
    macro_rules! task {
        ($name:literal, $owner:expr, $run:ident) => {{
            let owner = $owner.clone();
            app.tasks.spawn($name, move |shutdown| {
                let owner = owner.clone();
                async move { owner.$run(shutdown).await }
            });
        }};
    }
    if app.db.standby_state().is_some() {
        let db = app.db.clone();
        app.tasks.spawn("standby", move |shutdown| {
            let db = db.clone();
            async move { standby::watch(&db, shutdown).await }
        });
    }
    let writes = !app.db.is_read_only();
    if writes {
        let log = app.matches.log().clone();
        app.tasks.spawn("writer", move |shutdown| {
            let log = log.clone();
            async move { log.run_writer(shutdown.into_requested()).await }
        });
        let matches = app.matches.clone();
        app.tasks.spawn("statistics", move |shutdown| {
            let matches = matches.clone();
            async move { statistics::follow(matches.log(), matches.feed_grown(), shutdown).await }
        });
        task!("notary", app.notary, run);
    }
    task!("feed", app.matches, follow_feed);
    task!("catch-up", app.matches, read_for_commands);
    if app.matches.links().is_some() {
        task!("link", app.matches, accept_links);
        task!("replicas", app.matches, announce_replica);
    }
    if writes {
        task!("deadlines", app.matches, watch_deadlines);
        if app.thinking.moves() {
            task!("bots", app.thinking, run);
        }
    }
    task!("presence", app.presence, run);
    task!("notifications", app.hub, run);
    if writes {
        task!("webhook-outbox", app.webhooks, fill_outbox);
        task!("webhook-delivery", app.webhooks, deliver);
    }
    task!("deletions", app.deletions, run);
    task!("ended-sessions", app.ended_sessions, run);
    if writes {
        task!("expiry", app.expiry, run);
    }
    if writes && app.matches.log().is_shared() {
        let (db, clock) = (app.db.clone(), app.clock.clone());
        app.tasks.spawn("partitions", move |shutdown| {
            let (db, clock) = (db.clone(), clock.clone());
            async move { partitions::keep_ahead(&db, &clock, shutdown).await }
        });
    }
    task!("rate-limits", app.limits, run);
    let metrics = app.metrics.clone();
    app.tasks.spawn("metrics", move |shutdown| telemetry::sum_up(metrics.clone(), shutdown));
}
