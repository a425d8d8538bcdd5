//! A receiver of webhooks that records requests and responds as configured.

use std::sync::Arc;

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, http::StatusCode, web};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

/// A received request.
#[derive(Debug, Clone)]
pub struct Received {
    /// The path.
    pub path: String,
    /// The headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
    pub id: String,
    /// When it was sent, in seconds.
    pub timestamp: String,
    /// The signature.
    pub signature: String,
    /// The raw body.
    pub body: String,
    /// The response status; 0 for no response.
    pub status: u16,
}

impl Received {
    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }
}

/// The status of the response to the nth request, counted from 0; 0 for no response.
type Manners = Box<dyn FnMut(usize) -> u16 + Send>;

/// A receiver on the loopback address.
#[derive(Debug)]
pub struct Receiver {
    /// `http://127.0.0.1:…/hook`
    pub url: String,
    received: mpsc::UnboundedReceiver<Received>,
}

impl Receiver {
    /// Starts a receiver that answers the nth request with this status; 0 for no response.
    #[must_use]
    pub fn start(manners: impl FnMut(usize) -> u16 + Send + 'static) -> Self {
        let (sender, received) = mpsc::unbounded_channel();
        let manners: Arc<Mutex<(usize, Manners)>> = Arc::new(Mutex::new((0, Box::new(manners))));
        let server = HttpServer::new(move || {
            let (sender, manners) = (sender.clone(), Arc::clone(&manners));
            App::new().default_service(web::to(move |request: HttpRequest, body: String| {
                let (sender, manners) = (sender.clone(), Arc::clone(&manners));
                async move { receive(&request, body, &sender, &manners).await }
            }))
        });
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).expect("a port");
        let url = format!("http://{}/hook", server.addrs()[0]);
        actix_web::rt::spawn(server.run());
        Self { url, received }
    }

    /// The next request.
    pub async fn next(&mut self) -> Received {
        let next = tokio::time::timeout(std::time::Duration::from_secs(45), self.received.recv());
        next.await.expect("a message in time").expect("a receiver")
    }

    /// A request that has arrived already.
    pub fn try_next(&mut self) -> Option<Received> {
        self.received.try_recv().ok()
    }
}

async fn receive(
    request: &HttpRequest,
    body: String,
    sender: &mpsc::UnboundedSender<Received>,
    manners: &Mutex<(usize, Manners)>,
) -> HttpResponse {
    let header = |name: &str| {
        let value = request.headers().get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let status = {
        let mut manners = manners.lock();
        let nth = manners.0;
        manners.0 += 1;
        (manners.1)(nth)
    };
    let received = Received {
        path: request.path().to_owned(),
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
        body,
        status,
    };
    let _ = sender.send(received);
    if status == 0 {
        std::future::pending::<()>().await;
    }
    let status = StatusCode::from_u16(status).expect("a status");
    HttpResponse::build(status).insert_header(("location", "/elsewhere")).finish()
}

/// A receiver that accepts connections and never responds. It costs nothing but a port.
#[derive(Debug)]
pub struct SilentReceiver {
    /// `http://127.0.0.1:…/hook`
    pub url: String,
    listener: TcpListener,
}

impl SilentReceiver {
    /// Starts a receiver.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        Self { url, listener }
    }

    /// Waits until somebody calls; the connection stays open as long as it is held.
    pub async fn called(&self) -> TcpStream {
        self.listener.accept().await.expect("a connection").0
    }
}
