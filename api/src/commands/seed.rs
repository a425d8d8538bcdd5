//! `telar seed`: fills the store with randomly played matches, without going through HTTP.

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
use tokio::sync::mpsc;
use uuid::Uuid;

use super::print_line;
use service::{
    clock::{self, Clock},
    secret,
};
use store::{
    Db, OpenError,
    event_log::WholeMatch,
    players::{self, Player},
};

use crate::{
    config::{Config, ConfigError, SeedArgs},
    startup::{self, StartError},
};

/// A batch is written once it holds this many rows.
const ROWS: usize = 20_000;
/// The number of batches that are written at the same time.
const WRITERS: usize = 2;

pub(super) async fn run(config: &Config, seed: &SeedArgs) -> Result<(), StartError> {
    let setups = setups(seed)?;
    let log = startup::open_store(config).await?.patient();
    let players = add_players(log.database(), seed.players, seed.rated);
    let players = players.await.map_err(OpenError::from)?;
    let bar = ProgressBar::new(seed.matches).with_style(style());
    bar.enable_steady_tick(Duration::from_millis(250));
    let batches = stream::unfold(play(seed, setups, players), |mut batches| async move {
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
    print_line(&format!("Added {} matches.", seed.matches));
    Ok(())
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} matches, {per_sec}, {eta} left")
        .expect("the template is valid")
}

/// A game and a number of seats.
type Setup = (&'static dyn AnyGame, u8);

/// The setups that are played in turn.
fn setups(seed: &SeedArgs) -> Result<Vec<Setup>, ConfigError> {
    let named = seed.games.iter().map(|key| {
        games::find(key).ok_or_else(|| ConfigError(format!("--games: there is no game `{key}`")))
    });
    let named = named.collect::<Result<Vec<_>, _>>()?;
    let chosen = if named.is_empty() { games::all().collect() } else { named };
    let setups: Vec<_> = chosen
        .into_iter()
        .flat_map(|game| (game.info().min_seats..=game.info().max_seats).map(move |n| (game, n)))
        .filter(|(_, seats)| seed.seats.is_none_or(|count| count == *seats))
        .collect();
    if setups.is_empty() {
        return Err(ConfigError(
            "--seats: none of these games has this number of seats".to_owned(),
        ));
    }
    Ok(setups)
}

/// Adds players for these matches. Nobody can log in as one of them.
async fn add_players(db: &Db, count: u32, with_accounts: bool) -> store::Result<Vec<Uuid>> {
    const NAMES: [&str; 16] = [
        "Alba", "Bruno", "Carla", "Diego", "Elena", "Félix", "Greta", "Hugo", "Inés", "Jorge",
        "Karen", "Lucía", "Marco", "Nora", "Óscar", "Pilar",
    ];
    let now = Clock::system().now();
    let new = |number: u32| {
        let id = clock::new_id(now);
        Player {
            id,
            name: format!("{} {number}", NAMES[number as usize % NAMES.len()]),
            // A slash is not allowed in names, so this key cannot collide.
            name_key: with_accounts.then(|| format!("demo/{id}")),
            look_key: None,
            email: None,
            password_hash: None,
            created_at: now.micros(),
            account_since: with_accounts.then_some(0),
        }
    };
    let new: Vec<Player> = (0..count).map(new).collect();
    let ids = new.iter().map(|player| player.id).collect();
    players::insert_missing(db, new).await?;
    Ok(ids)
}

/// Plays on all cores, at most as far ahead as the store can follow.
fn play(
    seed: &SeedArgs,
    setups: Vec<Setup>,
    players: Vec<Uuid>,
) -> mpsc::Receiver<Vec<WholeMatch>> {
    let (batches, played) = mpsc::channel(WRITERS);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let (setups, players) = (Arc::new(setups), Arc::new(players));
    let days = Duration::from_secs(u64::from(seed.days) * 86_400);
    let rated = seed.rated;
    for thread in 0..threads as u64 {
        let (batches, setups, players) =
            (batches.clone(), Arc::clone(&setups), Arc::clone(&players));
        let mine = (thread..seed.matches).step_by(threads);
        thread::spawn(move || {
            let luck = secret::bytes::<32>();
            let (mut batch, mut rows) = (Vec::new(), 0);
            for number in mine {
                let index = usize::try_from(number % setups.len() as u64)
                    .expect("less than the number of setups");
                let setup = setups[index];
                let mut luck = Keyed::new(
                    domain::chance::Seed::from(luck).match_key(Uuid::nil(), &[]),
                    number,
                );
                let Some(whole) = play_match(setup, &players, days, rated, &mut luck) else {
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
            // If the store has failed, nobody receives it.
            let _ = batches.blocking_send(batch);
        });
    }
    played
}

/// Plays a match at a random time in the last days, with some seconds between its moves.
fn play_match(
    (game, seats): Setup,
    players: &[Uuid],
    days: Duration,
    rated: bool,
    luck: &mut dyn Chance,
) -> Option<WholeMatch> {
    let ago = i64::from(luck.below(u32::try_from(days.as_secs()).expect("days are 3,650 at most")));
    let mut at = Timestamp::from_micros(Clock::system().now().micros() - (ago + 7_200) * 1_000_000);
    let first = luck.index(players.len());
    // Players form a circle and meet others who are a few steps away, so that opponents vary.
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
