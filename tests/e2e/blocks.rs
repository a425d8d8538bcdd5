//! Blocked players: they and those who blocked them do not come together.

use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::{EntityTrait, IntoActiveModel};
use serde_json::{Value, json};
use service::{blocks::MAX_BLOCKS, clock};
use store::{blocks, entities::block, players};
use tests::{
    application::store_of,
    client::{Client, Reply},
    server::Server,
};
use uuid::Uuid;

on_both_stores!(
    blocks_are_listed_in_pages_and_removed,
    nobody_blocks_themselves_or_players_who_do_not_exist,
    nobody_hoards_blocks,
    a_block_prevents_invitations_both_ways_and_hides_earlier_ones,
    a_block_keeps_players_out_of_the_same_open_match,
    players_who_sit_down_at_the_same_time_are_kept_apart_too,
    a_block_prevents_rematches,
    blocks_end_with_either_player,
);

fn id(client: &Client) -> Uuid {
    client.player.as_deref().unwrap().parse().unwrap()
}

async fn block(client: &Client, player: &Client) -> Reply {
    let path = format!("/v1/me/blocks/{}", id(player));
    client.send(client.request(Method::PUT, &path)).await
}

async fn three(server: &Server) -> [Client; 3] {
    [
        Client::guest(&server.url, "Ana").await,
        Client::guest(&server.url, "Ben").await,
        Client::guest(&server.url, "Eve").await,
    ]
}

/// The path of a new match of a player.
async fn open(client: &Client, seats: usize) -> String {
    format!("/v1/matches/{}", client.create_match("qwinto", seats).await["id"].as_str().unwrap())
}

async fn sit(client: &Client, path: &str) -> Reply {
    client.post(&format!("{path}/seats"), &json!({})).await
}

async fn blocks_are_listed_in_pages_and_removed(server: Server) {
    let [ana, ben, eve] = three(&server).await;
    for player in [&ben, &eve, &ben] {
        block(&ana, player).await.expect(204);
    }
    let page = ana.get("/v1/me/blocks?limit=1").await.expect(200);
    assert_eq!(page["blocks"][0]["player"]["name"], "Eve");
    let next = page["next"].as_str().unwrap();
    let page = ana.get(&format!("/v1/me/blocks?limit=1&cursor={next}")).await.expect(200);
    assert_eq!(page["blocks"][0]["player"]["name"], "Ben");
    assert_eq!(page["next"], Value::Null);
    // Whom others have blocked is their own business.
    assert_eq!(ben.get("/v1/me/blocks").await.expect(200)["blocks"], json!([]));

    let of_ben = format!("/v1/me/blocks/{}", id(&ben));
    ana.delete(&of_ben).await.expect(204);
    ana.delete(&of_ben).await.problem(404, "not_found");
    let left = ana.get("/v1/me/blocks").await.expect(200);
    assert_eq!(left["blocks"].as_array().unwrap().len(), 1);
    sit(&ben, &open(&ana, 2).await).await.expect(201);
}

async fn nobody_blocks_themselves_or_players_who_do_not_exist(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    block(&ana, &ana).await.problem(422, "own_player");
    let nobody = "/v1/me/blocks/0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10";
    ana.send(ana.request(Method::PUT, nobody)).await.problem(404, "not_found");
    ana.send(ana.request(Method::PUT, "/v1/me/blocks/ben")).await.problem(404, "not_found");
}

async fn nobody_hoards_blocks(server: Server) {
    let [ana, ben, eve] = three(&server).await;
    let (db, now) = (store_of(&server).await, server.clock.now());
    let rows = (1..MAX_BLOCKS).map(|_| {
        let blocked_id = clock::new_id(now);
        let row = blocks::Block { player_id: id(&ana), blocked_id, created_at: now.micros() };
        row.into_active_model()
    });
    block::Entity::insert_many(rows).exec_without_returning(&db).await.unwrap();
    let replies = join_all([block(&ana, &ben), block(&ana, &eve)]).await;
    let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409]);
    let refused = replies.into_iter().find(|reply| reply.status.as_u16() == 409).unwrap();
    refused.problem(409, "too_many_blocks");
    // Others are unaffected.
    block(&ben, &ana).await.expect(204);
}

