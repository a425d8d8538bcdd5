//! Building a server from a configuration: the same for the process and for tests.

use std::{
    net::{SocketAddr, TcpListener},
    sync::{Arc, LazyLock},
    time::Duration,
};

use actix_web::{
    App as Service, HttpResponse, HttpServer,
    dev::{Server, ServerHandle},
    http::header,
    middleware::{Condition, from_fn},
    web::{self, Data},
};
use service::{
    clock::Clock,
    deletion::Deletions,
    expiry::Expiry,
    identity::{AccessTokens, Accounts, EndedSessions, LoginAttempts, PersonalTokens, Sessions},
    invitations::Invitations,
    keys::{self, KeyError},
    live::{Matches, Presence},
    names::NameCache,
    readiness::Readiness,
    rematches::RematchCache,
    statistics::{self, RebuildError},
    streams::{Hub, StreamLimits},
    tasks::Tasks,
    webhooks::Webhooks,
};
use store::{EventLog, OpenError, backup::BackupError};
use utoipa_swagger_ui::{Config as DocsConfig, SwaggerUi};

use crate::{
    app::App,
    config::{Config, ConfigError},
    error::ApiError,
    http::{Addresses, IfNoneMatch, Tagged, compress::compress},
    limits::Limits,
    middleware::{around, cors, endpoint},
    openapi,
    rendered::{MatchPageCache, StatsCache},
    routes, telemetry,
};

/// How long requests in flight may take when the server stops, and the background tasks after them: half a minute together.
const REQUESTS: Duration = Duration::from_secs(25);
const TASKS: Duration = Duration::from_secs(5);
/// How long closing the store may take after that.
const STORE: Duration = Duration::from_secs(5);

/// A server that listens already.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// Ends when its handle is told to stop.
    pub server: Server,
    tasks: Arc<Tasks>,
    db: store::Db,
}

/// Stops a server.
#[derive(Debug)]
pub struct Stop {
    handle: ServerHandle,
    tasks: Arc<Tasks>,
    db: store::Db,
}

