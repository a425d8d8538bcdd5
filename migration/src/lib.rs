//! The schema of Telar's stores, one file per change, the same for SQLite and Postgres. It has no triggers, serials,
//! database enums or foreign keys between matches, and every unique key of a table of matches contains the lane: that is what
//! allows a database to be distributed by lane.

pub use sea_orm_migration::prelude::*;

mod m0001_players;
mod m0002_matches_by_lane;
mod m0003_lobby;
mod m0004_statistics;
mod m0005_access;
mod m0006_webhooks;
mod m0007_commit_life;
mod m0008_heartbeats;
mod m0009_webhook_queues;
mod m0010_expiry;
mod m0011_sessions;
mod m0012_names;
mod m0013_signatures;
mod m0014_transparency;
mod m0016_replicas;
mod m0017_archive;
mod m0018_order_of_results;
mod m0019_matches_with_bots;
mod m0020_applications;
mod m0021_recovery_codes;
mod m0023_blocks;

/// All changes, oldest first.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_players::Migration),
            Box::new(m0002_matches_by_lane::Migration),
            Box::new(m0003_lobby::Migration),
            Box::new(m0005_access::Migration),
            Box::new(m0006_webhooks::Migration),
            Box::new(m0004_statistics::Migration),
            Box::new(m0007_commit_life::Migration),
            Box::new(m0008_heartbeats::Migration),
            Box::new(m0009_webhook_queues::Migration),
            Box::new(m0010_expiry::Migration),
            Box::new(m0011_sessions::Migration),
            Box::new(m0012_names::Migration),
            Box::new(m0013_signatures::Migration),
            Box::new(m0014_transparency::Migration),
            Box::new(m0016_replicas::Migration),
            Box::new(m0017_archive::Migration),
            Box::new(m0018_order_of_results::Migration),
            Box::new(m0019_matches_with_bots::Migration),
            Box::new(m0020_applications::Migration),
            Box::new(m0021_recovery_codes::Migration),
            Box::new(m0023_blocks::Migration),
        ]
    }
}