async fn a_block_prevents_invitations_both_ways_and_hides_earlier_ones(server: Server) {
    let [ana, ben, _] = three(&server).await;
    let (of_ana, of_ben) = (open(&ana, 2).await, open(&ben, 2).await);
    let another = open(&ben, 2).await;
    let invite = async |host: &Client, path: &str, guest: &Client| {
        host.post(&format!("{path}/invitations"), &json!({ "player": guest.player })).await
    };
    invite(&ben, &of_ben, &ana).await.expect(201);
    block(&ana, &ben).await.expect(204);
    assert_eq!(ana.get("/v1/me/invitations").await.expect(200)["invitations"], json!([]));
    // The same as for a player who does not exist.
    let nobody = json!({ "player": "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10" });
    let unknown = ben.post(&format!("{another}/invitations"), &nobody).await;
    let unknown = unknown.problem(422, "no_such_player");
    assert_eq!(invite(&ben, &another, &ana).await.problem(422, "no_such_player"), unknown);
    invite(&ana, &of_ana, &ben).await.problem(422, "no_such_player");
}

async fn a_block_keeps_players_out_of_the_same_open_match(server: Server) {
    let [ana, ben, eve] = three(&server).await;
    let (of_ana, of_ben, of_eve) = (open(&ana, 2).await, open(&ben, 2).await, open(&eve, 3).await);
    block(&ana, &ben).await.expect(204);
    sit(&ben, &of_ana).await.problem(404, "not_found");
    sit(&ana, &of_ben).await.problem(404, "not_found");
    sit(&ben, &of_eve).await.expect(201);
    sit(&ana, &of_eve).await.problem(404, "not_found");
    sit(&eve, &of_ana).await.expect(201);
    // The match is still there to be watched.
    ben.get(&of_ana).await.expect(200);
    // Nobody has to leave.
    block(&eve, &ben).await.expect(204);
    assert_eq!(ben.get(&of_eve).await.expect(200)["my_seat"], 1);
}

async fn players_who_sit_down_at_the_same_time_are_kept_apart_too(server: Server) {
    let [ana, ben, eve] = three(&server).await;
    block(&ana, &ben).await.expect(204);
    for _ in 0..5 {
        let path = open(&eve, 3).await;
        let (first, second) = tokio::join!(sit(&ana, &path), sit(&ben, &path));
        let mut statuses = [first.status.as_u16(), second.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 404]);
    }
}

async fn a_block_prevents_rematches(server: Server) {
    let [ana, ben, _] = three(&server).await;
    let path = open(&ana, 2).await;
    sit(&ben, &path).await.expect(201);
    ana.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    block(&ana, &ben).await.expect(204);
    for player in [&ben, &ana] {
        player.post(&format!("{path}/rematch"), &json!({})).await.problem(404, "not_found");
    }
    ana.delete(&format!("/v1/me/blocks/{}", id(&ben))).await.expect(204);
    ben.post(&format!("{path}/rematch"), &json!({})).await.expect(201);
    block(&ana, &ben).await.expect(204);
    ana.post(&format!("{path}/rematch"), &json!({})).await.problem(404, "not_found");
}

async fn blocks_end_with_either_player(server: Server) {
    let [ana, ben, eve] = three(&server).await;
    block(&ana, &ben).await.expect(204);
    block(&ben, &eve).await.expect(204);
    ben.send(ben.request(Method::DELETE, "/v1/me").json(&json!({}))).await.expect(204);
    let db = store_of(&server).await;
    assert!(players::find(&db, id(&ben)).await.unwrap().is_none());
    let everybody = [id(&ana), id(&ben), id(&eve)];
    assert_eq!(blocks::among(&db, &everybody).await.unwrap(), []);
}