impl Stop {
    /// Stops the server: streams end, requests in flight are answered, then the background tasks stop in order, and the store
    /// is closed.
    pub async fn stop(&self) {
        self.tasks.close();
        self.handle.stop(true).await;
        self.tasks.stop(TASKS).await;
        match tokio::time::timeout(STORE, store::close(&self.db)).await {
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
}

impl Running {
    /// The server, and what stops it.
    pub fn split(self) -> (Server, Stop) {
        let handle = self.server.handle();
        (self.server, Stop { handle, tasks: self.tasks, db: self.db })
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
    /// A backup could not be made.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// A key cannot be used.
    #[error(transparent)]
    Key(#[from] KeyError),
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
            Self::Service(error) | Self::Rebuild(RebuildError::Failed(error)) => error,
            _ => return false,
        };
        matches!(error, service::Error::Store(store::Error::Unavailable(..)))
    }
}

/// Connects to the store, migrates it, and checks that its keys are at hand.
pub async fn open_store(config: &Config) -> Result<EventLog, StartError> {
    let keys = keys::storage_keys(config.storage_key.as_deref(), &config.data_dir)?;
    let db = store::connect(&config.store()).await?;
    store::migrate(&db).await?;
    keys.register(&db).await?;
    Ok(EventLog::new(db, keys))
}

/// Connects, migrates, starts the background tasks and listens.
pub async fn build(config: &Config, clock: Clock) -> Result<Running, StartError> {
    let signing_key = config.signing_key.as_deref();
    let tokens = AccessTokens::new(&config.issuer, signing_key, &config.data_dir)?;
    let log = open_store(config).await?;
    let db = log.database().clone();
    let app = Data::new(assemble(config, clock, log, tokens).await?);
    start_tasks(&app);
    // Needs the writer: deletions that were cut short leave matches.
    app.deletions.load().await?;
    app.ended_sessions.load().await?;
    let tasks = Arc::clone(&app.tasks);
    let addresses = Data::new(Addresses {
        trusted: config.trusted_proxies.clone(),
        header: config.proxy_header,
    });
    let cors_origins = cors::origins(config)?;
    let listen = |error| StartError::Listen { address: config.bind, error };
    let listener = TcpListener::bind(config.bind).map_err(listen)?;
    let address = listener.local_addr().map_err(listen)?;
    let mut server = HttpServer::new(move || {
        Service::new()
            .configure(|config| endpoint::register(routes::endpoints(), config))
            .app_data(app.clone())
            .app_data(addresses.clone())
            .app_data(web::PathConfig::default().error_handler(|_, _| ApiError::not_found().into()))
            .route("/openapi.json", web::get().to(get_document))
            .route("/docs", web::get().to(to_docs))
            .route("/", web::get().to(to_docs))
            .service(
                SwaggerUi::new("/docs/{_:.*}").config(
                    DocsConfig::new(["/openapi.json"])
                        .use_base_layout()
                        .try_it_out_enabled(true)
                        .persist_authorization(true)
                        .display_request_duration(true)
                        .filter(true),
                ),
            )
            .wrap(from_fn(around))
            .wrap(from_fn(compress))
            .wrap(Condition::new(!cors_origins.is_empty(), cors::allow(&cors_origins)))
    });
    if let Some(workers) = config.workers {
        server = server.workers(workers.into());
    }
    // What streams tell is small: it must not wait until what was told before has been acknowledged.
    let server = server.tcp_nodelay(true);
    // Longer than the idle time of common clients and proxies: a connection should not close while it is being reused.
    let server = server.keep_alive(Duration::from_secs(75));
    let server = server
        .disable_signals()
        .shutdown_timeout(REQUESTS.as_secs())
        .listen(listener)
        .map_err(listen)?
        .run();
    Ok(Running { address, server, tasks, db })
}

/// Puts the parts together; nothing runs yet.
async fn assemble(
    config: &Config,
    clock: Clock,
    log: EventLog,
    tokens: AccessTokens,
) -> Result<App, StartError> {
    let db = log.database().clone();
    let live_bytes = u64::from(config.live_mib) * 1024 * 1024;
    let matches = Matches::open(log, clock.clone(), live_bytes).await?;
    let names = Arc::new(NameCache::new(db.clone()));
    let tokens = Arc::new(tokens);
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
    );
    let hub = Arc::new(Hub::new(&matches, clock.clone()));
    let webhooks = Arc::new(Webhooks::new(&matches, clock.clone(), config.webhooks()));
    Ok(App {
        names,
        match_pages: MatchPageCache::default(),
        stats: StatsCache::default(),
        rematches: RematchCache::new(db.clone()),
        accounts,
        tokens,
        personal_tokens,
        ended_sessions,
        deletions,
        expiry: Arc::new(expiry),
        limits: Arc::new(Limits::new(config.rates)),
        stream_limits: StreamLimits::new(config.streams_per_session, config.streams),
        presence: Arc::new(Presence::new(&matches)),
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

/// Starts the background tasks. They are stopped in the opposite order: the writer last, when nobody appends any more.
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
    task!("feed", app.matches, follow_feed);
    task!("deadlines", app.matches, watch_deadlines);
    task!("presence", app.presence, run);
    task!("notifications", app.hub, run);
    task!("webhook-outbox", app.webhooks, fill_outbox);
    task!("webhook-delivery", app.webhooks, deliver);
    task!("deletions", app.deletions, run);
    task!("ended-sessions", app.ended_sessions, run);
    task!("expiry", app.expiry, run);
    task!("rate-limits", app.limits, run);
}

async fn get_document(known: IfNoneMatch) -> HttpResponse {
    static DOCUMENT: LazyLock<Tagged> = LazyLock::new(|| Tagged::new(openapi::TEXT.as_str()));
    DOCUMENT.respond(&known, "public, max-age=300", None)
}

async fn to_docs() -> HttpResponse {
    HttpResponse::SeeOther().insert_header((header::LOCATION, "/docs/")).finish()
}
