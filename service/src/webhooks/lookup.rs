//! Looking up the host of a webhook while its owner waits for the answer. The system's resolver may take long and cannot be
//! interrupted, so it works in a bulkhead of its own.

use std::{
    io,
    net::{IpAddr, SocketAddr, ToSocketAddrs},
    sync::Arc,
    time::Duration,
};

use url::{Host, Url};

use super::{Policy, Refused, WebhookError};
use crate::{bulkheads::Bulkhead, error::Error};

/// How long to wait for the resolver.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The addresses of a host.
type Lookup = dyn Fn(&str, u16) -> io::Result<Vec<SocketAddr>> + Send + Sync;

/// Checks the hosts of new webhooks.
pub(super) struct HostCheck {
    policy: Policy,
    bulkhead: Arc<Bulkhead>,
    lookup: Arc<Lookup>,
    timeout: Duration,
}

impl std::fmt::Debug for HostCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostCheck").field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl HostCheck {
    /// Checks hosts with the system's resolver.
    pub(super) fn new(policy: Policy, bulkhead: Arc<Bulkhead>) -> Self {
        let lookup = |name: &str, port| Ok((name, port).to_socket_addrs()?.collect());
        Self { policy, bulkhead, lookup: Arc::new(lookup), timeout: TIMEOUT }
    }

    /// Refuses a URL whose host cannot be found or may not be called. `who` is the address of its owner.
    pub(super) async fn check(&self, url: &Url, who: IpAddr) -> Result<(), WebhookError> {
        let Some(Host::Domain(name)) = url.host() else {
            let resolved = self.policy.resolve(url).await;
            return resolved.map(drop).map_err(WebhookError::Url);
        };
        let port = url.port_or_known_default().ok_or(WebhookError::Url(Refused::Malformed))?;
        let (name, lookup) = (name.to_owned(), Arc::clone(&self.lookup));
        let turn = self.bulkhead.enter(who).await.map_err(Error::Busy)?;
        let work = turn.work(move || lookup(&name, port));
        let found = tokio::time::timeout(self.timeout, work).await;
        let found = match found {
            Ok(found) => found.map_err(Error::Stopped)?.unwrap_or_default(),
            // The turn goes on until the resolver gives up as well.
            Err(_) => Vec::new(),
        };
        self.policy.permit(&found).map_err(WebhookError::Url)
    }
}

#[cfg(test)]
mod tests {
    use std::{net::Ipv4Addr, sync::mpsc};

    use parking_lot::Mutex;
    use tokio::task::JoinSet;

    use super::*;
    use crate::bulkheads::{Bulkheads, Busy};

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));

    fn url(host: &str) -> Url {
        Policy::default().parse(&format!("https://{host}/")).expect("a URL")
    }

    /// A resolver that knows `good.example`, and does not answer for `silent.example` until the sender is dropped.
    fn checker(timeout: Duration) -> (Arc<HostCheck>, mpsc::Sender<()>) {
        let (silence, end) = mpsc::channel();
        let end = Mutex::new(end);
        let lookup = move |name: &str, port| match name {
            "good.example" => Ok(vec![(Ipv4Addr::new(8, 8, 8, 8), port).into()]),
            "inner.example" => Ok(vec![(Ipv4Addr::LOCALHOST, port).into()]),
            "silent.example" => {
                let _ = end.lock().recv();
                Ok(Vec::new())
            }
            _ => Err(io::ErrorKind::NotFound.into()),
        };
        let bulkhead = Bulkheads::new(2, 1).lookups;
        let (policy, lookup) = (Policy::default(), Arc::new(lookup));
        (Arc::new(HostCheck { policy, bulkhead, lookup, timeout }), silence)
    }

    #[tokio::test]
    async fn a_host_must_be_found_and_public() {
        let (check, _silence) = checker(TIMEOUT);
        check.check(&url("good.example"), HERE).await.expect("a good host");
        check.check(&url("8.8.8.8"), HERE).await.expect("a good address");
        for (host, refused) in [
            ("nowhere.example", Refused::Unknown),
            ("inner.example", Refused::Private),
            ("127.0.0.1", Refused::Private),
        ] {
            let error = check.check(&url(host), HERE).await.unwrap_err();
            assert!(matches!(error, WebhookError::Url(it) if it == refused), "{host}: {error:?}");
        }
    }

    #[tokio::test]
    async fn hosts_that_do_not_answer_delay_only_those_who_named_them() {
        let (check, silence) = checker(Duration::from_mins(1));
        let mut silent = JoinSet::new();
        for _ in 0..20 {
            let check = Arc::clone(&check);
            silent.spawn(async move { check.check(&url("silent.example"), HERE).await });
        }
        // Two are looked up and eight wait.
        for _ in 0..10 {
            let refused =
                silent.join_next().await.expect("an answer").expect("a task").unwrap_err();
            let busy = matches!(refused, WebhookError::Service(Error::Busy(Busy::Client)));
            assert!(busy, "{refused:?}");
        }
        check.check(&url("good.example"), ELSEWHERE).await.expect("somebody else's host");
        drop(silence);
        while let Some(answer) = silent.join_next().await {
            let refused = answer.expect("a task").unwrap_err();
            assert!(matches!(refused, WebhookError::Url(Refused::Unknown)), "{refused:?}");
        }
    }

    #[tokio::test]
    async fn nobody_waits_for_the_resolver_for_ever() {
        let (check, _silence) = checker(Duration::from_millis(1));
        let refused = check.check(&url("silent.example"), HERE).await.unwrap_err();
        assert!(matches!(refused, WebhookError::Url(Refused::Unknown)), "{refused:?}");
    }
}
