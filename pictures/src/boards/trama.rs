//! Trama: the cards on the table, and every loom with its cords over and under one another.

use domain::{
    game::GameInfo,
    games::trama::{
        BagView, Button, CardView, Colour, CordView, LoomView, ObjectiveView, Pattern, PatternKind,
        PhaseView, PlayerAreaView, SLOTS, Slot, View,
    },
    seat::SeatSet,
    text::Lang,
};

use crate::{
    Style,
    frame::{
        Board, GAP, HALF, INNER, MARGIN, SeatHead, badge, caption, columns, minus, seat_panel,
        size, square_badge, tell_scores, tick, waits_for,
    },
    palette::{self, BAD, FAINT, GOOD, INK, LINE, MUTED, PANEL, WHITE},
    svg::{Path, Svg, Tone, fill, font, seat_name, stroke, tone, width_of},
};

const fn dye(colour: Colour) -> Tone {
    match colour {
        Colour::Red => tone("red", "#d63a33", "#e2504a"),
        Colour::Pink => tone("pink", "#f28db6", "#f49ac0"),
        Colour::Sky => tone("sky", "#5fc3e6", "#6fcdee"),
        Colour::Blue => tone("blue", "#2a56c6", "#3f6fe6"),
        Colour::Purple => tone("purple", "#7b3aa8", "#9a55cc"),
    }
}

/// The wood behind the cords.
const LOOM: Tone = tone("loom", "#f6efe3", "#2b2622");
/// The frame of a loom.
const WOOD: Tone = tone("wood", "#c9ae87", "#6d5942");

pub fn draw(info: &GameInfo, view: &View, style: Style) -> String {
    let lang = style.lang;
    let round = view.round;
    let progress = if round == 0 {
        String::new()
    } else {
        lang.pick(format!("Round {round} of 4"), format!("Ronda {round} de 4"))
    };
    let waiting: SeatSet =
        view.places.iter().filter(|place| waits(view, place)).map(|place| place.seat).collect();
    let mut board = Board::new(info, style, &progress, &status(view, waiting, lang));
    if let Some(objective) = &view.objective {
        draw_table(&mut board, view, objective);
    }
    let (mine, others): (Vec<&PlayerAreaView>, Vec<&PlayerAreaView>) =
        view.places.iter().partition(|place| Some(place.seat) == style.seat);
    for place in mine {
        let loom = INNER * 0.8;
        let height = height(view, loom);
        let corner = (MARGIN, board.y, INNER, height);
        place_in(&mut board.svg, style, view, place, corner, loom);
        board.y += height + GAP;
    }
    let loom = HALF - 26.0;
    let height = height(view, loom);
    for pair in others.chunks(2) {
        for (place, x) in pair.iter().zip(columns(pair.len())) {
            let corner = (x, board.y, HALF, height);
            place_in(&mut board.svg, style, view, place, corner, loom);
        }
        board.y += height + GAP;
    }
    board.say(tell_scores(view.places.iter().map(|place| (place.seat, place.score)), lang));
    board.finish()
}

/// Whether the match is waiting for a seat.
fn waits(view: &View, place: &PlayerAreaView) -> bool {
    match view.phase {
        PhaseView::Setup {} | PhaseView::Over {} => false,
        PhaseView::Draft { .. } => !place.picked,
        PhaseView::Weaving {} => !place.cords.is_empty(),
        PhaseView::Pattern {} => place.buttons.len() < usize::from(view.round),
    }
}

fn status(view: &View, waiting: SeatSet, lang: Lang) -> String {
    match view.phase {
        PhaseView::Setup {} => {
            lang.pick("The match is being set up.", "Se prepara la partida.").to_owned()
        }
        PhaseView::Draft { .. } => waits_for(
            waiting,
            lang,
            ("picks a cord", "elige un cordel"),
            ("pick a cord", "eligen un cordel"),
        ),
        PhaseView::Weaving {} => waits_for(waiting, lang, ("weaves", "teje"), ("weave", "tejen")),
        PhaseView::Pattern {} => waits_for(
            waiting,
            lang,
            ("places a button", "pone un botón"),
            ("place a button", "ponen un botón"),
        ),
        PhaseView::Over {} => {
            lang.pick("The match is over.", "La partida ha terminado.").to_owned()
        }
    }
}

