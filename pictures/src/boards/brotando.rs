//! Dos Semanas Brotando: the cards in the centre, and every board with its sprout, suns and danger lines.

use domain::{
    game::GameInfo,
    games::brotando::{
        Back, Between, COLUMNS, CardView, CentreView, DAYS, Direction, LineColour, LineInfo,
        PhaseView, PlotView, ROWS, START, Segment, Sun, View, danger_lines,
    },
    seat::{Seat, SeatSet},
    text::Lang,
};

use crate::{
    Style,
    frame::{
        Board, GAP, HALF, INNER, MARGIN, SeatHead, badge, caption, columns, cross, minus,
        seat_panel, size, tell_scores, tick, waits_for,
    },
    palette::{BAD, FAINT, GOOD, INK, LINE, MUTED, WHITE},
    svg::{Path, Svg, Tone, fill, font, seat_name, stroke, tone, width_of},
};

const SOIL: Tone = tone("soil", "#f3f1e6", "#26271f");
const MIDDLE: Tone = tone("middle", "#e6e6d3", "#313327");
const GRID: Tone = tone("grid", "#dedcc9", "#3a3b30");
const SPROUT: Tone = tone("sprout", "#4e9a3d", "#5aa848");
const VEIN: Tone = tone("vein", "#cbe8b8", "#d3efc2");
const SEED: Tone = tone("seed", "#7a4f2a", "#a06b3c");
const WIND: Tone = tone("wind", "#4f7fa8", "#48769e");
const GROWTH: Tone = tone("growth", "#5f8f3a", "#578536");
const SUN_RIM: Tone = tone("rim", "#3a2800", "#1c1a14");

const fn glow(sun: Sun) -> Tone {
    match sun {
        Sun::Yellow => tone("yellow", "#f7cf3a", "#f3cc3c"),
        Sun::Red => tone("red", "#e2483d", "#ea5a4f"),
        Sun::Orange => tone("orange", "#f2912b", "#f29a3a"),
    }
}

const fn danger(colour: LineColour) -> Tone {
    match colour {
        LineColour::Purple => tone("purple", "#8a3fb5", "#b978e0"),
        LineColour::Blue => tone("blue", "#2563c9", "#6fa3f5"),
    }
}

pub fn draw(info: &GameInfo, view: &View, style: Style) -> String {
    let lang = style.lang;
    let day = view.day;
    let progress = if day == 0 {
        String::new()
    } else {
        lang.pick(format!("Day {day} of {DAYS}"), format!("Día {day} de {DAYS}"))
    };
    let mut board = Board::new(info, style, &progress, &status(view, lang));
    if !view.centre.is_empty() {
        draw_centre(&mut board, view);
    }
    let (mine, others): (Vec<&PlotView>, Vec<&PlotView>) =
        view.seats.iter().partition(|plot| Some(plot.seat) == style.seat);
    for plot in mine {
        draw_row(&mut board, view, &[plot], (&[MARGIN], INNER));
    }
    for pair in others.chunks(2) {
        draw_row(&mut board, view, pair, (&columns(pair.len()), HALF));
    }
    board.say(tell_scores(view.seats.iter().map(|plot| (plot.seat, plot.score)), lang));
    board.finish()
}

/// Plots side by side: the left edge of each, and their width.
fn draw_row(board: &mut Board, view: &View, plots: &[&PlotView], (lefts, width): (&[f64], f64)) {
    let style = board.style;
    let cell = (width - 14.0) / f64::from(COLUMNS);
    let known = plots.iter().map(|plot| known_height(plot, width)).fold(0.0, f64::max);
    let above = 34.0 + cell * f64::from(ROWS) + 36.0;
    for (plot, x) in plots.iter().zip(lefts) {
        let frame = (*x, board.y, width, above + known);
        board.svg.group(&seat_name(plot.seat, style.lang), |svg| {
            draw_plot(svg, style, view, plot, frame, cell);
            draw_known(svg, (x + 8.0, frame.1 + above), width, plot, style.lang);
        });
    }
    board.y += above + known + GAP;
}

