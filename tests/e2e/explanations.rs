//! What is wrong, said so that the reader understands it: in the reader's language, with the limits, and with the rule.

use domain::{games, matches::RULES};
use reqwest::Method;
use serde_json::{Value, json};
use tests::{client::Client, server::Server};

on_both_stores!(
    the_rules_of_every_match_are_readable_and_refusals_lead_there,
    a_wrong_number_of_seats_is_answered_with_the_right_ones,
    malformed_requests_are_explained_in_the_language_of_the_client,
    what_the_document_declares_is_what_the_server_accepts,
    an_unreadable_condition_is_refused,
);

async fn the_rules_of_every_match_are_readable_and_refusals_lead_there(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let reply = ana.get("/v1/rules").await;
    assert!(reply.header("etag").is_some());
    let rules = reply.expect(200);
    assert_eq!(rules["rules"], json!({ "en": RULES.en, "es": RULES.es }));
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let problem = ana
        .post(&format!("/v1/matches/{id}/seats"), &json!({}))
        .await
        .problem(409, "already_seated");
    assert_eq!((&problem["rule"], &problem["rules"]), (&json!("M2"), &json!("/v1/rules#M2")));
    let refusals = rules["refusals"].as_array().unwrap();
    let listed = refusals.iter().find(|refusal| refusal["code"] == "already_seated").unwrap();
    assert_eq!((&listed["rule"], &listed["detail"]), (&json!("M2"), &problem["detail"]));
    for refusal in refusals {
        let number = refusal["rule"].as_str().unwrap();
        for text in [RULES.en, RULES.es] {
            assert!(text.contains(&format!("- **{number}** ")), "{number}");
        }
    }

    let ben = Client::guest(&server.url, "Ben").await;
    let started = ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    let active = if started["view"]["active"] == 0 { &ana } else { &ben };
    let problem =
        active.make_move(&id, &json!({ "type": "pass" })).await.problem(422, "qwinto.roll_first");
    assert_eq!(problem["rules"], "/v1/games/qwinto#R2.2");
    let game = ana.get("/v1/games/qwinto").await.expect(200);
    assert!(game["rules"]["en"].as_str().unwrap().contains("**R2.2**"));
}

async fn a_wrong_number_of_seats_is_answered_with_the_right_ones(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    for (game, seats, en, es) in [
        (
            "qwinto",
            9,
            "Qwinto is played with 2 to 6 seats.",
            "Qwinto se juega con entre 2 y 6 puestos.",
        ),
        (
            "tapestry",
            2,
            "Universal Tapestry is played with exactly 1 seat.",
            "Universal Tapestry se juega con un solo puesto.",
        ),
    ] {
        for (lang, text) in [("en", en), ("es", es)] {
            let create = ana
                .request(Method::POST, "/v1/matches")
                .header("accept-language", lang)
                .json(&json!({ "game": game, "seats": seats }));
            let problem = ana.send(create).await.problem(422, "seat_count");
            assert_eq!((&problem["detail"], &problem["rule"]), (&json!(text), &json!("M1")));
            let path = format!("/v1/games/{game}/stats?seats={seats}");
            let count = ana.request(Method::GET, &path).header("accept-language", lang);
            assert_eq!(ana.send(count).await.problem(400, "invalid_field")["detail"], text);
        }
    }
}

async fn malformed_requests_are_explained_in_the_language_of_the_client(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let body = async |lang: &str, bytes: Vec<u8>| {
        let request = ana
            .request(Method::POST, "/v1/matches")
            .header("accept-language", lang)
            .header("content-type", "application/json")
            .body(bytes);
        let problem = ana.send(request).await.problem(400, "malformed");
        problem["detail"].as_str().unwrap().to_owned()
    };
    for (bytes, en, es) in [
        (&b"[]"[..], "Expected a JSON object.", "Se esperaba un objeto JSON."),
        (b"", "Expected a JSON object.", "Se esperaba un objeto JSON."),
        (b"{\"game\"", "The JSON is cut off.", "El JSON está incompleto."),
        (b"\xff\xfe{}", "The body is not UTF-8.", "El cuerpo no está en UTF-8."),
        (
            b"{} {}",
            "This is not valid JSON; the error is in line 1, column 4.",
            "Esto no es JSON válido; el error está en la línea 1, columna 4.",
        ),
        (b"{\"game\":\"qwinto\"}", "`seats` is missing.", "Falta `seats`."),
        (
            b"{\"game\":\"qwinto\",\"seats\":300}",
            "Expected a whole number from 0 to 255, but got the number 300.",
            "Se esperaba un número entero de 0 a 255, pero se recibió el número 300.",
        ),
        (
            b"{\"game\":\"qwinto\",\"seats\":2,\"seats\":3}",
            "`seats` appears more than once.",
            "`seats` aparece más de una vez.",
        ),
        (
            b"{\"game\":\"qwinto\",\"seats\":2,\"visibility\":\"secret\"}",
            "`secret` is not one of `public` and `private`.",
            "`secret` no es ninguno de estos valores: `public` y `private`.",
        ),
    ] {
        assert_eq!(body("en", bytes.to_vec()).await, en);
        assert_eq!(body("es", bytes.to_vec()).await, es);
    }
    for (query, en, es) in [
        (
            "limit=0",
            "`limit` must be a number from 1 to 200.",
            "`limit` debe ser un número de 1 a 200.",
        ),
        (
            "limit=ten",
            "Expected a whole number from 0 to 18446744073709551615, but got the string `ten`.",
            "Se esperaba un número entero de 0 a 18446744073709551615, pero se recibió la cadena `ten`.",
        ),
        (
            "mine=perhaps",
            "Expected `true` or `false`, but got the string `perhaps`.",
            "Se esperaba `true` o `false`, pero se recibió la cadena `perhaps`.",
        ),
        (
            "since=yesterday",
            "Expected a time, such as 2026-11-01T12:00:00Z, or a date.",
            "Se esperaba una hora, como 2026-11-01T12:00:00Z, o una fecha.",
        ),
        (
            "player=me",
            "Expected a UUID, such as 0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10.",
            "Se esperaba un UUID, como 0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10.",
        ),
        ("mine=true&mine=true", "`mine` appears more than once.", "`mine` aparece más de una vez."),
    ] {
        for (lang, text) in [("en", en), ("es", es)] {
            let path = format!("/v1/matches?{query}");
            let request = ana.request(Method::GET, &path).header("accept-language", lang);
            assert_eq!(ana.send(request).await.problem(400, "malformed")["detail"], text);
        }
    }
    let path = "/v1/players/0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10/stats?since=soon";
    let request = ana.request(Method::GET, path).header("accept-language", "es");
    let problem = ana.send(request).await.problem(400, "malformed");
    assert_eq!(problem["detail"], "Se esperaba una fecha, como 2026-11-01.");
}

