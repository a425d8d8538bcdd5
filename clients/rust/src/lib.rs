//! A client for Telar: a type for every schema of the OpenAPI document, and a method for every operation.
//!
//! ```no_run
//! # async fn play() -> Result<(), telar_client::Error> {
//! use telar_client::{Client, types::CreateGuestRequest};
//!
//! let client = Client::new("http://127.0.0.1:8080");
//! let session = client.create_guest(None, &CreateGuestRequest::default()).await?;
//! let client = client.with_token(session.access_token);
//! # Ok(()) }
//! ```

use reqwest::{Method, RequestBuilder, Response};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
pub use uuid::Uuid;

/// The types of the OpenAPI document.
#[allow(
    missing_docs,
    rustdoc::all,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    reason = "generated"
)]
pub mod types {
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}

#[allow(rustdoc::all, clippy::pedantic, clippy::useless_format, reason = "generated")]
mod operations {
    use crate::{Client, Error, json, nothing, say, stream, text, types};

    include!(concat!(env!("OUT_DIR"), "/operations.rs"));
}

/// A client for one server.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server returned a problem document.
    #[error("{}: {}", .0.code, .0.detail)]
    Refused(Box<types::Problem>),
    /// The server cannot be reached, or its response is not as documented.
    #[error(transparent)]
    Http(#[from] reqwest::Error),
    /// The request cannot be serialised.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl Client {
    /// A client for the server at this URL.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { http: reqwest::Client::new(), url: url.into(), token: None }
    }

    /// The same client with an access token of a session or a personal access token.
    #[must_use]
    pub fn with_token(self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }
}

/// Adds the other parameters: some as headers, the rest in the query.
fn say(
    mut request: RequestBuilder,
    parameters: Option<&impl Serialize>,
    headers: &[&str],
) -> Result<RequestBuilder, Error> {
    let Value::Object(parameters) = serde_json::to_value(parameters)? else { return Ok(request) };
    for (name, value) in parameters {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        request = if headers.contains(&name.as_str()) {
            request.header(name, value)
        } else {
            request.query(&[(name, value)])
        };
    }
    Ok(request)
}

/// The response if it is successful, otherwise the problem.
async fn stream(request: RequestBuilder) -> Result<Response, Error> {
    let response = request.send().await?;
    if response.status().is_success() {
        return Ok(response);
    }
    Err(Error::Refused(Box::new(response.json().await?)))
}

async fn json<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, Error> {
    Ok(stream(request).await?.json().await?)
}

async fn text(request: RequestBuilder) -> Result<String, Error> {
    Ok(stream(request).await?.text().await?)
}

async fn nothing(request: RequestBuilder) -> Result<(), Error> {
    stream(request).await.map(drop)
}
