//! How often anybody may ask. An application has one bucket for everything that it does. A player's moves have a bucket of their own, so that looking around never costs a turn; new
//! guests, accounts and log-ins have a small one per address. Each replica counts by itself.

use std::{hash::Hash, net::IpAddr, num::NonZeroU32, time::Duration};

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use domain::{bot::BotLevel, text::Text};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DashMapStateStore,
};
use service::tasks::Shutdown;
use uuid::Uuid;

use crate::http::Address;

use crate::{config::Rates, error::ApiError};

/// The window of the limits, in seconds.
const WINDOW: u32 = 60;
/// How often buckets that are full again are forgotten.
const TIDY: Duration = Duration::from_mins(1);

/// All limits.
#[derive(Debug)]
pub struct Limits {
    requests: Option<Bucket<Uuid>>,
    moves: Option<Bucket<Uuid>>,
    address: Option<Bucket<IpAddr>>,
    sign_ins: Option<Bucket<IpAddr>>,
    applications: Option<Bucket<Uuid>>,
    exports: Option<(Bucket<IpAddr>, Bucket<Uuid>)>,
    hints: Option<Bucket<Uuid>>,
}

/// What the answer says about how often the client may ask.
#[derive(Debug, Clone)]
pub struct LimitState {
    policy: HeaderValue,
    state: HeaderValue,
}

/// A request too many.
#[derive(Debug)]
pub struct Exceeded {
    /// What is told to the client.
    pub problem: ApiError,
    /// For the headers.
    pub state: LimitState,
}

/// How the requests of a route are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateClass {
    /// Not at all.
    Unlimited,
    /// By address, in a small bucket of their own: new guests, new accounts, log-ins.
    SignIn,
    /// By player, in a bucket of their own, so that looking around never costs a turn.
    Move,
    /// By player.
    Request,
    /// By the handler, once it knows who is asking.
    Client,
}

impl Limits {
    /// Limits as configured.
    #[must_use]
    pub fn new(rates: Rates) -> Self {
        Self {
            requests: Bucket::new("requests", rates.requests),
            moves: Bucket::new("moves", rates.moves),
            address: Bucket::new("address", rates.address),
            sign_ins: Bucket::new("sign-ins", rates.sign_ins),
            applications: Bucket::new("application", rates.applications),
            exports: Bucket::new("exports", rates.exported)
                .zip(Bucket::new("exports", rates.exported)),
            hints: Bucket::new("hints", rates.hints),
        }
    }

    /// Counts a request against the limit of its address.
    pub fn check_address(
        &self,
        rate: RateClass,
        address: impl FnOnce() -> Address,
    ) -> Result<Option<LimitState>, Exceeded> {
        let strict = match rate {
            RateClass::Unlimited | RateClass::Client => return Ok(None),
            RateClass::SignIn => self.sign_ins.as_ref(),
            RateClass::Move | RateClass::Request => None,
        };
        if self.address.is_none() && strict.is_none() {
            return Ok(None);
        }
        let address = address().0;
        let state = take(self.address.as_ref(), &address)?;
        Ok(take(strict, &address)?.or(state))
    }

    /// Counts a request for the player who sends it.
    pub fn check_player(
        &self,
        rate: RateClass,
        player: Uuid,
    ) -> Result<Option<LimitState>, Exceeded> {
        match rate {
            RateClass::Unlimited | RateClass::SignIn | RateClass::Client => Ok(None),
            RateClass::Move => take(self.moves.as_ref(), &player),
            RateClass::Request => take(self.requests.as_ref(), &player),
        }
    }

    /// Counts what a hint of a bot of this level costs.
    pub fn charge_hint(&self, player: Uuid, level: BotLevel) -> Result<(), ApiError> {
        let Some(bucket) = &self.hints else { return Ok(()) };
        bucket.take_many(&player, hint_cost(level)).map(drop).map_err(|exceeded| exceeded.problem)
    }

    /// Whether requests are counted by address.
    #[must_use]
    pub const fn counts_addresses(&self) -> bool {
        self.address.is_some() || self.sign_ins.is_some()
    }

    /// Counts a request for the application that sends it.
    pub fn check_application(
        &self,
        rate: RateClass,
        application: Uuid,
    ) -> Result<Option<LimitState>, Exceeded> {
        match rate {
            RateClass::Unlimited | RateClass::Client => Ok(None),
            RateClass::SignIn | RateClass::Move | RateClass::Request => {
                take(self.applications.as_ref(), &application)
            }
        }
    }

    /// Counts exported matches, and waits until the address and the player may have them.
    pub async fn pace_export(&self, address: Address, player: Option<Uuid>, matches: u32) {
        let (Some((by_address, by_player)), Some(matches)) =
            (&self.exports, NonZeroU32::new(matches))
        else {
            return;
        };
        by_address.pace(&address.0, matches).await;
        if let Some(player) = player {
            by_player.pace(&player, matches).await;
        }
    }

    /// Forgets full buckets now and then, so that memory is bounded by who asked in the last minutes. Runs until told to stop.
    pub async fn run(&self, mut shutdown: Shutdown) {
        loop {
            tokio::select! {
                () = shutdown.requested() => return,
                () = tokio::time::sleep(TIDY) => self.tidy(),
            }
        }
    }