/// The schemas of every parameter with this name that is a text. Cursors differ from list to list: only those of matches count.
fn schemas(document: &Value, name: &str) -> Vec<jsonschema::Validator> {
    let paths = document["paths"].as_object().unwrap().iter();
    let items = paths.filter(|(path, _)| name != "cursor" || *path == "/v1/matches");
    let operations = items.flat_map(|(_, item)| item.as_object().unwrap().values());
    operations
        .flat_map(|operation| operation["parameters"].as_array().into_iter().flatten())
        .filter(|parameter| parameter["name"] == name && parameter["schema"]["type"] == "string")
        .map(|parameter| {
            assert!(parameter["schema"]["pattern"].is_string(), "{parameter}");
            jsonschema::validator_for(&parameter["schema"]).unwrap()
        })
        .collect()
}

async fn what_the_document_declares_is_what_the_server_accepts(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let document = ana.get("/openapi.json").await.expect(200);
    let declared = |name: &str, value: &str| {
        let (schemas, value) = (schemas(&document, name), json!(value));
        assert!(!schemas.is_empty(), "{name}");
        let fits = schemas[0].is_valid(&value);
        assert!(schemas.iter().all(|schema| schema.is_valid(&value) == fits));
        fits
    };
    let solo = ana.create_match("tapestry", 1).await["id"].as_str().unwrap().to_owned();
    ana.post(&format!("/v1/matches/{solo}/resign"), &json!({})).await.expect(200);
    let keys: Vec<String> = [1, 128, 129]
        .map(|length| "k".repeat(length))
        .into_iter()
        .chain(["!~".to_owned(), "a b".to_owned(), "é".to_owned(), String::new()])
        .collect();
    for key in &keys {
        let body = json!({ "game": "tapestry", "seats": 1 });
        let request = ana.request(Method::POST, "/v1/matches").json(&body);
        let header = reqwest::header::HeaderValue::from_bytes(key.as_bytes()).unwrap();
        let reply = ana.send(request.header("idempotency-key", header)).await;
        assert_eq!(reply.status == 201, declared("Idempotency-Key", key), "{key}: {}", reply.body);
    }
    for cursor in [
        "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10",
        "0192F0C1-2F64-7C11-8A3E-7D3F1B2A9C10",
        "0192f0c12f647c118a3e7d3f1b2a9c10",
        "{0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10}",
        "urn:uuid:0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10",
        "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c1g",
        "7",
        "",
    ] {
        let reply = ana.get(&format!("/v1/matches?cursor={cursor}")).await;
        assert_eq!(reply.status == 200, declared("cursor", cursor), "{cursor}");
    }
    for viewer in ["seat", "spectator", "archive", "0", "7", "8", "00", "+0", "-1", "god", ""] {
        let encoded = viewer.replace('+', "%2B");
        let reply = ana.get(&format!("/v1/matches/{solo}/replay?as={encoded}")).await;
        let is_read = reply.body["code"] != "malformed";
        assert_eq!(is_read, declared("as", viewer), "{viewer}: {}", reply.body);
    }
    let games = games::all().map(|game| game.info().key).chain(["chess", "Qwinto", "qwinto2", ""]);
    for game in games {
        let reply = ana.get(&format!("/v1/matches?game={game}")).await;
        assert_eq!(reply.status == 200, declared("game", game), "{game}");
    }
    let create = &document["components"]["schemas"]["NewMatch"]["properties"]["game"];
    assert!(create["pattern"].is_string(), "{create}");
}

async fn an_unreadable_condition_is_refused(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let created = ana.create_match("tapestry", 1).await;
    let id = created["id"].as_str().unwrap();
    let draw = async |condition: &[u8]| {
        let header = reqwest::header::HeaderValue::from_bytes(condition).unwrap();
        let request = ana
            .request(Method::POST, &format!("/v1/matches/{id}/moves"))
            .header("if-match", header)
            .json(&json!({ "move": { "type": "draw", "slot": 0 } }));
        ana.send(request).await
    };
    for unreadable in [&b""[..], b",", b"\"\xff\"", b"3", b"\"3", b"\"three\"", b"*, \"3\""] {
        let problem = draw(unreadable).await.problem(400, "invalid_field");
        assert_eq!(problem["field"], "If-Match");
    }
    draw(b"\"1\"").await.problem(412, "stale_version");
    let tag = format!("\"{}\"", created["version"]);
    draw(tag.as_bytes()).await.expect(200);
}
