//! How many connections there may be, in all and from one address. A connection too many is closed at once: a client that
//! holds many gets no more, and the process never runs out of file descriptors.

use std::{net::Shutdown, sync::Arc, time::Duration};

use actix_web::{dev::Extensions, rt::net::TcpStream, web::Data};
use service::{
    occupancy::{Caps, Full, Holder, Occupancy},
    process,
};
use socket2::SockRef;

use super::Addresses;

/// File descriptors for everything besides clients and the store: files, the log, webhooks, connections about to be closed.
const OTHER_FILES: u64 = 512;
/// After this time without progress in sending, a connection is given up.
#[cfg(target_os = "linux")]
const STALLED: Duration = Duration::from_mins(1);

/// Counts connections.
#[derive(Debug)]
pub struct Connections {
    open: Arc<Occupancy>,
    addresses: Data<Addresses>,
}

/// In the data of a connection that is being closed because there are too many. Whatever it has sent already is not served.
#[derive(Debug, Clone, Copy)]
pub struct RefusedConnection;

impl Connections {
    /// Allows this many connections, in all and from one address (0: no limit), as far as the system does. `store` is the
    /// number of connections to the store.
    #[must_use]
    pub fn new(most: u32, per_address: u32, store: u32, addresses: Data<Addresses>) -> Self {
        let all = allowed(most, OTHER_FILES + u64::from(store));
        let address = per_address.min((all / 2).max(1));
        let caps = Caps { address, all, ..Caps::default() };
        Self { open: Occupancy::new("telar_connections", caps), addresses }
    }

    /// Counts a new connection until it is closed, or closes it at once.
    pub fn admit(&self, stream: &TcpStream, data: &mut Extensions) {
        let socket = SockRef::from(stream);
        // A client that is gone already has no address.
        let peer = stream.peer_addr().ok();
        let address = peer.and_then(|peer| self.addresses.of_connection(peer.ip()));
        let holder =
            Holder { session: None, player: None, address: address.map(|address| address.0) };
        match self.open.take(holder) {
            Ok(place) => {
                data.insert(place);
                #[cfg(target_os = "linux")]
                let _ = socket.set_tcp_user_timeout(Some(STALLED));
            }
            Err(full) => {
                let reason = match full {
                    Full::Holder => "address",
                    Full::Server => "all",
                };
                metrics::counter!("telar_connections_refused_total", "limit" => reason)
                    .increment(1);
                data.insert(RefusedConnection);
                let _ = socket.shutdown(Shutdown::Both);
            }
        }
    }
}

/// How many connections the system lets us have.
fn allowed(most: u32, besides: u64) -> u32 {
    let wanted = u64::from(most) + besides;
    let Some(files) = process::raise_open_files(wanted).filter(|files| *files < wanted) else {
        return most;
    };
    let left = files - besides.min(files / 2);
    let all = u32::try_from(left).unwrap_or(most).clamp(1, most);
    tracing::warn!(files, connections = all, "the system allows few open files: raise `ulimit -n`");
    all
}