    fn tidy(&self) {
        for bucket in
            [&self.requests, &self.moves, &self.applications, &self.hints].into_iter().flatten()
        {
            bucket.tidy();
        }
        for bucket in [&self.address, &self.sign_ins].into_iter().flatten() {
            bucket.tidy();
        }
        if let Some((by_address, by_player)) = &self.exports {
            by_address.tidy();
            by_player.tidy();
        }
    }
}

impl LimitState {
    /// Writes the headers.
    pub fn write(self, headers: &mut HeaderMap) {
        headers.insert(HeaderName::from_static("ratelimit-policy"), self.policy);
        headers.insert(HeaderName::from_static("ratelimit"), self.state);
    }
}

fn take<K: Hash + Eq + Clone>(
    bucket: Option<&Bucket<K>>,
    key: &K,
) -> Result<Option<LimitState>, Exceeded> {
    bucket.map(|bucket| bucket.take(key)).transpose()
}

/// About how long the bots of a level think, next to a novice.
fn hint_cost(level: BotLevel) -> NonZeroU32 {
    let cost = match level {
        BotLevel::Novice => 1,
        BotLevel::Casual => 2,
        BotLevel::Club => 5,
        BotLevel::Expert => 20,
        BotLevel::Master => 60,
    };
    NonZeroU32::new(cost).unwrap_or(NonZeroU32::MIN)
}

/// One limit: each key has as many requests in a minute, and gets them back evenly.
#[derive(Debug)]
struct Bucket<K: Hash + Eq + Clone> {
    name: &'static str,
    quota: u32,
    policy: HeaderValue,
    limiter: RateLimiter<K, DashMapStateStore<K>, DefaultClock, StateInformationMiddleware>,
}

impl<K: Hash + Eq + Clone> Bucket<K> {
    fn new(name: &'static str, quota: u32) -> Option<Self> {
        let limiter = RateLimiter::dashmap(Quota::per_minute(NonZeroU32::new(quota)?));
        let policy = HeaderValue::try_from(format!("\"{name}\";q={quota};w={WINDOW}")).ok()?;
        Some(Self { name, quota, policy, limiter: limiter.with_middleware() })
    }

    fn take(&self, key: &K) -> Result<LimitState, Exceeded> {
        self.take_many(key, NonZeroU32::MIN)
    }

    /// Takes this many, or as many as there ever are.
    fn take_many(&self, key: &K, many: NonZeroU32) -> Result<LimitState, Exceeded> {
        let many = NonZeroU32::new(self.quota).map_or(many, |quota| many.min(quota));
        let taken = self.limiter.check_key_n(key, many).expect("no more than there ever are");
        match taken {
            Ok(state) => {
                let left = state.remaining_burst_capacity();
                let spent = u64::from(self.quota.saturating_sub(left));
                let full_in = (spent * u64::from(WINDOW)).div_ceil(u64::from(self.quota));
                Ok(self.state_with(left, full_in))
            }
            Err(until) => {
                let wait = until.wait_time_from(self.limiter.clock().now());
                let seconds = u32::try_from(wait.as_secs()).unwrap_or(u32::MAX).saturating_add(1);
                metrics::counter!("telar_rate_limited_total", "bucket" => self.name).increment(1);
                let problem = ApiError::too_many(
                    "rate_limited",
                    Text::new(
                        "Too many requests; try again after `Retry-After` seconds. `RateLimit-Policy` says how many are fine.",
                        "Demasiadas peticiones; inténtalo pasados los segundos de `Retry-After`. `RateLimit-Policy` dice cuántas caben.",
                    ),
                    seconds,
                );
                Err(Exceeded { problem, state: self.state_with(0, WINDOW.into()) })
            }
        }
    }

    /// Takes this many, or as many as there ever are, and waits until it may.
    async fn pace(&self, key: &K, many: NonZeroU32) {
        let many = NonZeroU32::new(self.quota).map_or(many, |quota| many.min(quota));
        while let Ok(Err(until)) = self.limiter.check_key_n(key, many) {
            tokio::time::sleep(until.wait_time_from(self.limiter.clock().now())).await;
        }
    }

    /// As in draft-ietf-httpapi-ratelimit-headers: how many are left, and when all of them will be there again.
    fn state_with(&self, left: u32, full_in: u64) -> LimitState {
        let state = format!("\"{}\";r={left};t={full_in}", self.name);
        let state = HeaderValue::try_from(state).unwrap_or_else(|_| self.policy.clone());
        LimitState { policy: self.policy.clone(), state }
    }

    fn tidy(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_says_what_is_left_and_forgets_who_has_all_of_it() {
        let bucket = Bucket::new("requests", 3).expect("a limit");
        for left in [2, 1, 0] {
            let limit = bucket.take(&1).expect("not too many");
            assert_eq!(limit.policy, "\"requests\";q=3;w=60");
            let state = limit.state.to_str().unwrap();
            assert!(state.starts_with(&format!("\"requests\";r={left};t=")), "{state}");
        }
        let exceeded = bucket.take(&1).expect_err("too many");
        assert_eq!(exceeded.problem.status(), 429);
        bucket.take(&2).expect("another key");
        assert_eq!(bucket.limiter.len(), 2);
        bucket.tidy();
        assert_eq!(bucket.limiter.len(), 2, "these are still in use");
        assert!(Bucket::<u8>::new("off", 0).is_none());
    }
}
