//! Which move led to an event.

use super::{
    Ettana,
    board::OCTAGONS,
    components::{ActionCard, Actions, Colour, Face, SKEINS_ON_BOARD, TILES_PER_NUMBER},
    designs::{DesignId, Designs},
    events::{Event, Gait, Means, Roll, RollMethod, Throw},
    moves::{Move, Play},
    state::State,
};
use crate::game::{Retrace, Retraced, die, index_of, unshuffle};

impl Retrace for Ettana {
    fn setup_draws(_state: &State, events: &[Event]) -> Option<Vec<u32>> {
        let Event::TableLaid { skeins, tiles, reserve } = events.first()? else { return None };
        let ordered: [Colour; OCTAGONS] =
            std::array::from_fn(|index| Colour::ALL[index / SKEINS_ON_BOARD]);
        let mut draws = unshuffle(&ordered, skeins)?;
        let mut numbers: Vec<u8> = (1..=6).collect();
        for number in reserve {
            let index = numbers.iter().position(|other| other == number)?;
            numbers.remove(index);
            draws.push(u32::try_from(index).ok()?);
        }
        let left: Vec<u8> = (1..=6)
            .flat_map(|number| {
                let copies = TILES_PER_NUMBER - u8::from(reserve.contains(&number));
                std::iter::repeat_n(number, copies.into())
            })
            .collect();
        draws.extend(unshuffle(&left, tiles)?);
        for event in &events[1..] {
            match event {
                Event::StartRolled { throws } | Event::TieRolled { throws } => {
                    draws.extend(throws.iter().map(|Throw { number, .. }| die(*number)));
                }
                _ => break,
            }
        }
        Some(draws)
    }

    fn retrace(state: &State, events: &[Event]) -> Option<Retraced<Move>> {
        let active = state.active;
        let (seat, mv) = match events.first()? {
            Event::PieceSettled { seat, tile } => (*seat, Move::Settle { tile: *tile }),
            Event::DiceRolled { seat, roll: _ } => (*seat, Move::Roll {}),
            Event::IncomePaid { .. } | Event::IncomeWithheld { .. } | Event::BlackShown { .. } => {
                (active, Move::Collect {})
            }
            Event::PieceMoved { seat, path, tolls: _, gait } => match gait {
                Gait::Walk => (*seat, Move::Walk { path: path.clone() }),
                Gait::Jump => (*seat, Move::Jump { tile: *path.first()? }),
                Gait::Card => return None,
            },
            Event::MoveWaived { .. } | Event::TurnBegan { .. } => (active, Move::EndTurn {}),
            Event::SkeinsSwapped { seat, octagons, means } => match means {
                Means::Free => (*seat, Move::FreeSwap { octagons: *octagons }),
                Means::Bought => (*seat, Move::BuySwap { octagons: *octagons }),
                Means::Card => return None,
            },
            Event::ActionsReshuffled { .. } | Event::ActionDrawn { .. } => {
                (active, Move::BuyAction {})
            }
            Event::DesignDrawn { seat, .. } => (*seat, Move::BuyDesign {}),
            Event::DesignExchanged { seat, returned, drawn: _ } => {
                (*seat, Move::ExchangeDesign { design: *returned })
            }
            Event::CardPlayed { seat, card } => {
                (*seat, Move::Play { card: played(*card, events.get(1))? })
            }
            Event::DesignClaimed { seat, design, at, points: _ } => {
                (*seat, Move::Claim { design: *design, at: Some(*at) })
            }
            Event::TableLaid { .. }
            | Event::StartRolled { .. }
            | Event::TieRolled { .. }
            | Event::StartDecided { .. }
            | Event::PlaceRerolled { .. }
            | Event::HandDealt { .. }
            | Event::ActionStolen { .. }
            | Event::TokensStolen { .. }
            | Event::SkeinReplaced { .. }
            | Event::TileReplaced { .. }
            | Event::TokensTaken { .. }
            | Event::WagerRolled { .. }
            | Event::TaxPaid { .. }
            | Event::GameEnded { .. } => return None,
        };
        Some(Retraced::new(seat, mv).with_draws(draws(state, events)))
    }
}

