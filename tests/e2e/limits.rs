//! Rate limits.

use api::{config::Rates, http::address::TrustedProxies};
use reqwest::Method;
use serde_json::json;
use tests::{
    client::{Client, Reply},
    server::Server,
};

on_both_stores!(
    moves_have_a_bucket_of_their_own,
    a_player_has_one_bucket_whatever_the_token,
    an_address_has_a_limit_and_a_strict_one_for_signing_in,
    a_trusted_proxy_says_whose_address_counts,
);

/// A request from this address through a proxy.
async fn from(client: &Client, address: &str, path: &str, body: &serde_json::Value) -> Reply {
    let request = client.request(Method::POST, path).header("x-forwarded-for", address);
    client.send(request.json(body)).await
}

/// What `RateLimit` says: the bucket, and how many requests are left.
fn left(reply: &Reply) -> (String, u64) {
    let mut parts = reply.header("ratelimit").expect("how many are left").split(';');
    let bucket = parts.next().unwrap().trim_matches('"').to_owned();
    let left = parts.next().and_then(|part| part.strip_prefix("r=")).expect("r").parse().unwrap();
    let seconds = parts.next().and_then(|part| part.strip_prefix("t=")).expect("t");
    assert!(seconds.parse::<u64>().is_ok_and(|seconds| seconds <= 60), "{seconds}");
    (bucket, left)
}

async fn moves_have_a_bucket_of_their_own(server: Server) {
    let server = server
        .restart_with(|config| config.rates = Rates { requests: 4, moves: 2, ..Rates::UNLIMITED })
        .await;
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let reply = ana.post("/v1/matches", &json!({ "game": "tapestry", "seats": 1 })).await;
    assert_eq!(reply.header("ratelimit-policy"), Some("\"requests\";q=4;w=60"));
    assert_eq!(left(&reply), ("requests".to_owned(), 3));
    let id = reply.expect(201)["id"].as_str().unwrap().to_owned();
    for rest in [2, 1, 0] {
        assert_eq!(left(&ana.get("/v1/me").await), ("requests".to_owned(), rest));
    }
    let refused =
        ana.send(ana.request(Method::GET, "/v1/me").header("accept-language", "es")).await;
    assert_eq!(left(&refused), ("requests".to_owned(), 0));
    let wait: u64 = refused.header("retry-after").expect("when to try again").parse().unwrap();
    assert!((1..=16).contains(&wait), "{wait}");
    assert_eq!(refused.header("cache-control"), Some("no-store"));
    let problem = refused.problem(429, "rate_limited");
    assert!(problem["detail"].as_str().unwrap().starts_with("Demasiadas"));
    assert_eq!(problem["instance"], "/v1/me");

    let nonsense = json!({ "type": "dance" });
    let reply = ana.make_move(&id, &nonsense).await;
    assert_eq!(reply.header("ratelimit-policy"), Some("\"moves\";q=2;w=60"));
    assert_eq!(left(&reply), ("moves".to_owned(), 1), "who may not look around may still move");
    reply.problem(400, "malformed");
    ana.make_move(&id, &nonsense).await.problem(400, "malformed");
    ana.make_move(&id, &nonsense).await.problem(429, "rate_limited");
    ben.get("/v1/me").await.expect(200);
}

async fn a_player_has_one_bucket_whatever_the_token(server: Server) {
    let server = server
        .restart_with(|config| config.rates = Rates { requests: 3, ..Rates::UNLIMITED })
        .await;
    let ana = Client::guest(&server.url, "Ana").await;
    let body = json!({ "name": "bot", "scopes": ["account:read"] });
    let created = ana.post("/v1/me/tokens", &body).await.expect(201);
    let bot = ana.with_token(created["secret"].as_str().unwrap());
    bot.get("/v1/me").await.expect(200);
    bot.get("/v1/me").await.expect(200);
    bot.get("/v1/me").await.problem(429, "rate_limited");
    ana.get("/v1/me").await.problem(429, "rate_limited");
}

async fn an_address_has_a_limit_and_a_strict_one_for_signing_in(server: Server) {
    let server = server
        .restart_with(|config| config.rates = Rates { address: 5, sign_ins: 2, ..Rates::UNLIMITED })
        .await;
    let client = Client::anonymous(&server.url);
    let reply = client.post("/v1/guests", &json!({})).await;
    assert_eq!(left(&reply), ("sign-ins".to_owned(), 1));
    reply.expect(201);
    let login = json!({ "name": "Nobody", "password": "correct horse" });
    client.post("/v1/sessions", &login).await.problem(401, "wrong_credentials");
    let forged = from(&client, "203.0.113.9", "/v1/guests", &json!({})).await;
    assert_eq!(forged.header("ratelimit-policy"), Some("\"sign-ins\";q=2;w=60"));
    forged.problem(429, "rate_limited");
    client.post("/v1/%67uests", &json!({})).await.problem(429, "rate_limited");
    assert_eq!(left(&client.get("/v1/games").await), ("address".to_owned(), 0));
    client.get("/v1/games").await.problem(429, "rate_limited");
    client.get("/%76%31/games").await.problem(429, "rate_limited");
    for path in ["/healthz", "/readyz"] {
        let reply = client.get(path).await;
        assert_eq!(reply.header("ratelimit"), None);
        reply.expect(200);
    }
}

async fn a_trusted_proxy_says_whose_address_counts(server: Server) {
    let server = server
        .restart_with(|config| {
            config.rates = Rates { sign_ins: 1, ..Rates::UNLIMITED };
            config.trusted_proxies = "127.0.0.0/8".parse::<TrustedProxies>().unwrap();
        })
        .await;
    let client = Client::anonymous(&server.url);
    let guest = json!({});
    from(&client, "203.0.113.1", "/v1/guests", &guest).await.expect(201);
    from(&client, "203.0.113.2", "/v1/guests", &guest).await.expect(201);
    from(&client, "198.51.100.1, 203.0.113.2", "/v1/guests", &guest)
        .await
        .problem(429, "rate_limited");
    from(&client, "2001:db8::1", "/v1/guests", &guest).await.expect(201);
    from(&client, "2001:db8::2", "/v1/guests", &guest).await.problem(429, "rate_limited");
}
