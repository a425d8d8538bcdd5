//! Parts that the benchmarks share.

#![allow(
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "a benchmark ends where something is wrong"
)]

pub mod cpu;
pub mod http;
pub mod script;
pub mod telar;

/// A percentile of durations, in milliseconds.
#[must_use]
pub fn percentile(times: &mut [std::time::Duration], share: usize) -> f64 {
    times.sort_unstable();
    let index = (times.len() * share / 100).min(times.len().saturating_sub(1));
    times.get(index).map_or(0.0, std::time::Duration::as_secs_f64) * 1e3
}