/// The seats that the match is waiting for.
fn waiting(view: &View) -> SeatSet {
    if let Some(seat) = view.arranging {
        return SeatSet::one(seat);
    }
    match &view.phase {
        PhaseView::Setup {} | PhaseView::Over {} => SeatSet::NONE,
        PhaseView::Testing { owing: seats } | PhaseView::Growing { waiting: seats } => {
            seats.iter().copied().collect()
        }
        PhaseView::Selecting { active } | PhaseView::Deciding { active, .. } => {
            SeatSet::one(*active)
        }
        PhaseView::Bidding { turn, .. } => SeatSet::one(*turn),
    }
}

fn status(view: &View, lang: Lang) -> String {
    let seats = waiting(view);
    if view.arranging.is_some() {
        return waits_for(seats, lang, ("rearranges its deck", "reordena su mazo"), ("", ""));
    }
    match &view.phase {
        PhaseView::Setup {} => {
            lang.pick("The match is being set up.", "Se prepara la partida.").to_owned()
        }
        PhaseView::Testing { .. } => waits_for(
            seats,
            lang,
            ("is out of balance and drops segments", "pierde el equilibrio y descarta segmentos"),
            ("are out of balance and drop segments", "pierden el equilibrio y descartan segmentos"),
        ),
        PhaseView::Selecting { .. } => {
            waits_for(seats, lang, ("selects a card", "elige una carta"), ("", ""))
        }
        PhaseView::Bidding { highest: Some(bid), .. } => {
            let text = waits_for(seats, lang, ("bids or leaves", "puja o abandona"), ("", ""));
            let amount = bid.amount;
            lang.pick(
                format!("{text} Highest bid: {amount}."),
                format!("{text} Puja más alta: {amount}."),
            )
        }
        PhaseView::Bidding { highest: None, .. } => {
            waits_for(seats, lang, ("bids or leaves", "puja o abandona"), ("", ""))
        }
        PhaseView::Deciding { keep_price, highest, .. } => {
            let (half, whole) = (keep_price, highest.amount);
            let (en, es) = (
                format!("keeps the card for {half} or sells it for {whole}"),
                format!("se queda la carta por {half} o la vende por {whole}"),
            );
            waits_for(seats, lang, (&en, &es), ("", ""))
        }
        PhaseView::Growing { .. } => waits_for(seats, lang, ("grows", "crece"), ("grow", "crecen")),
        PhaseView::Over {} => {
            lang.pick("The match is over.", "La partida ha terminado.").to_owned()
        }
    }
}

/// The cards of the day, each under the seat that revealed it.
fn draw_centre(board: &mut Board, view: &View) {
    let lang = board.lang();
    let (x, y) = board.panel(96.0);
    let svg = &mut board.svg;
    caption(svg, (x + 10.0, y + 17.0), lang.pick("Cards in the centre", "Cartas en el centro"));
    let (selected, highest) = match &view.phase {
        PhaseView::Bidding { card, highest, .. } => (Some(*card), *highest),
        PhaseView::Deciding { card, highest, .. } => (Some(*card), Some(*highest)),
        _ => (None, None),
    };
    if let Some(bid) = highest {
        let right = x + INNER - 12.0;
        let amount = bid.amount.to_string();
        svg.text((right, y + 18.0), &amount, font(14.0, INK).bold().end());
        badge(svg, (right - 12.0 - 9.0 * size(amount.len()), y + 13.5), 8.0, bid.seat);
        let word = lang.pick("Highest bid", "Puja más alta");
        svg.text(
            (right - 24.0 - 9.0 * size(amount.len()), y + 17.0),
            word,
            font(11.0, MUTED).end(),
        );
    }
    for (index, CentreView { card, face }) in view.centre.iter().enumerate() {
        let corner = (x + 10.0 + 60.0 * size(index), y + 26.0);
        draw_card(svg, corner, face, selected == Some(*card));
        let seat = Seat::new(*card).expect("a card in the centre is named after its seat");
        badge(svg, (corner.0 + 9.0, corner.1 + 9.0), 7.5, seat);
    }
}

