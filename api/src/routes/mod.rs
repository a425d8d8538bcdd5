//! The HTTP surface: `<resource>/<verb>.rs`, one endpoint a file.

use utoipa_actix_web::service_config::ServiceConfig;

pub mod exports;
pub mod games;
pub mod guests;
pub mod invitations;
pub mod matches;
pub mod me;
pub mod moves;
pub mod players;
pub mod seats;
pub mod sessions;
pub mod statistics;
pub mod system;
pub mod tokens;
pub mod webhooks;

/// Registers every endpoint; the OpenAPI document is made of the same list.
pub fn configure(config: &mut ServiceConfig<'_>) {
    // Routes are tried in this order: first what is asked for most.
    config
        .service(matches::get::get_match)
        .service(moves::make::make_move)
        .service(moves::legal::list_legal_moves)
        .service(guests::create::create_guest)
        .service(players::create::create_player)
        .service(players::get::get_player)
        .service(players::stats::get_player_stats)
        .service(players::matches::list_player_matches)
        .service(players::versus::get_versus)
        .service(players::rating_history::get_rating_history)
        .service(players::charts::list_player_charts)
        .service(players::chart::draw_player_chart)
        .service(sessions::create::create_session)
        .service(sessions::refresh::refresh_session)
        .service(sessions::delete::delete_session)
        .service(me::get::get_me)
        .service(me::update::update_me)
        .service(me::delete::delete_me)
        .service(tokens::create::create_token)
        .service(tokens::list::list_tokens)
        .service(tokens::delete::delete_token)
        .service(me::stream::stream_me)
        .service(games::list::list_games)
        .service(games::get::get_game)
        .service(games::stats::get_game_stats)
        .service(games::charts::list_game_charts)
        .service(games::chart::draw_game_chart)
        .service(games::leaderboard::get_leaderboard)
        .service(matches::create::create_match)
        .service(matches::list::list_matches)
        .service(matches::events::list_events)
        .service(matches::replay::replay_match)
        .service(matches::board::draw_board)
        .service(matches::result::get_result)
        .service(matches::luck::get_luck)
        .service(matches::frames::list_frames)
        .service(matches::proof::get_proof)
        .service(matches::export::export_match)
        .service(exports::matches::export_matches)
        .service(matches::resign::resign_match)
        .service(matches::fork::fork_match)
        .service(matches::rematch::rematch)
        .service(matches::pause::pause_match)
        .service(matches::resume::resume_match)
        .service(invitations::list::list_invitations)
        .service(invitations::create::create_invitation)
        .service(invitations::delete::delete_invitation)
        .service(seats::take::take_seat)
        .service(seats::leave::leave_seat)
        .service(webhooks::create::create_webhook)
        .service(webhooks::list::list_webhooks)
        .service(webhooks::get::get_webhook)
        .service(webhooks::update::update_webhook)
        .service(webhooks::delete::delete_webhook)
        .service(webhooks::test::test_webhook)
        .service(webhooks::deliveries::list_deliveries)
        .service(webhooks::resend::resend_delivery)
        .service(system::jwks::get_jwks)
        .service(system::health::get_health)
        .service(system::ready::get_readiness)
        .service(system::metrics::get_metrics);
}