/// How an action card was played, by the event after it.
fn played(card: ActionCard, next: Option<&Event>) -> Option<Play> {
    Some(match (card, next?) {
        (ActionCard::Choose, Event::DiceRolled { roll, .. }) => Play::Choose { face: roll.face },
        (ActionCard::Reroll, _) => Play::Reroll {},
        (ActionCard::Move, Event::PieceMoved { path, .. }) => Play::Move { tile: *path.first()? },
        (ActionCard::Swap, Event::SkeinsSwapped { octagons, .. }) => {
            Play::Swap { octagons: *octagons }
        }
        (ActionCard::StealAction, Event::ActionStolen { from, .. }) => {
            Play::StealAction { seat: *from }
        }
        (ActionCard::StealTokens, Event::TokensStolen { from, .. }) => {
            Play::StealTokens { seat: *from }
        }
        (ActionCard::Replace, Event::SkeinReplaced { octagon, to, .. }) => {
            Play::ReplaceSkein { octagon: *octagon, colour: *to }
        }
        (ActionCard::Replace, Event::TileReplaced { tile, to, .. }) => {
            Play::ReplaceTile { tile: *tile, number: *to }
        }
        (ActionCard::Design, _) => Play::Design {},
        (ActionCard::ThreeTokens, _) => Play::ThreeTokens {},
        (ActionCard::GainTokens, Event::WagerRolled { named, .. }) => {
            Play::GainTokens { number: *named }
        }
        (ActionCard::Tax, _) => Play::Tax {},
        _ => return None,
    })
}

/// The draws of the decision that these events begin with. They may include some of the next decision, which do no harm.
fn draws(state: &State, events: &[Event]) -> Vec<u32> {
    let mut decks = Decks { designs: state.design_deck, actions: state.action_deck };
    let mut draws = Vec::new();
    for (index, event) in events.iter().enumerate() {
        match decks.draws(state, event) {
            Some(more) => draws.extend(more),
            None if index == 0 => {}
            None => break,
        }
    }
    draws
}

/// What is left to be drawn.
struct Decks {
    designs: Designs,
    actions: Actions,
}

impl Decks {
    /// The draws behind an event; nothing if there is no luck in it, or it cannot have been drawn.
    fn draws(&mut self, state: &State, event: &Event) -> Option<Vec<u32>> {
        Some(match event {
            Event::PlaceRerolled { number: face, .. } | Event::WagerRolled { rolled: face, .. } => {
                vec![die(*face)]
            }
            Event::HandDealt { design, card, .. } => {
                let mut draws = self.design(*design)?;
                draws.extend(self.action(*card)?);
                draws
            }
            Event::DiceRolled { roll: Roll { number, face, how }, .. } => match how {
                RollMethod::Chosen => vec![die(*number)],
                RollMethod::Rolled | RollMethod::Rerolled => {
                    vec![die(*number), index_of(Face::ALL, face)?]
                }
            },
            Event::ActionsReshuffled { .. } => {
                self.actions = state.discards;
                Vec::new()
            }
            Event::ActionDrawn { card, .. } => self.action(*card)?,
            Event::DesignDrawn { design, .. } | Event::DesignExchanged { drawn: design, .. } => {
                self.design(*design)?
            }
            Event::ActionStolen { from, card, .. } => {
                let hand = state.weavers.get(from.index())?.actions;
                vec![index_of(hand.iter(), card)?]
            }
            _ => return None,
        })
    }

    /// The draw of a design. Those under the deck come without luck.
    fn design(&mut self, design: DesignId) -> Option<Vec<u32>> {
        if self.designs.is_empty() {
            return Some(Vec::new());
        }
        let index = index_of(self.designs.iter(), &design)?;
        self.designs.remove(design);
        Some(vec![index])
    }

    fn action(&mut self, card: ActionCard) -> Option<Vec<u32>> {
        let index = index_of(self.actions.iter(), &card)?;
        self.actions.remove(card);
        Some(vec![index])
    }
}
