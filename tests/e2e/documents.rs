//! What the server says about itself: games, schemas, OpenAPI, keys, health, metrics.

use std::net::SocketAddr;

use reqwest::Method;
use serde_json::{Value, json};
use tests::{client::Client, server::Server};

on_both_stores!(
    games_are_described_in_both_languages,
    the_openapi_document_declares_what_is_served,
    the_docs_are_served_from_the_binary,
    health_readiness_and_figures_are_there,
    figures_can_have_an_address_of_their_own,
    anybody_can_check_a_token_with_the_published_keys,
);

async fn games_are_described_in_both_languages(server: Server) {
    let client = Client::anonymous(&server.url);
    let games = client.get("/v1/games").await.expect(200);
    let keys: Vec<&str> = games["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["key"].as_str().unwrap())
        .collect();
    let registered: Vec<&str> = domain::games::all().map(|game| game.info().key).collect();
    assert_eq!(keys, registered);
    for key in keys {
        let english = client.get(&format!("/v1/games/{key}")).await.expect(200);
        let spanish = client
            .request(reqwest::Method::GET, &format!("/v1/games/{key}"))
            .header("accept-language", "es-CL,es;q=0.9");
        let spanish = client.send(spanish).await.expect(200);
        assert_ne!(english["summary"], spanish["summary"]);
        assert_ne!(english["rules"]["en"], english["rules"]["es"]);
        for schema in ["options_schema", "move_schema", "view_schema", "event_schema"] {
            jsonschema::meta::validate(&english[schema]).unwrap_or_else(|error| panic!("{error}"));
        }
        for list in ["measures", "score_lines", "luck", "refusals"] {
            assert!(!english[list].as_array().unwrap().is_empty(), "{key} has no {list}");
        }
    }
    client.get("/v1/games/chess").await.problem(404, "not_found");
}

async fn the_openapi_document_declares_what_is_served(server: Server) {
    let client = Client::anonymous(&server.url);
    let document = client.get("/openapi.json").await.expect(200);
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document, *api::openapi::DOCUMENT);
    let mut operations = 0;
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            operations += 1;
            assert!(operation["operationId"].is_string());
            assert!(operation["summary"].is_string(), "{operation}");
            for response in operation["responses"].as_object().unwrap().values() {
                assert!(response["description"].is_string());
            }
        }
    }
    assert!(operations >= 24, "{operations} operations");
    references_resolve(&document, &document);
}

async fn the_docs_are_served_from_the_binary(server: Server) {
    let client = Client::anonymous(&server.url);
    for path in ["/", "/docs"] {
        let page = client.get(path).await;
        assert_eq!(page.status, 200, "{path} leads to the docs");
    }
    let page = reqwest::get(format!("{}/docs/", server.url)).await.unwrap().text().await.unwrap();
    assert!(page.contains("swagger-ui-bundle.js"));
    assert!(!page.contains("https://"), "nothing comes from elsewhere");
    for path in ["/docs/", "/docs/swagger-ui-bundle.js"] {
        let file = client.get(path).await;
        assert_eq!(file.status, 200);
        let policy = file.header("content-security-policy").unwrap();
        for rule in ["default-src 'none'", "script-src 'self';", "frame-ancestors 'none'"] {
            assert!(policy.contains(rule), "{policy}");
        }
        assert_eq!(file.header("x-frame-options"), Some("DENY"));
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
    }
    for path in ["/docs/none", "/docs/a/b"] {
        let request = client.request(Method::GET, path).header("accept-language", "es");
        let missing = client.send(request).await;
        assert_eq!(missing.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(missing.header("content-language"), Some("es"));
        missing.problem(404, "not_found");
    }
    for path in ["/docs/", "/docs", "/openapi.json"] {
        client.post(path, &json!({})).await.problem(405, "method_not_allowed");
    }
}

async fn health_readiness_and_figures_are_there(server: Server) {
    let client = Client::anonymous(&server.url);
    assert_eq!(client.get("/healthz").await.expect(200)["status"], "ok");
    assert_eq!(client.get("/readyz").await.expect(200)["status"], "ok");
    let figures =
        reqwest::get(format!("{}/metrics", server.url)).await.unwrap().text().await.unwrap();
    assert!(figures.contains("telar_http_requests_total{"));
}

async fn figures_can_have_an_address_of_their_own(server: Server) {
    let free = SocketAddr::from(([127, 0, 0, 1], 0));
    let server = server.restart_with(|config| config.metrics_bind = Some(free)).await;
    let client = Client::anonymous(&server.url);
    client.get("/metrics").await.problem(404, "not_found");
    client.get("/healthz").await.expect(200);
    let own = Client::anonymous(server.metrics_url.as_deref().unwrap());
    let figures = own.request(Method::GET, "/metrics").send().await.unwrap();
    assert_eq!(figures.status(), 200);
    assert!(figures.text().await.unwrap().contains("telar_http_requests_total{"));
    for path in ["/healthz", "/v1/games", "/docs/"] {
        own.get(path).await.problem(404, "not_found");
    }
    let url = server.metrics_url.clone().unwrap();
    server.stop().await;
    assert!(reqwest::get(url).await.is_err(), "it ends with the server");
}

async fn anybody_can_check_a_token_with_the_published_keys(server: Server) {
    let client = Client::guest(&server.url, "Ana").await;
    let keys = client.get("/.well-known/jwks.json").await.expect(200);
    let keys: jsonwebtoken::jwk::JwkSet = serde_json::from_value(keys).unwrap();
    let token = client.token.as_deref().unwrap();
    let header = jsonwebtoken::decode_header(token).unwrap();
    assert_eq!(header.typ.as_deref(), Some("at+jwt"));
    let key = keys.find(header.kid.as_deref().unwrap()).expect("the key of the token");
    let key = jsonwebtoken::DecodingKey::from_jwk(key).unwrap();
    let mut validation = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::EdDSA);
    validation.set_audience(&["telar"]);
    let claims = jsonwebtoken::decode::<Value>(token, &key, &validation).unwrap().claims;
    assert_eq!(claims["sub"].as_str(), client.player.as_deref());
}

/// Every `$ref` in the document points to something in it.
fn references_resolve(value: &Value, document: &Value) {
    match value {
        Value::Object(object) => {
            if let Some(target) = object.get("$ref").and_then(Value::as_str) {
                let pointer = target.strip_prefix('#').expect("a reference within the document");
                assert!(document.pointer(pointer).is_some(), "{target} leads nowhere");
            }
            object.values().for_each(|value| references_resolve(value, document));
        }
        Value::Array(items) => items.iter().for_each(|value| references_resolve(value, document)),
        _ => {}
    }
}
