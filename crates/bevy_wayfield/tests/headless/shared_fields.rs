//! What shared fields do over time: repair, hysteresis, fields for single goals, events, and what goes wrong.

use std::sync::Arc;

use bevy::prelude::*;
use bevy_wayfield::{
    ClassId, DijkstraMaps, Field, FieldId, FieldLost, FieldProblem, FieldReady, FieldSource, FollowField, Mover,
    SourceGroup, diagnostics,
};
use wayfield::{Cell, CornerRule, DijkstraMap, FieldError, FleeRule, FlowField};

use crate::world::{Dice, FOOT, Game, PLAIN, WALL};

const TEAM: SourceGroup = SourceGroup(1);

fn maps(game: &Game) -> &DijkstraMaps {
    game.app.world().resource()
}

fn maps_mut(game: &mut Game) -> Mut<'_, DijkstraMaps> {
    game.app.world_mut().resource_mut()
}

fn define(game: &mut Game, name: &str, field: Field) -> FieldId {
    maps_mut(game).define(name, field)
}

fn follower(game: &mut Game, cell: (i32, i32), follow: FollowField) -> Entity {
    let at = game.at(cell);
    game.spawn((at, Mover::new(8.0), follow))
}

#[derive(Resource, Default)]
struct Heard(Vec<(FieldId, bool)>);

fn listen(game: &mut Game) {
    let world = game.app.world_mut();
    world.init_resource::<Heard>();
    world.add_observer(|event: On<FieldReady>, mut heard: ResMut<Heard>| heard.0.push((event.field, true)));
    world.add_observer(|event: On<FieldLost>, mut heard: ResMut<Heard>| heard.0.push((event.field, false)));
}

fn heard(game: &mut Game) -> Vec<(FieldId, bool)> {
    std::mem::take(&mut game.app.world_mut().resource_mut::<Heard>().0)
}

#[test]
fn edits_are_repaired_and_equal_a_new_map() {
    let mut dice = Dice::new(71);
    for in_flight in [0, 3] {
        let mut game = Game::open(60, 60, CornerRule::BothFree);
        if in_flight > 0 {
            game.answers_take(in_flight);
        }
        let mut sources = vec![Cell::new(5, 5), Cell::new(50, 40)];
        let field = define(&mut game, "field", Field::seek(FOOT).cells(sources.clone()));
        game.ticks(6);
        for round in 0..60 {
            let cell = dice.cell(game.map());
            let terrain = if dice.below(3) == 0 { PLAIN } else { WALL };
            game.paint([(cell.x, cell.y)], terrain);
            if round % 7 == 0 {
                sources.truncate(1);
                sources.push(dice.cell(game.map()));
                maps_mut(&mut game).set_cells(field, sources.clone());
            }
            game.ticks(1 + u64::from(dice.below(6)));
        }
        // Until what is in flight has landed, and what it was late for, too.
        game.ticks(12);
        let grid = game.map().grid(FOOT).unwrap().clone();
        let fresh = DijkstraMap::toward(&grid, sources.clone()).unwrap();
        assert_eq!(**maps(&game).get(field).unwrap(), fresh);
        assert_eq!(**maps(&game).flow(field).unwrap(), FlowField::new(&fresh, &grid));
        let stats = maps(&game).stats();
        assert!(stats.repairs > 2 * stats.rebuilds, "{stats:?}");
        assert!(stats.cells < (stats.repairs + stats.rebuilds) * 60 * 60 / 2, "{stats:?}");
        // Another map of the same size is another map, however its revisions are counted.
        game.app
            .world_mut()
            .resource_mut::<bevy_wayfield::Tilemap>()
            .replace(wayfield::TerrainMap::new(grid.size(), PLAIN));
        game.ticks(8);
        let grid = game.map().grid(FOOT).unwrap().clone();
        assert_eq!(
            maps(&game).get(field).unwrap().cells().count(),
            DijkstraMap::toward(&grid, sources).unwrap().cells().count()
        );
        assert_eq!(maps(&game).get(field).unwrap().cells().count(), 3600);
    }
}