/// The objective, the eight pattern cards and the bag.
fn draw_table(board: &mut Board, view: &View, objective: &ObjectiveView) {
    let lang = board.lang();
    let (x, y) = board.panel(224.0);
    let svg = &mut board.svg;
    caption(svg, (x + 12.0, y + 19.0), lang.pick("Shared objective", "Objetivo compartido"));
    svg.text((x + 12.0, y + 43.5), "+5", font(16.0, GOOD).bold());
    draw_pattern(svg, (x + 44.0, y + 26.0), objective.adjacent, 24.0, PANEL);
    draw_pattern(svg, (x + 84.0, y + 26.0), objective.interlaced, 24.0, PANEL);
    draw_bag(svg, (x + 168.0, y), &view.bag, lang);
    for (index, card) in view.cards.iter().enumerate() {
        let left = x + 10.0 + 90.0 * size(index % 4);
        let top = y + 62.0 + 79.0 * size(index / 4);
        draw_card(svg, (left, top), card);
    }
}

/// The cords left in the bag, by colour.
fn draw_bag(svg: &mut Svg, (x, y): (f64, f64), bag: &BagView, lang: Lang) {
    caption(svg, (x, y + 19.0), lang.pick("Left in the bag", "Quedan en la bolsa"));
    let counts = [bag.red, bag.pink, bag.sky, bag.blue, bag.purple];
    for (index, (colour, count)) in Colour::ALL.into_iter().zip(counts).enumerate() {
        let left = x + 40.0 * size(index);
        svg.rect((left, y + 27.0, 9.0, 22.0), 4.5, fill(dye(colour)));
        svg.text((left + 13.0, y + 42.5), &count.to_string(), font(12.0, INK).bold());
    }
}

fn draw_card(svg: &mut Svg, (x, y): (f64, f64), card: &CardView) {
    svg.rect((x, y, 84.0, 73.0), 7.0, fill(FAINT).outlined(LINE, 1.0));
    draw_pattern(svg, (x + 25.0, y + 10.0), card.pattern, 34.0, FAINT);
    let many = size(card.seats.len());
    let step = 16.0_f64.min(74.0 / many.max(1.0));
    let mut at = (x + 42.0 - step * (many - 1.0) / 2.0, y + 60.5);
    if card.seats.is_empty() {
        let place = fill(PANEL).outlined(LINE, 1.2).dashed(3.0);
        match card.pattern.kind {
            PatternKind::Adjacent => svg.circle((x + 42.0, at.1), 7.0, place),
            PatternKind::Interlaced => svg.rect((x + 35.0, at.1 - 7.0, 14.0, 14.0), 2.5, place),
        }
    }
    for seat in &card.seats {
        match card.pattern.kind {
            PatternKind::Adjacent => badge(svg, at, 8.0, *seat),
            PatternKind::Interlaced => square_badge(svg, at, 8.0, *seat),
        }
        at.0 += step;
    }
}

/// Two cords side by side, or one that passes over and under two others.
fn draw_pattern(svg: &mut Svg, (x, y): (f64, f64), pattern: Pattern, side: f64, ground: Tone) {
    let (a, b) = (dye(pattern.a), dye(pattern.b));
    let thick = side * 0.24;
    let (near, far, middle) = (side * 0.28, side * 0.72, side * 0.5);
    let upright = |at: f64| Path::from(x + at, y).to(x + at, y + side);
    match pattern.kind {
        PatternKind::Adjacent => {
            svg.path(&upright(side * 0.34), stroke(a, thick).round());
            svg.path(&upright(side * 0.66), stroke(b, thick).round());
        }
        PatternKind::Interlaced => {
            let reach = side * 0.12;
            let across =
                |from: f64, to: f64| Path::from(x + from, y + middle).to(x + to, y + middle);
            svg.path(&upright(near), stroke(b, thick).round());
            svg.path(&across(-reach, side + reach), stroke(ground, thick + 4.0));
            svg.path(&across(-reach, side + reach), stroke(a, thick).round());
            svg.path(&upright(far), stroke(ground, thick + 4.0));
            svg.path(&upright(far), stroke(b, thick).round());
        }
    }
}

