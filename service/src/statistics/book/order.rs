//! What depends on the order of matches.
//!
//! Most matches end after all that have been counted. A match that comes late changes the form of players in every match that
//! ended after it. If these are few, they are worked out again at once. Otherwise all results from there on are *unsettled*: they
//! are stored, and worked out later, stretch by stretch. Until then, what was known before stays visible.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use store::{
    Connection,
    statistics::{self, PlayerResult},
};
use uuid::Uuid;

use super::{ALL_GAMES, Book, Change, load::registered};
use crate::{
    error::Result,
    statistics::{
        board,
        form::{Forms, Streak},
        rating::Rating,
        record::Record,
    },
};

/// A stretch has about this many results.
pub(in crate::statistics) const STRETCH: u64 = 3_000;

/// A result that is being worked out.
#[derive(Debug)]
pub(super) struct Line {
    row: PlayerResult,
    /// The row in the store, if there is one.
    stored: Option<PlayerResult>,
}

impl Line {
    fn new(row: PlayerResult) -> Self {
        Self { row, stored: None }
    }

    fn of_stored(row: PlayerResult) -> Self {
        Self { row: row.clone(), stored: Some(row) }
    }

    fn is_changed(&self) -> bool {
        self.stored.as_ref() != Some(&self.row)
    }

    /// Whether the store has no rating after this match yet.
    fn is_unsettled(&self) -> bool {
        self.stored.as_ref().is_none_or(|stored| stored.rating.is_none())
    }

    fn order(&self) -> (i64, Uuid, i16) {
        (self.row.ended_at, self.row.match_id, self.row.seat)
    }
}

