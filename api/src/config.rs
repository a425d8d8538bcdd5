//! The configuration: command-line flags, each with an environment variable.

use std::{
    net::{AddrParseError, SocketAddr},
    path::PathBuf,
    str::FromStr,
    time::Duration,
};

use clap::{Args, Parser, Subcommand, ValueEnum};
use domain::bot::BotLevel;
use service::{expiry, identity::ApplicationScope, link, occupancy::Caps, webhooks};
use store::Lanes;
use time::{Date, macros::format_description};
use uuid::Uuid;

use crate::http::address::{ProxyHeader, TrustedProxies};

/// A server for turn-based board games.
#[derive(Debug, Clone, Parser)]
#[command(name = "telar", version, about)]
pub struct Config {
    /// The command; `serve` by default.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// The address to listen on; port 0 picks a free port.
    #[arg(long, env = "TELAR_BIND", default_value = "127.0.0.1:8080", global = true)]
    pub bind: SocketAddr,

    /// A separate address for `/metrics`, which is then not served on the main one. None by default.
    #[arg(long, env = "TELAR_METRICS_BIND", global = true)]
    pub metrics_bind: Option<SocketAddr>,

    /// The address on which this replica takes commands from the other replicas of a Postgres store, or `off`. By default only
    /// replicas on the same machine find each other. Replicas without a link work as well, but slower.
    #[arg(long, env = "TELAR_LINK_BIND", default_value = "127.0.0.1:0", global = true)]
    pub link_bind: LinkBind,

    /// The host and port at which other replicas reach `--link-bind`, if they differ from it.
    #[arg(long, env = "TELAR_LINK_ADDRESS", global = true)]
    pub link_address: Option<String>,

    /// The URL of the store: postgres://… or sqlite://…. Defaults to an embedded SQLite file in the data directory.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<String>,

    /// The URL of a streaming standby of the Postgres store. It answers reads once it has what they need; the store itself
    /// answers the others.
    #[arg(long, env = "TELAR_READ_URL", hide_env_values = true, global = true)]
    pub read_url: Option<String>,

    /// Serve reads only, from a Postgres that may be a standby. Nothing is written; requests that would change something are
    /// refused.
    #[arg(long, env = "TELAR_READ_ONLY", global = true)]
    pub read_only: bool,

    /// The number of lanes of a new store, 64 by default. It is chosen when the store is created and cannot be changed later; an
    /// existing store must have as many.
    #[arg(long, env = "TELAR_LANES", value_parser = clap::value_parser!(u16).range(1..=i64::from(Lanes::MAX)), global = true)]
    pub lanes: Option<u16>,

    /// The directory of archived matches, which `telar archive` has written. The server only reads it.
    #[arg(long, env = "TELAR_ARCHIVE", global = true)]
    pub archive: Option<PathBuf>,

    /// The directory of the embedded store and the generated keys.
    #[arg(long, env = "TELAR_DATA_DIR", default_value = "./data", global = true)]
    pub data_dir: PathBuf,

    /// The keys that sign access tokens: 32 bytes in base64 each, separated by commas. The first one signs; all are accepted. By
    /// default, a key is generated in the data directory. Replicas must share their keys.
    #[arg(long, env = "TELAR_SIGNING_KEY", hide_env_values = true, global = true)]
    pub signing_key: Option<String>,

    /// The keys that encrypt seeds and secrets in the store: 32 bytes in base64 each, separated by commas. The first one
    /// encrypts; all decrypt. By default, a key is generated in the data directory. Replicas must share their keys. Keep them
    /// with your backups: without its keys, a store cannot be read.
    #[arg(long, env = "TELAR_STORAGE_KEY", hide_env_values = true, global = true)]
    pub storage_key: Option<String>,

    /// The issuer in access tokens: the public URL of the server.
    #[arg(long, env = "TELAR_ISSUER", default_value = "http://127.0.0.1:8080", global = true)]
    pub issuer: String,

