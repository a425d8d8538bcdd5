//! `telar play`: a match against bots in the terminal, without a server and without a store.

use std::io::{BufRead, stdin};

use domain::{
    erased::{AnyGame, ListedMove},
    games,
    matches::{Event, Match, Status},
    outcome::Outcome,
    seat::{Seat, Viewer},
    text::Lang,
};

use super::print_line;
use crate::{
    config::{ConfigError, PlayArgs},
    startup::StartError,
};
use table::Table;

mod board;
mod table;

/// The seat of the person at the terminal.
const ME: Seat = Seat::FIRST;
/// How many moves of a hint are shown.
const HINTS: usize = 3;

/// What the person wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Move(usize),
    Hint,
    Board,
    Quit,
    Unclear,
}

impl Wish {
    fn of(line: &str, moves: usize) -> Self {
        match line.trim() {
            "?" => Self::Hint,
            "b" => Self::Board,
            "q" => Self::Quit,
            number => match number.parse::<usize>() {
                Ok(number) if (1..=moves).contains(&number) => Self::Move(number - 1),
                _ => Self::Unclear,
            },
        }
    }
}

pub(super) fn run(args: &PlayArgs) -> Result<(), StartError> {
    let game = games::find(&args.game).ok_or_else(|| {
        let keys: Vec<&str> = games::all().map(|game| game.info().key).collect();
        ConfigError(format!("there is no game `{}`; games: {}", args.game, keys.join(", ")))
    })?;
    let seats = seats(game, args)?;
    let (mut table, opening) = Table::open(game, seats, args.level);
    let lang = if args.spanish { Lang::Es } else { Lang::En };
    tell(&opening, lang);
    let mut lines = stdin().lock().lines();
    let mut is_new = true;
    while table.now().status() == Status::Playing {
        if let Some(events) = table.bot_move() {
            tell(&events, lang);
            is_new = true;
            continue;
        }
        let moves = table.now().listing(ME, lang).moves;
        if is_new {
            show(table.now(), &moves);
        }
        let Some(Ok(line)) = lines.next() else { return Ok(()) };
        is_new = false;
        match Wish::of(&line, moves.len()) {
            Wish::Move(number) => {
                match table.play(moves[number].mv.clone()) {
                    Ok(events) => tell(&events, lang),
                    Err(reason) => print_line(&reason.get(lang)),
                }
                is_new = true;
            }
            Wish::Hint => hint(&table, args, lang),
            Wish::Board => show(table.now(), &moves),
            Wish::Quit => return Ok(()),
            Wish::Unclear => print_line(lang.pick(
                "Enter the number of a move, ? for a hint, b for the board or q to quit.",
                "Escribe el número de una jugada, ? para una pista, b para el tablero o q para salir.",
            )),
        }
    }
    if let Some(outcome) = table.now().outcome() {
        print_line(&result(outcome, lang));
    }
    Ok(())
}

fn seats(game: &dyn AnyGame, args: &PlayArgs) -> Result<u8, ConfigError> {
    let info = game.info();
    let seats = args.seats.unwrap_or(info.min_seats);
    if info.allows(seats) { Ok(seats) } else { Err(ConfigError(info.seats(Lang::En))) }
}

/// Tells what happened, as the person sees it.
fn tell(events: &[Event], lang: Lang) {
    for event in events {
        print_line(&format!("  {}", event.tell(Viewer::Seat(ME), lang)));
    }
}

/// Shows the board and the legal moves.
fn show(m: &Match, moves: &[ListedMove]) {
    if let Some(view) = m.view(Viewer::Seat(ME)) {
        print_line(&format!("\n{}", board::text(&view)));
    }
    for (number, listed) in moves.iter().enumerate() {
        print_line(&format!("{:4}  {}", number + 1, listed.label));
    }
}

/// Shows the best moves.
fn hint(table: &Table, args: &PlayArgs, lang: Lang) {
    let Some(choice) = table.think(ME, args.level) else { return };
    let Some(state) = table.now().state() else { return };
    for considered in choice.moves.iter().take(HINTS) {
        let label = state.label(ME, &considered.mv, lang);
        let win = considered.wins.first().copied().unwrap_or(0.0) * 100.0;
        print_line(&format!("  {win:3.0} %  {label}"));
    }
}

/// The result in words.
fn result(outcome: &Outcome, lang: Lang) -> String {
    let lines = Seat::all(Seat::MAX).zip(&outcome.seats).map(|(seat, standing)| {
        let who = if seat == ME {
            lang.pick("you", "tú").to_owned()
        } else {
            lang.pick(format!("seat {seat}"), format!("puesto {seat}"))
        };
        let score = standing.score.map_or_else(String::new, |score| format!(", {score}"));
        format!("  {}. {who}{score}", standing.place)
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_move_or_a_question() {
        assert_eq!(Wish::of(" 2 ", 3), Wish::Move(1));
        assert_eq!(Wish::of("?", 3), Wish::Hint);
        assert_eq!(Wish::of("q", 3), Wish::Quit);
        for unclear in ["0", "4", "", "roll", "-1"] {
            assert_eq!(Wish::of(unclear, 3), Wish::Unclear, "{unclear}");
        }
    }
}