fn draw_card(svg: &mut Svg, (x, y): (f64, f64), face: &CardView, selected: bool) {
    let line = if selected { (INK, 2.5) } else { (LINE, 1.0) };
    match face {
        CardView::Growth { figure } => {
            svg.rect((x, y, 54.0, 62.0), 5.0, fill(FAINT).outlined(line.0, line.1));
            draw_figure(svg, (x + 27.0, y + 33.0), figure, 8.0);
        }
        CardView::Wind { wind: _ } => {
            svg.rect((x, y, 54.0, 62.0), 5.0, fill(WIND).outlined(line.0, line.1));
            draw_wind(svg, (x + 27.0, y + 33.0), 14.0);
        }
    }
}

/// Three gusts.
fn draw_wind(svg: &mut Svg, (x, y): (f64, f64), reach: f64) {
    let gust = |down: f64, long: f64| {
        Path::from(x - reach, y + down).to(x + long - reach * 0.3, y + down).bend(
            (x + long + reach * 0.35, y + down),
            (x + long + reach * 0.3, y + down - reach * 0.4),
        )
    };
    let line = stroke(WHITE, (reach * 0.14).max(1.2)).round();
    svg.path(&gust(-reach * 0.35, reach * 0.2), line);
    svg.path(&gust(reach * 0.05, reach * 0.6), line);
    svg.path(&gust(reach * 0.45, 0.0), line);
}

/// A figure, centred on a point.
fn draw_figure(svg: &mut Svg, (x, y): (f64, f64), figure: &[String], cell: f64) {
    let columns = figure.iter().map(String::len).max().unwrap_or(1);
    let (left, top) = (x - cell * size(columns) / 2.0, y - cell * size(figure.len()) / 2.0);
    for (row, line) in figure.iter().enumerate() {
        for (column, _) in line.chars().enumerate().filter(|(_, mark)| *mark == '#') {
            let at = (left + cell * size(column), top + cell * size(row));
            svg.rect((at.0 + 0.4, at.1 + 0.4, cell - 0.8, cell - 0.8), cell * 0.2, fill(SPROUT));
        }
    }
}

fn draw_plot(
    svg: &mut Svg,
    style: Style,
    view: &View,
    plot: &PlotView,
    frame: (f64, f64, f64, f64),
    cell: f64,
) {
    let (x, y, width, _) = frame;
    let to_act = waiting(view).contains(plot.seat);
    seat_panel(svg, style, frame, SeatHead { seat: plot.seat, to_act, score: plot.score });
    let left = x + (width - cell * f64::from(COLUMNS)) / 2.0;
    draw_sprout(svg, (left, y + 34.0), cell, plot);
    draw_stock(
        svg,
        (x + 8.0, y + 34.0 + cell * f64::from(ROWS) + 18.0),
        width - 16.0,
        plot,
        style.lang,
    );
}

fn draw_sprout(svg: &mut Svg, (x, y): (f64, f64), cell: f64, plot: &PlotView) {
    let at = |column: u8, row: u8| (x + cell * f64::from(column), y + cell * f64::from(row));
    let (width, height) = (cell * f64::from(COLUMNS), cell * f64::from(ROWS));
    svg.rect((x, y, width, height), 3.0, fill(SOIL));
    svg.rect((at(START.0, 0).0, y, cell, height), 0.0, fill(MIDDLE));
    let mut grid = Path::default();
    for column in 1..COLUMNS {
        grid = grid.and_from(at(column, 0).0, y).to(at(column, 0).0, y + height);
    }
    for row in 1..ROWS {
        grid = grid.and_from(x, at(0, row).1).to(x + width, at(0, row).1);
    }
    svg.path(&grid, stroke(GRID, 0.7));
    let start = at(START.0, START.1);
    svg.circle((start.0 + cell / 2.0, start.1 + cell / 2.0), cell * 0.42, fill(SEED));
    let mut veins = Path::default();
    for segment in &plot.segments {
        let (left, top) = at(segment.column, segment.row);
        let inset = cell * 0.06;
        let (wide, high) = match segment.direction {
            Direction::Right => (cell * 2.0, cell),
            Direction::Down => (cell, cell * 2.0),
        };
        let leaf = (left + inset, top + inset, wide - 2.0 * inset, high - 2.0 * inset);
        svg.rect(leaf, cell * 0.32, fill(SPROUT));
        let (dx, dy) = (wide / 2.0 - cell * 0.3, high / 2.0 - cell * 0.3);
        let middle = (left + wide / 2.0, top + high / 2.0);
        let along = if wide > high { (dx, 0.0) } else { (0.0, dy) };
        veins = veins
            .and_from(middle.0 - along.0, middle.1 - along.1)
            .to(middle.0 + along.0, middle.1 + along.1);
    }
    svg.path(&veins, stroke(VEIN, (cell * 0.08).max(0.8)).round());
    for sun in Sun::ALL {
        for (column, row) in sun.places() {
            let (left, top) = at(column, row);
            let covered = plot.segments.iter().any(|segment| covers(*segment, column, row));
            draw_sun(svg, (left + cell / 2.0, top + cell / 2.0), cell, sun, covered);
        }
    }
    for (line, edges) in danger_lines() {
        draw_danger(svg, (x, y), cell, line, edges, plot.crossed.contains(&line));
    }
}

