//! Building a server from a configuration: the same for the process and for tests.

use std::{
    net::{SocketAddr, TcpListener},
    sync::LazyLock,
    time::Duration,
};

use actix_web::{
    App as Service, HttpRequest, HttpResponse, HttpServer,
    dev::{Server, ServerHandle},
    http::header,
    middleware::{Condition, from_fn},
    web::{self, Data},
};
use utoipa_actix_web::AppExt;
use utoipa_swagger_ui::{Config as DocsConfig, SwaggerUi};

use crate::{
    app::App,
    auth::{attempts::Attempts, personal::PersonalTokens, tokens::Tokens},
    closing::{self, Closer},
    config::{Config, ConfigError},
    erasure::{self, Erased},
    error::{ApiError, ApiResult},
    event_store::EventStore,
    http::{
        IfNoneMatch, Tagged,
        compress::compress,
        cors,
        limits::{self, Limits},
        middleware::surround,
    },
    live::{Matches, presence::Presence},
    names::Names,
    openapi,
    pages::Pages,
    projections::{Follower, RebuildError},
    rematches::Rematches,
    routes::{self, statistics::Shelf},
    store::{self, StoreError},
    streams::{Places, hub::Hub},
    telemetry,
    webhooks::Webhooks,
};

/// A server that listens already.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// Ends when its handle is told to stop.
    pub server: Server,
    closer: Closer,
}

/// Ends a server.
#[derive(Debug)]
pub struct Stop {
    handle: ServerHandle,
    closer: Closer,
}

impl Stop {
    /// Ends the server when everything in flight is answered; streams are ended.
    pub async fn stop(&self) {
        self.closer.close();
        self.handle.stop(true).await;
    }
}

impl Running {
    /// The server, and what ends it; without the latter there are no streams.
    pub fn split(self) -> (Server, Stop) {
        let handle = self.server.handle();
        (self.server, Stop { handle, closer: self.closer })
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
    Store(#[from] StoreError),
    /// The statistics could not be made anew.
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

/// Connects, migrates, listens.
pub async fn build(config: &Config) -> Result<Running, StartError> {
    let tokens = Tokens::new(config)?;
    let db = store::connect(config).await?;
    store::migrate(&db, config.store_kind()?).await.map_err(StoreError::from)?;
    let store = EventStore::start(db.clone());
    let follower = Follower::start(store.clone());
    let matches = Matches::start(store, u64::from(config.live_mib) * 1024 * 1024).await;
    let matches = matches.map_err(StoreError::from)?;
    let (closer, closing) = closing::channel();
    let app = Data::new(App {
        places: Places::new(config.streams_per_session, config.streams),
        presence: Presence::start(&matches, closing.clone()),
        hub: Hub::start(&matches, closing.clone()),
        webhooks: Webhooks::start(&matches, config, &closing),
        closing,
        matches,
        names: Names::new(db.clone()),
        pages: Pages::default(),
        shelf: Shelf::default(),
        rematches: Rematches::new(db.clone()),
        follower,
        tokens,
        personal_tokens: PersonalTokens::new(db.clone()),
        erased: Erased::default(),
        limits: Limits::new(config),
        attempts: Attempts::new(config.rates.failures),
        metrics: telemetry::recorder(),
        db,
    });
    erasure::follow(&app).await.map_err(StoreError::from)?;
    limits::tidy(&app);
    let cors_origins = cors::origins(config)?;
    let listen = |error| StartError::Listen { address: config.bind, error };
    let listener = TcpListener::bind(config.bind).map_err(listen)?;
    let address = listener.local_addr().map_err(listen)?;
    let mut server = HttpServer::new(move || {
        Service::new()
            .into_utoipa_app()
            .configure(routes::configure)
            .into_app()
            .app_data(app.clone())
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
            .default_service(web::to(elsewhere))
            .wrap(from_fn(surround))
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
    let server =
        server.disable_signals().shutdown_timeout(30).listen(listener).map_err(listen)?.run();
    Ok(Running { address, server, closer })
}

async fn get_document(known: IfNoneMatch) -> HttpResponse {
    static DOCUMENT: LazyLock<Tagged> = LazyLock::new(|| Tagged::new(openapi::TEXT.as_str()));
    DOCUMENT.respond(&known, "public, max-age=300", None)
}

async fn to_docs() -> HttpResponse {
    HttpResponse::SeeOther().insert_header((header::LOCATION, "/docs/")).finish()
}

/// Addresses that we do not know, and methods that an address does not know.
async fn elsewhere(request: HttpRequest) -> ApiResult<HttpResponse> {
    Err(match openapi::route_of(request.path()) {
        Some(route) => ApiError::method_not_allowed(route.methods()),
        None => ApiError::not_found(),
    })
}
