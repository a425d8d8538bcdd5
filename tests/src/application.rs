//! A back end with a credential of its own, as a third party would write one.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use service::{
    applications,
    identity::{ApplicationScope, ApplicationScopes},
};
use store::Db;
use uuid::Uuid;

use crate::{
    client::{Client, Reply},
    server::Server,
};

/// The grant type of token exchange.
pub const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
/// An application's own id of a player, to be exchanged for a session.
pub const EXTERNAL_ID: &str = "urn:telar:token-type:external-id";

/// An application.
#[derive(Debug, Clone)]
pub struct Application {
    /// Its client id.
    pub id: Uuid,
    /// Its secret.
    pub secret: String,
    client: Client,
}

/// The store of a server, for what its operator does.
pub async fn store_of(server: &Server) -> Db {
    store::connect(&server.config.store()).await.expect("the store")
}

impl Application {
    /// Creates an application that may do everything.
    pub async fn create(server: &Server, name: &str) -> Self {
        Self::with_scopes(server, name, &ApplicationScope::ALL).await
    }

    /// Creates an application with these scopes.
    pub async fn with_scopes(server: &Server, name: &str, scopes: &[ApplicationScope]) -> Self {
        let (db, now) = (store_of(server).await, server.clock.now());
        let scopes: ApplicationScopes = scopes.iter().copied().collect();
        let created = applications::create(&db, name, scopes, now).await.expect("an application");
        let client = Client::anonymous(&server.url);
        Self { id: created.id, secret: created.secret, client }
    }

    /// The same application with another secret.
    #[must_use]
    pub fn with_secret(&self, secret: &str) -> Self {
        Self { secret: secret.to_owned(), ..self.clone() }
    }

    /// A request for a token without credentials.
    pub fn form(&self, fields: &[(&str, &str)]) -> RequestBuilder {
        let fields: Vec<String> =
            fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
        self.client
            .request(Method::POST, "/oauth/token")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(fields.join("&"))
    }

    /// Asks for a token with the credentials of the application.
    pub async fn ask(&self, fields: &[(&str, &str)]) -> Reply {
        let request = self.form(fields).basic_auth(self.id, Some(&self.secret));
        self.client.send(request).await
    }

    /// A client with a token of the application.
    pub async fn client(&self) -> Client {
        let issued = self.ask(&[("grant_type", "client_credentials")]).await.expect(200);
        self.client.with_token(issued["access_token"].as_str().expect("a token"))
    }

    /// Creates a player, and returns its id.
    pub async fn player(&self, external_id: &str, name: &str) -> String {
        let client = self.client().await;
        let put = put_player(&client, external_id, &json!({ "name": name })).await;
        assert!(put.status.is_success(), "{}", put.body);
        put.body["id"].as_str().expect("an id").to_owned()
    }

    /// Opens a session for a player.
    pub async fn session(&self, external_id: &str) -> Client {
        let session = self.exchange(external_id).await.expect(200);
        let mut client = self.client.clone();
        client.enter(&session);
        client
    }

    /// Asks for a session of a player.
    pub async fn exchange(&self, external_id: &str) -> Reply {
        self.ask(&[
            ("grant_type", TOKEN_EXCHANGE),
            ("subject_token", external_id),
            ("subject_token_type", EXTERNAL_ID),
        ])
        .await
    }
}

/// Creates or changes a player of the application behind a client.
pub async fn put_player(client: &Client, external_id: &str, body: &Value) -> Reply {
    let path = format!("/v1/apps/current/players/{external_id}");
    client.send(client.request(Method::PUT, &path).json(body)).await
}
