//! One request to a webhook: to the address that was checked, once, without redirects. Of the response only the status counts.

use std::{sync::Arc, time::Duration};

use http_body_util::Full;
use hyper::{Request, body::Bytes, header};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName},
};
use url::{Position, Url};

use super::address::Policy;

/// How long a receiver may take to respond.
const TIMEOUT: Duration = Duration::from_secs(10);
const AGENT: &str = concat!("telar/", env!("CARGO_PKG_VERSION"));

/// A signed message.
#[derive(Debug)]
pub(super) struct SignedMessage<'a> {
    pub(super) id: &'a str,
    pub(super) seconds: i64,
    pub(super) signature: &'a str,
    pub(super) body: &'a str,
}

/// Sends messages over HTTP.
#[derive(Clone)]
pub(super) struct WebhookClient {
    policy: Policy,
    tls: TlsConnector,
}

impl std::fmt::Debug for WebhookClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookClient").field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl WebhookClient {
    pub(super) fn new(policy: Policy) -> Result<Self, tokio_rustls::rustls::Error> {
        Self::trusting(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }, policy)
    }

    fn trusting(roots: RootCertStore, policy: Policy) -> Result<Self, tokio_rustls::rustls::Error> {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self { policy, tls: TlsConnector::from(Arc::new(config)) })
    }

    /// Sends a message; returns the status of the response, or a short code that says why there is none.
    pub(super) async fn send(
        &self,
        url: &str,
        message: &SignedMessage<'_>,
    ) -> Result<u16, &'static str> {
        tokio::time::timeout(TIMEOUT, self.try_send(url, message)).await.unwrap_or(Err("timeout"))
    }

    async fn try_send(&self, url: &str, message: &SignedMessage<'_>) -> Result<u16, &'static str> {
        let url = self.policy.parse(url).map_err(super::Refused::code)?;
        let addresses = self.policy.resolve(&url).await.map_err(super::Refused::code)?;
        let stream = TcpStream::connect(&*addresses).await.map_err(|_| "connection_failed")?;
        if url.scheme() == "http" {
            return exchange(stream, &url, message).await;
        }
        let host = url.host_str().expect("a URL without a host is refused");
        let host = host.trim_matches(['[', ']']).to_owned();
        let name = ServerName::try_from(host).map_err(|_| "host_unknown")?;
        let stream = self.tls.connect(name, stream).await.map_err(|_| "tls_failed")?;
        exchange(stream, &url, message).await
    }
}

async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    url: &Url,
    message: &SignedMessage<'_>,
) -> Result<u16, &'static str> {
    let failed = |_| "connection_failed";
    let handshake = hyper::client::conn::http1::Builder::new()
        .max_buf_size(16 * 1024)
        .handshake(TokioIo::new(stream));
    let (mut sender, connection) = handshake.await.map_err(failed)?;
    let request = Request::post(&url[Position::BeforePath..Position::AfterQuery])
        .header(header::HOST, &url[Position::BeforeHost..Position::AfterPort])
        .header(header::USER_AGENT, AGENT)
        .header(header::CONTENT_TYPE, "application/json")
        .header("webhook-id", message.id)
        .header("webhook-timestamp", message.seconds)
        .header("webhook-signature", message.signature)
        .body(Full::new(Bytes::from(message.body.to_owned())))
        .map_err(|_| "url_malformed")?;
    let mut answer = std::pin::pin!(sender.send_request(request));
    let answer = tokio::select! {
        answer = &mut answer => answer,
        // The response may have arrived together with the end of the connection.
        _ = connection => answer.await,
    };
    Ok(answer.map_err(failed)?.status().as_u16())
}

#[cfg(test)]
mod tests {
    use rcgen::{CertifiedKey, generate_simple_self_signed};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };
    use tokio_rustls::{TlsAcceptor, rustls::ServerConfig};

    use super::*;

    /// Answers one request over TLS with a certificate for `localhost`, and returns what it read.
    async fn receiver() -> (u16, RootCertStore, tokio::task::JoinHandle<String>) {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(
                vec![cert.der().clone()],
                signing_key.serialize_der().try_into().expect("a key"),
            )
            .expect("a configuration");
        let mut roots = RootCertStore::empty();
        roots.add(cert.der().clone()).expect("a root");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let task = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.expect("a connection");
            let Ok(mut stream) = TlsAcceptor::from(Arc::new(config)).accept(stream).await else {
                return String::new();
            };
            let mut read = Vec::new();
            while !read.ends_with(b"{}") {
                stream.read_buf(&mut read).await.expect("a request");
            }
            let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
            stream.write_all(answer).await.expect("an answer");
            stream.shutdown().await.expect("an end");
            String::from_utf8(read).expect("text")
        });
        (port, roots, task)
    }

    const MESSAGE: SignedMessage<'_> =
        SignedMessage { id: "one", seconds: 7, signature: "v1,x", body: "{}" };
    const PRIVATE: Policy = Policy { http: false, private: true };

    #[tokio::test]
    async fn a_receiver_that_proves_who_it_is_gets_the_message() {
        let (port, roots, task) = receiver().await;
        let client = WebhookClient::trusting(roots, PRIVATE).expect("a client");
        let url = format!("https://localhost:{port}/hook?a=b");
        assert_eq!(client.send(&url, &MESSAGE).await, Ok(204));
        let request = task.await.expect("a request").to_lowercase();
        assert!(request.starts_with("post /hook?a=b http/1.1\r\n"), "{request}");
        for line in [
            &format!("host: localhost:{port}"),
            "webhook-id: one",
            "webhook-timestamp: 7",
            "webhook-signature: v1,x",
            "content-type: application/json",
        ] {
            assert!(request.contains(&format!("\r\n{line}\r\n")), "{request}");
        }
    }

    #[tokio::test]
    async fn one_that_does_not_gets_nothing() {
        let (port, _, task) = receiver().await;
        let client = WebhookClient::new(PRIVATE).expect("a client");
        let url = format!("https://localhost:{port}/");
        assert_eq!(client.send(&url, &MESSAGE).await, Err("tls_failed"));
        assert_eq!(task.await.expect("nothing"), "");
    }

    #[tokio::test]
    async fn what_has_become_private_since_is_not_called() {
        let client = WebhookClient::new(Policy::default()).expect("a client");
        let answer = client.send("https://127.0.0.1/", &MESSAGE).await;
        assert_eq!(answer, Err("host_not_public"));
    }
}
