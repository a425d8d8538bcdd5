//! Ettana: octagons with skeins, the tiles between them, the pieces, and what every weaver has.

use domain::{
    game::GameInfo,
    games::ettana::{
        ActionCard, Colour, DesignView, Face, GRID, POINTS_TO_WIN, PhaseView, Roll, SIDE, TileView,
        View, WeaverView,
    },
    seat::SeatSet,
    text::Lang,
};

use crate::{
    Style,
    frame::{
        Board, GAP, INNER, MARGIN, SeatHead, badge, caption, card_back, die, flow, seat_panel,
        size, tell_scores, tick, waits_for,
    },
    palette::{self, FAINT, GOOD, INK, LINE, MUTED, NIGHT, PANEL, WHITE},
    svg::{Path, Svg, Tone, fill, font, seat_name, stroke, tone, width_of},
};

const fn dye(colour: Colour) -> Tone {
    match colour {
        Colour::Green => tone("green", "#3f9d58", "#3a9152"),
        Colour::Red => tone("red", "#d1443c", "#cc453d"),
        Colour::Yellow => tone("yellow", "#ebc036", "#d9ad22"),
        Colour::Blue => tone("blue", "#3a74cc", "#3b74cb"),
        Colour::Lilac => tone("lilac", "#b78fdd", "#a67bd0"),
    }
}

const TILE: Tone = tone("tile", "#fffaf0", "#2a2622");
const RIM: Tone = tone("rim", "#cbbd9f", "#5a5247");
const TOKEN: Tone = tone("token", "#d8a526", "#e0b13a");
const DESIGN_BACK: Tone = tone("design", "#8a5a2b", "#7d522a");
const ACTION_BACK: Tone = tone("action", "#2d6a6a", "#2f7070");

/// Between octagons.
const PITCH: f64 = 71.6;
/// The space that the corners of an octagon leave for the tiles.
const CUT: f64 = 24.0;
/// Cards of a weaver.
const CARD: (f64, f64) = (40.0, 48.0);

pub fn draw(info: &GameInfo, view: &View, style: Style) -> String {
    let lang = style.lang;
    let round = view.round;
    let progress = if round == 0 {
        String::new()
    } else {
        lang.pick(format!("Round {round}"), format!("Ronda {round}"))
    };
    let mut board = Board::new(info, style, &progress, &status(view, lang));
    draw_board(&mut board, view);
    draw_table(&mut board, view);
    let mut weavers: Vec<&WeaverView> = view.weavers.iter().collect();
    weavers.sort_by_key(|weaver| Some(weaver.seat) != style.seat);
    for weaver in weavers {
        let top = board.y;
        let name = seat_name(weaver.seat, lang);
        let mut height = 0.0;
        board.svg.group(&name, |svg| height = draw_weaver(svg, style, view, weaver, top));
        board.y += height + GAP;
    }
    let scores = view.weavers.iter().map(|weaver| (weaver.seat, weaver.points.into()));
    board.say(tell_scores(scores, lang));
    board.finish()
}

fn status(view: &View, lang: Lang) -> String {
    let active = SeatSet::one(view.active);
    match &view.phase {
        PhaseView::Setup {} => {
            lang.pick("The match is being set up.", "Se prepara la partida.").to_owned()
        }
        PhaseView::Settling { number } => {
            let (en, es) = (
                format!("places its piece on a {number}"),
                format!("coloca su ficha en un {number}"),
            );
            waits_for(active, lang, (&en, &es), ("", ""))
        }
        PhaseView::Rolling {} => {
            waits_for(active, lang, ("rolls the dice", "lanza los dados"), ("", ""))
        }
        PhaseView::Rolled { .. } => {
            waits_for(active, lang, ("has rolled and collects", "ha lanzado y cobra"), ("", ""))
        }
        PhaseView::Acting { moved: false, .. } => waits_for(
            active,
            lang,
            ("acts and moves its piece", "actúa y mueve su ficha"),
            ("", ""),
        ),
        PhaseView::Acting { free_swap: true, .. } => waits_for(
            active,
            lang,
            ("has moved and may swap for free", "ya ha movido y puede intercambiar gratis"),
            ("", ""),
        ),
        PhaseView::Acting { .. } => waits_for(active, lang, ("acts", "actúa"), ("", "")),
        PhaseView::Over { winner } => {
            waits_for(SeatSet::one(*winner), lang, ("has won", "ha ganado"), ("", ""))
        }
    }
}