fn covers(segment: Segment, column: u8, row: u8) -> bool {
    let other = match segment.direction {
        Direction::Right => (segment.column + 1, segment.row),
        Direction::Down => (segment.column, segment.row + 1),
    };
    (segment.column, segment.row) == (column, row) || other == (column, row)
}

/// A sun; a covered one shines through the leaf.
fn draw_sun(svg: &mut Svg, (x, y): (f64, f64), cell: f64, sun: Sun, covered: bool) {
    if covered {
        svg.circle((x, y), cell * 0.27, fill(glow(sun)).outlined(WHITE, (cell * 0.09).max(1.0)));
        return;
    }
    let rays = (0..16_u8).map(|corner| {
        let angle = std::f64::consts::PI / 8.0 * f64::from(corner);
        let reach = cell * if corner % 2 == 0 { 0.47 } else { 0.33 };
        (x + reach * angle.sin(), y - reach * angle.cos())
    });
    svg.path(&Path::polygon(rays), fill(glow(sun)));
    let number = sun.pays().to_string();
    if cell > 15.0 {
        svg.text((x, y + 4.0), &number, font(11.0, SUN_RIM).bold().middle());
    }
}

fn draw_danger(
    svg: &mut Svg,
    (x, y): (f64, f64),
    cell: f64,
    line: LineInfo,
    edges: impl Iterator<Item = (u8, u8)>,
    crossed: bool,
) {
    let mut path = Path::default();
    let mut first = None;
    for (column, row) in edges {
        let (right, down) = (x + cell * f64::from(column), y + cell * f64::from(row));
        let (from, to) = match line.between {
            Between::Columns => ((right + cell, down), (right + cell, down + cell)),
            Between::Rows => ((right, down + cell), (right + cell, down + cell)),
        };
        first.get_or_insert(from);
        path = path.and_from(from.0, from.1).to(to.0, to.1);
    }
    let tone = danger(line.colour);
    let wide = (cell * 0.11).max(1.6);
    if crossed {
        svg.path(&path, stroke(tone, wide * 1.5).faded(0.5));
        if let Some((right, down)) = first {
            // On the line, but within the board.
            let (right, down) = match line.between {
                Between::Columns => (right, down + cell * 0.5),
                Between::Rows => (right + cell * 0.5, down),
            };
            svg.circle((right, down), (cell * 0.3).max(5.0), fill(BAD));
            cross(svg, (right, down), (cell * 0.25).max(4.0), stroke(WHITE, 1.6));
        }
    } else {
        svg.path(&path, stroke(tone, wide));
    }
}

