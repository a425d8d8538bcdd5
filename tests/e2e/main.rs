//! End-to-end tests over HTTP against real databases, each with its own server and database.
#![expect(clippy::unwrap_used, reason = "a test that cannot be carried out has failed")]

/// Makes two tests of each of these functions, `<function>::sqlite` and `<function>::postgres`. A function takes a server
/// on an empty store. One that is missing here is reported as dead code.
macro_rules! on_both_stores {
    ($($test:ident),+ $(,)?) => {
        $(
            mod $test {
                use tests::server::{Server, Store};

                #[actix_web::test]
                async fn sqlite() {
                    super::$test(Server::start(Store::Sqlite).await).await;
                }

                #[actix_web::test]
                async fn postgres() {
                    super::$test(Server::start(Store::Postgres).await).await;
                }
            }
        )+
    };
}

mod access;
mod application_access;
mod application_players;
mod applications;
mod archive;
mod blocks;
mod boards;
mod bots;
mod caching;
mod caps;
mod clock;
mod deadlines;
mod distribution;
mod documents;
mod encryption;
mod erasure;
mod errors;
mod expiry;
mod explanations;
mod fairness;
mod feed;
mod forks;
mod idempotency;
mod lanes;
mod life;
mod limits;
mod lists;
mod load;
mod lobby;
mod luck;
mod migrations;
mod names;
mod order;
mod outages;
mod pages;
mod partitions;
mod pauses;
mod play;
mod players;
mod privacy;
mod projections;
mod records;
mod recovery;
mod replicas;
mod retries;
mod secrets;
mod sessions;
mod signatures;
mod standby;
mod statistics;
mod streams;
mod tasks;
mod transparency;
mod webhook_tokens;
mod webhooks;
mod wire;
