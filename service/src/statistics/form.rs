//! Form: the rating and the streaks of players, which are all that depends on the order of matches.
//!
//! Results are folded in order: by the time at which matches ended, then by their ids. Every result keeps the form of its player
//! after it, so a fold can begin anywhere.

use std::collections::HashMap;

use store::statistics::PlayerResult;
use uuid::Uuid;

use super::rating::{self, Rating};

/// Consecutive wins, shared ones included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Streak {
    /// Until now.
    pub(super) current: u64,
    /// The most.
    pub(super) longest: u64,
}

impl Streak {
    fn after(self, won: bool) -> Self {
        let current = if won { self.current + 1 } else { 0 };
        Self { current, longest: self.longest.max(current) }
    }

    /// From the columns of a row.
    pub(super) fn stored(current: i64, longest: i64) -> Self {
        Self { current: current.unsigned_abs(), longest: longest.unsigned_abs() }
    }

    /// For the columns of a row.
    fn columns(self) -> (i64, i64) {
        (self.current.cast_signed(), self.longest.cast_signed())
    }
}

/// The form of players at one point of the order.
#[derive(Debug, Default)]
pub(super) struct Forms {
    /// By player and game.
    ratings: HashMap<(Uuid, &'static str), Rating>,
    /// By player and game; all games together have an empty key.
    streaks: HashMap<(Uuid, &'static str), Streak>,
}

impl Forms {
    /// Sets the form of a player in a game.
    pub(super) fn set(&mut self, player: Uuid, game: &'static str, rating: Rating, streak: Streak) {
        self.ratings.insert((player, game), rating);
        self.streaks.insert((player, game), streak);
    }

    /// Works out the results of one match in a game, and goes on to the form of its players after it.
    pub(super) fn apply<'a>(
        &mut self,
        game: &'static str,
        overall: &'static str,
        results: impl Iterator<Item = &'a mut PlayerResult>,
    ) {
        let mut results: Vec<&mut PlayerResult> = results.collect();
        let before: Vec<Rating> = results
            .iter()
            .map(|row| self.ratings.get(&(row.player_id, game)).copied().unwrap_or_default())
            .collect();
        let is_rated = results.first().is_some_and(|row| row.rated);
        let after = if is_rated {
            let places = results.iter().map(|row| u8::try_from(row.place).unwrap_or(u8::MAX));
            rating::rate(&before.iter().copied().zip(places).collect::<Vec<_>>())
        } else {
            before.clone()
        };
        for ((row, before), after) in results.iter_mut().zip(before).zip(after) {
            row.rating_before = Some(before.rating);
            row.uncertainty_before = Some(before.uncertainty);
            row.rating = Some(after.rating);
            row.uncertainty = Some(after.uncertainty);
            self.ratings.insert((row.player_id, game), after);
            (row.streak, row.longest_streak) = self.extend(row.player_id, game, row.won).columns();
            (row.overall_streak, row.overall_longest_streak) =
                self.extend(row.player_id, overall, row.won).columns();
        }
    }

    fn extend(&mut self, player: Uuid, game: &'static str, won: bool) -> Streak {
        let streak = self.streaks.entry((player, game)).or_default();
        *streak = streak.after(won);
        *streak
    }
}
