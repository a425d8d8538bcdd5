//! Names and passwords: nobody passes for somebody else, and nobody has a password that everybody tries first.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{
    client::{Client, Reply},
    server::Server,
};

on_both_stores!(
    names_that_look_alike_belong_to_one_account,
    a_guest_does_not_take_the_name_of_an_account,
    names_that_deceive_are_refused_and_the_rule_is_named,
    names_are_kept_in_their_normal_form,
    weak_passwords_are_refused_and_the_rule_is_named,
    seats_and_lists_say_who_is_a_guest,
);

async fn register(client: &Client, name: &str, password: &str) -> Reply {
    let body = json!({ "name": name, "password": password, "email": "mariposas@example.com" });
    client.post("/v1/players", &body).await
}

async fn patch(client: &Client, body: &Value) -> Reply {
    client.send(client.request(Method::PATCH, "/v1/me").json(body)).await
}

async fn names_that_look_alike_belong_to_one_account(server: Server) {
    let client = Client::anonymous(&server.url);
    register(&client, "Carmen Gil", "correct horse").await.expect(201);
    for twin in
        ["CARMEN GIL", "Carmen_Gil", "Carmen GiI", "Carrnen Gil", "Carmen  G1l", "Ｃarmen Gil"]
    {
        register(&client, twin, "correct horse").await.problem(409, "name_taken");
    }
    register(&client, "caso", "correct horse").await.expect(201);
    let cyrillic = "\u{441}\u{430}\u{455}\u{43e}";
    register(&client, cyrillic, "correct horse").await.problem(409, "name_taken");
    let mut other = client.clone();
    other.enter(&register(&client, "Carmén Gil", "correct horse").await.expect(201));
    patch(&other, &json!({ "name": "Carmen-Gil" })).await.problem(409, "name_taken");
    patch(&other, &json!({ "name": "CARMÉN GIL" })).await.expect(200);
    // Only the very name logs in.
    let log_in = |name: &str| json!({ "name": name, "password": "correct horse" });
    client.post("/v1/sessions", &log_in("carmen gil")).await.expect(201);
    client.post("/v1/sessions", &log_in("Carrnen Gil")).await.problem(401, "wrong_credentials");
}

async fn a_guest_does_not_take_the_name_of_an_account(server: Server) {
    let client = Client::anonymous(&server.url);
    let early = Client::guest(&server.url, "Ana").await;
    let mut ana = client.clone();
    // Names belong to accounts: a guest who had it before does not stand in the way.
    ana.enter(&register(&client, "Ana", "correct horse").await.expect(201));
    for name in ["Ana", "ANA", "Ana."] {
        let taken = client.post("/v1/guests", &json!({ "name": name })).await;
        assert_eq!(taken.problem(409, "name_taken")["field"], "name");
    }
    let guest = Client::guest(&server.url, "Ben").await;
    patch(&guest, &json!({ "name": "ana" })).await.problem(409, "name_taken");
    patch(&early, &json!({ "password": "correct horse" })).await.problem(409, "name_taken");
    // Guests among themselves may share a name.
    patch(&early, &json!({ "name": "Ben" })).await.expect(200);
    // An account that is renamed leaves its name to others.
    patch(&ana, &json!({ "name": "Anita" })).await.expect(200);
    Client::guest(&server.url, "Ana").await;
}

async fn names_that_deceive_are_refused_and_the_rule_is_named(server: Server) {
    let client = Client::anonymous(&server.url);
    let guest = Client::guest(&server.url, "Ana").await;
    for (name, code) in [
        ("Ana\u{200b}", "invalid_field"),
        ("\u{202e}anA", "invalid_field"),
        ("Ana\u{3164}", "invalid_field"),
        ("..", "invalid_field"),
        ("An\u{430}", "name_mixes_scripts"),
        ("Admin", "name_reserved"),
        ("Telar Soporte", "name_reserved"),
        ("m0derator", "name_reserved"),
    ] {
        let replies = [
            register(&client, name, "correct horse").await,
            client.post("/v1/guests", &json!({ "name": name })).await,
            patch(&guest, &json!({ "name": name })).await,
        ];
        for reply in replies {
            assert_eq!(reply.problem(400, code)["field"], "name", "{name:?}");
        }
    }
}

async fn names_are_kept_in_their_normal_form(server: Server) {
    let client = Client::anonymous(&server.url);
    for (given, kept) in [
        ("  Be\u{301}a   Ñandu\u{301} ", "Béa Ñandú"),
        ("やまだ太郎", "やまだ太郎"),
        ("Ｈugo", "Hugo"),
    ] {
        let session = register(&client, given, "correct horse").await.expect(201);
        assert_eq!(session["player"]["name"], kept);
        let login = json!({ "name": kept, "password": "correct horse" });
        client.post("/v1/sessions", &login).await.expect(201);
        let login = json!({ "name": given.to_uppercase(), "password": "correct horse" });
        client.post("/v1/sessions", &login).await.expect(201);
    }
}

async fn weak_passwords_are_refused_and_the_rule_is_named(server: Server) {
    let client = Client::anonymous(&server.url);
    let guest = Client::guest(&server.url, "Ana María").await;
    for (password, code) in [
        ("short", "invalid_field"),
        ("         ", "password_blank"),
        ("password1", "password_common"),
        ("Contraseña", "password_common"),
        ("anamaría99", "password_personal"),
    ] {
        let replies = [
            register(&client, "Ana María", password).await,
            patch(&guest, &json!({ "password": password })).await,
        ];
        for reply in replies {
            assert_eq!(reply.problem(400, code)["field"], "password", "{password:?}");
        }
    }
    let by_address = register(&client, "Ana María", "Mariposas1").await;
    by_address.problem(400, "password_personal");
}

async fn seats_and_lists_say_who_is_a_guest(server: Server) {
    let mut ana = Client::anonymous(&server.url);
    ana.enter(&register(&ana, "Ana", "correct horse").await.expect(201));
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 3).await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}");
    let eve = Client::guest(&server.url, "Eve").await;
    let invite = json!({ "player": eve.player });
    let invitation = ana.post(&format!("{path}/invitations"), &invite).await.expect(201);
    assert_eq!(
        (&invitation["player"]["kind"], &invitation["invited_by"]["kind"]),
        (&json!("guest"), &json!("account"))
    );
    ben.post(&format!("{path}/seats"), &json!({})).await.expect(201);
    let before = ana.get(&path).await;
    let kinds = |seats: &Value| {
        seats
            .as_array()
            .unwrap()
            .iter()
            .map(|seat| seat["player"]["kind"].clone())
            .collect::<Vec<_>>()
    };
    let expected = [json!("account"), json!("guest"), Value::Null];
    assert_eq!(kinds(&before.body["seats"]), expected);
    let listed = ana.get("/v1/matches?mine=true").await.expect(200);
    assert_eq!(kinds(&listed["matches"][0]["seats"]), expected);
    let players = format!("/v1/players/{}", ben.player.as_deref().unwrap());
    assert_eq!(ana.get(&players).await.expect(200)["kind"], "guest");
    assert_eq!(ana.get(&format!("{players}/stats")).await.expect(200)["player"]["kind"], "guest");
    // A guest who becomes an account is shown as one at once.
    patch(&ben, &json!({ "password": "correct horse" })).await.expect(200);
    let after = ana.get(&path).await;
    assert_eq!(after.body["seats"][1]["player"]["kind"], "account");
    assert_ne!(before.header("etag"), after.header("etag"));
}
