//! Charts: distributions and time series, in the style of the boards. Words come from the caller; numbers and dates are
//! written here, in the language of the style.
//!
//! ```
//! use pictures::{Style, chart::{Bin, Histogram, histogram}};
//!
//! let bins = [Bin { from: 0.0, to: 10.0, count: 3 }, Bin { from: 10.0, to: 20.0, count: 5 }];
//! let svg = histogram(&Histogram { title: "Scores", x: "points", y: "seats", bins: &bins }, Style::default());
//! assert!(svg.starts_with("<svg"));
//! ```

mod axis;
mod histogram;
mod plot;
mod time_series;

pub use histogram::{Bin, Histogram, histogram};
pub use time_series::{Line, TimeSeries, time_series};
