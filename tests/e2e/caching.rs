//! HTTP features for browsers and mobile clients: compression, tags, origins.

use actix_web::{dev::Decompress, http::header::ContentEncoding, web::Bytes};
use futures_util::{StreamExt, stream};
use reqwest::{Method, header::HeaderMap};
use serde_json::{Value, json};
use tests::{client::Client, server::Server};

on_both_stores!(
    long_answers_are_compressed_as_the_client_likes,
    a_tag_of_a_compressed_answer_is_good_for_if_match,
    short_answers_are_sent_as_they_are,
    the_docs_are_compressed_too,
    who_has_it_already_is_told_so,
    pages_of_listed_origins_may_use_the_server,
    no_origin_is_allowed_unless_listed,
);

/// Status, headers and bytes of a GET with these headers.
async fn fetch(client: &Client, path: &str, headers: &[(&str, &str)]) -> (u16, HeaderMap, Bytes) {
    let request =
        headers.iter().fold(client.request(Method::GET, path), |request, (name, value)| {
            request.header(*name, *value)
        });
    let response = request.send().await.expect("an answer");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    (status, headers, response.bytes().await.expect("a body"))
}

async fn decoded(bytes: Bytes, encoding: ContentEncoding) -> Bytes {
    let body = stream::iter([Ok::<_, actix_web::error::PayloadError>(bytes)]);
    let mut decoder = Decompress::new(body, encoding);
    let mut whole = Vec::new();
    while let Some(chunk) = decoder.next().await {
        whole.extend_from_slice(&chunk.expect("well compressed"));
    }
    whole.into()
}

/// The names in `Vary`, in lower case.
fn varies_by(headers: &HeaderMap) -> Vec<String> {
    let lines = headers.get_all("vary").iter().map(|line| line.to_str().unwrap());
    let mut names: Vec<String> =
        lines.flat_map(|line| line.split(',')).map(|name| name.trim().to_lowercase()).collect();
    names.sort();
    names
}

/// A match whose view is long.
async fn long_match(server: &Server) -> (Client, String) {
    let client = Client::guest(&server.url, "Ana").await;
    let id = client.create_match("tapestry", 1).await["id"].as_str().unwrap().to_owned();
    (client, format!("/v1/matches/{id}"))
}

async fn long_answers_are_compressed_as_the_client_likes(server: Server) {
    let (client, path) = long_match(&server).await;
    let (_, plain_headers, plain) = fetch(&client, &path, &[]).await;
    assert!(plain.len() > 1_024);
    assert_eq!(plain_headers.get("content-encoding"), None);
    assert_eq!(varies_by(&plain_headers), ["accept-encoding", "authorization"]);
    let mut tags = vec![plain_headers["etag"].clone()];
    for (name, encoding) in [
        ("br", ContentEncoding::Brotli),
        ("zstd", ContentEncoding::Zstd),
        ("gzip", ContentEncoding::Gzip),
    ] {
        let (status, headers, body) = fetch(&client, &path, &[("accept-encoding", name)]).await;
        assert_eq!(status, 200);
        assert_eq!(headers["content-encoding"], name);
        assert!(body.len() < plain.len());
        assert_eq!(decoded(body, encoding).await, plain);
        assert_eq!(varies_by(&headers), ["accept-encoding", "authorization"]);
        assert!(!tags.contains(&headers["etag"]), "a strong tag stands for the very bytes");
        tags.push(headers["etag"].clone());

        let tag = headers["etag"].to_str().unwrap();
        for accepted in [name, "identity"] {
            let known = [("accept-encoding", accepted), ("if-none-match", tag)];
            let (status, headers, body) = fetch(&client, &path, &known).await;
            assert_eq!((status, body.len()), (304, 0));
            if accepted == name {
                assert_eq!(headers["etag"], tag, "of what the client has");
            }
        }
    }
    let (status, ..) = fetch(&client, &path, &[("if-none-match", "\"0-00000000-br\"")]).await;
    assert_eq!(status, 200);
}

async fn a_tag_of_a_compressed_answer_is_good_for_if_match(server: Server) {
    let (client, path) = long_match(&server).await;
    let moves = client.legal_moves(path.rsplit('/').next().unwrap()).await;
    let (_, headers, _) = fetch(&client, &path, &[("accept-encoding", "gzip")]).await;
    let tag = headers["etag"].to_str().unwrap();
    let make = async |tag: &str| {
        let request =
            client.request(Method::POST, &format!("{path}/moves")).header("if-match", tag);
        client.send(request.json(&json!({ "move": moves[0] }))).await
    };
    make("\"1-br\"").await.problem(412, "stale_version");
    make(tag).await.expect(200);
    make(&format!("W/{tag}")).await.problem(412, "stale_version");
}

async fn short_answers_are_sent_as_they_are(server: Server) {
    let client = Client::anonymous(&server.url);
    let (_, headers, body) = fetch(&client, "/healthz", &[("accept-encoding", "br, gzip")]).await;
    assert!(serde_json::from_slice::<Value>(&body).is_ok());
    assert_eq!(headers.get("content-encoding"), None);
    assert_eq!(headers.get("vary"), None);
    assert_eq!(headers["content-length"].to_str().unwrap(), body.len().to_string());
}

async fn the_docs_are_compressed_too(server: Server) {
    let client = Client::anonymous(&server.url);
    for path in ["/openapi.json", "/docs/swagger-ui-bundle.js"] {
        let (_, plain_headers, plain) = fetch(&client, path, &[]).await;
        assert_eq!(varies_by(&plain_headers), ["accept-encoding"]);
        let (_, headers, body) = fetch(&client, path, &[("accept-encoding", "gzip")]).await;
        assert_eq!(headers["content-encoding"], "gzip", "{path}");
        assert!(body.len() * 2 < plain.len(), "{path}");
    }
}

