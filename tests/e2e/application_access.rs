//! What every operation says to applications and their players.

use api::openapi;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use service::identity::{Requirement, Scope};
use tests::{application::Application, client::Client, server::Server};

on_both_stores!(every_operation_knows_applications_from_players);

/// An operation: method, path, what it requires, and whether anybody may call it without a token.
struct Operation {
    method: Method,
    path: String,
    need: Option<Requirement>,
    is_public: bool,
    /// Whether an application may call it without naming a player.
    is_for_applications: bool,
}

fn operations() -> Vec<Operation> {
    let paths = openapi::DOCUMENT["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, item)| {
        item.as_object().unwrap().iter().map(move |(method, operation)| (path, method, operation))
    });
    let operation = |(path, method, operation): (&String, &String, &Value)| {
        let ways = operation["security"].as_array().expect("who may do this");
        let alone = |way: &Value| way.get("application").is_some() && way.get("player").is_none();
        Operation {
            method: method.to_uppercase().parse().unwrap(),
            path: path.clone(),
            need: api::middleware::endpoint::declared_requirement(&operation["security"]),
            is_public: ways.is_empty() || ways.contains(&json!({})),
            is_for_applications: ways.iter().any(alone),
        }
    };
    operations.map(operation).collect()
}

/// A path with a value for every parameter.
fn filled(path: &str) -> String {
    let part = |part: &str| match part {
        "{game}" => "qwinto".to_owned(),
        "{external_id}" => "nobody".to_owned(),
        part if part.starts_with('{') => "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10".to_owned(),
        part => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// The status, and the code of the problem if access is refused; streams are not read.
async fn access(client: &Client, operation: &Operation) -> (StatusCode, Option<String>) {
    let path = filled(&operation.path);
    let request = client.request(operation.method.clone(), &path).json(&json!({}));
    let response = request.send().await.expect("an answer");
    let status = response.status();
    if ![StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].contains(&status) {
        return (status, None);
    }
    let body: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
    (status, body["code"].as_str().map(str::to_owned))
}

async fn every_operation_knows_applications_from_players(server: Server) {
    let app = Application::create(&server, "One").await;
    let other = Application::create(&server, "Two").await;
    let own = app.player("u1", "Ana").await;
    let others = other.player("u1", "Ben").await;
    let application = app.client().await;
    let on_behalf = application.acting_for(&own);
    let overreaching = application.acting_for(&others);
    let mut checked = 0;
    for operation in operations() {
        let Operation { method, path, need, is_public, is_for_applications } = &operation;
        let name = format!("{method} {path}");
        // It takes no token.
        if path == "/oauth/token" {
            continue;
        }
        checked += 1;
        let code = async |client: &Client| access(client, &operation).await.1;
        // Its own session each time, because some operations end it.
        let session = app.session("u1").await;
        match need {
            Some(Requirement::Application(_)) => {
                assert_eq!(code(&application).await, None, "{name}");
                let missing = Some("missing_scope".to_owned());
                assert_eq!(code(&on_behalf).await, missing, "{name}");
                assert_eq!(code(&session).await, missing, "{name}");
            }
            Some(need) => {
                let is_theirs =
                    matches!(need, Requirement::Scope(Scope::MatchRead | Scope::MatchPlay));
                let refused = if is_theirs { "player_missing" } else { "missing_scope" };
                let expected = (!is_public && !is_for_applications).then_some(refused.to_owned());
                assert_eq!(code(&application).await, expected, "{name}");
                let expected = (!is_theirs).then_some("missing_scope".to_owned());
                assert_eq!(code(&on_behalf).await, expected, "{name}");
                let is_managed = name == "PATCH /v1/me";
                let expected = is_managed.then_some("managed_by_application".to_owned());
                if name != "DELETE /v1/me" {
                    assert_eq!(code(&session).await, expected, "{name}");
                }
            }
            None => assert!(is_public, "{name} says nothing about access"),
        }
        // Where nothing is required, nobody is asked who calls.
        let expected = need.map(|_| "not_your_player".to_owned());
        assert_eq!(code(&overreaching).await, expected, "{name}");
    }
    assert!(checked > 60, "{checked}");
}
