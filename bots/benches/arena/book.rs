//! The results of the ladder on disk: bots/ladder.json, and the tables of bots/README.md.

use std::path::PathBuf;

use bots::{Contestant, Ladder, Row, Share};
use domain::{bot::BotLevel, erased::AnyGame, games};

/// What the columns of the table compare.
const PAIRS: [[Contestant; 2]; 6] = {
    use Contestant::{Bot, Random};
    [
        [Bot(BotLevel::Novice), Random],
        [Bot(BotLevel::Casual), Bot(BotLevel::Novice)],
        [Bot(BotLevel::Club), Bot(BotLevel::Casual)],
        [Bot(BotLevel::Expert), Bot(BotLevel::Club)],
        [Bot(BotLevel::Master), Bot(BotLevel::Expert)],
        [Bot(BotLevel::Master), Random],
    ]
};

/// Who meets whom, the cheapest pair first.
pub fn pairs() -> impl Iterator<Item = [Contestant; 2]> {
    PAIRS.into_iter()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The results so far. Rows that were measured with other settings than today's are left out.
pub fn open() -> Ladder {
    let text = std::fs::read_to_string(file("ladder.json")).unwrap_or_else(|_| "[]".to_owned());
    let mut ladder: Ladder = serde_json::from_str(&text).expect("bots/ladder.json is a ladder");
    ladder.rows.retain(|row| {
        let kept = row.settings == described(row);
        if !kept {
            println!("forgotten, because a level was changed since: {}", line(row));
        }
        kept
    });
    ladder
}

fn described(row: &Row) -> Vec<String> {
    [Some(row.player), row.against]
        .into_iter()
        .flatten()
        .map(|it| it.described(&row.game))
        .collect()
}

/// A row without results.
pub fn new_row(
    game: &str,
    seats: u8,
    player: Contestant,
    against: Option<Contestant>,
    first_deal: u64,
) -> Row {
    let mut row = Row {
        game: game.to_owned(),
        seats,
        player,
        against,
        settings: Vec::new(),
        first_deal,
        matches: 0,
        score: 0.0,
        cells: None,
    };
    row.settings = described(&row);
    row
}

/// Replaces a row, or adds it.
pub fn put(ladder: &mut Ladder, row: &Row) {
    let is_same = |old: &&mut Row| {
        (&old.game, old.seats, old.player, old.against)
            == (&row.game, row.seats, row.player, row.against)
    };
    match ladder.rows.iter_mut().find(is_same) {
        Some(old) => *old = row.clone(),
        None => ladder.rows.push(row.clone()),
    }
}

/// Writes the results and the tables.
pub fn save(ladder: &Ladder) {
    let text = serde_json::to_string_pretty(ladder).expect("plain data");
    std::fs::write(file("ladder.json"), text + "\n").expect("bots/ladder.json can be written");
    let readme = std::fs::read_to_string(file("README.md")).expect("bots/README.md");
    let (before, rest) = readme.split_once("<!-- ladder -->\n").expect("the mark of the table");
    let (_, after) = rest.split_once("<!-- end -->").expect("the mark of the end");
    let text = format!("{before}<!-- ladder -->\n{}<!-- end -->{after}", tables(ladder));
    std::fs::write(file("README.md"), text).expect("bots/README.md can be written");
}

/// A row as text.
pub fn line(row: &Row) -> String {
    let against = row.against.map(|it| format!(" : {it}")).unwrap_or_default();
    format!("{} {}, {}{against}: {}", row.game, row.seats, row.player, result(row))
}

fn result(row: &Row) -> String {
    let Share { share, low, high, matches } = Share::new(row.score, row.matches);
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    let cells = row.cells.map(|cells| format!(", {:.1} cells", cells / f64::from(matches.max(1))));
    format!(
        "{} % ({}–{}), {matches} matches{}",
        percent(share),
        percent(low),
        percent(high),
        cells.unwrap_or_default()
    )
}

fn tables(ladder: &Ladder) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let ruler = |columns: usize| format!("|{}\n", "---|".repeat(columns));
    let cell = |game: &str, seats: u8, player, against| {
        ladder.row(game, seats, player, against).map_or_else(|| "–".to_owned(), result)
    };
    let played: Vec<_> = games::all().map(AnyGame::info).collect();
    let together = played.iter().flat_map(|game| {
        (game.min_seats.max(2)..=game.max_seats).map(move |seats| {
            let cells = pairs().map(|[one, two]| cell(game.key, seats, one, Some(two)));
            row([game.key.to_owned(), seats.to_string()].into_iter().chain(cells).collect())
        })
    });
    let alone = played.iter().filter(|game| game.min_seats == 1).map(|game| {
        let cells = Contestant::all().map(|it| cell(game.key, 1, it, None));
        row([game.key.to_owned()].into_iter().chain(cells).collect())
    });
    let ratings = played.iter().filter(|game| game.max_seats > 1).map(|game| {
        let cells = BotLevel::ALL.map(|level| match ladder.rating(game.key, level) {
            Some(rating) => format!("{} ± {}", rating.points, rating.margin),
            None => "–".to_owned(),
        });
        row([game.key.to_owned()].into_iter().chain(cells).collect())
    });
    let named = pairs().map(|[one, two]| format!("{one} : {two}"));
    [
        "\n".to_owned(),
        row(["game".to_owned(), "seats".to_owned()].into_iter().chain(named).collect()),
        ruler(2 + PAIRS.len()),
        together.collect(),
        "\nSolo games: matches won, and cells filled.\n\n".to_owned(),
        row(["game".to_owned()].into_iter().chain(Contestant::all().map(String::from)).collect()),
        ruler(2 + BotLevel::ALL.len()),
        alone.collect(),
        "\nRatings with two seats, on the scale of Elo. Random play has 0.\n\n".to_owned(),
        row(["game"]
            .into_iter()
            .chain(BotLevel::ALL.map(BotLevel::id))
            .map(str::to_owned)
            .collect()),
        ruler(1 + BotLevel::ALL.len()),
        ratings.collect(),
        "\n".to_owned(),
    ]
    .concat()
}
