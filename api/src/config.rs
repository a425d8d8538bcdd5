//! What can be configured: flags, each with an environment variable.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use service::webhooks;

use crate::http::address::{ProxyHeader, TrustedProxies};

/// A server for turn-based board games.
#[derive(Debug, Clone, Parser)]
#[command(name = "telar", version, about)]
pub struct Config {
    /// What to do; serves if nothing is said.
    #[command(subcommand)]
    pub command: Option<Task>,

    /// The address to listen on; port 0 takes a free one.
    #[arg(long, env = "TELAR_BIND", default_value = "127.0.0.1:8080", global = true)]
    pub bind: SocketAddr,

    /// The store: postgres://… or sqlite://…; an embedded SQLite file in the data directory if it is not set.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<String>,

    /// Where the embedded store and the generated signing key live.
    #[arg(long, env = "TELAR_DATA_DIR", default_value = "./data", global = true)]
    pub data_dir: PathBuf,

    /// Keys that sign access tokens: 32 bytes in base64, the first one signs, further ones (after commas) are still
    /// accepted. Generated in the data directory if not set; replicas have to share it.
    #[arg(long, env = "TELAR_SIGNING_KEY", hide_env_values = true, global = true)]
    pub signing_key: Option<String>,

    /// The issuer named in access tokens: the address under which clients reach the server.
    #[arg(long, env = "TELAR_ISSUER", default_value = "http://127.0.0.1:8080", global = true)]
    pub issuer: String,

    /// How many connections to the store may be open.
    #[arg(long, env = "TELAR_DB_CONNECTIONS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1000), global = true)]
    pub db_connections: u32,

    /// How many threads answer requests; one a core if not set.
    #[arg(long, env = "TELAR_WORKERS", value_parser = clap::value_parser!(u16).range(1..=1024), global = true)]
    pub workers: Option<u16>,

    /// How many MiB of matches are kept in memory; a match takes about 2 KiB.
    #[arg(long, env = "TELAR_LIVE_MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub live_mib: u32,

    /// How often anybody may ask.
    #[command(flatten)]
    pub rates: Rates,

    /// The proxies in front of the server, which say where requests come from: how many there are, or their addresses as CIDRs
    /// after commas. Nobody is believed if not set.
    #[arg(long, env = "TELAR_TRUSTED_PROXIES", default_value = "", global = true)]
    pub trusted_proxies: TrustedProxies,

    /// The header in which those proxies say so.
    #[arg(long, env = "TELAR_PROXY_HEADER", value_enum, default_value_t = ProxyHeader::XForwardedFor, global = true)]
    pub proxy_header: ProxyHeader,

    /// The origins whose pages may use the server from a browser, after commas, as in `https://example.com`; `*` for all. None
    /// if not set.
    #[arg(long, env = "TELAR_CORS_ORIGINS", value_delimiter = ',', global = true)]
    pub cors_origins: Vec<String>,
    /// How many streams a session may have open at a time.
    #[arg(long, env = "TELAR_STREAMS_PER_SESSION", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub streams_per_session: u32,

    /// How many streams may be open at a time in all.
    #[arg(long, env = "TELAR_STREAMS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub streams: u32,

    /// Whether webhooks may be called without TLS; for tests.
    #[arg(long, env = "TELAR_WEBHOOK_ALLOW_HTTP", global = true)]
    pub webhook_allow_http: bool,

    /// Whether webhooks may be called that are not on the public Internet; for tests.
    #[arg(long, env = "TELAR_WEBHOOK_ALLOW_PRIVATE", global = true)]
    pub webhook_allow_private: bool,

    /// The ceiling of the first pause before a webhook is called again, in milliseconds; each is four times the one before.
    #[arg(long, env = "TELAR_WEBHOOK_RETRY_MILLIS", default_value_t = 15_000, value_parser = clap::value_parser!(u64).range(0..=3_600_000), global = true)]
    pub webhook_retry_millis: u64,

    /// What to log, as in `info` or `api=debug,warn`.
    #[arg(long, env = "TELAR_LOG", default_value = "info", global = true)]
    pub log: String,

    /// How to log.
    #[arg(long, env = "TELAR_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text, global = true)]
    pub log_format: LogFormat,
}

