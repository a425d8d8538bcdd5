//! Charts: distributions, bars and time series, in the style of the boards. Texts come from the caller; numbers, durations
//! and dates are formatted here, in the language of the style.
//!
//! ```
//! use pictures::{Style, chart::{Bin, Histogram, Unit, Words, histogram}};
//!
//! let words = Words { title: "Scores", x: "points", y: "seats", ..Words::default() };
//! let bins = [Bin { from: 0, to: 9, count: 3 }, Bin { from: 10, to: 19, count: 5 }];
//! let svg = histogram(&Histogram { words, unit: Unit::Number, bins: &bins }, Style::default());
//! assert!(svg.starts_with("<svg"));
//! ```

mod bars;
mod dates;
mod group;
mod heading;
mod histogram;
mod plot;
mod scale;
mod time_series;
mod unit;

pub use bars::{Bar, Bars, Group, bars};
pub use dates::day;
pub use heading::Words;
pub use histogram::{Bin, Histogram, histogram};
pub use time_series::{Line, Point, TimeSeries, time_series};
pub use unit::{Unit, figure};
