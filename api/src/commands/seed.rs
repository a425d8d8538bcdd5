//! `telar seed`: matches to look at, played at random straight through the rules and the store.

use std::{pin::pin, sync::Arc, thread, time::Duration};

use domain::{
    chance::{Chance, Keyed},
    demo::Demo,
    erased::AnyGame,
    games,
    matches::{Create, Origin},
    time::Timestamp,
};
use futures_util::{StreamExt, stream};
use indicatif::{ProgressBar, ProgressStyle};
use sea_orm::{DatabaseConnection, EntityTrait, Set};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::say;
use service::{
    clock::{self, Clock},
    secret,
};
use store::{
    OpenError,
    entities::player,
    event_log::{EventLog, WholeMatch},
};

use crate::{
    config::{Config, ConfigError, SeedArgs},
    startup::StartError,
};

/// About how many rows are written at once.
const ROWS: usize = 20_000;
/// How many batches are on their way to the store at once.
const WRITERS: usize = 2;

pub(super) async fn run(config: &Config, seed: &SeedArgs) -> Result<(), StartError> {
    let tables = tables(seed)?;
    let db = store::connect(&config.store()).await?;
    store::migrate(&db).await?;
    let players = players(&db, seed.players, seed.rated).await.map_err(OpenError::from)?;
    let log = EventLog::new(db);
    let bar = ProgressBar::new(seed.matches).with_style(style());
    bar.enable_steady_tick(Duration::from_millis(250));
    let batches = stream::unfold(play(seed, tables, players), |mut batches| async move {
        batches.recv().await.map(|batch| (batch, batches))
    });
    let written = batches
        .map(|batch: Vec<WholeMatch>| {
            let count = batch.len() as u64;
            let log = &log;
            async move { log.import(batch).await.map(|_| count) }
        })
        .buffer_unordered(WRITERS);
    let mut written = pin!(written);
    while let Some(count) = written.next().await {
        bar.inc(count.map_err(OpenError::from)?);
    }
    bar.finish_and_clear();
    say(&format!("{} matches were played and written.", seed.matches));
    Ok(())
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} matches, {per_sec}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Which game is played at how many seats, in turn.
fn tables(seed: &SeedArgs) -> Result<Vec<(&'static dyn AnyGame, u8)>, ConfigError> {
    let named = seed.games.iter().map(|key| {
        games::find(key).ok_or_else(|| ConfigError(format!("--games: there is no game `{key}`")))
    });
    let named = named.collect::<Result<Vec<_>, _>>()?;
    let chosen = if named.is_empty() { games::all().collect() } else { named };
    let tables: Vec<_> = chosen
        .into_iter()
        .flat_map(|game| (game.info().min_seats..=game.info().max_seats).map(move |n| (game, n)))
        .filter(|(_, seats)| seed.seats.is_none_or(|wanted| wanted == *seats))
        .collect();
    if tables.is_empty() {
        return Err(ConfigError("--seats: none of these games has so many seats".to_owned()));
    }
    Ok(tables)
}

/// Players who exist for these matches only: nobody can log in as one of them.
async fn players(
    db: &DatabaseConnection,
    count: u32,
    with_accounts: bool,
) -> Result<Vec<Uuid>, sea_orm::DbErr> {
    const NAMES: [&str; 16] = [
        "Alba", "Bruno", "Carla", "Diego", "Elena", "Félix", "Greta", "Hugo", "Inés", "Jorge",
        "Karen", "Lucía", "Marco", "Nora", "Óscar", "Pilar",
    ];
    let now = Clock::system().now();
    let new = |number: u32| {
        let id = clock::new_id(now);
        player::ActiveModel {
            id: Set(id),
            name: Set(format!("{} {number}", NAMES[number as usize % NAMES.len()])),
            // No name that somebody could have.
            name_key: Set(with_accounts.then(|| format!("demo/{id}"))),
            email: Set(None),
            password_hash: Set(None),
            created_at: Set(now.micros()),
            account_since: Set(with_accounts.then_some(0)),
        }
    };
    let rows: Vec<player::ActiveModel> = (0..count).map(new).collect();
    let ids = rows.iter().filter_map(|row| row.id.try_as_ref().copied()).collect();
    for rows in rows.chunks(2_000) {
        player::Entity::insert_many(rows.to_vec()).exec_without_returning(db).await?;
    }
    Ok(ids)
}

/// Plays on all cores but not further ahead than the store can follow.
fn play(
    seed: &SeedArgs,
    tables: Vec<(&'static dyn AnyGame, u8)>,
    players: Vec<Uuid>,
) -> mpsc::Receiver<Vec<WholeMatch>> {
    let (batches, played) = mpsc::channel(WRITERS);
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let (tables, players) = (Arc::new(tables), Arc::new(players));
    let days = Duration::from_secs(u64::from(seed.days) * 86_400);
    let rated = seed.rated;
    for thread in 0..threads {
        let (batches, tables, players) =
            (batches.clone(), Arc::clone(&tables), Arc::clone(&players));
        let mine = (thread..seed.matches).step_by(usize::try_from(threads).unwrap_or(1));
        thread::spawn(move || {
            let luck = secret::bytes::<32>();
            let (mut batch, mut rows) = (Vec::new(), 0);
            for number in mine {
                let (game, seats) = tables[usize::try_from(number).unwrap_or(0) % tables.len()];
                let mut luck = Keyed::new(
                    domain::chance::Seed::from(luck).match_key(Uuid::nil(), &[]),
                    number,
                );
                let Some(whole) = one((game, seats), &players, days, rated, &mut luck) else {
                    continue;
                };
                rows += whole.commits.len();
                batch.push(whole);
                if rows >= ROWS {
                    rows = 0;
                    if batches.blocking_send(std::mem::take(&mut batch)).is_err() {
                        return;
                    }
                }
            }
            // Nobody waits for it any more if the store has failed.
            let _ = batches.blocking_send(batch);
        });
    }
    played
}

/// A match somewhere in the last days, its moves some seconds apart.
fn one(
    (game, seats): (&'static dyn AnyGame, u8),
    players: &[Uuid],
    days: Duration,
    rated: bool,
    luck: &mut dyn Chance,
) -> Option<WholeMatch> {
    let ago = i64::from(luck.below(u32::try_from(days.as_secs()).unwrap_or(u32::MAX)));
    let mut at = Timestamp::from_micros(Clock::system().now().micros() - (ago + 7_200) * 1_000_000);
    let first = luck.index(players.len());
    // Neighbours on a circle, a few steps apart: everybody meets somebody new now and then.
    let apart = 1 + luck.index(players.len() / usize::from(seats));
    let sitting: Vec<Uuid> = (0..usize::from(seats))
        .map(|seat| players[(first + seat * apart) % players.len()])
        .collect();
    let seed = secret::bytes::<32>().into();
    let create = Create {
        origin: (!rated).then_some(Origin::Demo),
        ..Create::new(clock::new_id(at), game, seats, sitting[0], seed)
    };
    let mut demo = Demo::start(create, &sitting, at).ok()?;
    loop {
        at = Timestamp::from_micros(at.micros() + i64::from(1 + luck.below(40)) * 500_000);
        if demo.step(at, luck).is_none() {
            return Some(WholeMatch { commits: demo.commits, end: demo.game_match });
        }
    }
}