/// How often anybody may ask, per minute; 0 is as often as they like. Each replica counts by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct Rates {
    /// Requests a minute by one player, moves not counted.
    #[arg(
        long = "rate-requests",
        env = "TELAR_RATE_REQUESTS",
        default_value_t = 1_200,
        global = true
    )]
    pub requests: u32,

    /// Moves a minute by one player.
    #[arg(long = "rate-moves", env = "TELAR_RATE_MOVES", default_value_t = 600, global = true)]
    pub moves: u32,

    /// Requests of all kinds a minute from one address.
    #[arg(
        long = "rate-address",
        env = "TELAR_RATE_ADDRESS",
        default_value_t = 6_000,
        global = true
    )]
    pub address: u32,

    /// New guests, new accounts and log-ins a minute from one address.
    #[arg(
        long = "rate-sign-ins",
        env = "TELAR_RATE_SIGN_INS",
        default_value_t = 30,
        global = true
    )]
    pub sign_ins: u32,

    /// Wrong passwords for one account from one address before delays begin; they double from 1 second to 15 minutes.
    #[arg(long = "rate-failures", env = "TELAR_RATE_FAILURES", default_value_t = 5, global = true)]
    pub failures: u32,
}

impl Rates {
    /// As often as they like.
    pub const UNLIMITED: Self =
        Self { requests: 0, moves: 0, address: 0, sign_ins: 0, failures: 0 };
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Task {
    /// Run the server.
    Serve,
    /// Bring the schema of the store up to date, and stop.
    Migrate,
    /// Fill the store with matches played at random, to look at and to measure with.
    Seed(SeedArgs),
    /// Make statistics, ratings and leaderboards anew from the log, while servers run, and stop.
    Rebuild,
    /// Check a proof or an export offline: every hash, and that every die and every shuffle follows from the seed.
    Verify {
        /// The file, with one document or one a line; `-` reads standard input.
        file: PathBuf,
        /// A proof of the same match from before its end, which this one has to continue.
        #[arg(long)]
        earlier: Option<PathBuf>,
    },
    /// Read exported matches into the store, with the same hashes. Each is checked first; doing it twice is harmless.
    Import {
        /// The files, with one match each or one a line; `-` reads standard input.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// What to play.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct SeedArgs {
    /// How many matches.
    #[arg(long, default_value_t = 1_000)]
    pub matches: u64,
    /// Which games, separated by commas; all of them in turn if left out.
    #[arg(long, value_delimiter = ',')]
    pub games: Vec<String>,
    /// How many seats; every number that a game allows in turn if left out.
    #[arg(long)]
    pub seats: Option<u8>,
    /// Between how many players.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(8..=1_000_000))]
    pub players: u32,
    /// Over how many days before now.
    #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub days: u32,
    /// Let the matches count for ratings, as if players with accounts had played them: to measure with, not for a server that
    /// people use.
    #[arg(long)]
    pub rated: bool,
}

/// How to log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line.
    Json,
}

/// A configuration that cannot work, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);

impl Config {
    /// Reads flags and environment; prints help or one line about what is wrong, and ends the process then.
    #[must_use]
    pub fn from_environment() -> Self {
        Self::try_parse().unwrap_or_else(|error| {
            if error.use_stderr() {
                eprintln!("telar: {}", one_line(&error.to_string()));
                std::process::exit(2);
            }
            error.exit()
        })
    }

    /// A configuration for a server of its own, whatever the environment says: port 0 and a data directory.
    #[must_use]
    pub fn for_directory(data_dir: PathBuf, database_url: Option<String>) -> Self {
        Self {
            command: None,
            bind: SocketAddr::from(([127, 0, 0, 1], 0)),
            database_url,
            data_dir,
            signing_key: None,
            issuer: "http://127.0.0.1".to_owned(),
            db_connections: 16,
            workers: None,
            live_mib: 256,
            rates: Rates::UNLIMITED,
            trusted_proxies: TrustedProxies::Nobody,
            proxy_header: ProxyHeader::XForwardedFor,
            cors_origins: Vec::new(),
            streams_per_session: 32,
            streams: 10_000,
            webhook_allow_http: false,
            webhook_allow_private: false,
            webhook_retry_millis: 15_000,
            log: "warn".to_owned(),
            log_format: LogFormat::Text,
        }
    }

    /// Where the store is.
    #[must_use]
    pub fn store(&self) -> store::Settings {
        store::Settings {
            database_url: self.database_url.clone(),
            data_dir: self.data_dir.clone(),
            connections: self.db_connections,
        }
    }

    /// How webhooks are called.
    #[must_use]
    pub fn webhooks(&self) -> webhooks::Settings {
        webhooks::Settings {
            policy: webhooks::Policy {
                http: self.webhook_allow_http,
                private: self.webhook_allow_private,
            },
            retry_millis: self.webhook_retry_millis,
        }
    }
}

/// The first sentence of a message that was made for several lines.
fn one_line(message: &str) -> String {
    let paragraph = message.split("\n\n").next().unwrap_or(message);
    let line: Vec<&str> = paragraph.split_whitespace().collect();
    line.join(" ").trim_start_matches("error: ").to_owned()
}
