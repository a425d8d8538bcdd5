//! Leaderboards: which entries they have, and how ranks are found without counting all entries.

use domain::{
    outcome::{Best, MeasureInfo, MeasureValue},
    time::Timestamp,
};

use store::statistics::ScoreRange;

use super::{
    period,
    rating::Rating,
    record::{Record, SeatResult},
};

/// The board of ratings.
pub const RATING: &str = "rating";
/// The board of wins.
pub const WINS: &str = "wins";
/// The board of best scores.
pub const BEST_SCORE: &str = "best_score";
/// All time, among the periods of boards.
pub const ALL_TIME: &str = "all";

/// A bucket holds this many buckets of the level below, as a power of two.
const FANOUT: u32 = 6;
/// The number of levels; on the last one every bucket is looked at.
const LEVELS: i16 = 6;

/// The name of a board.
#[must_use]
pub fn name(game: &str, kind: &str, period: &str) -> String {
    format!("{game}/{kind}/{period}")
}

/// The periods whose boards a match counts on.
pub(super) fn periods(at: Timestamp) -> [String; 3] {
    let date = period::date_of(period::day_of(at));
    [ALL_TIME.to_owned(), period::season(date), period::month(date)]
}

/// How a match changes an entry on a board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Change {
    /// One more.
    Increment,
    /// At least this.
    AtLeast(i64),
    /// This rating from now on.
    Rating(Rating),
}

/// A player's entry on a board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entry {
    pub(super) score: i64,
    /// When the match ended that led to this score.
    pub(super) at: Timestamp,
    pub(super) rating: Option<Rating>,
}

impl Change {
    /// The entry after a match that ended at this time; nothing if it stays as it is. Matches may come in any order.
    pub(super) fn apply(self, old: Option<Entry>, at: Timestamp) -> Option<Entry> {
        match (self, old) {
            (Self::Increment, None) => Some(Entry { score: 1, at, rating: None }),
            (Self::Increment, Some(old)) => {
                Some(Entry { score: old.score + 1, at: old.at.max(at), ..old })
            }
            (Self::AtLeast(score), Some(old))
                if old.score > score || (old.score == score && old.at <= at) =>
            {
                None
            }
            (Self::AtLeast(score), _) => Some(Entry { score, at, rating: None }),
            (Self::Rating(_), Some(old)) if old.at > at => None,
            (Self::Rating(rating), _) => {
                Some(Entry { score: rating.rank_millis(), at, rating: Some(rating) })
            }
        }
    }
}

/// The changes of one seat of a match, by kind of board; ratings are separate.
pub(super) fn changes(record: &Record, result: &SeatResult<'_>) -> Vec<(&'static str, Change)> {
    let mut changes = Vec::new();
    if !record.counts_on_boards() {
        return changes;
    }
    let won = result.standing.won;
    if won {
        changes.push((WINS, Change::Increment));
    }
    if !record.is_measured(result.seat) {
        return changes;
    }
    match result.standing.score {
        // In a solo match only a win counts.
        Some(score) if won || record.seats > 1 => {
            changes.push((BEST_SCORE, Change::AtLeast(score)));
        }
        None if won => {
            for (info, measured) in record.declared(&result.standing.measures) {
                if let (Some(best), MeasureValue::Number(value)) = (info.best, &measured.value) {
                    changes.push((info.id, Change::AtLeast(oriented(best, *value))));
                }
            }
        }
        _ => {}
    }
    changes
}

/// Turns a value so that higher is better, and back.
#[must_use]
pub const fn oriented(best: Best, value: i64) -> i64 {
    match best {
        Best::Highest => value,
        Best::Lowest => value.saturating_neg(),
    }
}

/// The measures of a game that have a board.
pub fn ranked(measures: &'static [MeasureInfo]) -> impl Iterator<Item = &'static MeasureInfo> {
    measures.iter().filter(|info| info.best.is_some())
}

/// The bucket of a score on each level.
pub(super) fn buckets(score: i64) -> impl Iterator<Item = (i16, i64)> {
    (0..LEVELS).map(move |level| (level, score >> (FANOUT * u32::from(level.unsigned_abs()))))
}

/// Ranges of buckets that together hold every score above this one exactly once. Their number does not depend on the number
/// of entries.
#[must_use]
pub fn above(score: i64) -> Vec<ScoreRange> {
    buckets(score)
        .map(|(level, bucket)| {
            let siblings = (1 << FANOUT) - 1;
            let last = if level + 1 == LEVELS { i64::MAX } else { bucket | siblings };
            ScoreRange { level, first: bucket.saturating_add(1), last }
        })
        .filter(|range| range.first <= range.last)
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use domain::{
        games,
        outcome::{Ending, Measured, Outcome, Standing},
        seat::SeatSet,
    };
    use uuid::Uuid;

    use super::*;
    use domain::matches::Unrated;

    /// A match of Universal Tapestry by somebody with an account.
    pub(in crate::statistics) fn tapestry(
        score: Option<i64>,
        won: bool,
        elapsed_ms: i64,
    ) -> Record {
        let standing = Standing {
            place: 1,
            won,
            score,
            breakdown: Vec::new(),
            measures: vec![Measured::number("elapsed_ms", elapsed_ms)],
        };
        Record {
            match_id: Uuid::nil(),
            game: games::find("tapestry").unwrap(),
            rules_version: 1,
            seats: 1,
            public: true,
            bots: false,
            started_at: Timestamp::from_micros(0),
            ended_at: Timestamp::from_micros(0),
            players: vec![Some(Uuid::nil())],
            resigned: SeatSet::NONE,
            outcome: Some(Outcome {
                ending: Ending::Rules,
                seats: vec![standing],
                measures: Vec::new(),
            }),
            unrated: Some(Unrated::Solo),
        }
    }

    fn posted(record: &Record) -> Vec<(&'static str, Change)> {
        record.results().flat_map(|result| changes(record, &result)).collect()
    }

    #[test]
    fn alone_the_fastest_win_counts_or_the_most_points_of_a_win() {
        let fast = posted(&tapestry(None, true, 90_000));
        assert_eq!(fast, [(WINS, Change::Increment), ("elapsed_ms", Change::AtLeast(-90_000))]);
        assert_eq!(posted(&tapestry(None, false, 10_000)), []);
        let points = posted(&tapestry(Some(14), true, 90_000));
        assert_eq!(points, [(WINS, Change::Increment), (BEST_SCORE, Change::AtLeast(14))]);
        assert_eq!(posted(&tapestry(Some(30), false, 90_000)), []);
    }

    #[test]
    fn guests_and_automatic_seats_are_on_no_board() {
        for reason in [Unrated::Guest, Unrated::AutomaticSeat, Unrated::Fork, Unrated::Demo] {
            let record = Record { unrated: Some(reason), ..tapestry(None, true, 1) };
            assert_eq!(posted(&record), []);
        }
    }

    #[test]
    fn the_buckets_above_a_score_hold_every_higher_score_once() {
        let scores =
            [-70_000, -4_097, -65, -64, -1, 0, 1, 63, 64, 65, 4_095, 4_096, 1 << 31, 1 << 40];
        for mine in scores {
            for other in scores {
                let times = buckets(other)
                    .filter(|(level, bucket)| {
                        above(mine).iter().any(|range| {
                            range.level == *level && (range.first..=range.last).contains(bucket)
                        })
                    })
                    .count();
                assert_eq!(times, usize::from(other > mine), "{other} above {mine}");
            }
        }
    }
}