    /// The maximum number of connections for everything but moves and notifications, which have two of their own on Postgres. At
    /// least 4: two background tasks read while they hold a transaction.
    #[arg(long, env = "TELAR_DB_CONNECTIONS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(4..=1000), global = true)]
    pub db_connections: u32,

    /// The number of threads that serve requests; one per core by default.
    #[arg(long, env = "TELAR_WORKERS", value_parser = clap::value_parser!(u16).range(1..=1024), global = true)]
    pub workers: Option<u16>,

    /// The number of threads on which bots think; half of the cores by default, at least one. They give way to those that serve
    /// requests. With 0, bots do not move here; on a store with several replicas, the others move for them.
    #[arg(long, env = "TELAR_BOT_THREADS", value_parser = clap::value_parser!(u16).range(0..=1024), global = true)]
    pub bot_threads: Option<u16>,

    /// The maximum number of open connections in total. It is lowered if the system allows fewer open files.
    #[arg(long, env = "TELAR_CONNECTIONS", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub connections: u32,

    /// The maximum number of open connections per address, at most half of all; 0 means no limit. Trusted proxies have none.
    #[arg(long, env = "TELAR_CONNECTIONS_PER_ADDRESS", default_value_t = 2_000, global = true)]
    pub connections_per_address: u32,

    /// The seconds that a client may take to send the head of a request, and its body.
    #[arg(long, env = "TELAR_REQUEST_SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600), global = true)]
    pub request_seconds: u64,

    /// The memory for matches, in MiB. A match takes about 2 KiB.
    #[arg(long, env = "TELAR_LIVE_MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub live_mib: u32,

    /// Rate limits.
    #[command(flatten)]
    pub rates: Rates,

    /// The trusted proxies in front of the server: their number, or their addresses as CIDRs separated by commas. None by
    /// default: the client address is that of the connection.
    #[arg(long, env = "TELAR_TRUSTED_PROXIES", default_value = "", global = true)]
    pub trusted_proxies: TrustedProxies,

    /// The header in which trusted proxies pass the client address.
    #[arg(long, env = "TELAR_PROXY_HEADER", value_enum, default_value_t = ProxyHeader::XForwardedFor, global = true)]
    pub proxy_header: ProxyHeader,

    /// The origins whose pages may call the server from a browser, separated by commas, such as `https://example.com`; `*` allows
    /// all. None by default.
    #[arg(long, env = "TELAR_CORS_ORIGINS", value_delimiter = ',', global = true)]
    pub cors_origins: Vec<String>,

    /// The maximum number of open streams per session.
    #[arg(long, env = "TELAR_STREAMS_PER_SESSION", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub streams_per_session: u32,

    /// The maximum number of open streams per player, over all sessions and tokens; 0 means no limit.
    #[arg(long, env = "TELAR_STREAMS_PER_PLAYER", default_value_t = 64, global = true)]
    pub streams_per_player: u32,

    /// The maximum number of open streams per address; 0 means no limit.
    #[arg(long, env = "TELAR_STREAMS_PER_ADDRESS", default_value_t = 1_000, global = true)]
    pub streams_per_address: u32,

    /// The maximum number of open streams in total.
    #[arg(long, env = "TELAR_STREAMS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub streams: u32,

    /// The maximum number of running exports per player; 0 means no limit.
    #[arg(long, env = "TELAR_EXPORTS_PER_PLAYER", default_value_t = 2, global = true)]
    pub exports_per_player: u32,

    /// The maximum number of running exports per address; 0 means no limit.
    #[arg(long, env = "TELAR_EXPORTS_PER_ADDRESS", default_value_t = 4, global = true)]
    pub exports_per_address: u32,

    /// The maximum number of running exports in total.
    #[arg(long, env = "TELAR_EXPORTS", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub exports: u32,

    /// Allow webhooks without TLS; for tests.
    #[arg(long, env = "TELAR_WEBHOOK_ALLOW_HTTP", global = true)]
    pub webhook_allow_http: bool,

    /// Allow webhooks outside the public Internet; for tests.
    #[arg(long, env = "TELAR_WEBHOOK_ALLOW_PRIVATE", global = true)]
    pub webhook_allow_private: bool,