fn draw_board(board: &mut Board, view: &View) {
    let (x, y) = (MARGIN + 16.0, board.y + 14.0);
    let svg = &mut board.svg;
    for (index, colour) in view.octagons.iter().enumerate() {
        let (column, row) = (index % usize::from(SIDE), index / usize::from(SIDE));
        let (left, top) = (x + PITCH * size(column), y + PITCH * size(row));
        if row == 0 {
            let letter = ["A", "B", "C", "D", "E"][column];
            svg.text((left + PITCH / 2.0, y - 4.0), letter, font(11.0, MUTED).middle());
        }
        if column == 0 {
            let at = (x - 5.0, top + PITCH / 2.0 + 4.0);
            svg.text(at, &(row + 1).to_string(), font(11.0, MUTED).end());
        }
        draw_skein(svg, (left, top), *colour);
    }
    for (index, tile) in view.tiles.iter().enumerate() {
        let (column, row) = (index % usize::from(GRID), index / usize::from(GRID));
        let at = (x + PITCH * size(column + 1), y + PITCH * size(row + 1));
        draw_tile(svg, at, tile);
    }
    board.y = y + PITCH * f64::from(SIDE) + 10.0;
}

/// An octagon with a ball of yarn. The direction of the threads depends on the colour.
fn draw_skein(svg: &mut Svg, (x, y): (f64, f64), colour: Colour) {
    let (near, far) = (1.0, PITCH - 1.0);
    let corners = [
        (CUT, near),
        (PITCH - CUT, near),
        (far, CUT),
        (far, PITCH - CUT),
        (PITCH - CUT, far),
        (CUT, far),
        (near, PITCH - CUT),
        (near, CUT),
    ];
    let outline = Path::polygon(corners.map(|(right, down)| (x + right, y + down)));
    svg.path(&outline, fill(dye(colour)));
    let middle = (x + PITCH / 2.0, y + PITCH / 2.0);
    svg.circle(middle, 19.0, fill(WHITE).faded(0.2));
    svg.path(&threads(middle, 17.0, colour), stroke(WHITE, 1.8).faded(0.6).round());
}

fn threads((x, y): (f64, f64), radius: f64, colour: Colour) -> Path {
    let turn = match colour {
        Colour::Green => 0.0,
        Colour::Red => 36.0_f64,
        Colour::Yellow => 72.0,
        Colour::Blue => 108.0,
        Colour::Lilac => 144.0,
    }
    .to_radians();
    let at = |right: f64, down: f64| {
        let (sin, cos) = turn.sin_cos();
        (x + radius * (right * cos - down * sin), y + radius * (right * sin + down * cos))
    };
    [(-0.62, 0.78), (0.0, 1.0), (0.62, 0.78)].into_iter().fold(
        Path::default(),
        |path, (right, reach)| {
            let (from, to) = (at(right, -reach), at(right, reach));
            path.and_from(from.0, from.1).bend(at(right + 0.45, 0.0), to)
        },
    )
}

fn draw_tile(svg: &mut Svg, (x, y): (f64, f64), tile: &TileView) {
    let diamond = Path::regular(4, (x, y), CUT - 0.5, 0.0);
    let number = tile.number.to_string();
    if let Some(seat) = tile.seat {
        svg.path(&diamond, fill(TILE).outlined(palette::seat(seat), 3.0));
        badge(svg, (x, y - 4.0), 11.0, seat);
        svg.text((x, y + 18.0), &number, font(11.0, INK).bold().middle());
    } else {
        svg.path(&diamond, fill(TILE).outlined(RIM, 1.2));
        svg.text((x, y + 6.0), &number, font(17.0, INK).bold().middle());
    }
}

