//! The layout of a store: how many lanes it has, and how its feed is kept. It is decided when the store is created.

use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};

use crate::{
    error::{Error, Result},
    lane::{Lane, Lanes},
};

/// The function that writes the commits of one lane. It is replaced whenever a newer version of the program starts.
const WRITE_LANE: &str = include_str!("write_lane.sql");

/// How the feed is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feeds {
    /// One for all lanes: a batch makes one entry, whatever its lanes are. For a database that is one machine.
    Shared,
    /// One per lane: a batch is written lane by lane. For a database whose lanes live on different machines.
    PerLane,
}

impl Feeds {
    const fn id(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::PerLane => "lanes",
        }
    }
}

/// The layout of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// How many lanes there are.
    pub lanes: Lanes,
    /// How the feed is kept.
    pub feeds: Feeds,
    /// Up to this number, the entries in the feed of the first lane name commits of all lanes.
    pub(crate) shared_until: u64,
}

impl Layout {
    /// The feeds of the store, each named after its lane.
    pub fn streams(&self) -> impl Iterator<Item = Lane> + use<> {
        let count = match self.feeds {
            Feeds::Shared => 1,
            Feeds::PerLane => self.lanes.count(),
        };
        self.lanes.all().take(count)
    }

    /// The feed that names the commits of a lane.
    #[must_use]
    pub const fn stream_of(&self, lane: Lane) -> Lane {
        match self.feeds {
            Feeds::Shared => Lane::FIRST,
            Feeds::PerLane => lane,
        }
    }
}

/// Reads the layout of a store; nothing if it has none yet.
pub(crate) async fn read(db: &impl ConnectionTrait) -> Result<Option<Layout>> {
    if !exists(db).await? {
        return Ok(None);
    }
    let sql = "SELECT lanes, feeds, shared_until FROM store_layout WHERE id = 1";
    let row = db.query_one_raw(statement(db, sql, [])).await?;
    let Some(row) = row else { return Ok(None) };
    let unreadable = |what: &str| Error::Failed(format!("the layout of the store: {what}"));
    let lanes: i16 = row.try_get("", "lanes")?;
    let lanes = u16::try_from(lanes).ok().and_then(Lanes::new);
    let feeds: String = row.try_get("", "feeds")?;
    let feeds = [Feeds::Shared, Feeds::PerLane].into_iter().find(|it| it.id() == feeds);
    let shared_until: i64 = row.try_get("", "shared_until")?;
    Ok(Some(Layout {
        lanes: lanes.ok_or_else(|| unreadable("lanes"))?,
        feeds: feeds.ok_or_else(|| unreadable("feeds"))?,
        shared_until: u64::try_from(shared_until).map_err(|_| unreadable("shared_until"))?,
    }))
}

async fn exists(db: &impl ConnectionTrait) -> Result<bool> {
    let sql = match db.get_database_backend() {
        DbBackend::Postgres => "SELECT 1 WHERE to_regclass('store_layout') IS NOT NULL",
        _ => "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'store_layout'",
    };
    Ok(db.query_one_raw(statement(db, sql, [])).await?.is_some())
}

/// Gives a new store its layout, and returns the layout that it has. Two who do it at once agree.
pub(crate) async fn create(db: &impl ConnectionTrait, lanes: Lanes) -> Result<Layout> {
    let sql = "INSERT INTO store_layout (id, lanes, feeds, shared_until) VALUES (1, $1, $2, 0) ON CONFLICT DO NOTHING";
    let values = [lanes.column().into(), Feeds::Shared.id().into()];
    db.execute_raw(statement(db, sql, values)).await?;
    let missing = || Error::Failed("the layout of the store is missing".to_owned());
    let layout = read(db).await?.ok_or_else(missing)?;
    for lane in layout.lanes.all() {
        let sql = "INSERT INTO lanes (lane, pos) VALUES ($1, 0) ON CONFLICT DO NOTHING";
        db.execute_raw(statement(db, sql, [lane.column().into()])).await?;
    }
    if layout.feeds == Feeds::PerLane {
        db.execute_unprepared(WRITE_LANE).await?;
    }
    Ok(layout)
}

/// Gives every lane a feed of its own, while nobody uses the store.
pub(crate) async fn separate_feeds(db: &impl ConnectionTrait) -> Result<()> {
    let sql = "UPDATE store_layout SET feeds = $1, shared_until = (SELECT pos FROM lanes WHERE lane = 0) WHERE id = 1";
    db.execute_raw(statement(db, sql, [Feeds::PerLane.id().into()])).await?;
    db.execute_unprepared(WRITE_LANE).await?;
    Ok(())
}

fn statement<const N: usize>(
    db: &impl ConnectionTrait,
    sql: &str,
    values: [Value; N],
) -> Statement {
    Statement::from_sql_and_values(db.get_database_backend(), sql, values)
}
