//! What the search remembers: for every seat, the decisions that it may have to make, and how its moves turned out.
//!
//! Each seat has a tree of its own. A node is what the seat has decided itself and has seen others decide. Moves of other
//! seats count as seen when the epoch changes: until then, by definition, they do not affect the seat's decision, so seats
//! that decide at the same time do not see each other's moves. Luck is not part of a node: the worlds of an iteration that
//! reach it differ, and a move that is not legal in one of them is passed over there.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hash, Hasher},
};

use domain::{erased::GameMove, seat::Seat};

use crate::{
    evaluation::{Evaluation, number},
    generator::mix,
    playout::Playground,
};

/// How much a search prefers moves that it has rarely tried.
const EXPLORATION: f64 = 0.5;

/// The hash of a move, the same on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MoveKey(u64);

impl MoveKey {
    fn of(mv: &GameMove) -> Self {
        let mut hasher = Fnv::default();
        mv.hash(&mut hasher);
        Self(mix(hasher.finish()))
    }
}

/// FNV-1a over words: short inputs, and no key that differs between runs.
#[derive(Debug)]
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Keys of nodes are hashes already.
#[derive(Debug, Default)]
struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// A decision of a seat.
#[derive(Debug, Default)]
struct Node {
    visits: u32,
    tried: Vec<Tried>,
}

/// A move that was tried at a node.
#[derive(Debug)]
struct Tried {
    key: MoveKey,
    mv: GameMove,
    visits: u32,
    value: f64,
}

/// The memory of a search.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: HashMap<u64, Node, BuildHasherDefault<Plain>>,
}

/// Where an iteration is: for every seat, its node and what it has not seen yet.
#[derive(Debug)]
pub(crate) struct Path {
    at: [u64; Seat::MAX as usize],
    unseen: [u64; Seat::MAX as usize],
    epoch: u64,
    /// The decisions of this iteration: node, move, seat.
    steps: Vec<(u64, MoveKey, Seat)>,
}

impl Path {
    pub(crate) fn new(epoch: u64) -> Self {
        let at = std::array::from_fn(|seat| mix(0x7465_6c61 + seat as u64));
        Self { at, unseen: [0; Seat::MAX as usize], epoch, steps: Vec::new() }
    }

    /// Follows a move that was made.
    pub(crate) fn follow(&mut self, seat: Seat, mv: &GameMove, epoch: u64) {
        self.advance(seat, MoveKey::of(mv), epoch);
    }

    fn advance(&mut self, seat: Seat, key: MoveKey, epoch: u64) {
        for (index, (at, unseen)) in self.at.iter_mut().zip(&mut self.unseen).enumerate() {
            if index == seat.index() {
                *at = mix(*at ^ key.0);
            } else {
                *unseen = mix(*unseen ^ key.0).wrapping_add(1);
            }
            if epoch != self.epoch {
                *at = mix(at.wrapping_add(std::mem::take(unseen)));
            }
        }
        self.epoch = epoch;
    }
}

impl Tree {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Walks down from a position by what is remembered, one decision beyond it, and leaves the world there.
    pub(crate) fn descend(
        &mut self,
        path: &mut Path,
        ground: &mut Playground<'_>,
        first: Seat,
        longest: u32,
    ) {
        for _ in 0..longest {
            if ground.state.finished() {
                return;
            }
            let Some(seat) = ground.next_seat(first) else { return };
            let key = path.at[seat.index()];
            let known = self.nodes.contains_key(&key);
            let node = self.nodes.entry(key).or_default();
            let Some(chosen) = node.step(seat, ground) else { return };
            path.steps.push((key, chosen, seat));
            path.advance(seat, chosen, ground.state.epoch());
            if !known {
                return;
            }
        }
    }

    /// Remembers how the decisions of an iteration turned out.
    pub(crate) fn learn(&mut self, path: &Path, result: &Evaluation) {
        for (node, key, seat) in &path.steps {
            let Some(node) = self.nodes.get_mut(node) else { continue };
            node.visits += 1;
            if let Some(tried) = node.tried.iter_mut().find(|tried| tried.key == *key) {
                tried.visits += 1;
                tried.value += result.value[seat.index()];
            }
        }
    }
}

impl Node {
    /// Makes the most promising move in a world, or a new one as long as there are few for so many visits.
    fn step(&mut self, seat: Seat, ground: &mut Playground<'_>) -> Option<MoveKey> {
        let visits = number(self.visits as usize);
        let widened = number(self.tried.len()) >= 1.0 + 1.5 * visits.sqrt();
        if widened && !ground.resigned.contains(seat) {
            let log = (visits + 1.0).ln();
            let mut order: Vec<(f64, usize)> =
                self.tried.iter().enumerate().map(|(at, it)| (it.promise(log), at)).collect();
            order.sort_unstable_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
            for (_, index) in order {
                let tried = &self.tried[index];
                if ground.play(seat, &tried.mv) {
                    return Some(tried.key);
                }
            }
        }
        let mv = ground.policy(seat)?;
        let key = MoveKey::of(&mv);
        if !ground.play(seat, &mv) {
            return None;
        }
        if !self.tried.iter().any(|tried| tried.key == key) {
            self.tried.push(Tried { key, mv, visits: 0, value: 0.0 });
        }
        Some(key)
    }
}

impl Tried {
    /// The upper confidence bound.
    fn promise(&self, log: f64) -> f64 {
        if self.visits == 0 {
            return f64::INFINITY;
        }
        let visits = number(self.visits as usize);
        self.value / visits + EXPLORATION * (log / visits).sqrt()
    }
}