/// Reserve, deck, wind cards, balance, cost of crossed lines, and the card of the day.
fn draw_stock(svg: &mut Svg, (x, y): (f64, f64), width: f64, plot: &PlotView, lang: Lang) {
    let roomy = width > 200.0;
    let step = if roomy { 58.0 } else { 37.0 };
    let number = |svg: &mut Svg, at: f64, text: &str, tone: Tone| {
        svg.text((at, y + 4.3), text, font(12.0, tone).bold());
    };
    svg.rect((x, y - 4.0, 13.0, 8.0), 3.0, fill(SPROUT));
    number(svg, x + 16.0, &plot.reserve.to_string(), INK);
    let mut at = x + step;
    let back = match plot.deck.top {
        Some(Back::Growth) => fill(GROWTH),
        Some(Back::Wind) => fill(WIND),
        None => fill(FAINT).outlined(LINE, 1.0),
    };
    svg.rect((at, y - 7.0, 10.0, 14.0), 2.0, back);
    number(svg, at + 14.0, &plot.deck.cards.to_string(), INK);
    at += step;
    if plot.winds_in_hand > 0 {
        svg.rect((at, y - 7.0, 14.0, 14.0), 2.0, fill(WIND));
        draw_wind(svg, (at + 7.0, y), 5.0);
        number(svg, at + 17.0, &plot.winds_in_hand.to_string(), INK);
        at += step;
    }
    let cost: i64 = plot.crossed.iter().map(|line| i64::from(line.colour.costs())).sum();
    if cost > 0 {
        number(svg, at, &minus(-cost), BAD);
    }
    if roomy {
        let balance = plot.balance;
        let text = format!("{} | {} | {}", balance.left, balance.centre, balance.right);
        let even = balance.left.abs_diff(balance.right) < balance.centre;
        let tone = if even { GOOD } else { MUTED };
        svg.text((x + 318.0, y + 4.3), &text, font(12.0, tone).bold().end());
        let word = x + 310.0 - width_of(&text, 12.0, true);
        svg.text((word, y + 4.3), lang.pick("Balance", "Equilibrio"), font(11.0, MUTED).end());
    }
    let right = x + width;
    match &plot.card {
        Some(CardView::Growth { figure }) => draw_figure(svg, (right - 16.0, y), figure, 4.6),
        Some(CardView::Wind { .. }) => {
            svg.rect((right - 26.0, y - 11.0, 22.0, 22.0), 3.0, fill(WIND));
            draw_wind(svg, (right - 15.0, y), 7.5);
        }
        None => {}
    }
    if plot.grown && plot.card.is_some() {
        tick(svg, (right - 4.0, y + 9.0), 7.0, GOOD);
    }
}

/// Wind cards in a row, and cards of the deck.
fn per_row(width: f64) -> (usize, usize) {
    if width > HALF { (2, 6) } else { (1, 3) }
}

fn known_height(plot: &PlotView, width: f64) -> f64 {
    let winds = plot.winds.as_ref().map_or(0, Vec::len);
    let rows = size(winds.div_ceil(per_row(width).0)) * 26.0;
    let next = if plot.deck.next.is_empty() { 0.0 } else { 92.0 };
    rows + next + if rows + next > 0.0 { 4.0 } else { 0.0 }
}

/// What only some viewers know: the names of the wind cards in hand, and the next cards of the deck.
fn draw_known(svg: &mut Svg, (x, y): (f64, f64), width: f64, plot: &PlotView, lang: Lang) {
    let (chips, cards) = per_row(width);
    let wide = (width - 16.0 - 6.0 * (size(chips) - 1.0)) / size(chips);
    let winds = plot.winds.as_deref().unwrap_or_default();
    for (index, wind) in winds.iter().enumerate() {
        let left = x + (wide + 6.0) * size(index % chips);
        let top = y + 26.0 * size(index / chips);
        svg.rect((left, top, wide, 22.0), 5.0, fill(WIND));
        let name = wind.name().get(lang);
        let text = font(11.5, WHITE).middle().within(wide - 10.0);
        svg.text((left + wide / 2.0, top + 15.0), name, text);
    }
    if plot.deck.next.is_empty() {
        return;
    }
    let top = y + 26.0 * size(winds.len().div_ceil(chips));
    caption(svg, (x, top + 14.0), lang.pick("Next in the deck", "Próximas cartas del mazo"));
    let step = if chips == 1 { 57.0 } else { 61.0 };
    for (index, card) in plot.deck.next.iter().take(cards).enumerate() {
        draw_card(svg, (x + step * size(index), top + 22.0), card, false);
    }
}
