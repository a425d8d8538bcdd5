//! How many of something may be open at a time: per session, per player, per address, and in all. Connections, unfinished
//! bodies, streams and exports are counted this way.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use parking_lot::Mutex;
use uuid::Uuid;

/// The most that may be open at a time; 0 means no limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Caps {
    /// For one session.
    pub session: u32,
    /// For one player, over all sessions and tokens.
    pub player: u32,
    /// For one address.
    pub address: u32,
    /// For all together.
    pub all: u32,
}

/// Who has something open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    /// The session or personal access token.
    pub session: Option<Uuid>,
    /// The player.
    pub player: Option<Uuid>,
    /// The address.
    pub address: Option<IpAddr>,
}

impl Holder {
    /// Somebody of whom only the address is known.
    #[must_use]
    pub const fn at(address: IpAddr) -> Self {
        Self { session: None, player: None, address: Some(address) }
    }
}

/// Why no more may be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Full {
    /// The session, player or address has too many open already.
    #[error("too many are open for this session, player or address")]
    Holder,
    /// The server has too many open already.
    #[error("too many are open on this server")]
    Server,
}

/// Counts what is open and refuses more than the caps allow.
#[derive(Debug)]
pub struct Occupancy {
    caps: Caps,
    /// The gauge that shows how many are open.
    gauge: metrics::Gauge,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: u32,
    by: HashMap<Key, u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Session(Uuid),
    Player(Uuid),
    Address(IpAddr),
}

impl Occupancy {
    /// Counts under these caps, and shows the number in this gauge.
    #[must_use]
    pub fn new(gauge: &'static str, caps: Caps) -> Arc<Self> {
        Arc::new(Self { caps, gauge: metrics::gauge!(gauge), taken: Mutex::default() })
    }

    /// Takes a place, until it is dropped.
    pub fn take(self: &Arc<Self>, holder: Holder) -> Result<Place, Full> {
        let mut taken = self.taken.lock();
        for (key, most) in self.counted(holder) {
            if taken.by.get(&key).is_some_and(|count| *count >= most) {
                return Err(Full::Holder);
            }
        }
        if self.caps.all > 0 && taken.all >= self.caps.all {
            return Err(Full::Server);
        }
        taken.all += 1;
        for (key, _) in self.counted(holder) {
            *taken.by.entry(key).or_default() += 1;
        }
        self.gauge.set(f64::from(taken.all));
        drop(taken);
        Ok(Place { of: Arc::clone(self), holder })
    }

    /// The number of places that are taken.
    #[must_use]
    pub fn taken(&self) -> u32 {
        self.taken.lock().all
    }

    /// What a holder is counted by, and the most of each.
    fn counted(&self, holder: Holder) -> impl Iterator<Item = (Key, u32)> {
        let Caps { session, player, address, .. } = self.caps;
        [
            (holder.session.map(Key::Session), session),
            (holder.player.map(Key::Player), player),
            (holder.address.map(Key::Address), address),
        ]
        .into_iter()
        .filter_map(|(key, most)| Some((key.filter(|_| most > 0)?, most)))
    }
}

/// A place, given back when it is dropped.
#[derive(Debug)]
pub struct Place {
    of: Arc<Occupancy>,
    holder: Holder,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.of.taken.lock();
        taken.all -= 1;
        self.of.gauge.set(f64::from(taken.all));
        for (key, _) in self.of.counted(self.holder) {
            if let Some(count) = taken.by.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    taken.by.remove(&key);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));

    fn holder(session: u128, player: u128, address: IpAddr) -> Holder {
        Holder {
            session: Some(Uuid::from_u128(session)),
            player: Some(Uuid::from_u128(player)),
            address: Some(address),
        }
    }

    #[test]
    fn a_player_has_a_cap_over_all_sessions_and_an_address_over_all_players() {
        let caps = Caps { session: 1, player: 2, address: 3, all: 0 };
        let streams = Occupancy::new("test", caps);
        let mut open = vec![streams.take(holder(1, 1, HERE)).unwrap()];
        assert_eq!(streams.take(holder(1, 1, HERE)).unwrap_err(), Full::Holder, "the session");
        open.push(streams.take(holder(2, 1, HERE)).unwrap());
        assert_eq!(streams.take(holder(3, 1, ELSEWHERE)).unwrap_err(), Full::Holder, "the player");
        open.push(streams.take(holder(4, 2, HERE)).unwrap());
        assert_eq!(streams.take(holder(5, 3, HERE)).unwrap_err(), Full::Holder, "the address");
        assert_eq!(streams.take(Holder::at(HERE)).unwrap_err(), Full::Holder);
        open.push(streams.take(holder(5, 3, ELSEWHERE)).unwrap());
        drop(open);
        assert!(streams.taken.lock().by.is_empty(), "nothing is remembered of what is closed");
        streams.take(holder(1, 1, HERE)).unwrap();
    }

    #[test]
    fn all_together_have_a_cap_and_what_was_refused_takes_no_place() {
        let streams = Occupancy::new("test", Caps { address: 5, all: 2, ..Caps::default() });
        let first = streams.take(Holder::at(HERE)).unwrap();
        let _second = streams.take(Holder::at(ELSEWHERE)).unwrap();
        assert_eq!(streams.take(Holder::at(HERE)).unwrap_err(), Full::Server);
        assert_eq!(streams.taken(), 2);
        drop(first);
        streams.take(Holder::at(HERE)).unwrap();
    }
}
