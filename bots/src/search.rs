//! The search: which of the moves that a seat can make now leads to the best results.
//!
//! The budget is spent by sequential halving: all candidates get the same number of playouts, the worse half is dropped, and
//! so on. The candidates of a round are tried in the same worlds with the same luck, so that luck does not decide between
//! them. Below the first move, the search descends its [`Tree`] and then plays on by the policy.

use domain::{
    erased::{AnyState, GameMove, Worlds},
    seat::{Seat, SeatSet, Viewer},
    time::Timestamp,
};

use crate::{
    Choice, Considered, Judgement, Position, Settings,
    evaluation::{Evaluation, PerSeat, number},
    games,
    generator::Generator,
    knowledge::Knowledge,
    playout::Playground,
    tree::{Path, Tree},
};

/// Worlds that a search samples at most; more would hardly differ from these.
const WORLDS: usize = 128;

pub(crate) struct Search<'a> {
    seat: Seat,
    seats: u8,
    settings: Settings,
    knowledge: &'a dyn Knowledge,
    source: Box<dyn Worlds>,
    /// Never empty.
    worlds: Vec<Box<dyn AnyState>>,
    most_worlds: usize,
    resigned: SeatSet,
    at: Timestamp,
    chance: Generator,
    tree: Tree,
}

/// A move that is being considered.
struct Candidate {
    mv: GameMove,
    visits: u32,
    sum: Evaluation,
}

impl Candidate {
    const fn new(mv: GameMove) -> Self {
        let zero = [0.0; Seat::MAX as usize];
        Self { mv, visits: 0, sum: Evaluation { value: zero, win: zero, place: zero } }
    }

    fn value(&self, seat: Seat) -> f64 {
        self.sum.value[seat.index()] / number(self.visits.max(1) as usize)
    }
}

impl<'a> Search<'a> {
    /// A search in a position; none if no world agrees with what the seat knows.
    pub(crate) fn new(
        position: &Position<'_>,
        seat: Seat,
        settings: Settings,
        seed: u64,
    ) -> Option<Self> {
        let Position { game, seats, start, log, resigned } = *position;
        let mut search = Self {
            seat,
            seats,
            settings,
            knowledge: games::knowledge(game.info().key, settings.knowledge),
            source: game.worlds(start, log, Viewer::Seat(seat)),
            worlds: Vec::new(),
            most_worlds: WORLDS,
            resigned,
            at: log.last().map_or_else(Timestamp::default, |(at, _)| *at),
            chance: Generator::new(seed),
            tree: Tree::default(),
        };
        search.sample();
        (!search.worlds.is_empty()).then_some(search)
    }

    pub(crate) fn run(mut self) -> Option<Choice> {
        let mut candidates = self.candidates();
        let playouts = self.halve(&mut candidates);
        let nodes = count(self.tree.len());
        let moves: Vec<Considered> = candidates.into_iter().map(|it| self.considered(it)).collect();
        (!moves.is_empty()).then_some(Choice { moves, playouts, nodes })
    }

    /// Compares a move with the best one: both get the same number of playouts, in the same worlds with the same luck.
    pub(crate) fn judge(mut self, played: &GameMove) -> Option<Judgement> {
        let mut candidates = self.candidates();
        self.halve(&mut candidates);
        let mut best = candidates.first().map(|it| Candidate::new(it.mv.clone()))?;
        let mut other = (best.mv != *played).then(|| Candidate::new(played.clone()));
        for _ in 0..self.settings.playouts.max(1) {
            self.try_out(&mut best);
            if let Some(other) = &mut other {
                self.try_out(other);
            }
        }
        let is_forced = candidates.len() == 1 && other.is_none();
        let best = self.considered(best);
        let played = other.map(|it| self.considered(it));
        // What seemed best may turn out to be worse.
        let is_better = played.as_ref().is_some_and(|it| it.value >= best.value);
        Some(match played {
            Some(played) if is_better => Judgement { best: played.clone(), played, is_forced },
            Some(played) => Judgement { best, played, is_forced },
            None => Judgement { played: best.clone(), best, is_forced },
        })
    }

    /// The moves to consider.
    fn candidates(&mut self) -> Vec<Candidate> {
        let first = self.world(0);
        let moves = self.knowledge.candidates(first.as_ref(), self.seat);
        let mut candidates: Vec<Candidate> = moves.into_iter().map(Candidate::new).collect();
        if candidates.len() > self.settings.width {
            self.preselect(&mut candidates);
        }
        candidates
    }