    /// The longest first pause before a webhook is retried, in milliseconds; each further pause is up to four times longer.
    #[arg(long, env = "TELAR_WEBHOOK_RETRY_MILLIS", default_value_t = 15_000, value_parser = clap::value_parser!(u64).range(0..=3_600_000), global = true)]
    pub webhook_retry_millis: u64,

    /// How long things are kept.
    #[command(flatten)]
    pub ages: Ages,

    /// The log filter, such as `info` or `api=debug,warn`.
    #[arg(long, env = "TELAR_LOG", default_value = "info", global = true)]
    pub log: String,

    /// The log format.
    #[arg(long, env = "TELAR_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text, global = true)]
    pub log_format: LogFormat,
}

/// Rate limits per minute; 0 means no limit. Each replica counts on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct Rates {
    /// Requests per minute and player, not counting moves.
    #[arg(
        long = "rate-requests",
        env = "TELAR_RATE_REQUESTS",
        default_value_t = 1_200,
        global = true
    )]
    pub requests: u32,

    /// Moves per minute and player.
    #[arg(long = "rate-moves", env = "TELAR_RATE_MOVES", default_value_t = 600, global = true)]
    pub moves: u32,

    /// Requests of any kind per minute and address.
    #[arg(
        long = "rate-address",
        env = "TELAR_RATE_ADDRESS",
        default_value_t = 6_000,
        global = true
    )]
    pub address: u32,

    /// New guests, new accounts and logins per minute and address.
    #[arg(
        long = "rate-sign-ins",
        env = "TELAR_RATE_SIGN_INS",
        default_value_t = 30,
        global = true
    )]
    pub sign_ins: u32,

    /// Requests of any kind per minute and application, whatever their address.
    #[arg(
        long = "rate-applications",
        env = "TELAR_RATE_APPLICATIONS",
        default_value_t = 30_000,
        global = true
    )]
    pub applications: u32,

    /// Wrong passwords per account and address before delays begin; delays double from 1 second to 15 minutes.
    #[arg(long = "rate-failures", env = "TELAR_RATE_FAILURES", default_value_t = 5, global = true)]
    pub failures: u32,

    /// Exported matches per minute, by one player and from one address. Exports beyond that are slowed down.
    #[arg(
        long = "rate-exports",
        env = "TELAR_RATE_EXPORTS",
        default_value_t = 20_000,
        global = true
    )]
    pub exported: u32,

    /// What a player may spend on hints per minute. A hint costs 1 at the level `novice`, then 2, 5, 20 and 60.
    #[arg(long = "rate-hints", env = "TELAR_RATE_HINTS", default_value_t = 120, global = true)]
    pub hints: u32,
}

impl Rates {
    /// No limits.
    pub const UNLIMITED: Self = Self {
        requests: 0,
        moves: 0,
        address: 0,
        sign_ins: 0,
        applications: 0,
        failures: 0,
        exported: 0,
        hints: 0,
    };
}

/// How long things are kept, in days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct Ages {
    /// Sessions that have ended; guests are deleted with their last session.
    #[arg(long = "keep-sessions-days", env = "TELAR_KEEP_SESSIONS_DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=36_500), global = true)]
    pub sessions: u32,

    /// Idempotency keys.
    #[arg(long = "keep-keys-days", env = "TELAR_KEEP_KEYS_DAYS", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=36_500), global = true)]
    pub keys: u32,

    /// Completed deliveries to webhooks.
    #[arg(long = "keep-deliveries-days", env = "TELAR_KEEP_DELIVERIES_DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=36_500), global = true)]
    pub deliveries: u32,

    /// Matches that have not started; they are then abandoned.
    #[arg(long = "keep-unstarted-days", env = "TELAR_KEEP_UNSTARTED_DAYS", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=36_500), global = true)]
    pub unstarted: u32,
}

impl Ages {
    /// The default ages.
    pub const DEFAULT: Self = Self { sessions: 30, keys: 7, deliveries: 30, unstarted: 7 };
}

