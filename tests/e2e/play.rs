//! Every registered game to its end over HTTP, with the replay compared with what everybody saw.

use domain::games;
use serde_json::{Value, json};
use tests::{
    random_play::{Plan, play},
    server::Server,
};

on_both_stores!(every_game_is_played_to_its_end_and_replays_as_it_was_seen);

async fn every_game_is_played_to_its_end_and_replays_as_it_was_seen(server: Server) {
    for (index, game) in games::all().enumerate() {
        let info = game.info();
        let counts = [info.min_seats, info.max_seats];
        for seats in counts.iter().take(if counts[0] == counts[1] { 1 } else { 2 }) {
            let plan = Plan {
                game: info.key.to_owned(),
                seats: (*seats).into(),
                options: json!({}),
                seed: u64::try_from(index).unwrap(),
                look_every: 8,
                replays: 30,
            };
            let report = play(&server.url, &plan).await;
            assert!(report.views > 30, "{} views", report.views);
            let outcome = &report.finished["outcome"];
            assert_eq!(outcome["ending"], "rules");
            assert_eq!(outcome["seats"].as_array().map(Vec::len), Some((*seats).into()));
            assert_ne!(report.finished["view"], Value::Null);
        }
    }
}
