//! Parts that boards have in common: the page with its heading, panels, seats, dice and card backs.

use domain::{
    game::GameInfo,
    seat::{Seat, SeatSet},
    text::Lang,
};

use crate::{
    Style,
    palette::{self, BAD, FAINT, GROUND, INK, LINE, MUTED, PANEL, WHITE},
    svg::{self, Page, Paint, Path, Svg, Tone, fill, font, seat_name, stroke, width_of},
};

/// The width of a board: that of a small phone.
pub const WIDTH: f64 = 400.0;
/// The margin around everything.
pub const MARGIN: f64 = 12.0;
/// The gap between panels.
pub const GAP: f64 = 8.0;
/// The width between the margins.
pub const INNER: f64 = WIDTH - 2.0 * MARGIN;

/// The width of panels that are arranged two in a row.
pub const HALF: f64 = (INNER - GAP) / 2.0;

/// The left edges of the panels in a row of `count`; a single one is centred.
#[must_use]
pub fn columns(count: usize) -> Vec<f64> {
    if count == 1 { vec![MARGIN + (INNER - HALF) / 2.0] } else { vec![MARGIN, MARGIN + HALF + GAP] }
}

/// A board under construction, drawn from the top down.
#[derive(Debug)]
pub struct Board {
    /// The shapes.
    pub svg: Svg,
    /// Theme, language and viewer.
    pub style: Style,
    /// The top of the next panel.
    pub y: f64,
    title: String,
    said: Vec<String>,
}

impl Board {
    /// A board with its heading: the game, its progress and its status.
    #[must_use]
    pub fn new(info: &GameInfo, style: Style, progress: &str, status: &str) -> Self {
        let mut svg = Svg::default();
        let name = info.name.get(style.lang);
        let beside = width_of(progress, 12.0, true) + 12.0;
        svg.text((MARGIN, 29.0), name, font(18.0, INK).bold().within(INNER - beside));
        svg.text((WIDTH - MARGIN, 28.0), progress, font(12.0, MUTED).bold().end());
        svg.text((MARGIN, 48.0), status, font(13.0, MUTED).within(INNER));
        let said = vec![sentence(progress), status.to_owned()];
        Self { svg, style, y: 60.0, title: name.to_owned(), said }
    }

    /// The language of its words.
    #[must_use]
    pub fn lang(&self) -> Lang {
        self.style.lang
    }

    /// Adds a sentence to the description for people who cannot see the picture.
    pub fn say(&mut self, text: String) {
        self.said.push(text);
    }

    /// Draws a panel of this height over the whole width, and returns its upper left corner.
    pub fn panel(&mut self, height: f64) -> (f64, f64) {
        let corner = (MARGIN, self.y);
        self.svg.rect((MARGIN, self.y, INNER, height), 10.0, fill(PANEL).outlined(LINE, 1.0));
        self.y += height + GAP;
        corner
    }

    /// The picture as a document.
    #[must_use]
    pub fn finish(self) -> String {
        let height = self.y + MARGIN - GAP;
        self.svg.finish(&Page {
            width: WIDTH,
            height,
            ground: GROUND,
            title: &self.title,
            description: &svg::sentences(&self.said),
            style: self.style,
        })
    }
}

fn sentence(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}.") }
}

/// `Points: Seat 0 23, Seat 1 17.`
#[must_use]
pub fn tell_scores(scores: impl IntoIterator<Item = (Seat, i64)>, lang: Lang) -> String {
    let scores: Vec<String> = scores
        .into_iter()
        .map(|(seat, score)| format!("{} {score}", seat_name(seat, lang)))
        .collect();
    let list = scores.join(", ");
    lang.pick(format!("Points: {list}."), format!("Puntos: {list}."))
}

/// `Seats 1 and 2` as a subject.
#[must_use]
pub fn subject(seats: SeatSet, lang: Lang) -> String {
    let numbers: Vec<Seat> = seats.iter().collect();
    match numbers.as_slice() {
        [seat] => seat_name(*seat, lang),
        several => {
            let list = lang.list(several);
            lang.pick(format!("Seats {list}"), format!("Puestos {list}"))
        }
    }
}

/// `Seat 1 rolls the dice.`, or the plural form for several seats.
#[must_use]
pub fn waits_for(seats: SeatSet, lang: Lang, one: (&str, &str), many: (&str, &str)) -> String {
    let (en, es) = if seats.len() == 1 { one } else { many };
    format!("{} {}.", subject(seats, lang), lang.pick(en, es))
}

/// The number of a seat in its colour.
pub fn badge(svg: &mut Svg, (x, y): (f64, f64), radius: f64, seat: Seat) {
    svg.circle((x, y), radius, fill(palette::seat(seat)));
    badge_number(svg, (x, y), radius, seat);
}

/// The same as a square.
pub fn square_badge(svg: &mut Svg, (x, y): (f64, f64), radius: f64, seat: Seat) {
    let side = radius * 1.8;
    svg.rect((x - side / 2.0, y - side / 2.0, side, side), 2.5, fill(palette::seat(seat)));
    badge_number(svg, (x, y), radius, seat);
}

fn badge_number(svg: &mut Svg, (x, y): (f64, f64), radius: f64, seat: Seat) {
    let size = (radius * 1.3).max(9.0);
    let at = (x, y + size * 0.36);
    svg.text(at, &seat.to_string(), font(size, WHITE).bold().middle());
}

