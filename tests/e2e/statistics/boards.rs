//! Leaderboards, compared with a recount.

use std::collections::BTreeMap;

use domain::games;
use serde_json::{Value, json};
use tests::client::Client;
use uuid::Uuid;

use super::{
    close,
    recount::{History, Played},
};

/// The expected leaderboard: scores and players, best first.
fn board(
    history: &History,
    game: &str,
    kind: &str,
    days: &std::ops::Range<i64>,
) -> Vec<(f64, Uuid)> {
    let ratings = history.ratings();
    let mut scores: BTreeMap<Uuid, f64> = BTreeMap::new();
    let counted = |it: &&Played| {
        it.game == game
            && days.contains(&it.day())
            && matches!(history.unrated(it), None | Some("solo"))
    };
    for it in history.played.iter().filter(counted) {
        for (seat, player) in it.players.iter().enumerate() {
            let standing = &it.outcome.seats[seat];
            let tells = it.by_rules() && !it.resigned[seat];
            match kind {
                "wins" if standing.won => *scores.entry(*player).or_default() += 1.0,
                "best_score" if tells && (it.seats > 1 || standing.won) => {
                    if let Some(score) = standing.score {
                        #[expect(clippy::cast_precision_loss, reason = "a small number")]
                        let score = score as f64;
                        let best = scores.entry(*player).or_insert(score);
                        *best = best.max(score);
                    }
                }
                "rating" if it.seats > 1 => {
                    let (_, (mu, sigma)) = ratings[&it.id][seat];
                    scores.insert(*player, mu - 3.0 * sigma);
                }
                _ => {}
            }
        }
    }
    let mut board: Vec<(f64, Uuid)> =
        scores.into_iter().map(|(player, score)| (score, player)).collect();
    board.sort_by(|one, two| two.0.total_cmp(&one.0).then(two.1.cmp(&one.1)));
    board
}

#[track_caller]
fn check_entry(shown: &Value, board: &[(f64, Uuid)], index: usize, kind: &str) {
    let (score, player) = board[index];
    assert_eq!(shown["player"]["id"], json!(player), "{kind} {index}");
    assert!(close(&shown["score"], score), "{shown} {score}");
    let better = board.iter().filter(|(other, _)| *other > score).count();
    assert_eq!(shown["rank"], better + 1, "{shown}");
    assert_eq!(shown.get("rating").is_some(), kind == "rating");
}

pub async fn check_boards(clients: &[Client], history: &History) {
    let client = &clients[0];
    let periods = [
        ("all", 0..1_000_000),
        ("2026-Q1", 20_454..20_544),
        ("2026-Q2", 20_544..20_635),
        ("2026-02", 20_485..20_513),
    ];
    for game in games::all() {
        let key = game.info().key;
        for kind in ["rating", "wins", "best_score"] {
            if kind == "rating" && game.info().max_seats == 1 {
                continue;
            }
            for (period, days) in &periods {
                let board = board(history, key, kind, days);
                let path = format!("/v1/games/{key}/leaderboard?board={kind}&period={period}");
                let mut shown = Vec::new();
                let mut cursor = String::new();
                loop {
                    let page = client.get(&format!("{path}&limit=4{cursor}")).await.expect(200);
                    assert_eq!((&page["board"], &page["period"]), (&json!(kind), &json!(period)));
                    shown.extend(page["entries"].as_array().unwrap().clone());
                    match page["next"].as_str() {
                        Some(next) => cursor = format!("&cursor={next}"),
                        None => break,
                    }
                }
                assert_eq!(shown.len(), board.len(), "{path}");
                for (index, shown) in shown.iter().enumerate() {
                    check_entry(shown, &board, index, kind);
                }
                for client in clients {
                    let me: Uuid = client.player.as_deref().unwrap().parse().unwrap();
                    let page = client.get(&format!("{path}&around=me&limit=5")).await.expect(200);
                    let entries = page["entries"].as_array().unwrap();
                    let Some(place) = board.iter().position(|(_, player)| *player == me) else {
                        assert!(entries.is_empty());
                        continue;
                    };
                    let first = place.saturating_sub(2);
                    assert_eq!(entries.len(), (board.len() - first).min(5));
                    for (index, entry) in (first..).zip(entries) {
                        check_entry(entry, &board, index, kind);
                    }
                }
            }
        }
    }
}
