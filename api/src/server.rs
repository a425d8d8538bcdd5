//! Serving HTTP on a listener, as `actix_web::HttpServer` does, but with connections of our own ([`Wire`]).

use std::{fmt, io, net::TcpListener, time::Duration};

use actix_http::{HttpService, KeepAlive, Protocol, Request, Response, body::MessageBody};
use actix_service::{
    IntoServiceFactory, ServiceFactory, ServiceFactoryExt, fn_service, map_config,
};
use actix_web::{
    Error,
    dev::{AppConfig, Extensions, Server},
    rt::net::TcpStream,
};

use crate::http::{Patience, Wire};

/// How requests are served.
#[derive(Debug, Clone, Copy)]
pub struct Serving {
    /// The number of threads; one per core by default.
    pub workers: Option<usize>,
    /// How long an idle connection stays open.
    pub keep_alive: Duration,
    /// How long the head of a request may take.
    pub head: Duration,
    /// How long requests in flight may take when the server stops.
    pub shutdown: Duration,
}

/// How long a client may take to close its side of a connection.
const DISCONNECT: Duration = Duration::from_secs(1);

/// Serves an application on a listener. `admit` gets every new connection, with the data that its requests find.
///
/// # Errors
/// If the listener cannot be used.
pub fn serve<A, F, I, S, B>(
    listener: TcpListener,
    serving: Serving,
    admit: A,
    app: F,
) -> io::Result<Server>
where
    A: Fn(&TcpStream, &mut Extensions) + Send + Clone + 'static,
    F: Fn() -> I + Send + Clone + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<Error> + 'static,
    S::InitError: fmt::Debug,
    S::Response: Into<Response<B>> + 'static,
    B: MessageBody + 'static,
{
    let address = listener.local_addr()?;
    let mut builder = Server::build()
        .disable_signals()
        .shutdown_timeout(serving.shutdown.as_secs())
        // Beyond this limit, actix would let clients wait. Ours is lower and closes connections.
        .max_concurrent_connections(usize::MAX >> 1);
    if let Some(workers) = serving.workers {
        builder = builder.workers(workers);
    }
    let stopping = builder.graceful_shutdown_signal();
    let builder = builder.listen("telar", listener, move || {
        let (stopping, admit) = (stopping.clone(), admit.clone());
        let app = app().into_factory().map_err(|error| error.into().error_response());
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .keep_alive(KeepAlive::Timeout(serving.keep_alive))
            .client_request_timeout(serving.head)
            .client_disconnect_timeout(DISCONNECT)
            // A client that closes its side is gone: whatever is being done for it ends.
            .h1_allow_half_closed(false)
            .on_connect_ext(move |wire: &Wire<TcpStream>, data: &mut Extensions| {
                data.insert(wire.requests());
                admit(wire.stream(), data);
            })
            .local_addr(address)
            .finish(map_config(app, |()| AppConfig::default()));
        let patience = Patience { head: serving.head, idle: serving.keep_alive };
        fn_service(move |stream: TcpStream| async move {
            // What streams tell is small: it must not wait until what was told before has been acknowledged.
            let _ = stream.set_nodelay(true);
            let peer = stream.peer_addr().ok();
            Ok((Wire::new(stream, patience), Protocol::Http1, peer))
        })
        .and_then(http)
    })?;
    Ok(builder.run())
}