    /// Spends the budget on the candidates, and puts the best one first. Returns the number of playouts.
    fn halve(&mut self, candidates: &mut [Candidate]) -> u32 {
        let mut playouts = 0;
        let mut alive = candidates.len();
        let mut rounds = usize::BITS - alive.leading_zeros();
        // A round that the budget cannot pay for in full is not begun: candidates are compared after equally many playouts.
        while alive > 1 && playouts + count(alive) <= self.settings.playouts {
            let budget = (self.settings.playouts - playouts) / rounds.max(1);
            let each = (budget / count(alive)).max(1);
            for candidate in &mut candidates[..alive] {
                for _ in 0..each {
                    self.try_out(candidate);
                    playouts += 1;
                }
            }
            let seat = self.seat;
            // A stable sort: among equals, the order of the rules decides.
            candidates[..alive].sort_by(|one, two| two.value(seat).total_cmp(&one.value(seat)));
            alive = alive.div_ceil(2);
            rounds = rounds.saturating_sub(1);
        }
        playouts
    }

    /// Keeps as many moves as the settings allow: those after which the position looks best, or without knowledge any.
    fn preselect(&mut self, candidates: &mut Vec<Candidate>) {
        let looks: Vec<f64> = candidates
            .iter()
            .map(|candidate| {
                if !self.settings.knowledge {
                    return 0.0;
                }
                let mut ground = self.ground(0);
                let legal = ground.play(self.seat, &candidate.mv);
                if legal { ground.finish(self.seat, 0).value[self.seat.index()] } else { -1.0 }
            })
            .collect();
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        // Ties are broken by chance, or moves that are listed first would always be preferred.
        let mut chance = self.chance.branch(u64::MAX);
        (&mut chance as &mut dyn domain::chance::Chance).shuffle(&mut order);
        order.sort_by(|one, two| looks[*two].total_cmp(&looks[*one]));
        order.truncate(self.settings.width);
        let mut kept: Vec<Option<Candidate>> = candidates.drain(..).map(Some).collect();
        *candidates = order.into_iter().filter_map(|index| kept[index].take()).collect();
    }

    /// One iteration that begins with a candidate.
    fn try_out(&mut self, candidate: &mut Candidate) {
        let number = candidate.visits as usize;
        candidate.visits += 1;
        let mut ground = self.ground(number);
        let mut path = Path::new(ground.state.epoch());
        if !ground.play(self.seat, &candidate.mv) {
            return;
        }
        path.follow(self.seat, &candidate.mv, ground.state.epoch());
        self.tree.descend(&mut path, &mut ground, self.seat, self.settings.horizon);
        let result = ground.finish(self.seat, self.settings.horizon);
        self.tree.learn(&path, &result);
        let add = |sum: &mut PerSeat, more: &PerSeat| {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        add(&mut candidate.sum.value, &result.value);
        add(&mut candidate.sum.win, &result.win);
        add(&mut candidate.sum.place, &result.place);
    }

    /// The world of an iteration, with luck of its own: the same for every candidate.
    fn ground(&mut self, number: usize) -> Playground<'a> {
        Playground {
            state: self.world(number),
            chance: self.chance.branch(number as u64),
            knowledge: self.knowledge,
            resigned: self.resigned,
            at: self.at,
        }
    }

    fn world(&mut self, number: usize) -> Box<dyn AnyState> {
        while self.worlds.len() <= number && self.worlds.len() < self.most_worlds {
            self.sample();
        }
        self.worlds[number % self.worlds.len()].clone()
    }

    /// Adds a world. If none is found, the search makes do with those that it has.
    fn sample(&mut self) {
        let mut chance = self.chance.branch(1 << 32 | self.worlds.len() as u64);
        match self.source.sample(&mut chance) {
            Some(world) => self.worlds.push(world),
            None => self.most_worlds = self.worlds.len(),
        }
    }

    fn considered(&self, candidate: Candidate) -> Considered {
        let value = candidate.value(self.seat);
        let visits = number(candidate.visits.max(1) as usize);
        let mean = |sum: PerSeat| sum[..self.seats.into()].iter().map(|it| it / visits).collect();
        Considered {
            mv: candidate.mv,
            visits: candidate.visits,
            value,
            wins: mean(candidate.sum.win),
            places: mean(candidate.sum.place),
        }
    }
}

fn count(items: usize) -> u32 {
    u32::try_from(items).expect("a search has fewer than 2^32 moves and nodes")
}
