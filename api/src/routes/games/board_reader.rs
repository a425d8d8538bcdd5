//! Reads leaderboards: parts of them, with ranks and names.

use std::collections::BTreeSet;

use domain::{erased::AnyGame, time::Timestamp};
use service::{
    clock,
    statistics::{BoardEntry, Rating, Statistics, oriented, ranked},
};
use uuid::Uuid;

use crate::{
    app::App,
    documents::{LeaderboardEntry, SeatedPlayer},
    error::ApiResult,
};

/// Entries of a board, and the cursor of those that follow, if there are more.
pub(super) type BoardPart = (Vec<BoardEntry>, Option<String>);

/// Reads a board.
pub(super) struct BoardReader<'a> {
    /// The statistics.
    pub(super) statistics: Statistics,
    /// The game of the board.
    pub(super) game: &'a dyn AnyGame,
    /// The board as requests name it.
    pub(super) board: &'a str,
    /// The board as the store names it.
    pub(super) name: String,
}

impl BoardReader<'_> {
    /// The entries after an entry, or the first ones.
    pub(super) async fn after(
        &self,
        entry: Option<(i64, Uuid)>,
        limit: u64,
    ) -> ApiResult<BoardPart> {
        let mut rows = self.statistics.entries(&self.name, entry, false, limit + 1).await?;
        let has_more = rows.len() as u64 > limit;
        rows.truncate(usize::try_from(limit).expect("a limit is 200 at most"));
        let last = rows.last().filter(|_| has_more);
        let next = last.map(|last| format!("{}_{}", last.score, last.player_id));
        Ok((rows, next))
    }

    /// The entries around that of a player.
    pub(super) async fn around(&self, player: Uuid, limit: u64) -> ApiResult<BoardPart> {
        let Some(own) = self.statistics.entry(&self.name, player).await? else {
            return Ok((Vec::new(), None));
        };
        let position = Some((own.score, player));
        let mut rows = self.statistics.entries(&self.name, position, true, limit / 2).await?;
        rows.reverse();
        let left = limit - rows.len() as u64 - 1;
        rows.push(own);
        let (below, next) = self.after(position, left).await?;
        rows.extend(below);
        Ok((rows, next))
    }

    /// Rows with their ranks and names. `is_top` says that they begin with the first entry of the board.
    pub(super) async fn entries(
        &self,
        app: &App,
        rows: Vec<BoardEntry>,
        is_top: bool,
    ) -> ApiResult<Vec<LeaderboardEntry>> {
        let players: BTreeSet<Uuid> = rows.iter().map(|row| row.player_id).collect();
        let names = app.names.of(players, app.clock.now()).await?;
        let mut entries = Vec::with_capacity(rows.len());
        // The score before and its rank, and the number of entries so far, which is unknown in the middle of a tie.
        let mut before: Option<(i64, u64)> = None;
        let mut position = is_top.then_some(0);
        for row in rows {
            let rank = match (before, position) {
                (Some((score, rank)), _) if score == row.score => rank,
                (_, Some(position)) => position + 1,
                (first, None) => {
                    let above = self.statistics.above(&self.name, row.score).await?;
                    // From the second score on, the number of entries above is known.
                    position = first.is_some().then_some(above);
                    above + 1
                }
            };
            before = Some((row.score, rank));
            position = position.map(|position| position + 1);
            let id = row.player_id;
            entries.push(LeaderboardEntry {
                rank,
                player: SeatedPlayer::new(id, &names),
                score: self.score(&row),
                rating: row.rating,
                uncertainty: row.uncertainty,
                at: clock::to_datetime(Timestamp::from_micros(row.at)),
            });
        }
        Ok(entries)
    }

    /// The score of an entry as clients see it.
    #[expect(clippy::cast_precision_loss, reason = "scores are small")]
    fn score(&self, row: &BoardEntry) -> f64 {
        if let Some((rating, uncertainty)) = row.rating.zip(row.uncertainty) {
            return Rating { rating, uncertainty }.rank_score();
        }
        let measure = ranked(self.game.info().measures).find(|info| info.id == self.board);
        let best = measure.and_then(|info| info.best);
        best.map_or(row.score, |best| oriented(best, row.score)) as f64
    }
}
