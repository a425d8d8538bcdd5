//! The design cards (R1.7), and the search for designs on the board (R7).
//!
//! All placements of a design on the board are computed once. Finding a design then takes a few operations on sets of
//! octagons, which makes listing all legal claims cheap.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    board::{OCTAGONS, Octagons, SIDE, Skeins},
    components::Colour,
};
use crate::{shape::Bilingual, text::Lang};

/// Design cards in the box.
pub(crate) const DESIGNS: u8 = 36;
/// The most letters that a design has.
const LETTERS: usize = 3;

/// A design card, `d01` to `d36`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(as = ettana::DesignId, value_type = String, example = "d01")]
pub struct DesignId(u8);

impl DesignId {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..DESIGNS).map(Self)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn card(self) -> &'static Design {
        &TABLE[self.index()]
    }

    /// The name of the design.
    #[must_use]
    pub fn name(self, lang: Lang) -> &'static str {
        self.card().name(lang)
    }
}

impl TryFrom<String> for DesignId {
    type Error = Bilingual;

    fn try_from(id: String) -> Result<Self, Bilingual> {
        Self::all().find(|design| String::from(*design) == id).ok_or_else(|| {
            Bilingual::new(
                "There is no such design: designs are `d01` to `d36`.",
                "No existe ese diseño: los diseños van de `d01` a `d36`.",
            )
        })
    }
}

impl From<DesignId> for String {
    fn from(design: DesignId) -> Self {
        format!("d{:02}", design.0 + 1)
    }
}

/// A set of designs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Designs(u64);

impl Designs {
    /// The whole deck.
    pub(crate) const ALL: Self = Self((1 << DESIGNS) - 1);

    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn contains(self, design: DesignId) -> bool {
        self.0 & 1 << design.0 != 0
    }

    pub(crate) const fn add(&mut self, design: DesignId) {
        self.0 |= 1 << design.0;
    }

    pub(crate) const fn remove(&mut self, design: DesignId) {
        self.0 &= !(1 << design.0);
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = DesignId> {
        DesignId::all().filter(move |design| self.contains(*design))
    }
}

impl FromIterator<DesignId> for Designs {
    fn from_iter<I: IntoIterator<Item = DesignId>>(designs: I) -> Self {
        designs.into_iter().fold(Self::default(), |mut set, design| {
            set.add(design);
            set
        })
    }
}

/// A design card.
#[derive(Debug)]
pub(crate) struct Design {
    pub(crate) points: u8,
    /// Row by row from the top: letters for colours, `.` for anything.
    pub(crate) pattern: Vec<String>,
    en: String,
    es: String,
    placements: Vec<Placement>,
}

impl Design {
    pub(crate) fn name(&self, lang: Lang) -> &str {
        lang.pick(&self.en, &self.es)
    }

    /// The least number of skeins that would have to be of another colour for the design to appear.
    pub(crate) fn distance(&self, tallies: &Tallies) -> u32 {
        self.placements.iter().map(|placement| placement.distance(tallies)).min().unwrap_or(0)
    }

    /// The places of the design on the board (R7.3), each once.
    pub(crate) fn places(&self, strands: Strands) -> impl Iterator<Item = Octagons> {
        self.placements
            .iter()
            .filter(move |placement| placement.lies_on(&strands))
            .map(|placement| placement.octagons())
    }
}

/// A line of designs.json.
#[derive(Deserialize)]
struct PrintedDesign {
    points: u8,
    pattern: String,
    en: String,
    es: String,
}

static TABLE: LazyLock<Vec<Design>> = LazyLock::new(|| {
    let printed: Vec<PrintedDesign> = serde_json::from_str(include_str!("designs.json"))
        .expect("the file is part of the program");
    printed
        .into_iter()
        .map(|card| {
            let pattern: Vec<String> = card.pattern.split('/').map(str::to_owned).collect();
            let placements = placements(&pattern);
            Design { points: card.points, pattern, en: card.en, es: card.es, placements }
        })
        .collect()
});

/// One placement of a design on the board: the octagons of each letter, without the letters' names, because any
/// colours will do. Unused letters are empty and come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Placement([u32; LETTERS]);

impl Placement {
    fn octagons(self) -> Octagons {
        Octagons(self.0.iter().fold(0, |all, group| all | group))
    }