#[test]
fn small_moves_of_sources_are_let_pass() {
    let mut game = Game::open(30, 3, CornerRule::Never);
    let field = define(&mut game, "field", Field::seek(FOOT).group(TEAM).hysteresis(2));
    let exact = define(&mut game, "exact", Field::seek(FOOT).group(TEAM));
    let at = game.at((10, 1));
    let target = game.spawn((at, FieldSource::new(TEAM)));
    game.ticks(3);
    let versions = |game: &Game| (maps(game).version(field), maps(game).version(exact));
    assert_eq!(versions(&game), (1, 1));
    for x in [11, 12, 11] {
        game.put(target, (x, 1));
        game.ticks(3);
    }
    assert_eq!(versions(&game), (1, 4));
    game.put(target, (13, 1));
    game.ticks(3);
    assert_eq!(versions(&game), (2, 5), "three cells from where it was seen");
    assert_eq!(maps(&game).value_at(field, Cell::new(13, 1)), Some(0.0));
    // Another one is no small move, and an edit is none.
    let second = game.spawn((at, FieldSource::new(TEAM)));
    game.ticks(3);
    assert_eq!(versions(&game).0, 3);
    game.paint([(20, 0)], WALL);
    game.ticks(3);
    assert_eq!(versions(&game).0, 4);
    game.despawn(second);
    game.ticks(3);
    assert_eq!(versions(&game).0, 5);
}

#[test]
fn fields_for_single_goals_make_room_for_one_another() {
    let mut game = Game::open(20, 20, CornerRule::BothFree);
    listen(&mut game);
    maps_mut(&mut game).set_capacity(3);
    let goal = |n: i32| Cell::new(n, 2 * n);
    let followed = maps_mut(&mut game).toward(FOOT, goal(0));
    let unit = follower(&mut game, (9, 3), FollowField::new(followed));
    assert_eq!(maps_mut(&mut game).toward(FOOT, goal(0)), followed, "asked for twice, computed once");
    game.ticks(3);
    let second = maps_mut(&mut game).toward(FOOT, goal(1));
    game.ticks(2);
    let third = maps_mut(&mut game).toward(FOOT, goal(2));
    game.ticks(2);
    assert_eq!(maps_mut(&mut game).toward(FOOT, goal(1)), second);
    heard(&mut game);
    // The third is the one that was not used for the longest time: the first is followed.
    let fourth = maps_mut(&mut game).toward(FOOT, goal(3));
    game.ticks(3);
    assert_eq!(heard(&mut game), [(third, false), (fourth, true)]);
    let is_there = |game: &Game, id| maps(game).get(id).is_some();
    assert!([followed, second, fourth].iter().all(|&id| is_there(&game, id)) && !is_there(&game, third));
    assert_eq!((maps(&game).len(), maps(&game).stats().evicted), (3, 1));
    game.until(60, |game| game.cell(unit) == goal(0));
    // A hundred of them are three.
    for n in 0..100 {
        maps_mut(&mut game).toward(FOOT, Cell::new(n % 20, n / 20));
        game.tick();
        assert!(maps(&game).len() <= 3);
    }
    // What the game has defined stays.
    define(&mut game, "mine", Field::seek(FOOT).cells([goal(0)]));
    maps_mut(&mut game).set_capacity(0);
    assert_eq!((maps(&game).capacity(), maps(&game).len()), (1, 2));
}

#[test]
fn who_follows_a_field_that_is_gone_stands() {
    let mut game = Game::open(20, 3, CornerRule::Never);
    listen(&mut game);
    let field = define(&mut game, "field", Field::seek(FOOT).cells([Cell::new(19, 1)]));
    let unit = follower(&mut game, (1, 1), FollowField::new(field));
    game.ticks(10);
    assert_eq!(heard(&mut game), [(field, true)]);
    maps_mut(&mut game).remove(field);
    game.ticks(10);
    assert_eq!(heard(&mut game), [(field, false)]);
    let here = game.position(unit);
    game.ticks(10);
    assert_eq!(game.position(unit), here);
    let another = define(&mut game, "field", Field::seek(FOOT).cells([Cell::new(19, 1)]));
    assert_ne!(another, field, "the old number stays that of a field that is gone");
    game.ticks(10);
    assert_eq!(game.position(unit), here);
    maps_mut(&mut game).remove(field);
    game.ticks(3);
    assert_eq!(heard(&mut game), [(another, true)], "to remove it twice says nothing");
}

#[test]
fn sources_that_come_and_go_are_told_once() {
    let mut game = Game::open(20, 3, CornerRule::Never);
    listen(&mut game);
    let field = define(&mut game, "field", Field::seek(FOOT).group(TEAM));
    game.ticks(4);
    assert_eq!(heard(&mut game), [], "it never had any");
    let at = game.at((10, 1));
    let source = game.spawn((at, FieldSource::new(TEAM)));
    game.ticks(4);
    game.put(source, (12, 1));
    game.ticks(4);
    assert_eq!(heard(&mut game), [(field, true)]);
    game.despawn(source);
    game.ticks(4);
    assert_eq!(heard(&mut game), [(field, false)]);
    game.spawn((at, FieldSource::new(TEAM)));
    game.ticks(4);
    assert_eq!(heard(&mut game), [(field, true)]);
}

