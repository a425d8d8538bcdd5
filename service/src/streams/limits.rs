//! How many streams may be open at a time: per session, per address without a token, and in all.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use parking_lot::Mutex;
use uuid::Uuid;

/// Clients without a token often share an address: it may have as many streams as this many sessions.
const SESSIONS_PER_ADDRESS: u32 = 8;

/// Whose streams are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StreamHolder {
    /// A session.
    Session(Uuid),
    /// A client without a token.
    Address(IpAddr),
}

/// Why no more streams may be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StreamLimitError {
    /// The session or address has too many open already.
    #[error("too many streams are open for this session or address")]
    Holder,
    /// The server has too many open already.
    #[error("too many streams are open on this server")]
    Server,
}

/// Counts open streams and refuses more than the limits allow.
#[derive(Debug)]
pub struct StreamLimits {
    each: u32,
    all: u32,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: u32,
    by: HashMap<StreamHolder, u32>,
}

impl StreamLimits {
    /// Limits the streams of each session, and of all together.
    #[must_use]
    pub fn new(each: u32, all: u32) -> Arc<Self> {
        Arc::new(Self { each, all, taken: Mutex::default() })
    }

    /// Permits one more stream, until the permit is dropped.
    pub fn open(self: &Arc<Self>, holder: StreamHolder) -> Result<StreamPermit, StreamLimitError> {
        let most = match holder {
            StreamHolder::Session(_) => self.each,
            StreamHolder::Address(_) => self.each.saturating_mul(SESSIONS_PER_ADDRESS),
        };
        let mut taken = self.taken.lock();
        if taken.by.get(&holder).is_some_and(|count| *count >= most) {
            return Err(StreamLimitError::Holder);
        }
        if taken.all >= self.all {
            return Err(StreamLimitError::Server);
        }
        taken.all += 1;
        *taken.by.entry(holder).or_default() += 1;
        metrics::gauge!("telar_streams").set(f64::from(taken.all));
        drop(taken);
        Ok(StreamPermit { limits: Arc::clone(self), holder })
    }
}

/// The permit for one stream.
#[derive(Debug)]
pub struct StreamPermit {
    limits: Arc<StreamLimits>,
    holder: StreamHolder,
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut taken = self.limits.taken.lock();
        taken.all -= 1;
        metrics::gauge!("telar_streams").set(f64::from(taken.all));
        if let Some(count) = taken.by.get_mut(&self.holder) {
            *count -= 1;
            if *count == 0 {
                taken.by.remove(&self.holder);
            }
        }
    }
}
