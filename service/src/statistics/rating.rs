//! Ratings after Weng and Lin (Bradley–Terry, full pairing): any number of seats, shared places, and an uncertainty that
//! shrinks with every match.

use skillratings::{
    MultiTeamOutcome,
    weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team},
};

/// The estimated strength of a player: a normal distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// The mean; 25 for a new player.
    pub rating: f64,
    /// The standard deviation; 25/3 for a new player.
    pub uncertainty: f64,
}

impl Default for Rating {
    fn default() -> Self {
        let WengLinRating { rating, uncertainty } = WengLinRating::new();
        Self { rating, uncertainty }
    }
}

impl Rating {
    /// The score on leaderboards: three deviations below the mean, a strength that the player very probably has.
    #[must_use]
    pub fn rank_score(self) -> f64 {
        3.0_f64.mul_add(-self.uncertainty, self.rating)
    }

    /// The same in whole thousandths, for an index.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "within a few tens of thousands")]
    pub fn rank_millis(self) -> i64 {
        (self.rank_score() * 1_000.0).round() as i64
    }
}

/// The ratings after a match, from those before it and the places.
#[must_use]
pub fn rate(before: &[(Rating, u8)]) -> Vec<Rating> {
    let seats: Vec<([WengLinRating; 1], MultiTeamOutcome)> = before
        .iter()
        .map(|(Rating { rating, uncertainty }, place)| {
            let rating = WengLinRating { rating: *rating, uncertainty: *uncertainty };
            ([rating], MultiTeamOutcome::new(usize::from(*place)))
        })
        .collect();
    let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> =
        seats.iter().map(|(team, place)| (team.as_slice(), *place)).collect();
    weng_lin_multi_team(&teams, &WengLinConfig::new())
        .into_iter()
        .flatten()
        .map(|WengLinRating { rating, uncertainty }| Rating { rating, uncertainty })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_rise_losers_fall_and_everybody_is_known_better() {
        let new = Rating::default();
        let after = rate(&[(new, 2), (new, 1), (new, 3)]);
        assert!(after[1].rating > after[0].rating && after[0].rating > after[2].rating);
        assert!(after.iter().all(|rating| rating.uncertainty < new.uncertainty));
        assert_eq!(new.rank_millis(), 0);
    }

    #[test]
    fn equals_who_share_a_place_stay_equal() {
        let after = rate(&[(Rating::default(), 1), (Rating::default(), 1)]);
        assert_eq!(after[0], after[1]);
        assert!((after[0].rating - 25.0).abs() < 1e-9);
    }

    #[test]
    fn beating_the_stronger_one_is_worth_more() {
        let (weak, strong) =
            (Rating { rating: 20.0, uncertainty: 4.0 }, Rating { rating: 30.0, uncertainty: 4.0 });
        let upset = rate(&[(weak, 1), (strong, 2)])[0].rating - weak.rating;
        let expected = rate(&[(weak, 2), (strong, 1)])[1].rating - strong.rating;
        assert!(upset > 2.0 * expected, "{upset} {expected}");
    }
}