#[test]
fn a_sum_of_itself_is_told() {
    let mut game = Game::open(11, 1, CornerRule::Never);
    let ore = define(&mut game, "ore", Field::seek(FOOT).cells([Cell::new(0, 0)]));
    let one = define(&mut game, "one", Field::sum([(ore, 1.0)]));
    let other = define(&mut game, "other", Field::sum([(one, 1.0), (ore, 1.0)]));
    game.ticks(6);
    assert_eq!(maps(&game).value_at(other, Cell::new(3, 0)), Some(6.0));
    define(&mut game, "one", Field::sum([(other, 1.0)]));
    game.ticks(6);
    assert_eq!(maps(&game).problem(one), Some(FieldProblem::Cycle(one)));
    assert_eq!(maps(&game).problem(other), Some(FieldProblem::Cycle(other)));
    assert_eq!(maps(&game).value_at(other, Cell::new(3, 0)), Some(6.0), "it keeps its last map");
    assert!(maps(&game).problem(one).unwrap().to_string().contains("sum of itself"));
    // And mended.
    define(&mut game, "one", Field::sum([(ore, 2.0)]));
    game.ticks(6);
    assert_eq!((maps(&game).problem(one), maps(&game).problem(other)), (None, None));
    assert_eq!(maps(&game).value_at(other, Cell::new(3, 0)), Some(9.0));
    // A part that is removed.
    maps_mut(&mut game).remove(ore);
    game.ticks(6);
    assert_eq!(maps(&game).problem(other), Some(FieldProblem::UnknownField(ore)));
    assert_eq!(maps(&game).value_at(other, Cell::new(3, 0)), Some(9.0));
}

#[test]
fn what_cannot_be_computed_says_why() {
    let mut game = Game::open(11, 1, CornerRule::Never);
    let nobody = ClassId(9);
    let cells = [Cell::new(0, 0)];
    let seek = define(&mut game, "seek", Field::seek(nobody).cells(cells));
    let flee = define(&mut game, "flee", Field::flee(FOOT, nobody, FleeRule::default()).cells(cells));
    let kite = define(&mut game, "kite", Field::kite(FOOT, FOOT, f64::NAN..=2.0).cells(cells));
    let near = define(&mut game, "near", Field::seek(FOOT).cells(cells).within(-1.0));
    let sum = define(&mut game, "sum", Field::sum([(near, f64::INFINITY)]));
    game.ticks(4);
    let problem = |id| maps(&game).problem(id);
    assert_eq!(problem(seek), Some(FieldProblem::UnknownClass(nobody)));
    assert_eq!(problem(flee), Some(FieldProblem::UnknownClass(nobody)));
    assert!(matches!(problem(kite), Some(FieldProblem::Compute(FieldError::RangeLimit(_)))));
    assert_eq!(problem(near), Some(FieldProblem::Compute(FieldError::RangeLimit(-1.0))));
    assert_eq!(problem(sum), None, "it waits for its part");
    define(&mut game, "near", Field::seek(FOOT).cells(cells).within(3.0));
    game.ticks(6);
    assert_eq!(maps(&game).value_at(near, Cell::new(3, 0)), Some(3.0));
    assert_eq!(maps(&game).value_at(near, Cell::new(4, 0)), None);
    assert_eq!(maps(&game).problem(sum), Some(FieldProblem::Compute(FieldError::SumWeight(f64::INFINITY))));
}

#[test]
fn units_weigh_fields_by_themselves() {
    let mut game = Game::open(21, 1, CornerRule::Never);
    let gold = define(&mut game, "gold", Field::seek(FOOT).cells([Cell::new(0, 0)]));
    let danger = define(&mut game, "danger", Field::seek(FOOT).cells([Cell::new(20, 0)]));
    let greedy = follower(&mut game, (10, 0), FollowField::weighted([(gold, 2.0), (danger, 1.0)]));
    let bold = follower(&mut game, (10, 0), FollowField::weighted([(gold, 1.0), (danger, 2.0)]));
    let torn = follower(&mut game, (10, 0), FollowField::weighted([(gold, 1.0), (danger, 1.0)]));
    let mad = follower(&mut game, (10, 0), FollowField::weighted([(gold, f64::NAN)]));
    let none = follower(&mut game, (10, 0), FollowField::weighted([]));
    game.ticks(120);
    let at = |unit| game.cell(unit).x;
    assert_eq!((at(greedy), at(bold), at(torn), at(mad), at(none)), (0, 20, 10, 10, 10));
}

