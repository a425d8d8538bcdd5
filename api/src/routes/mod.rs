//! The HTTP surface: `<resource>/<verb>.rs`, one endpoint a file.

use crate::middleware::Endpoint;

pub mod apps;
pub mod bots;
pub mod exports;
pub mod games;
pub mod guests;
pub mod invitations;
pub mod matches;
pub mod me;
pub mod moves;
pub mod oauth;
pub mod players;
pub mod rules;
pub mod seats;
pub mod sessions;
pub mod statistics;
pub mod system;
pub mod tokens;
pub mod transparency;
pub mod webhooks;

/// Every endpoint; the OpenAPI document is made of the same list.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    // Routes are tried in this order, the busiest first.
    vec![
        matches::get::endpoint(),
        moves::make::endpoint(),
        moves::legal::endpoint(),
        guests::create::endpoint(),
        guests::recover::endpoint(),
        players::create::endpoint(),
        players::get::endpoint(),
        players::stats::endpoint(),
        players::matches::endpoint(),
        players::versus::endpoint(),
        players::rating_history::endpoint(),
        players::charts::endpoint(),
        players::chart::endpoint(),
        sessions::create::endpoint(),
        sessions::refresh::endpoint(),
        sessions::delete::endpoint(),
        me::get::endpoint(),
        me::update::endpoint(),
        me::delete::endpoint(),
        me::sessions::list::endpoint(),
        me::sessions::delete::endpoint(),
        me::sessions::delete_others::endpoint(),
        me::blocks::list::endpoint(),
        me::blocks::put::endpoint(),
        me::blocks::delete::endpoint(),
        tokens::create::endpoint(),
        tokens::list::endpoint(),
        tokens::delete::endpoint(),
        me::stream::endpoint(),
        games::list::endpoint(),
        games::get::endpoint(),
        games::stats::endpoint(),
        games::charts::endpoint(),
        games::chart::endpoint(),
        games::leaderboard::endpoint(),
        bots::list::endpoint(),
        rules::get::endpoint(),
        matches::create::endpoint(),
        matches::list::endpoint(),
        matches::events::endpoint(),
        matches::replay::endpoint(),
        matches::board::endpoint(),
        matches::result::endpoint(),
        matches::luck::endpoint(),
        matches::hint::endpoint(),
        matches::frames::endpoint(),
        matches::proof::endpoint(),
        matches::export::endpoint(),
        exports::matches::endpoint(),
        transparency::tree_head::endpoint(),
        transparency::inclusion::endpoint(),
        transparency::consistency::endpoint(),
        transparency::leaves::endpoint(),
        matches::resign::endpoint(),
        matches::fork::endpoint(),
        matches::rematch::endpoint(),
        matches::take_back::endpoint(),
        matches::pause::endpoint(),
        matches::resume::endpoint(),
        invitations::list::endpoint(),
        invitations::create::endpoint(),
        invitations::delete::endpoint(),
        seats::take::endpoint(),
        seats::leave::endpoint(),
        webhooks::create::endpoint(),
        webhooks::list::endpoint(),
        webhooks::get::endpoint(),
        webhooks::update::endpoint(),
        webhooks::delete::endpoint(),
        webhooks::test::endpoint(),
        webhooks::deliveries::endpoint(),
        webhooks::resend::endpoint(),
        oauth::token::endpoint(),
        apps::players::put::endpoint(),
        apps::players::get::endpoint(),
        apps::players::delete::endpoint(),
        system::jwks::endpoint(),
        system::health::endpoint(),
        system::ready::endpoint(),
        system::metrics::endpoint(),
    ]
}