/// The heading of a seat's panel.
#[derive(Debug, Clone, Copy)]
pub struct SeatHead {
    /// The seat.
    pub seat: Seat,
    /// Whether the match is waiting for it.
    pub to_act: bool,
    /// Its points.
    pub score: i64,
}

/// The panel of a seat: left, top, width, height. The frame has the seat's colour if the match is waiting for it.
pub fn seat_panel(
    svg: &mut Svg,
    style: Style,
    (x, y, width, height): (f64, f64, f64, f64),
    head: SeatHead,
) {
    let tone = palette::seat(head.seat);
    let outline = if head.to_act { (tone, 2.5) } else { (LINE, 1.0) };
    svg.rect((x, y, width, height), 10.0, fill(PANEL).outlined(outline.0, outline.1));
    badge(svg, (x + 18.0, y + 17.0), 10.0, head.seat);
    let mine = style.seat == Some(head.seat);
    let name = if mine {
        style.lang.pick("You", "Tú").to_owned()
    } else {
        seat_name(head.seat, style.lang)
    };
    let size = if mine || width > 200.0 { 13.0 } else { 12.0 };
    svg.text((x + 34.0, y + 21.5), &name, font(size, INK).bold());
    if head.to_act {
        let at = x + 34.0 + width_of(&name, size, true) + 9.0;
        svg.path(
            &Path::polygon([(at, y + 12.5), (at + 8.0, y + 17.0), (at, y + 21.5)]),
            fill(tone),
        );
    }
    let score = minus(head.score);
    svg.text((x + width - 11.0, y + 23.0), &score, font(17.0, INK).bold().end());
}

/// A number with a real minus sign.
#[must_use]
pub fn minus(number: i64) -> String {
    number.to_string().replace('-', "−")
}

/// A tick: done.
pub fn tick(svg: &mut Svg, (x, y): (f64, f64), size: f64, tone: Tone) {
    let path = Path::from(x - size * 0.5, y)
        .to(x - size * 0.12, y + size * 0.38)
        .to(x + size * 0.5, y - size * 0.4);
    svg.path(&path, stroke(tone, 2.2).round());
}

/// A cross.
pub fn cross(svg: &mut Svg, (x, y): (f64, f64), size: f64, paint: Paint) {
    let half = size / 2.0;
    let path = Path::from(x - half, y - half)
        .to(x + half, y + half)
        .and_from(x - half, y + half)
        .to(x + half, y - half);
    svg.path(&path, paint.round());
}

/// A box for a failure, marked or empty.
pub fn failure(svg: &mut Svg, (x, y): (f64, f64), size: f64, marked: bool) {
    svg.rect((x, y, size, size), 3.0, fill(FAINT).outlined(LINE, 1.0));
    if marked {
        cross(svg, (x + size / 2.0, y + size / 2.0), size * 0.5, stroke(BAD, 2.4));
    }
}

/// A die with pips: left, top, side.
pub fn die(svg: &mut Svg, (x, y, side): (f64, f64, f64), face: u8, body: Paint, pips: Tone) {
    svg.rect((x, y, side, side), side * 0.22, body);
    let (near, mid, far) = (0.26, 0.5, 0.74);
    let diagonal = [(near, near), (far, far)];
    let other = [(far, near), (near, far)];
    let sides = [(near, mid), (far, mid)];
    let mut at: Vec<(f64, f64)> = Vec::new();
    if face % 2 == 1 {
        at.push((mid, mid));
    }
    if face >= 2 {
        at.extend(diagonal);
    }
    if face >= 4 {
        at.extend(other);
    }
    if face >= 6 {
        at.extend(sides);
    }
    for (right, down) in at {
        svg.circle((x + side * right, y + side * down), side * 0.09, fill(pips));
    }
}

/// A face-down card: left, top, width, height.
pub fn card_back(svg: &mut Svg, (x, y, width, height): (f64, f64, f64, f64), tone: Tone) {
    svg.rect((x, y, width, height), 3.0, fill(tone).outlined(LINE, 1.0));
    let inset = (width * 0.16).max(2.0);
    let inner = (x + inset, y + inset, width - 2.0 * inset, height - 2.0 * inset);
    svg.rect(inner, 2.0, stroke(WHITE, 1.0).faded(0.6));
    let (middle, across) = ((x + width / 2.0, y + height / 2.0), width * 0.17);
    svg.path(&Path::regular(4, middle, across, 0.0), fill(WHITE).faded(0.6));
}

/// A small caption.
pub fn caption(svg: &mut Svg, at: (f64, f64), text: &str) {
    svg.text(at, text, font(11.0, MUTED));
}

/// Arranges things in as many rows as needed, and returns the corner of each and the total height.
#[must_use]
pub fn flow(count: usize, per_row: usize, (width, height): (f64, f64)) -> (Vec<(f64, f64)>, f64) {
    let per_row = per_row.max(1);
    let corner = |index: usize| (size(index % per_row) * width, size(index / per_row) * height);
    ((0..count).map(corner).collect(), size(count.div_ceil(per_row)) * height)
}

/// A small count as a length.
#[must_use]
pub fn size(count: usize) -> f64 {
    f64::from(u16::try_from(count).unwrap_or(u16::MAX))
}
