//! Notifications of a shared store: a session that listens hears when the feed has grown.
//!
//! A notification is a hint, not a promise: followers have to poll as well.

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use uuid::Uuid;

use super::{EventLog, FeedPosition};
use crate::{
    error::{Error, Outage, Result},
    liveness,
};

/// The channel of notifications; each carries the position that the feed has grown to.
const CHANNEL: &str = "telar_feed";
/// Sent by a replica that begins to listen, so that one that was alone notices at once.
const HELLO: &str = "hello";
/// How the application names of the sessions that listen begin; the id of their replica follows.
pub(crate) const SESSION: &str = "telar feed ";
/// The application names of the other sessions that listen.
const OTHERS: &str = "
SELECT application_name FROM pg_stat_activity
WHERE datname = current_database() AND starts_with(application_name, $1) AND pid <> pg_backend_pid()";

/// What a listener hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedSignal {
    /// The feed has grown to this position.
    Grown(FeedPosition),
    /// Another replica has begun to listen.
    NewListener,
}

/// A session that listens for notifications of the feed.
#[derive(Debug)]
pub struct FeedListener(PgListener);

impl EventLog {
    /// Begins to listen, on a connection of its own that other replicas recognise by its name. Only for a shared store.
    pub async fn listen(&self, replica: Uuid) -> Result<FeedListener> {
        let pool = self.db.get_postgres_connection_pool();
        let name = format!("{SESSION}{replica}");
        let options = PgConnectOptions::clone(&pool.connect_options()).application_name(&name);
        let own = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
        in_time(async {
            let mut listener = PgListener::connect_with(&own).await?;
            // A lost connection is reported, not replaced half-way through waiting for a notification.
            listener.eager_reconnect(false);
            listener.listen(CHANNEL).await?;
            let hello = sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(HELLO);
            hello.execute(&mut listener).await?;
            Ok(FeedListener(listener))
        })
        .await
    }
}

impl FeedListener {
    /// Waits for the next signal. An error means that the connection is lost.
    pub async fn next(&mut self) -> Result<FeedSignal> {
        loop {
            let Some(notification) = self.0.try_recv().await? else {
                let text = "the connection was lost".to_owned();
                return Err(Error::Unavailable(Outage::Unreachable, text));
            };
            let text = notification.payload();
            if text == HELLO {
                return Ok(FeedSignal::NewListener);
            }
            if let Ok(pos) = text.parse() {
                return Ok(FeedSignal::Grown(pos));
            }
            tracing::warn!(text, "ignoring an unknown notification");
        }
    }

    /// The other replicas that listen. An error means that the connection is lost.
    pub async fn others(&mut self) -> Result<Vec<Uuid>> {
        let query = sqlx::query_scalar(OTHERS).bind(SESSION);
        let names: Vec<String> = in_time(query.fetch_all(&mut self.0)).await?;
        // A name that somebody else has chosen stands for a replica that nobody knows.
        let ids = names.iter().map(|name| name[SESSION.len()..].parse().unwrap_or_default());
        Ok(ids.collect())
    }
}

/// Waits for an answer, but not for ever.
async fn in_time<T>(answer: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T> {
    let answer = tokio::time::timeout(liveness::CONNECT, answer).await;
    Ok(answer.unwrap_or_else(|_| Err(liveness::silence()))?)
}