impl From<Ages> for expiry::Ages {
    fn from(ages: Ages) -> Self {
        let days = |days: u32| Duration::from_hours(u64::from(days) * 24);
        Self {
            sessions: days(ages.sessions),
            keys: days(ages.keys),
            deliveries: days(ages.deliveries),
            unstarted: days(ages.unstarted),
        }
    }
}

/// A command of `telar`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Run the server.
    Serve,
    /// Bring the schema of the store up to date and exit.
    Migrate(MigrateArgs),
    /// Fill the store with randomly played matches, for demos and benchmarks.
    Seed(SeedArgs),
    /// Play a match against bots in the terminal. It needs no server and leaves no trace.
    Play(PlayArgs),
    /// Rebuild statistics, ratings and leaderboards from the log and exit. Servers can keep running.
    Rebuild,
    /// Verify a proof or an export offline: every hash, every die and every shuffle, and with `--keys` who signed it.
    Verify(VerifyArgs),
    /// Check that the transparency log of a server was only appended to since an earlier tree head.
    Audit {
        /// The key set of the server: a copy of `/.well-known/jwks.json`.
        #[arg(long = "keys", id = "key_set")]
        keys: PathBuf,
        /// The earlier head: a response of `/v1/transparency/tree-head`.
        earlier: PathBuf,
        /// The response of `/v1/transparency/consistency` with the size of that head as `first`.
        consistency: PathBuf,
    },
    /// Copy an SQLite store to a new file while servers use it.
    Backup {
        /// The file, which must not exist yet.
        file: PathBuf,
    },
    /// Move matches that ended long ago from the log to compressed files. They stay readable by servers that know the directory
    /// (`--archive`). Servers can keep running; repeating it is harmless.
    Archive(ArchiveArgs),
    /// Import exported matches into the store, with the same hashes. Each is verified first; importing twice is harmless.
    Import(ImportArgs),
    /// Manage applications: back ends with a credential of their own, which bring their own players.
    #[command(subcommand)]
    App(AppCommand),
}

/// What to do with applications.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum AppCommand {
    /// Create an application, and print its client id and its secret. The secret is not shown again.
    Create {
        /// What to call it.
        name: String,
        /// What it may do, separated by commas: `player:write`, `session:create`, `match:read`, `match:play`. Everything by default.
        #[arg(long, value_delimiter = ',', value_parser = application_scope)]
        scopes: Vec<ApplicationScope>,
    },
    /// List all applications.
    List,
    /// Give an application a new secret. The one before it works for a while longer, so that it can be replaced without a pause.
    Rotate {
        /// The client id.
        client_id: Uuid,
        /// For how many hours the secret before it still works. With 0 it ends at once, and so do the tokens that were issued for it.
        #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u16).range(0..=8_760))]
        overlap_hours: u16,
        /// Also end the sessions and personal access tokens of its players, for a secret that somebody else may have used.
        #[arg(long)]
        end_sessions: bool,
    },
    /// Revoke an application for ever. Its tokens and the sessions of its players end; the players stay, with their matches.
    Revoke {
        /// The client id.
        client_id: Uuid,
    },
}

fn application_scope(text: &str) -> Result<ApplicationScope, String> {
    ApplicationScope::from_id(text).ok_or_else(|| {
        let known = ApplicationScope::ALL.map(ApplicationScope::id).join(", ");
        format!("the scopes of applications are {known}")
    })
}

/// What to change in the store besides its schema.
#[derive(Debug, Clone, PartialEq, Eq, Default, Args)]
pub struct MigrateArgs {
    /// Divide the log of a Postgres store into partitions by the time at which matches were created. What is in the log becomes
    /// the first partition; players wait while Postgres reads it once.
    #[arg(long, value_enum, conflicts_with = "distribute")]
    pub partition_by: Option<PartitionBy>,

    /// Distribute the store over the nodes of a Citus cluster. All servers must be stopped. What has been done already is not
    /// done again.
    #[arg(long)]
    pub distribute: bool,
}

