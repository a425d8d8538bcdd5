//! End to end: over HTTP, against real databases, every test on a server and a database of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot be carried out has failed")]

/// Runs a test on both stores.
macro_rules! on_both_stores {
    ($($(#[$doc:meta])* async fn $name:ident($server:ident: Server) $body:block)*) => {
        $(
            $(#[$doc])*
            mod $name {
                #[allow(unused_imports, reason = "not every test needs everything")]
                use super::*;

                async fn run($server: ::tests::server::Server) $body

                #[actix_web::test]
                async fn sqlite() {
                    run(::tests::server::Server::start(::tests::server::Store::Sqlite).await).await;
                }

                #[actix_web::test]
                async fn postgres() {
                    run(::tests::server::Server::start(::tests::server::Store::Postgres).await).await;
                }
            }
        )*
    };
}

mod access;
mod boards;
mod caching;
mod clock;
mod deadlines;
mod documents;
mod erasure;
mod errors;
mod feed;
mod forks;
mod idempotency;
mod life;
mod limits;
mod lists;
mod lobby;
mod luck;
mod pauses;
mod play;
mod players;
mod projections;
mod records;
mod replicas;
mod secrets;
mod statistics;
mod streams;
mod tasks;
mod webhooks;
