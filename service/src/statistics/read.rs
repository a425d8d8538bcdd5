//! What requests read: rows of the generation that stands, by their keys.

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, Statement, Value,
};
use uuid::Uuid;

use super::{
    board,
    book::{ALL_GAMES, RatingChange, read_cell, unreadable},
    cell::Cell,
    follow::place,
    rating::Rating,
    tally::Tally,
};
use store::entities::{
    board_entry, match_result, player_day, player_game, player_pair, rated_match, stat_cell,
};

/// Rows as they are stored.
pub use store::entities::{
    board_entry::Model as BoardEntry, player_day::Model as PlayerDay,
    player_pair::Model as PlayerPair, rated_match::Model as RatedMatch,
};

/// Which cells are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Slice {
    /// Only tables with so many seats.
    pub seats: Option<u8>,
    /// Only this version of the rules.
    pub rules_version: Option<u16>,
}

/// Statistics as they stand.
#[derive(Debug, Clone, Copy)]
pub struct Statistics<'a> {
    db: &'a DatabaseConnection,
    /// Which rows are read.
    pub generation: i64,
    /// How much of the feed is in them.
    pub pos: i64,
}

impl<'a> Statistics<'a> {
    /// The statistics as they stand now.
    pub async fn now(db: &'a DatabaseConnection) -> Result<Self, DbErr> {
        let place = place(db).await?;
        Ok(Self { db, generation: place.generation, pos: place.pos })
    }

    /// The cells of a game whose names lie in one of these ranges, at most `limit` of them.
    pub async fn cells(
        &self,
        game: &str,
        ranges: &[(String, String)],
        slice: Slice,
        limit: u64,
    ) -> Result<Vec<(String, Cell)>, DbErr> {
        use stat_cell::Column;
        let mut periods = Condition::any();
        for (first, last) in ranges {
            let range = Condition::all()
                .add(Column::Period.gte(first.as_str()))
                .add(Column::Period.lt(last.as_str()));
            periods = periods.add(range);
        }
        let slice = match (slice.seats, slice.rules_version) {
            (None, None) => Condition::all().add(Column::Seats.eq(0)),
            (seats, version) => Condition::all()
                .add(Column::Seats.ne(0))
                .add_option(seats.map(|seats| Column::Seats.eq(i16::from(seats))))
                .add_option(version.map(|version| Column::RulesVersion.eq(i32::from(version)))),
        };
        let rows = stat_cell::Entity::find()
            .filter(Column::Generation.eq(self.generation))
            .filter(Column::Game.eq(game))
            .filter(periods)
            .filter(slice)
            .order_by_asc(Column::Period)
            .limit(limit)
            .all(self.db)
            .await?;
        rows.into_iter().map(|row| Ok((row.period.clone(), read_cell(&row)?))).collect()
    }

    /// What a player has done: in all games, and in each of them.
    pub async fn player(
        &self,
        player: Uuid,
    ) -> Result<(Tally, Vec<(String, Tally, Option<(Rating, u64)>)>), DbErr> {
        let rows = player_game::Entity::find()
            .filter(player_game::Column::Generation.eq(self.generation))
            .filter(player_game::Column::PlayerId.eq(player))
            .order_by_asc(player_game::Column::Game)
            .all(self.db)
            .await?;
        let mut overall = Tally::default();
        let mut games = Vec::new();
        for row in rows {
            let tally: Tally =
                serde_json::from_str(&row.tally).map_err(|error| unreadable(&error))?;
            let rating = Rating { rating: row.rating, uncertainty: row.uncertainty };
            let rated = u64::try_from(row.rated).unwrap_or_default();
            if row.game == ALL_GAMES {
                overall = tally;
            } else {
                games.push((row.game, tally, (rated > 0).then_some((rating, rated))));
            }
        }
        Ok((overall, games))
    }

    /// What a player did on each day from `first` on and before `end`, by game.
    pub async fn days(
        &self,
        player: Uuid,
        first: i32,
        end: i32,
    ) -> Result<Vec<player_day::Model>, DbErr> {
        player_day::Entity::find()
            .filter(player_day::Column::Generation.eq(self.generation))
            .filter(player_day::Column::PlayerId.eq(player))
            .filter(player_day::Column::Day.gte(first))
            .filter(player_day::Column::Day.lt(end))
            .order_by_asc(player_day::Column::Day)
            .all(self.db)
            .await
    }

