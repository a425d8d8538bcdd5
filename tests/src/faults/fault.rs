//! What a fault is, and the list of all faults.

use std::{pin::Pin, time::Duration};

use super::{
    clock_jumps, connections_cut, connections_delayed, connections_silent, disk_full, link_silent,
    postgres_killed, replica_frozen, requests_tenfold, server_killed, stage::Stage, store_isolated,
};
use crate::server::Store;

/// Breaks something for about this long and heals it.
pub type Strike = for<'a> fn(&'a mut Stage, Duration) -> Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Something that breaks.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// Its name.
    pub name: &'static str,
    /// The stores on which it can happen.
    pub stores: &'static [Store],
    /// What the stage must have for it.
    pub needs: Needs,
    /// Whether it is part of the short form.
    pub is_short: bool,
    /// Breaks something and heals it.
    pub strike: Strike,
}

/// What a fault needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing in particular.
    Nothing,
    /// A proxy between the server and Postgres.
    Proxy,
    /// A proxy between the replicas.
    Link,
    /// A small disk.
    Disk,
    /// A clock that can be set.
    Clock,
}

/// Both stores.
pub const BOTH: &[Store] = &[Store::Sqlite, Store::Postgres];
/// Only Postgres.
pub const POSTGRES: &[Store] = &[Store::Postgres];

/// All faults, in the order of the table.
pub const ALL: [Fault; 11] = [
    server_killed::FAULT,
    postgres_killed::FAULT,
    connections_cut::FAULT,
    connections_delayed::FAULT,
    connections_silent::FAULT,
    store_isolated::FAULT,
    disk_full::FAULT,
    replica_frozen::FAULT,
    link_silent::FAULT,
    requests_tenfold::FAULT,
    clock_jumps::FAULT,
];
