//! Whole matches, and who won them.

use domain::{erased::AnyGame, outcome::Standing, seat::Seat};

use super::arena::{Player, Table};

/// Plays to the end and returns the standings.
pub fn play_out(mut table: Table, player: impl Fn(Seat) -> Player) -> Vec<Standing> {
    while !table.is_over() {
        let seat = table.next_seat();
        let (mv, _) = table.decide(seat, player(seat));
        table.play(seat, &mv);
    }
    table.state.standings().seats
}

/// Plays a match in which two players have every other seat, the first one or the other way round if `swapped`. Returns how
/// the first player did: the part of its duels with seats of the other that it won, shared places counting half.
pub fn duel(
    game: &'static dyn AnyGame,
    seats: u8,
    players: [Player; 2],
    deal: u64,
    swapped: bool,
) -> f64 {
    let table = Table::open(game, seats, deal);
    let side = |seat: Seat| (seat.index() + usize::from(swapped)) % 2;
    let standings = play_out(table, |seat| players[side(seat)]);
    let of = |wanted: usize| {
        Seat::all(seats).filter(move |it| side(*it) == wanted).map(|it| standings[it.index()].place)
    };
    let duels: Vec<f64> = of(0)
        .flat_map(|mine| {
            of(1).map(move |theirs| {
                f64::from(u8::from(mine < theirs)) + f64::from(u8::from(mine == theirs)) / 2.0
            })
        })
        .collect();
    duels.iter().sum::<f64>() / f64::from(u32::try_from(duels.len().max(1)).expect("few seats"))
}