    /// How many of its octagons have the wrong colour. Each letter takes the best colour that is left, which is nearly always
    /// the best choice for all letters.
    fn distance(self, tallies: &Tallies) -> u32 {
        let mut used = 0;
        let mut wrong = 0;
        for group in self.0.into_iter().take_while(|group| *group != 0) {
            let (mut tally, mut size, mut rest) = (0, 0, group);
            while rest != 0 {
                tally += tallies[rest.trailing_zeros() as usize];
                size += 1;
                rest &= rest - 1;
            }
            tally &= !used;
            let (mut best, mut count) = (0, 0);
            for colour in 0..Colour::ALL.len() {
                let fitting = tally >> (TALLY_BITS * colour) & TALLY;
                if fitting >= count {
                    (best, count) = (colour, fitting);
                }
            }
            used |= TALLY << (TALLY_BITS * best);
            wrong += size - count;
        }
        wrong
    }

    /// Whether each letter has one colour and no two letters share one (R7.2).
    fn lies_on(self, strands: &Strands) -> bool {
        let mut used = 0_u32;
        self.0.into_iter().take_while(|group| *group != 0).all(|group| {
            let strand = strands.iter().find(|strand| group & **strand == group);
            strand.is_some_and(|strand| {
                let fresh = used & strand == 0;
                used |= strand;
                fresh
            })
        })
    }
}

/// The octagons of each colour.
pub(crate) type Strands = [u32; Colour::ALL.len()];

pub(crate) fn strands(skeins: &Skeins) -> Strands {
    let mut strands = [0; Colour::ALL.len()];
    for (octagon, colour) in skeins.iter().enumerate() {
        strands[colour.index()] |= 1 << octagon;
    }
    strands
}

/// For each octagon, a one in the bits of its colour. The sum over some octagons counts how many of them have each colour,
/// which is several times as fast as counting the bits of sets: bots look at many boards.
pub(crate) type Tallies = [u32; OCTAGONS];

/// The bits of a colour in a tally. No letter has more octagons than they can count.
const TALLY_BITS: usize = 4;
const TALLY: u32 = (1 << TALLY_BITS) - 1;

pub(crate) fn tallies(skeins: &Skeins) -> Tallies {
    skeins.map(|colour| 1 << (TALLY_BITS * colour.index()))
}

/// A letter of a pattern, with its row and column.
type Mark = (char, u8, u8);

/// Every rotation and offset, without duplicates.
fn placements(pattern: &[String]) -> Vec<Placement> {
    let mut found: Vec<Placement> = Vec::new();
    let mut marks: Vec<Mark> = pattern
        .iter()
        .zip(0..)
        .flat_map(|(line, row)| line.chars().zip(0..).map(move |(letter, at)| (letter, row, at)))
        .filter(|(letter, _, _)| *letter != '.')
        .collect();
    for _ in 0..4 {
        let height = marks.iter().map(|mark| mark.1 + 1).max().expect("a pattern has letters");
        let width = marks.iter().map(|mark| mark.2 + 1).max().expect("a pattern has letters");
        for down in 0..=SIDE - height {
            for right in 0..=SIDE - width {
                let placement = placed(&marks, down, right);
                if !found.contains(&placement) {
                    found.push(placement);
                }
            }
        }
        // A quarter turn clockwise: the bottom row becomes the left column.
        for mark in &mut marks {
            *mark = (mark.0, mark.2, height - 1 - mark.1);
        }
    }
    found
}

fn placed(marks: &[Mark], down: u8, right: u8) -> Placement {
    let mut groups = [0_u32; LETTERS];
    for (letter, row, column) in marks {
        let octagon = (row + down) * SIDE + column + right;
        let group = "ABC".find(*letter).expect("patterns use three letters");
        groups[group] |= 1 << octagon;
    }
    // Letters are ordered by their first octagon; empty ones (32 trailing zeros) come last.
    groups.sort_unstable_by_key(|group| group.trailing_zeros());
    Placement(groups)
}

/// Every claim that a hand of designs allows on a board.
pub(crate) fn claims(
    skeins: &Skeins,
    hand: Designs,
) -> impl Iterator<Item = (DesignId, Octagons)> + use<> {
    let strands = strands(skeins);
    hand.iter()
        .flat_map(move |design| design.card().places(strands).map(move |place| (design, place)))
}

const _: () = assert!(OCTAGONS <= 32, "octagons fit the bits of a set");