/// How the log is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PartitionBy {
    /// One partition per month, created ahead of time by the server.
    Month,
}

/// The matches to archive.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct ArchiveArgs {
    /// Archive matches that ended before this day (UTC), such as 2026-01-31. At least a day has to have passed since.
    #[arg(long, value_parser = date)]
    pub before: Date,
    /// The directory of the files, which is created if it does not exist.
    #[arg(long)]
    pub to: PathBuf,
    /// Only count the matches.
    #[arg(long)]
    pub dry_run: bool,
}

fn date(text: &str) -> Result<Date, &'static str> {
    let format = format_description!("[year]-[month]-[day]");
    Date::parse(text, &format).map_err(|_| "a day is written as 2026-01-31")
}

/// The proofs to verify, and what they are compared with.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct VerifyArgs {
    /// The file, with one document per line; `-` reads standard input.
    pub file: PathBuf,
    /// An earlier proof of the same match, which the file must continue.
    #[arg(long)]
    pub earlier: Option<PathBuf>,
    /// The key set of the server that played the matches: a copy of its `/.well-known/jwks.json`. With it, unsigned matches are
    /// flawed.
    // The id differs from that of other settings, which are global.
    #[arg(long = "keys", id = "key_set")]
    pub keys: Option<PathBuf>,
    /// The proof that the match is in the transparency log of the server: a response of `/v1/transparency/inclusion`.
    #[arg(long, requires = "key_set")]
    pub inclusion: Option<PathBuf>,
}

/// The matches to import.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct ImportArgs {
    /// The files, with one match per line; `-` reads standard input.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The key set of the server that played the matches: a copy of its `/.well-known/jwks.json`. With it, only signed matches are
    /// imported.
    // The id differs from that of other settings, which are global.
    #[arg(long = "keys", id = "key_set")]
    pub keys: Option<PathBuf>,
}

/// The matches to play.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct SeedArgs {
    /// The number of finished matches. A few that are in progress or open are added.
    #[arg(long, default_value_t = 1_000)]
    pub matches: u64,
    /// The games, separated by commas; all games in turn by default.
    #[arg(long, value_delimiter = ',')]
    pub games: Vec<String>,
    /// The number of seats; every number that a game allows in turn by default.
    #[arg(long)]
    pub seats: Option<u8>,
    /// The number of players.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(8..=1_000_000))]
    pub players: u32,
    /// The number of past days over which the matches are spread.
    #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub days: u32,
    /// Count the matches for ratings, as if players with accounts had played them. For benchmarks; not for a server in
    /// production.
    #[arg(long)]
    pub rated: bool,
    /// Let bots choose the moves, so that scores, charts and ratings look real. Every player has a level of its own, up to `club`.
    /// It takes many times longer than random moves.
    #[arg(long)]
    pub bots: bool,
}

/// The match to play in the terminal.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct PlayArgs {
    /// The game.
    pub game: String,
    /// The level of the bots: novice, casual, club, expert or master.
    #[arg(long, default_value = "club", value_parser = level)]
    pub level: BotLevel,
    /// The number of seats; as few as the game allows by default.
    #[arg(long)]
    pub seats: Option<u8>,
    /// Speak Spanish.
    #[arg(long)]
    pub spanish: bool,
}

fn level(text: &str) -> Result<BotLevel, &'static str> {
    BotLevel::find(text).ok_or("a level is novice, casual, club, expert or master")
}

/// Where to listen for other replicas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkBind {
    /// Nowhere.
    Off,
    /// At this address.
    At(SocketAddr),
}

impl FromStr for LinkBind {
    type Err = AddrParseError;

    fn from_str(text: &str) -> Result<Self, AddrParseError> {
        if text == "off" { Ok(Self::Off) } else { text.parse().map(Self::At) }
    }
}

/// A log format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Human-readable lines.
    Text,
    /// One JSON object per line.
    Json,
}

/// A configuration that cannot work, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);

impl Config {
    /// Reads flags and environment variables. Prints the help or a one-line error and ends the process if there is nothing to run.
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