/// The dice, the reserve, the supply and the decks.
fn draw_table(board: &mut Board, view: &View) {
    let lang = board.lang();
    let (x, y) = board.panel(62.0);
    let svg = &mut board.svg;
    let mut said = None;
    let mut at = x + 12.0;
    if let PhaseView::Rolled { roll } | PhaseView::Acting { roll, .. } = &view.phase {
        draw_roll(svg, (at, y + 14.0), *roll);
        said = Some(roll.number);
    } else {
        let blank = fill(FAINT).outlined(LINE, 1.2).dashed(3.0);
        svg.rect((at, y + 14.0, 34.0, 34.0), 7.0, blank);
        svg.rect((at + 40.0, y + 14.0, 34.0, 34.0), 7.0, blank);
    }
    at = x + 102.0;
    caption(svg, (at, y + 20.0), lang.pick("Reserve", "Reserva"));
    for colour in &view.skein_reserve {
        svg.circle((at + 8.0, y + 40.0), 8.0, fill(dye(*colour)));
        svg.path(&threads((at + 8.0, y + 40.0), 6.0, *colour), stroke(WHITE, 1.0).faded(0.6));
        at += 18.5;
    }
    for number in view.tile_reserve {
        at += 1.5;
        svg.path(
            &Path::regular(4, (at + 10.0, y + 40.0), 11.0, 0.0),
            fill(TILE).outlined(LINE, 1.2),
        );
        svg.text((at + 10.0, y + 44.0), &number.to_string(), font(11.0, INK).bold().middle());
        at += 20.0;
    }
    at = x + 258.0;
    caption(svg, (at, y + 20.0), lang.pick("Supply and decks", "Tokens y mazos"));
    svg.circle((at + 8.0, y + 40.0), 7.5, fill(TOKEN));
    svg.text((at + 18.0, y + 44.5), &view.supply.to_string(), font(12.0, INK).bold());
    for (tone, count, left) in [
        (DESIGN_BACK, view.design_deck.to_string(), 40.0),
        (ACTION_BACK, view.action_deck.to_string(), 77.0),
    ] {
        card_back(svg, (at + left, y + 29.5, 15.0, 21.0), tone);
        svg.text((at + left + 18.5, y + 44.5), &count, font(12.0, INK).bold());
    }
    if let Some(number) = said {
        board.say(lang.pick(
            format!("The number die shows {number}."),
            format!("El dado numérico marca {number}."),
        ));
    }
}

fn draw_roll(svg: &mut Svg, (x, y): (f64, f64), roll: Roll) {
    die(svg, (x, y, 34.0), roll.number, fill(PANEL).outlined(INK, 1.4), INK);
    match roll.face {
        Face::Black => svg.rect((x + 40.0, y, 34.0, 34.0), 7.0, fill(NIGHT).outlined(MUTED, 1.4)),
        face => {
            if let Some(colour) = face.colour() {
                svg.rect((x + 40.0, y, 34.0, 34.0), 7.0, fill(dye(colour)).outlined(INK, 1.4));
                let middle = (x + 57.0, y + 17.0);
                svg.path(&threads(middle, 10.0, colour), stroke(WHITE, 1.6).faded(0.7).round());
            }
        }
    }
}

