//! `telar seed`: fills the store with randomly played matches, without going through HTTP.

use std::time::Duration;

use domain::{erased::AnyGame, games};
use indicatif::{ProgressBar, ProgressStyle};
use service::clock::Clock;
use store::OpenError;

use super::print_line;
use crate::{
    config::{Config, ConfigError, SeedArgs},
    startup::{self, StartError},
};
use cast::Login;
use going_on::GoingOn;

mod cast;
mod finished;
mod going_on;
mod thought;

/// The most open matches, and the most that are being played.
const GOING_ON: u64 = 20;

/// A game and a number of seats.
type Setup = (&'static dyn AnyGame, u8);

pub(super) async fn run(config: &Config, seed: &SeedArgs) -> Result<(), StartError> {
    let setups = setups(seed)?;
    let log = startup::open_store(config).await?.patient();
    let now = Clock::system().now();
    let cast = cast::add(log.database(), seed, now).await?;
    let bar = ProgressBar::new(seed.matches).with_style(style());
    bar.enable_steady_tick(Duration::from_millis(250));
    let mut batches = finished::play(seed, &setups, &cast.players, now);
    // One after the other, so that the matches are written in the order in which they ended.
    while let Some(batch) = batches.recv().await {
        let count = batch.len() as u64;
        log.import(batch).await.map_err(OpenError::from)?;
        bar.inc(count);
    }
    bar.finish_and_clear();
    let count = GOING_ON.min(seed.matches / 10);
    let GoingOn { playing, open } = GoingOn::new(seed, &setups, &cast, count, now);
    let (finished, running, joinable) = (seed.matches, playing.len(), open.len());
    log.import(playing.into_iter().chain(open).collect()).await.map_err(OpenError::from)?;
    print_line(&format!(
        "Added {finished} finished matches, {running} in progress and {joinable} open ones."
    ));
    print_logins(&cast.logins);
    Ok(())
}

fn print_logins(logins: &[Login]) {
    let width = logins.iter().map(|login| login.name.chars().count()).max().unwrap_or(0).max(4);
    print_line("You can log in as these players. Their passwords are not shown again.\n");
    print_line(&format!("  {:width$}  password", "name"));
    for Login { name, password } in logins {
        print_line(&format!("  {name:width$}  {password}"));
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} matches, {per_sec}, {eta} left")
        .expect("the template is valid")
}

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