async fn who_has_it_already_is_told_so(server: Server) {
    let (client, path) = long_match(&server).await;
    let player = format!("/v1/players/{}", client.player.as_deref().unwrap());
    let legal = format!("{path}/legal-moves");
    let replay = format!("{path}/replay");
    for path in [
        &path,
        &legal,
        &replay,
        &player,
        "/v1/me",
        "/v1/games",
        "/v1/games/qwinto",
        "/openapi.json",
    ] {
        let (status, headers, body) = fetch(&client, path, &[]).await;
        assert_eq!(status, 200, "{path}");
        assert!(!body.is_empty());
        let tag =
            headers.get("etag").unwrap_or_else(|| panic!("{path} has no tag")).to_str().unwrap();
        assert!(tag.starts_with('"') && tag.ends_with('"'), "{path}: {tag}");
        assert_ne!(headers["cache-control"], "no-store", "{path}");
        let list = format!("\"other\", W/{tag}");
        for known in [tag, &list, "*"] {
            let (status, again, body) = fetch(&client, path, &[("if-none-match", known)]).await;
            assert_eq!((status, body.len()), (304, 0), "{path} {known}");
            assert_eq!(again["etag"], tag);
            assert_eq!(again["cache-control"], headers["cache-control"]);
        }
    }
    for path in [&legal, "/v1/games", "/v1/games/qwinto"] {
        let (_, english, _) = fetch(&client, path, &[]).await;
        let (_, spanish, _) = fetch(&client, path, &[("accept-language", "es")]).await;
        assert_ne!(english["etag"], spanish["etag"], "{path}");
        assert!(varies_by(&spanish).contains(&"accept-language".to_owned()), "{path}");
    }
    let moves = client.legal_moves(path.rsplit('/').next().unwrap()).await;
    let (_, before, _) = fetch(&client, &legal, &[]).await;
    client.make_move(path.rsplit('/').next().unwrap(), &moves[0]).await.expect(200);
    let tag = before["etag"].to_str().unwrap();
    let (status, ..) = fetch(&client, &legal, &[("if-none-match", tag)]).await;
    assert_eq!(status, 200, "the match has gone on");
}

async fn pages_of_listed_origins_may_use_the_server(server: Server) {
    let server = server
        .restart_with(|config| config.cors_origins = vec!["https://play.example.com".to_owned()])
        .await;
    let (client, path) = long_match(&server).await;
    let ours = ("origin", "https://play.example.com");
    let (_, headers, _) = fetch(&client, &path, &[ours, ("accept-encoding", "gzip")]).await;
    assert_eq!(headers["access-control-allow-origin"], ours.1);
    assert_eq!(headers.get("access-control-allow-credentials"), None);
    let shown = headers["access-control-expose-headers"].to_str().unwrap().to_lowercase();
    for name in
        ["etag", "location", "ratelimit", "ratelimit-policy", "retry-after", "idempotency-replayed"]
    {
        assert!(shown.split(',').any(|shown| shown.trim() == name), "{name} in {shown}");
    }
    let varies = varies_by(&headers);
    for name in ["authorization", "accept-encoding", "origin"] {
        assert!(varies.contains(&name.to_owned()), "{name} in {varies:?}");
    }
    let (status, headers, _) = fetch(&client, "/v1/matches/7", &[ours]).await;
    assert_eq!((status, &headers["access-control-allow-origin"]), (404, &ours.1.parse().unwrap()));

    let preflight = async |origin: &str| {
        let request = client
            .request(Method::OPTIONS, &format!("{path}/moves"))
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header(
                "access-control-request-headers",
                "authorization, content-type, idempotency-key, if-match",
            );
        client.send(request).await
    };
    let allowed = preflight(ours.1).await;
    assert_eq!(allowed.status, 200);
    assert_eq!(allowed.header("access-control-allow-origin"), Some(ours.1));
    assert_eq!(allowed.header("access-control-max-age"), Some("7200"));
    assert!(
        allowed
            .header("access-control-allow-methods")
            .is_some_and(|methods| methods.contains("POST"))
    );
    let refused = preflight("https://evil.example.com").await;
    assert_eq!(refused.header("access-control-allow-origin"), None);
    assert_eq!(refused.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(refused.header("cache-control"), Some("no-store"));
    assert_eq!(refused.header("content-language"), Some("en"));
    let problem = refused.problem(400, "preflight_refused");
    assert_eq!(problem["instance"], format!("{path}/moves"));
    let request = client
        .request(Method::OPTIONS, &format!("{path}/moves"))
        .header("origin", ours.1)
        .header("access-control-request-method", "TRACE")
        .header("accept-language", "es");
    let problem = client.send(request).await.problem(400, "preflight_refused");
    assert!(problem["detail"].as_str().unwrap().starts_with("Las páginas"));
    let (status, headers, _) =
        fetch(&client, &path, &[("origin", "https://evil.example.com")]).await;
    assert_eq!((status, headers.get("access-control-allow-origin")), (200, None));
}

async fn no_origin_is_allowed_unless_listed(server: Server) {
    let client = Client::anonymous(&server.url);
    let (_, headers, _) =
        fetch(&client, "/v1/games", &[("origin", "https://play.example.com")]).await;
    assert_eq!(headers.get("access-control-allow-origin"), None);
    let server = server.restart_with(|config| config.cors_origins = vec!["*".to_owned()]).await;
    let client = Client::anonymous(&server.url);
    let (_, headers, _) =
        fetch(&client, "/v1/games", &[("origin", "https://play.example.com")]).await;
    assert_eq!(headers["access-control-allow-origin"], "*");
}