/// The height of a panel whose loom has this side.
fn height(view: &View, loom: f64) -> f64 {
    let cords = view.places.iter().any(|place| !place.hand.is_empty() || !place.cords.is_empty());
    38.0 + loom + if cords { 66.0 } else { 36.0 }
}

fn place_in(
    svg: &mut Svg,
    style: Style,
    view: &View,
    place: &PlayerAreaView,
    frame: (f64, f64, f64, f64),
    loom: f64,
) {
    let (x, y, width, _) = frame;
    svg.group(&seat_name(place.seat, style.lang), |svg| {
        let head = SeatHead { seat: place.seat, to_act: waits(view, place), score: place.score };
        seat_panel(svg, style, frame, head);
        draw_loom(svg, (x + (width - loom) / 2.0, y + 38.0), loom, &place.loom);
        let below = y + 40.0 + loom;
        draw_buttons(svg, (x + 10.0, below + 8.0), place);
        draw_achievements(svg, (x + width - 10.0, below + 17.0), place);
        draw_cords(svg, (x + 10.0, below + 34.0, width - 20.0), view, place, style.lang);
    });
}

/// The placed buttons with their points, and the buttons left.
fn draw_buttons(svg: &mut Svg, (x, y): (f64, f64), place: &PlayerAreaView) {
    let tone = palette::seat(place.seat);
    let left = |shape, count: u8| std::iter::repeat_n((shape, None), count.into());
    let placed = place.buttons.iter().map(|button| (button.button, Some(button.points)));
    let all = placed
        .chain(left(Button::Round, place.round_buttons_left))
        .chain(left(Button::Square, place.square_buttons_left));
    for (index, (shape, points)) in all.enumerate() {
        let at = x + 9.0 + 23.0 * size(index);
        let paint = match points {
            Some(_) => fill(tone),
            None => fill(PANEL).outlined(tone, 1.5).dashed(3.0),
        };
        match shape {
            Button::Round => svg.circle((at, y + 9.0), 9.5, paint),
            Button::Square => svg.rect((at - 9.0, y, 18.0, 18.0), 3.0, paint),
        }
        if let Some(points) = points {
            svg.text((at, y + 13.2), &minus(points), font(12.0, WHITE).bold().middle());
        }
    }
}

/// Whether the loom shows the shared objective, and the penalty for too many cords of a colour.
fn draw_achievements(svg: &mut Svg, (right, y): (f64, f64), place: &PlayerAreaView) {
    let mut at = right;
    if place.objective.adjacent && place.objective.interlaced {
        svg.text((at, y + 4.5), "+5", font(12.0, GOOD).bold().end());
        tick(svg, (at - 25.0, y), 8.0, GOOD);
        at -= 38.0;
    }
    if place.penalties != 0 {
        let text = minus(-place.penalties.abs());
        svg.text((at, y + 4.5), &text, font(12.0, BAD).bold().end());
    }
}