impl Book {
    /// The results of a match, without form.
    pub(super) fn results_of(&self, record: &Record) -> Vec<PlayerResult> {
        if !record.counts_for_players() {
            return Vec::new();
        }
        let row = |result: crate::statistics::record::SeatResult<'_>| PlayerResult {
            generation: self.generation,
            ended_at: record.ended_at.micros(),
            match_id: record.match_id,
            seat: i16::from(result.seat.number()),
            player_id: result.player,
            game: record.key().to_owned(),
            seats: record.seats.into(),
            place: result.standing.place.into(),
            won: result.standing.won,
            rated: record.unrated.is_none(),
            rating_before: None,
            uncertainty_before: None,
            rating: None,
            uncertainty: None,
            streak: 0,
            longest_streak: 0,
            overall_streak: 0,
            overall_longest_streak: 0,
        };
        record.results().map(row).collect()
    }

    /// Whether results have to be settled by [`Self::settle_next`].
    pub(in crate::statistics) const fn is_unsettled(&self) -> bool {
        self.unsettled_since.is_some()
    }

    /// Adds results, which are in order.
    pub(super) async fn add_results(
        &mut self,
        db: &impl Connection,
        new: Vec<PlayerResult>,
    ) -> Result<()> {
        let (Some(first), Some(last)) = (new.first(), new.last()) else { return Ok(()) };
        let (first, last) = (first.ended_at, last.ended_at);
        let known = match self.last_end {
            Some(known) => known,
            None => statistics::last_end(db, self.generation).await?.unwrap_or(i64::MIN),
        };
        self.last_end = Some(known.max(last));
        let is_late = first <= known;
        if !self.is_unsettled() && !is_late {
            let forms = self.forms_now(&new);
            return self.settle(db, forms, new.into_iter().map(Line::new).collect()).await;
        }
        if !self.is_unsettled() && !self.postpones {
            let end = statistics::stretch_end(db, self.generation, first, self.stretch).await?;
            if end.is_none() {
                let later = statistics::results_between(db, self.generation, first, None).await?;
                let mut lines: Vec<Line> = later.into_iter().map(Line::of_stored).collect();
                lines.extend(new.into_iter().map(Line::new));
                lines.sort_unstable_by_key(Line::order);
                let forms = self.forms_before(db, first, &lines).await?;
                return self.settle(db, forms, lines).await;
            }
        }
        self.is_set_back = self.unsettled_since.is_none_or(|since| first < since);
        self.unsettled_since = Some(self.unsettled_since.map_or(first, |since| since.min(first)));
        self.new_results.extend(new);
        Ok(())
    }

    /// Settles the next stretch of results. Not in a batch that has moved the beginning of the unsettled results back: more
    /// such batches may follow, and each would start all over again.
    pub(in crate::statistics) async fn settle_next(&mut self, db: &impl Connection) -> Result<()> {
        let Some(since) = self.unsettled_since else { return Ok(()) };
        if std::mem::take(&mut self.is_set_back) {
            return Ok(());
        }
        self.write(db).await?;
        let end = statistics::stretch_end(db, self.generation, since, self.stretch).await?;
        let rows = statistics::results_between(db, self.generation, since, end).await?;
        let lines: Vec<Line> = rows.into_iter().map(Line::of_stored).collect();
        let forms = self.forms_before(db, since, &lines).await?;
        self.settle(db, forms, lines).await?;
        self.unsettled_since = end;
        Ok(())
    }

    /// The form of players after everything that has been counted. Their rows are cached.
    fn forms_now(&self, rows: &[PlayerResult]) -> Forms {
        let mut forms = Forms::default();
        for row in rows {
            let Some(game) = registered(&row.game) else { continue };
            for game in [game, ALL_GAMES] {
                if let Some(cached) = self.players.get(&(row.player_id, game)) {
                    let tally = &cached.row.tally;
                    let streak = Streak { current: tally.streak, longest: tally.longest_streak };
                    forms.set(row.player_id, game, cached.row.rating, streak);
                }
            }
        }
        forms
    }

    /// The form of the players of these results before a time.
    async fn forms_before(
        &self,
        db: &impl Connection,
        before: i64,
        lines: &[Line],
    ) -> Result<Forms> {
        let players: BTreeSet<Uuid> = lines.iter().map(|line| line.row.player_id).collect();
        let players: Vec<Uuid> = players.into_iter().collect();
        let mut rows = statistics::last_results(db, self.generation, &players, before).await?;
        // Later rows replace earlier ones, in their game and in all games together.
        rows.sort_unstable_by_key(|row| (row.ended_at, row.match_id));
        let mut forms = Forms::default();
        for row in rows {
            let overall = Streak::stored(row.overall_streak, row.overall_longest_streak);
            forms.set(row.player_id, ALL_GAMES, Rating::default(), overall);
            if let Some(game) = registered(&row.game) {
                let streak = Streak::stored(row.streak, row.longest_streak);
                forms.set(row.player_id, game, after(&row).unwrap_or_default(), streak);
            }
        }
        Ok(forms)
    }

    /// Works out results in order, and shows what has changed wherever the last result of a player is shown.
    async fn settle(
        &mut self,
        db: &impl Connection,
        mut forms: Forms,
        mut lines: Vec<Line>,
    ) -> Result<()> {
        for of_match in lines.chunk_by_mut(|one, two| one.row.match_id == two.row.match_id) {
            let Some(game) = registered(&of_match[0].row.game) else { continue };
            forms.apply(game, ALL_GAMES, of_match.iter_mut().map(|line| &mut line.row));
        }
        let changed: HashSet<Uuid> =
            lines.iter().filter(|line| line.is_changed()).map(|line| line.row.player_id).collect();
        lines.retain(|line| changed.contains(&line.row.player_id));
        self.load_shown(db, &lines).await?;
        for line in &lines {
            self.show(line);
        }
        for line in lines.into_iter().filter(Line::is_changed) {
            let rows = match line.stored {
                None => &mut self.new_results,
                Some(_) => &mut self.changed_results,
            };
            rows.push(line.row);
        }
        Ok(())
    }

    /// Loads the rows that show the last results of players.
    async fn load_shown(&mut self, db: &impl Connection, lines: &[Line]) -> Result<()> {
        if self.complete {
            return Ok(());
        }
        self.load_players(db, lines.iter().map(|line| line.row.player_id)).await?;
        let mut boards: BTreeMap<String, BTreeSet<Uuid>> = BTreeMap::new();
        let mut periods = HashMap::new();
        for row in lines.iter().map(|line| &line.row).filter(|row| row.rated) {
            let day = crate::statistics::day_of(ended_at(row));
            let periods = periods.entry(day).or_insert_with(|| board::periods(ended_at(row)));
            for period in periods {
                let board = board::name(&row.game, board::RATING, period);
                boards.entry(board).or_default().insert(row.player_id);
            }
        }
        self.load_boards(db, boards).await
    }

    /// Shows the form after a result, unless a later one is shown already.
    fn show(&mut self, line: &Line) {
        let row = &line.row;
        let (Some(game), Some(rating)) = (registered(&row.game), after(row)) else { return };
        let streaks = [
            (game, row.streak, row.longest_streak),
            (ALL_GAMES, row.overall_streak, row.overall_longest_streak),
        ];
        for (game, current, longest) in streaks {
            let cached = self.players.entry((row.player_id, game)).or_default();
            let tally = &mut cached.row.tally;
            if row.ended_at >= tally.last_at {
                let streak = Streak::stored(current, longest);
                (tally.streak, tally.longest_streak) = (streak.current, streak.longest);
                cached.changed = true;
            }
        }
        if !row.rated {
            return;
        }
        let rating = Change::Rating(rating);
        self.change_boards(game, ended_at(row), board::RATING, row.player_id, rating);
        let all_time = board::name(game, board::RATING, board::ALL_TIME);
        let shown = self.boards.get(&(all_time, row.player_id)).and_then(|cached| cached.row);
        let cached = self.players.entry((row.player_id, game)).or_default();
        cached.row.rating = shown.and_then(|entry| entry.rating).unwrap_or_default();
        cached.row.rated += i64::from(line.is_unsettled());
        cached.changed = true;
    }
}

fn ended_at(row: &PlayerResult) -> domain::time::Timestamp {
    domain::time::Timestamp::from_micros(row.ended_at)
}

/// The rating after a result, if it has been worked out.
fn after(row: &PlayerResult) -> Option<Rating> {
    let (rating, uncertainty) = row.rating.zip(row.uncertainty)?;
    Some(Rating { rating, uncertainty })
}