#[test]
fn archers_keep_their_distance() {
    let mut game = Game::open(31, 1, CornerRule::Never);
    let kite = define(&mut game, "kite", Field::kite(FOOT, FOOT, 5.0..=7.0).group(TEAM));
    let at = game.at((0, 0));
    let enemy = game.spawn((at, FieldSource::new(TEAM)));
    let archer = follower(&mut game, (20, 0), FollowField::new(kite));
    game.ticks(60);
    assert_eq!(game.cell(archer), Cell::new(7, 0));
    game.put(enemy, (4, 0));
    game.ticks(60);
    assert_eq!(game.cell(archer), Cell::new(9, 0));
}

#[test]
fn questions_of_games_are_answered() {
    let mut game = Game::drawn(&["....", ".##.", "...."], CornerRule::BothFree);
    let field = define(&mut game, "field", Field::seek(FOOT).cells([Cell::new(3, 2)]));
    assert_eq!(maps(&game).direction_at(field, Cell::new(0, 0)), None);
    game.ticks(3);
    let (start, maps) = (Cell::new(0, 0), maps(&game));
    assert_eq!(
        maps.direction_at(field, start),
        maps.get(field).unwrap().downhill(game.map().grid(FOOT).unwrap(), start)
    );
    let way = maps.trace(game.map(), field, start).unwrap();
    assert_eq!((way.end(), Some(way.cost().units())), (Some(Cell::new(3, 2)), maps.value_at(field, start)));
    assert_eq!(maps.bytes(), 12 * 5);
    assert!(Arc::strong_count(maps.get(field).unwrap()) >= 1 && !maps.is_empty());
    assert!(maps.is_source(field, Cell::new(3, 2)) && !maps.is_source(field, start));
    let diagnostics = game.app.world().resource::<bevy::diagnostic::DiagnosticsStore>();
    let now = |path| diagnostics.get(&path).unwrap().value();
    assert_eq!(now(diagnostics::FIELDS), Some(1.0));
    assert_eq!(now(diagnostics::FIELD_BYTES), Some(60.0));
    assert_eq!(now(diagnostics::FIELD_REBUILDS), Some(1.0));
    assert_eq!(now(diagnostics::FIELD_CELLS), Some(12.0));
}

#[test]
fn hundreds_of_raiders_surround_a_moving_target() {
    let mut game = Game::open(64, 64, CornerRule::BothFree);
    let chase = define(&mut game, "chase", Field::seek(FOOT).group(TEAM).surround());
    let at = game.at((32, 10));
    let target = game.spawn((at, Mover::new(3.0), FieldSource::new(TEAM)));
    let mut dice = Dice::new(5);
    let raiders: Vec<_> = (0..300)
        .map(|_| {
            let cell = dice.cell(game.map());
            let at = game.at((cell.x, cell.y));
            game.spawn((at, Mover::new(5.0), FollowField::new(chase)))
        })
        .collect();
    for corner in [(50, 10), (50, 50), (20, 40)] {
        game.go(target, corner);
        game.until(600, |game| game.cell(target) == Cell::from(corner));
    }
    // They have run after it as one knot, from which they come to their places one after the other.
    let places = |game: &Game| {
        let mut cells: Vec<_> = raiders.iter().map(|&raider| game.cell(raider)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    };
    game.until(4000, |game| places(game).len() == 300);
    game.ticks(30);
    let prey = game.cell(target);
    let cells = places(&game);
    let away: Vec<_> = cells.iter().map(|cell| cell.chebyshev(prey)).collect();
    assert_eq!(cells.len(), 300, "one to a cell");
    // 8 times 36 places are those of the eight nearest squares, and 12 are left for the next one.
    assert_eq!(away.iter().filter(|&&away| away <= 8).count(), 288);
    assert_eq!(away.iter().max(), Some(&9));
    let stands: Vec<_> = raiders.iter().map(|&raider| game.position(raider)).collect();
    game.ticks(20);
    assert_eq!(raiders.iter().map(|&raider| game.position(raider)).collect::<Vec<_>>(), stands, "and they stand");
    assert!(maps(&game).stats().repairs > 100, "{:?}", maps(&game).stats());
}