/// The hand, and the cords still to be woven.
fn draw_cords(
    svg: &mut Svg,
    (x, y, width): (f64, f64, f64),
    view: &View,
    place: &PlayerAreaView,
    lang: Lang,
) {
    let mut at = x;
    if !place.hand.is_empty() {
        let word = lang.pick("Hand", "Mano");
        caption(svg, (at, y + 16.0), word);
        at += width_of(word, 11.0, false) + 7.0;
        let mut picked = place.pick;
        for colour in &place.hand {
            svg.rect((at, y, 9.0, 22.0), 4.5, fill(dye(*colour)));
            if picked == Some(*colour) {
                picked = None;
                let ring = (at - 2.5, y - 2.5, 14.0, 27.0);
                svg.rect(ring, 7.0, stroke(palette::seat(place.seat), 2.0));
            }
            at += 13.0;
        }
        if place.picked {
            tick(svg, (at + 6.0, y + 11.0), 9.0, GOOD);
        }
    }
    let cords = size(place.cords.len());
    at = x + width - 13.0 * cords + 4.0;
    for colour in &place.cords {
        svg.rect((at, y, 9.0, 22.0), 4.5, fill(dye(*colour)).outlined(MUTED, 1.0));
        at += 13.0;
    }
    if matches!(view.phase, PhaseView::Weaving {}) && !place.cords.is_empty() {
        let word = lang.pick("to weave", "por tejer");
        let room = width - 13.0 * cords;
        svg.text((x + room, y + 16.0), word, font(11.0, MUTED).end());
    }
}

/// The cords: the lower ones first, then the stretches that pass over, each with a shadow at its sides.
fn draw_loom(svg: &mut Svg, (x, y): (f64, f64), side: f64, loom: &LoomView) {
    let pitch = side / size(SLOTS);
    let (thick, shade) = (pitch * 0.52, pitch * 0.8);
    let centre = |slot: Slot| pitch * (size(slot.index()) + 0.5);
    svg.rect((x, y, side, side), 4.0, fill(LOOM).outlined(WOOD, 2.5));
    let across = |slot, from: f64, to: f64, path: Path| {
        let at = y + centre(slot);
        path.and_from(x + from, at).to(x + to, at)
    };
    // Cords extend a little beyond the frame.
    let over_edge = pitch * 0.02;
    let down = |slot| {
        let at = x + centre(slot);
        Path::from(at, y - over_edge).to(at, y + side + over_edge)
    };
    let mut empty = Path::default();
    for slot in Slot::all() {
        if loom.vertical[slot.index()].is_none() {
            empty = empty.and_from(x + centre(slot), y + 4.0).to(x + centre(slot), y + side - 4.0);
        }
        if loom.horizontal[slot.index()].is_none() {
            empty = across(slot, 4.0, side - 4.0, empty);
        }
    }
    svg.path(&empty, stroke(LINE, 1.2).dashed(3.0));
    let cords = |axis: &[Option<CordView>; SLOTS]| -> Vec<(Slot, Tone)> {
        let dyed = Slot::all().zip(axis);
        dyed.filter_map(|(slot, cord)| Some((slot, dye(cord.as_ref()?.colour)))).collect()
    };
    let highlight = stroke(WHITE, thick * 0.2).faded(0.3);
    for (slot, tone) in cords(&loom.horizontal) {
        let whole = across(slot, -over_edge, side + over_edge, Path::default());
        svg.path(&whole, stroke(tone, thick).round());
        svg.path(&whole, highlight);
    }
    for (slot, tone) in cords(&loom.vertical) {
        let at = x + centre(slot);
        svg.path(&Path::from(at, y + 2.0).to(at, y + side - 2.0), stroke(LOOM, shade));
        svg.path(&down(slot), stroke(tone, thick).round());
        svg.path(&down(slot), highlight);
    }
    for (slot, cord) in Slot::all().zip(&loom.horizontal) {
        let Some(cord) = cord else { continue };
        let stretches = |reach: f64| {
            let over = Slot::all().filter(|other| cord.over.contains(*other));
            over.fold(Path::default(), |path, other| {
                let middle = centre(other);
                across(slot, middle - reach, middle + reach, path)
            })
        };
        // The shadow is shorter than the cord, so that no seam is visible.
        svg.path(&stretches(pitch * 0.4), stroke(LOOM, shade));
        svg.path(&stretches(pitch * 0.5), stroke(dye(cord.colour), thick));
        svg.path(&stretches(pitch * 0.5), highlight);
    }
}