/// A card of a weaver.
enum Item<'a> {
    Claimed(&'a DesignView),
    Victory,
    Held(&'a DesignView),
    Backs(Tone, u32),
}

/// Draws what a weaver has, and returns the height of its panel.
fn draw_weaver(svg: &mut Svg, style: Style, view: &View, weaver: &WeaverView, top: f64) -> f64 {
    let mut items: Vec<Item<'_>> = weaver.claimed.iter().map(Item::Claimed).collect();
    items.extend((0..weaver.victory_cards).map(|_| Item::Victory));
    match &weaver.designs {
        Some(designs) => items.extend(designs.iter().map(Item::Held)),
        None if weaver.designs_held > 0 => {
            items.push(Item::Backs(DESIGN_BACK, weaver.designs_held));
        }
        None => {}
    }
    if weaver.actions.is_none() && weaver.actions_held > 0 {
        items.push(Item::Backs(ACTION_BACK, weaver.actions_held.into()));
    }
    let (places, cards) = flow(items.len(), 7, (CARD.0 + 11.0, CARD.1 + 6.0));
    let chips =
        weaver.actions.as_deref().map(|actions| chips(actions, style.lang)).unwrap_or_default();
    let rows = chips.last().map_or(0.0, |(_, (_, down), _)| down + 28.0);
    let height = 36.0 + cards + rows + if cards + rows > 0.0 { 4.0 } else { 0.0 };
    let playing = !matches!(view.phase, PhaseView::Setup {} | PhaseView::Over { .. });
    let to_act = playing && view.active == weaver.seat;
    let head = SeatHead { seat: weaver.seat, to_act, score: weaver.points.into() };
    seat_panel(svg, style, (MARGIN, top, INNER, height), head);
    draw_points(svg, (MARGIN + INNER - 44.0, top + 17.0), weaver.points);
    svg.circle((MARGIN + 130.0, top + 17.0), 8.0, fill(TOKEN));
    svg.text((MARGIN + 142.0, top + 21.5), &weaver.tokens.to_string(), font(13.0, INK).bold());
    let (x, mut y) = (MARGIN + 11.0, top + 36.0);
    for (item, (right, down)) in items.iter().zip(places) {
        draw_item(svg, (x + right, y + down), item);
    }
    y += cards;
    for (text, (right, down), width) in chips {
        svg.rect((x + right, y + down, width, 23.0), 6.0, fill(ACTION_BACK));
        let at = (x + right + width / 2.0, y + down + 15.5);
        svg.text(at, text, font(11.5, WHITE).middle());
    }
    height
}

/// Eight small marks, one filled for each point.
fn draw_points(svg: &mut Svg, (right, y): (f64, f64), points: u8) {
    for nth in 0..POINTS_TO_WIN {
        let x = right - 13.0 * f64::from(POINTS_TO_WIN - 1 - nth);
        let paint = if nth < points { fill(GOOD) } else { fill(FAINT).outlined(LINE, 1.0) };
        svg.path(&Path::regular(8, (x, y), 6.0, std::f64::consts::PI / 8.0), paint);
    }
}

/// The action cards in hand by name, in rows.
fn chips(actions: &[ActionCard], lang: Lang) -> Vec<(&'static str, (f64, f64), f64)> {
    let (mut right, mut down) = (0.0, 0.0);
    let mut placed = Vec::new();
    for action in actions {
        let text = action.name().get(lang);
        let width = width_of(text, 11.5, false) + 16.0;
        if right + width > INNER - 22.0 {
            (right, down) = (0.0, down + 28.0);
        }
        placed.push((text, (right, down), width));
        right += width + 6.0;
    }
    placed
}

fn draw_item(svg: &mut Svg, (x, y): (f64, f64), item: &Item<'_>) {
    let (width, height) = CARD;
    match item {
        Item::Claimed(design) => {
            svg.rect((x, y, width, height), 5.0, fill(FAINT).outlined(GOOD, 2.0));
            draw_design(svg, (x, y), design);
            tick(svg, (x + 9.0, y + height - 7.0), 7.0, GOOD);
        }
        Item::Held(design) => {
            svg.rect((x, y, width, height), 5.0, fill(FAINT).outlined(LINE, 1.0));
            draw_design(svg, (x, y), design);
        }
        Item::Victory => {
            svg.rect((x, y, width, height), 5.0, fill(FAINT).outlined(GOOD, 2.0));
            svg.path(&star((x + width / 2.0, y + 18.0), 12.0), fill(TOKEN));
            svg.text((x + width - 5.0, y + height - 4.0), "1", font(11.0, INK).bold().end());
            tick(svg, (x + 9.0, y + height - 7.0), 7.0, GOOD);
        }
        Item::Backs(tone, count) => {
            if *count > 1 {
                svg.rect((x + 3.0, y + 3.0, width, height - 2.0), 5.0, fill(*tone).faded(0.5));
            }
            svg.rect((x, y, width, height - 2.0), 5.0, fill(*tone));
            svg.rect(
                (x + 4.0, y + 4.0, width - 8.0, height - 10.0),
                3.0,
                stroke(WHITE, 1.0).faded(0.6),
            );
            let middle = (x + width / 2.0, y + height / 2.0 + 4.5);
            svg.text(middle, &format!("×{count}"), font(15.0, WHITE).bold().middle());
        }
    }
}

fn star((x, y): (f64, f64), radius: f64) -> Path {
    Path::polygon((0..10_u8).map(|corner| {
        let angle = std::f64::consts::PI / 5.0 * f64::from(corner);
        let reach = if corner % 2 == 0 { radius } else { radius * 0.45 };
        (x + reach * angle.sin(), y - reach * angle.cos())
    }))
}

/// A pattern. Letters may stand for any colours, so they are drawn in neutral colours.
fn draw_design(svg: &mut Svg, (x, y): (f64, f64), design: &DesignView) {
    let columns = design.pattern.iter().map(String::len).max().unwrap_or(1);
    let cell = (34.0 / size(columns)).min(32.0 / size(design.pattern.len())).min(9.0);
    let left = x + (CARD.0 - cell * size(columns)) / 2.0;
    let top = y + 4.0 + (30.0 - cell * size(design.pattern.len())).max(0.0) / 2.0;
    for (row, letters) in design.pattern.iter().enumerate() {
        for (column, letter) in letters.chars().enumerate() {
            let paint = match letter {
                'A' => fill(INK),
                'B' => fill(TOKEN),
                'C' => fill(PANEL).outlined(INK, 1.0),
                _ => continue,
            };
            let at = (left + cell * size(column) + 0.5, top + cell * size(row) + 0.5);
            svg.rect((at.0, at.1, cell - 1.0, cell - 1.0), 1.0, paint);
        }
    }
    let points = design.points.to_string();
    svg.text((x + CARD.0 - 5.0, y + CARD.1 - 4.0), &points, font(11.0, INK).bold().end());
}