    /// How often two players have met, by game; the first one has the smaller id.
    pub async fn pair(&self, one: Uuid, two: Uuid) -> Result<Vec<player_pair::Model>, DbErr> {
        player_pair::Entity::find()
            .filter(player_pair::Column::Generation.eq(self.generation))
            .filter(player_pair::Column::One.eq(one.min(two)))
            .filter(player_pair::Column::Two.eq(one.max(two)))
            .order_by_asc(player_pair::Column::Game)
            .all(self.db)
            .await
    }

    /// The rated matches of a player, newest first.
    pub async fn rated(
        &self,
        player: Uuid,
        game: Option<&str>,
        before: Option<i64>,
        limit: u64,
    ) -> Result<Vec<rated_match::Model>, DbErr> {
        use rated_match::Column;
        let wanted = Condition::all()
            .add(Column::Generation.eq(self.generation))
            .add(Column::PlayerId.eq(player))
            .add_option(game.map(|game| Column::Game.eq(game)))
            .add_option(before.map(|before| Column::Number.lt(before)));
        rated_match::Entity::find()
            .filter(wanted)
            .order_by_desc(Column::Number)
            .limit(limit)
            .all(self.db)
            .await
    }

    /// What a match did to ratings, if it has been counted: why nothing, or what.
    pub async fn result(
        &self,
        id: Uuid,
    ) -> Result<Option<(Option<String>, Vec<RatingChange>)>, DbErr> {
        let row = match_result::Entity::find_by_id((self.generation, id)).one(self.db).await?;
        row.map(|row| {
            let changes = serde_json::from_str(&row.changes).map_err(|error| unreadable(&error))?;
            Ok((row.unrated_because, changes))
        })
        .transpose()
    }

    /// The entry of a player on a board.
    pub async fn entry(
        &self,
        board: &str,
        player: Uuid,
    ) -> Result<Option<board_entry::Model>, DbErr> {
        board_entry::Entity::find_by_id((self.generation, board.to_owned(), player))
            .one(self.db)
            .await
    }

    /// Entries of a board after an entry, best first; or before it, nearest first.
    pub async fn entries(
        &self,
        board: &str,
        from: Option<(i64, Uuid)>,
        upwards: bool,
        limit: u64,
    ) -> Result<Vec<board_entry::Model>, DbErr> {
        use board_entry::Column;
        let beyond = from.map(|(score, player)| {
            let tied = Condition::all().add(Column::Score.eq(score));
            if upwards {
                Condition::any()
                    .add(Column::Score.gt(score))
                    .add(tied.add(Column::PlayerId.gt(player)))
            } else {
                Condition::any()
                    .add(Column::Score.lt(score))
                    .add(tied.add(Column::PlayerId.lt(player)))
            }
        });
        // Without this the index would be searched from its end.
        let bound =
            from.map(
                |(score, _)| {
                    if upwards { Column::Score.gte(score) } else { Column::Score.lte(score) }
                },
            );
        let rows = board_entry::Entity::find().filter(
            Condition::all()
                .add(Column::Generation.eq(self.generation))
                .add(Column::Board.eq(board))
                .add_option(bound)
                .add_option(beyond),
        );
        let rows = if upwards {
            rows.order_by_asc(Column::Score).order_by_asc(Column::PlayerId)
        } else {
            rows.order_by_desc(Column::Score).order_by_desc(Column::PlayerId)
        };
        rows.limit(limit).all(self.db).await
    }

    /// How many entries of a board have a higher score, from a bounded number of rows.
    pub async fn above(&self, board: &str, score: i64) -> Result<u64, DbErr> {
        let mut values: Vec<Value> = vec![self.generation.into(), board.into()];
        let ranges: Vec<String> = board::above(score)
            .into_iter()
            .map(|(level, first, last)| {
                let place = values.len();
                values.extend([level.into(), first.into(), last.into()]);
                let (level, first, last) = (place + 1, place + 2, place + 3);
                format!(
                    "SELECT entries FROM board_ranks WHERE generation = $1 AND board = $2 \
                     AND level = ${level} AND bucket >= ${first} AND bucket <= ${last}"
                )
            })
            .collect();
        let sql = format!(
            "SELECT CAST(COALESCE(SUM(entries), 0) AS BIGINT) AS above FROM ({}) AS higher",
            ranges.join(" UNION ALL ")
        );
        let statement = Statement::from_sql_and_values(self.db.get_database_backend(), sql, values);
        let row = self.db.query_one_raw(statement).await?;
        let above: i64 = row.map_or(Ok(0), |row| row.try_get("", "above"))?;
        Ok(u64::try_from(above).unwrap_or_default())
    }
}