    /// A configuration for tests, which ignores the environment: a free port, no limits per client, and this data directory.
    #[must_use]
    pub fn for_directory(data_dir: PathBuf, database_url: Option<String>) -> Self {
        Self {
            command: None,
            bind: SocketAddr::from(([127, 0, 0, 1], 0)),
            metrics_bind: None,
            link_bind: LinkBind::At(SocketAddr::from(([127, 0, 0, 1], 0))),
            link_address: None,
            database_url,
            read_url: None,
            read_only: false,
            lanes: None,
            archive: None,
            data_dir,
            signing_key: None,
            storage_key: None,
            issuer: "http://127.0.0.1".to_owned(),
            db_connections: 16,
            workers: None,
            bot_threads: Some(1),
            connections: 20_000,
            connections_per_address: 0,
            request_seconds: 10,
            live_mib: 256,
            rates: Rates::UNLIMITED,
            trusted_proxies: TrustedProxies::Nobody,
            proxy_header: ProxyHeader::XForwardedFor,
            cors_origins: Vec::new(),
            streams_per_session: 32,
            streams_per_player: 0,
            streams_per_address: 0,
            streams: 10_000,
            exports_per_player: 0,
            exports_per_address: 0,
            exports: 64,
            webhook_allow_http: false,
            webhook_allow_private: false,
            webhook_retry_millis: 15_000,
            ages: Ages::DEFAULT,
            log: "warn".to_owned(),
            log_format: LogFormat::Text,
        }
    }

    /// Refuses settings that contradict each other.
    pub fn check(&self) -> Result<(), ConfigError> {
        let serves = matches!(self.command, None | Some(Command::Serve));
        if self.read_only && !serves {
            return Err(ConfigError("--read-only: only `serve` can do without writing".to_owned()));
        }
        if let LinkBind::At(bind) = self.link_bind
            && bind.ip().is_unspecified()
            && self.link_address.is_none()
        {
            return Err(ConfigError(format!(
                "--link-bind {bind}: --link-address has to say where other replicas reach this one"
            )));
        }
        if self.read_only && self.read_url.is_some() {
            return Err(ConfigError(
                "--read-only and --read-url exclude each other; a read-only server reads from DATABASE_URL"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// How many streams may be open.
    #[must_use]
    pub fn stream_caps(&self) -> Caps {
        Caps {
            session: self.streams_per_session,
            player: self.streams_per_player,
            address: self.streams_per_address,
            all: self.streams,
        }
    }

    /// How many exports may run.
    #[must_use]
    pub fn export_caps(&self) -> Caps {
        Caps {
            session: 0,
            player: self.exports_per_player,
            address: self.exports_per_address,
            all: self.exports,
        }
    }

    /// The settings of the store.
    #[must_use]
    pub fn store(&self) -> store::Settings {
        store::Settings {
            database_url: self.database_url.clone(),
            read_url: self.read_url.clone(),
            read_only: self.read_only,
            data_dir: self.data_dir.clone(),
            connections: self.db_connections,
        }
    }

    /// The number of lanes that the store should have.
    #[must_use]
    pub fn lanes(&self) -> Option<Lanes> {
        self.lanes.and_then(Lanes::new)
    }

    /// Where this replica listens for the others; nothing if it does not.
    #[must_use]
    pub fn link(&self) -> Option<link::Settings> {
        match self.link_bind {
            LinkBind::Off => None,
            LinkBind::At(bind) => {
                Some(link::Settings { bind, advertised: self.link_address.clone() })
            }
        }
    }

    /// The number of threads on which bots think.
    #[must_use]
    pub fn bot_threads(&self) -> usize {
        let half =
            || std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1));
        self.bot_threads.map_or_else(half, usize::from)
    }

    /// The settings of webhooks.
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

/// The first paragraph of a message, on one line.
fn one_line(message: &str) -> String {
    let paragraph = message.split("\n\n").next().unwrap_or(message);
    let line: Vec<&str> = paragraph.split_whitespace().collect();
    line.join(" ").trim_start_matches("error: ").to_owned()
}
