//! A bot that makes random legal moves: `bot GAME` opens a match, `bot GAME MATCH` takes a seat in one.

use std::env;

use rand::seq::IndexedRandom;
use telar_client::{
    Client, Error,
    types::{
        AnyMove, CreateGuestRequest, EttanaMove, LegalMove, ListEventsParameters, MakeMove,
        MakeMoveParameters, NewMatch, Status, TakeSeat,
    },
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let url = env::var("TELAR_URL").unwrap_or_else(|_| "http://127.0.0.1:8080".to_owned());
    let client = Client::new(url);
    let Some(game) = arguments.next() else {
        let games = client.list_games(None).await?.games;
        let keys: Vec<String> = games.into_iter().map(|game| game.key).collect();
        return Err(format!("which game? {}", keys.join(", ")).into());
    };

    // Play as the owner of the token in TELAR_TOKEN, or as a new guest.
    let token = match env::var("TELAR_TOKEN") {
        Ok(token) => token,
        Err(_) => client.create_guest(None, &CreateGuestRequest::default()).await?.access_token,
    };
    let client = client.with_token(token);

    // Take a seat in the given match, or in a new one with as few seats as the game allows.
    let id = if let Some(id) = arguments.next() {
        client.take_seat(id.parse()?, None, &TakeSeat::default()).await?.id
    } else {
        let seats = client.get_game(&game, None).await?.min_seats;
        let wanted = NewMatch { game, seats, ..Default::default() };
        client.create_match(None, &wanted).await?.id
    };
    println!("match {id}");

    loop {
        let legal = client.list_legal_moves(id, None).await?;
        if !matches!(legal.status, Status::Open | Status::Playing) {
            break;
        }
        if let Some(chosen) = choose(&legal.moves) {
            // The move is conditional on the version it was chosen for. If that is out of date (412), look again.
            let if_match = Some(format!("\"{}\"", legal.version));
            let parameters = MakeMoveParameters { if_match, ..Default::default() };
            let body = MakeMove { move_: chosen.move_.clone(), dry_run: None };
            match client.make_move(id, Some(&parameters), &body).await {
                Err(Error::Refused(problem)) if problem.status == 412 => {}
                answer => drop(answer?),
            }
        } else {
            // Not our turn: wait until something happens.
            let (after, wait, limit) = (Some(legal.version), Some(60), Some(1));
            let parameters = ListEventsParameters { after, wait, limit, ..Default::default() };
            client.list_events(id, Some(&parameters)).await?;
        }
    }

    let over = client.get_match(id, None).await?;
    for (seat, standing) in (0..).zip(over.outcome.iter().flat_map(|outcome| &outcome.seats)) {
        let is_mine = over.my_seat.as_ref().is_some_and(|mine| mine.0 == seat);
        let me = if is_mine { " (me)" } else { "" };
        let score = standing.score.map_or_else(|| "none".to_owned(), |score| score.to_string());
        println!("seat {seat}{me}: place {}, score {score}", standing.place);
    }
    Ok(())
}

/// A random move, except that Ettana's designs are bought and claimed whenever possible; otherwise a match would never end.
#[expect(clippy::disallowed_methods, reason = "only the server's luck has to be verifiable")]
fn choose(moves: &[LegalMove]) -> Option<&LegalMove> {
    let wins = |listed: &&LegalMove| {
        matches!(
            listed.move_,
            AnyMove::EttanaMove(EttanaMove::Claim { .. } | EttanaMove::BuyDesign)
        )
    };
    moves.iter().find(wins).or_else(|| moves.choose(&mut rand::rng()))
}
