//! The engine of LPA* and D* Lite on spaces that are no grids, and its protocol.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Spot};
use wayfield::incremental::IncrementalSearch;
use wayfield::search::{Ending, Limits, NodeState, Order, Search, Step};
use wayfield::space::{Everything, Goal, Reverse, Reversible, Space};
use wayfield::{Cost, Heuristic, NodeId};

/// Nodes and directed edges with costs; what is not there costs nothing to ask for.
#[derive(Clone, Debug)]
struct Web {
    size: usize,
    edges: Vec<Option<u32>>,
}

impl Space for Web {
    fn len(&self) -> usize {
        self.size
    }

    fn expand(&self, node: NodeId, _: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        for next in 0..self.size {
            if let Some(cost) = self.edges[node as usize * self.size + next] {
                visit(next as NodeId, Cost::from_raw(cost));
            }
        }
    }
}

impl Reversible for Web {
    fn expand_back(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for previous in 0..self.size {
            if let Some(cost) = self.edges[previous * self.size + node as usize] {
                visit(previous as NodeId, Cost::from_raw(cost));
            }
        }
    }
}

struct At(NodeId);

impl Goal for At {
    fn is_goal(&self, node: NodeId) -> bool {
        node == self.0
    }

    fn estimate(&self, _: NodeId) -> Cost {
        Cost::ZERO
    }
}

#[test]
fn any_space_will_do_and_costs_may_overflow() {
    let mut dice = Dice::new(43);
    let (mut overflows, mut found, mut exhausted) = (0, 0, 0);
    for round in 0..2500 {
        let size = 2 + dice.roll(11) as usize;
        // Up to a quarter of what can be represented, so that some ways overflow.
        let dearest = [5, 40, 1_900_000_000][dice.roll(3) as usize];
        let edge = |dice: &mut Dice| (dice.roll(4) == 0).then(|| 1 + dice.roll(dearest) as u32);
        let mut web = Web { size, edges: (0..size * size).map(|_| edge(&mut dice)).collect() };
        let (mut target, root) = (dice.roll(size as u64) as NodeId, dice.roll(size as u64) as NodeId);
        let mut search = IncrementalSearch::default();
        let backwards = round % 2 == 1;
        search.begin(&web, root, target, &Everything);
        for _ in 0..8 {
            let mut fresh = Search::default();
            let (ending, best) = if backwards {
                fresh.begin(Order::DIJKSTRA, &Reverse(&web), &[(root, Cost::ZERO)], &At(target));
                let ending = search.run(&Reverse(&web), &Everything, Limits::NONE);
                (ending, fresh.run(&Reverse(&web), &At(target), Limits::NONE))
            } else {
                fresh.begin(Order::DIJKSTRA, &web, &[(root, Cost::ZERO)], &At(target));
                (search.run(&web, &Everything, Limits::NONE), fresh.run(&web, &At(target), Limits::NONE))
            };
            assert_eq!(ending, best, "{root} to {target} in {web:?}");
            assert!(search.stats().expanded <= 2 * size as u64);
            match ending {
                Ending::Found(_) => {
                    found += 1;
                    assert_eq!(search.cost(), fresh.cost_to(target));
                    let way: Vec<_> =
                        if backwards { search.trace(&Reverse(&web)).collect() } else { search.trace(&web).collect() };
                    assert_eq!((way[0], way[way.len() - 1]), (target, root));
                    let price = |pair: &[NodeId]| {
                        let (from, to) = if backwards { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
                        web.edges[from as usize * size + to as usize].map(u64::from)
                    };
                    let total: Option<u64> = way.windows(2).map(price).sum();
                    assert_eq!(total, search.cost().map(|cost| u64::from(cost.raw())));
                }
                Ending::CostOverflow => overflows += 1,
                _ => exhausted += 1,
            }
            let mut touched = Vec::new();
            for _ in 0..=dice.roll(3) {
                let (from, to) = (dice.roll(size as u64) as usize, dice.roll(size as u64) as usize);
                web.edges[from * size + to] = edge(&mut dice);
                touched.push(if backwards { from as NodeId } else { to as NodeId });
            }
            if dice.roll(4) == 0 {
                target = dice.roll(size as u64) as NodeId;
                search.move_target(target, Cost::ZERO);
            }
            if backwards {
                search.update(&Reverse(&web), &Everything, touched);
            } else {
                search.update(&web, &Everything, touched);
            }
        }
    }
    assert!(overflows > 100 && found > 2000 && exhausted > 2000, "{overflows} {found} {exhausted}");
}

#[test]
fn one_run_is_many_steps_and_many_slices() {
    let mut dice = Dice::new(44);
    for _ in 0..400 {
        let ground = dice.ground();
        let grid = ground.grid();
        let ends = [dice.cell(&ground), dice.cell(&ground)].map(|cell| grid.size().index(cell).unwrap());
        let goal = Spot::new(&grid, grid.size().cell(ends[1]), Heuristic::of_rule(ground.rule));
        let mut searches = [(); 3].map(|()| IncrementalSearch::default());
        for search in &mut searches {
            search.begin(&grid, ends[0], ends[1], &goal);
        }
        let [run, stepped, sliced] = &mut searches;
        let ending = run.run(&grid, &goal, Limits::NONE);
        let last = loop {
            match stepped.step(&grid, &goal) {
                Step::Expanded(_) => {}
                Step::Found(node) => break Ending::Found(node),
                Step::Exhausted => break Ending::Exhausted,
            }
        };
        assert_eq!(ending, last);
        let last = loop {
            match sliced.run(&grid, &goal, Limits { cap: u64::MAX, slice: 1 + dice.roll(7) }) {
                Ending::Paused => {
                    assert!(sliced.trace(&grid).count() <= grid.len(), "looked at too early it ends, too");
                }
                ending => break ending,
            }
        };
        assert_eq!(ending, last);
        for other in [&*stepped, &*sliced] {
            assert_eq!(run.stats(), other.stats());
            for node in 0..grid.len() as NodeId {
                assert_eq!((run.g(node), run.rhs(node)), (other.g(node), other.rhs(node)));
                assert_eq!(run.state(node), other.state(node));
                assert_eq!(run.state(node) == NodeState::Open, run.g(node) != run.rhs(node));
            }
        }
    }
}
