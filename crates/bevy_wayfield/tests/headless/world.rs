//! A game without a window, the log of what it was told, and the rules that hold after every tick.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_wayfield::{
    ClassId, Delivery, Executor, FollowPath, GoalReached, Mover, Obstacle, PartialEndReached, PathFailed,
    PathInvalidated, PathPartial, PathReady, PathRequest, PathStatus, PathfindingPlugin, PathfindingSettings, Planner,
    PlannerStats, SearchInfo, Tilemap,
};
use wayfield::{Algorithm, Cell, CornerRule, Grid, MovementClass, PathCost, Reason, TerrainId, TerrainMap};

pub const TICKS_PER_SECOND: f64 = 32.0;
pub const WALL: TerrainId = TerrainId(0);
/// Terrain number n costs n.
pub const PLAIN: TerrainId = TerrainId(1);
pub const FOOT: ClassId = ClassId(0);

/// The kinds of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Ready,
    Partial,
    Failed,
    Invalidated,
    Reached,
    PartialEnd,
}

/// An event of the plugin, and the tick it came in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Said {
    pub tick: u64,
    pub entity: Entity,
    pub kind: Kind,
    pub order: u32,
    pub reason: Option<Reason>,
    pub cost: Option<PathCost>,
    pub search: Option<SearchInfo>,
}

impl Said {
    fn new(entity: Entity, kind: Kind, order: u32) -> Self {
        Self { tick: 0, entity, kind, order, reason: None, cost: None, search: None }
    }
}

#[derive(Resource, Default)]
struct Log(Vec<Said>);

/// What the game does with a unit when it is told something of its first order.
#[derive(Resource, Default)]
struct Reaction(Option<(Kind, fn(EntityCommands))>);

#[derive(SystemParam)]
struct Scribe<'w, 's> {
    planner: Res<'w, Planner>,
    reaction: Res<'w, Reaction>,
    log: ResMut<'w, Log>,
    commands: Commands<'w, 's>,
}

impl Scribe<'_, '_> {
    fn note(&mut self, said: Said) {
        let Said { entity, kind, order, .. } = said;
        self.log.0.push(Said { tick: self.planner.tick(), ..said });
        if let Some((wanted, react)) = self.reaction.0
            && (wanted, 1) == (kind, order)
            && let Ok(unit) = self.commands.get_entity(entity)
        {
            react(unit);
        }
    }
}

/// An app with the plugin, stepped tick by tick.
pub struct Game {
    pub app: App,
}

impl Game {
    pub fn new(tilemap: Option<Tilemap>) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PathfindingPlugin::default()))
            .insert_resource(Time::<Fixed>::from_hz(TICKS_PER_SECOND))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .init_resource::<Log>()
            .init_resource::<Reaction>()
            .add_observer(|on: On<PathReady>, mut scribe: Scribe| {
                let said = Said::new(on.entity, Kind::Ready, on.order);
                scribe.note(Said { cost: Some(on.cost), search: Some(on.search), ..said });
            })
            .add_observer(|on: On<PathPartial>, mut scribe: Scribe| {
                let said = Said::new(on.entity, Kind::Partial, on.order);
                let (reason, cost, search) = (Some(on.reason), Some(on.cost), Some(on.search));
                scribe.note(Said { reason, cost, search, ..said });
            })
            .add_observer(|on: On<PathFailed>, mut scribe: Scribe| {
                let said = Said::new(on.entity, Kind::Failed, on.order);
                scribe.note(Said { reason: Some(on.reason), search: Some(on.search), ..said });
            })
            .add_observer(|on: On<PathInvalidated>, mut scribe: Scribe| {
                scribe.note(Said::new(on.entity, Kind::Invalidated, on.order));
            })
            .add_observer(|on: On<GoalReached>, mut scribe: Scribe| {
                scribe.note(Said::new(on.entity, Kind::Reached, on.order));
            })
            .add_observer(|on: On<PartialEndReached>, mut scribe: Scribe| {
                let said = Said::new(on.entity, Kind::PartialEnd, on.order);
                scribe.note(Said { reason: Some(on.reason), ..said });
            });
        if let Some(tilemap) = tilemap {
            app.insert_resource(tilemap);
        }
        app.finish();
        app.cleanup();
        // The first update has no time to run a tick in.
        app.update();
        let mut game = Self { app };
        game.settings().executor = Executor::Inline;
        // Its expansions can be counted by hand, and caps on them have an effect on the smallest maps.
        game.settings().algorithm = Algorithm::AStar;
        assert_eq!(game.now(), 0);
        game
    }

    /// A game on a map drawn in characters, see [`terrain`].
    pub fn drawn(rows: &[&str], rule: CornerRule) -> Self {
        Self::new(Some(Tilemap::new(terrain(rows), vec![foot(rule)])))
    }

    /// A game on plain ground.
    pub fn open(width: u64, height: u64, rule: CornerRule) -> Self {
        Self::new(Some(Tilemap::new(plain(width, height), vec![foot(rule)])))
    }

    pub fn settings(&mut self) -> Mut<'_, PathfindingSettings> {
        self.app.world_mut().resource_mut()
    }

    /// Searches take this many ticks from now on.
    pub fn answers_take(&mut self, ticks: u32) {
        self.settings().delivery = Delivery::AfterTicks(ticks);
    }

    /// Does this with a unit when it is told this of its first order.
    pub fn react(&mut self, kind: Kind, react: fn(EntityCommands)) {
        self.app.insert_resource(Reaction(Some((kind, react))));
    }

    pub fn map(&self) -> &Tilemap {
        self.app.world().resource()
    }

    pub fn map_mut(&mut self) -> Mut<'_, Tilemap> {
        self.app.world_mut().resource_mut()
    }

    pub fn paint(&mut self, cells: impl IntoIterator<Item = (i32, i32)>, terrain: TerrainId) {
        let edits: Vec<_> = cells.into_iter().map(|cell| (cell.into(), terrain)).collect();
        self.map_mut().edit(edits).unwrap();
    }

    pub fn planner(&self) -> &Planner {
        self.app.world().resource()
    }

    pub fn stats(&self) -> PlannerStats {
        self.planner().stats().clone()
    }

    pub fn now(&self) -> u64 {
        self.planner().tick()
    }

    pub fn spawn(&mut self, bundle: impl Bundle) -> Entity {
        self.app.world_mut().spawn(bundle).id()
    }

    /// The middle of a cell.
    pub fn at(&self, cell: impl Into<Cell>) -> Transform {
        Transform::from_translation(self.map().cell_to_world(cell.into()).extend(0.0))
    }

    pub fn unit(&mut self, cell: impl Into<Cell>, speed: f32) -> Entity {
        let at = self.at(cell);
        self.spawn((at, Mover::new(speed)))
    }

    pub fn order(&mut self, unit: Entity, request: PathRequest) {
        self.app.world_mut().entity_mut(unit).insert(request);
    }

    pub fn go(&mut self, unit: Entity, goal: impl Into<Cell>) {
        self.order(unit, PathRequest::to(goal.into()));
    }

    /// The game moves a unit to a cell.
    pub fn put(&mut self, unit: Entity, cell: impl Into<Cell>) {
        let at = self.at(cell);
        self.app.world_mut().entity_mut(unit).insert(at);
    }

    pub fn cancel(&mut self, unit: Entity) {
        self.app.world_mut().entity_mut(unit).remove::<PathRequest>();
    }

    pub fn despawn(&mut self, unit: Entity) {
        self.app.world_mut().entity_mut(unit).despawn();
    }

    pub fn is_alive(&self, unit: Entity) -> bool {
        self.app.world().get_entity(unit).is_ok()
    }

    pub fn get<C: Component>(&self, unit: Entity) -> Option<&C> {
        self.app.world().get::<C>(unit)
    }

    pub fn status(&self, unit: Entity) -> PathStatus {
        *self.get(unit).unwrap()
    }

    pub fn position(&self, unit: Entity) -> Vec2 {
        self.get::<Transform>(unit).unwrap().translation.truncate()
    }

    pub fn cell(&self, unit: Entity) -> Cell {
        self.map().world_to_cell(self.position(unit)).unwrap()
    }

    pub fn way(&self, unit: Entity) -> Option<Vec<Cell>> {
        self.get::<FollowPath>(unit).map(|way| way.path.cells().to_vec())
    }

    /// All that was said so far.
    pub fn log(&self) -> &[Said] {
        &self.app.world().resource::<Log>().0
    }

    /// What was said of a unit's orders so far.
    pub fn told(&self, unit: Entity) -> Vec<(Kind, u32)> {
        self.log().iter().filter(|said| said.entity == unit).map(|said| (said.kind, said.order)).collect()
    }

    /// How often something was said of anybody.
    pub fn count(&self, kind: Kind) -> usize {
        self.log().iter().filter(|said| said.kind == kind).count()
    }

    /// The latest thing said of a unit.
    pub fn last(&self, unit: Entity) -> Said {
        *self.log().iter().rfind(|said| said.entity == unit).unwrap()
    }

    /// Runs one tick, and checks what must hold after any tick.
    pub fn tick(&mut self) {
        let before = self.movers();
        let now = self.now();
        self.app.update();
        assert_eq!(self.now(), now + 1, "an update is a tick");
        for (entity, class, cell, status) in self.movers() {
            let Some(is) = cell else { continue };
            let ground = self.map();
            assert!(
                ground.grid(class).is_none()
                    || is_free(ground, class, is)
                    || status == PathStatus::Trapped
                    || self.get::<Obstacle>(entity).is_some(),
                "{entity} is in the wall {is} as {status:?}"
            );
            let Some(&(.., Some(from), _)) = before.iter().find(|other| other.0 == entity) else { continue };
            if is != from && is_free(ground, class, from) {
                assert!(is_free(ground, class, is), "{entity} walked from {from} into the wall {is}");
                // A fast one may go around a corner within a tick.
                let is_fast = self.get::<Mover>(entity).unwrap().speed > 0.2 * TICKS_PER_SECOND as f32;
                let corners = [Cell::new(from.x, is.y), Cell::new(is.x, from.y)];
                let around = is_fast && corners.into_iter().any(|corner| is_free(ground, class, corner));
                let is_near = from.chebyshev(is) == 1;
                assert!(!is_near || around || is_legal(ground, class, from, is), "{entity} walked from {from} to {is}");
            }
        }
        self.check_new_ways();
    }

    pub fn ticks(&mut self, ticks: u64) {
        for _ in 0..ticks {
            self.tick();
        }
    }

    /// Ticks until something holds; returns how many ticks that took.
    pub fn until(&mut self, limit: u64, holds: impl Fn(&Self) -> bool) -> u64 {
        for ticks in 0..limit {
            if holds(self) {
                return ticks;
            }
            self.tick();
        }
        assert!(holds(self), "not after {limit} ticks; the last words were {:?}", self.log().last());
        limit
    }

    pub fn until_told(&mut self, unit: Entity, kind: Kind, limit: u64) -> u64 {
        self.until(limit, |game| game.told(unit).iter().any(|&(said, _)| said == kind))
    }

    fn movers(&mut self) -> Vec<(Entity, ClassId, Option<Cell>, PathStatus)> {
        let world = self.app.world_mut();
        let mut movers = world.query::<(Entity, &Mover, &PathStatus, &Transform, Option<&PathRequest>)>();
        let Some(ground) = world.get_resource::<Tilemap>() else { return Vec::new() };
        let seen = movers.iter(world).map(|(entity, mover, status, at, request)| {
            let class = request.and_then(|request| request.class).unwrap_or(mover.class);
            (entity, class, ground.world_to_unit(class, at.translation.truncate()), *status)
        });
        seen.collect()
    }

    /// A way is legal on the map of the tick in which it is handed over.
    fn check_new_ways(&self) {
        let now = self.now();
        let is_new = |said: &&Said| said.tick == now && matches!(said.kind, Kind::Ready | Kind::Partial);
        for said in self.log().iter().rev().take_while(|said| said.tick == now).filter(is_new) {
            let (Some(way), Some(request)) =
                (self.get::<FollowPath>(said.entity), self.get::<PathRequest>(said.entity))
            else {
                continue;
            };
            let rest = &way.path.cells()[way.next.saturating_sub(1)..];
            for pair in rest.windows(2) {
                let links = self.map().terrain().links();
                let is_link = links.iter().any(|link| link.is_open && [link.from, link.to] == *pair);
                let own = self.get::<Mover>(said.entity).map(|mover| mover.class);
                let class = request.class.or(own).unwrap_or_default();
                let is_step = is_legal(self.map(), class, pair[0], pair[1]);
                assert!(is_step || is_link, "{said:?} steps {pair:?} of {way:?}");
            }
        }
    }
}

/// Whether the terrain lets a unit of a class stand with its top left on a cell; asks no cost grid.
pub fn is_free(map: &Tilemap, class: ClassId, anchor: Cell) -> bool {
    let side = 0..map.unit_size(class) as i32;
    let class = &map.classes()[class.0];
    side.clone().all(|y| {
        side.clone().all(|x| {
            let terrain = map.terrain().terrain(Cell::new(anchor.x + x, anchor.y + y));
            terrain.is_some_and(|terrain| class.cost(terrain).is_some())
        })
    })
}

/// Whether a class may step from a cell to another; asks no cost grid.
fn is_legal(map: &Tilemap, class: ClassId, from: Cell, to: Cell) -> bool {
    let free = |x, y| is_free(map, class, Cell::new(x, y));
    let is_diagonal = from.x != to.x && from.y != to.y;
    let sides = (free(from.x, to.y), free(to.x, from.y));
    let allowed = match map.classes()[class.0].corner_rule() {
        CornerRule::Never => false,
        CornerRule::Always => true,
        CornerRule::AtLeastOneFree => sides.0 || sides.1,
        CornerRule::BothFree => sides.0 && sides.1,
    };
    from.chebyshev(to) == 1 && free(to.x, to.y) && (!is_diagonal || allowed)
}

/// A class that pays n for terrain number n, from 1 to 9 and 255.
pub fn foot(rule: CornerRule) -> MovementClass {
    let class = MovementClass::new("foot").with_corner_rule(rule);
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 255]
        .into_iter()
        .fold(class, |class, cost| class.with_cost(TerrainId(cost), cost.into()).unwrap())
}

/// A map drawn in characters: `#` is a wall, a digit its own cost, all else costs 1.
pub fn terrain(rows: &[&str]) -> TerrainMap {
    let marks = rows.iter().flat_map(|row| row.bytes()).map(|mark| match mark {
        b'#' => WALL,
        b'1'..=b'9' => TerrainId(mark - b'0'),
        _ => PLAIN,
    });
    TerrainMap::from_grid(Grid::from_rows(rows[0].len(), marks.collect()).unwrap())
}

pub fn plain(width: u64, height: u64) -> TerrainMap {
    filled(width, height, PLAIN)
}

pub fn filled(width: u64, height: u64, terrain: TerrainId) -> TerrainMap {
    TerrainMap::new(wayfield::GridSize::new(width, height).unwrap(), terrain)
}

/// A map of walls, here and there, and dearer ground.
pub fn scattered(dice: &mut Dice, width: usize, height: usize) -> TerrainMap {
    let marks = (0..width * height).map(|_| match dice.below(10) {
        0..=1 => WALL,
        2 => TerrainId(2 + dice.below(4) as u8),
        _ => PLAIN,
    });
    TerrainMap::from_grid(Grid::from_rows(width, marks.collect()).unwrap())
}

/// Numbers that are the same in every run.
#[derive(Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to `sides` - 1.
    pub fn below(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % sides
    }

    pub fn cell(&mut self, map: &Tilemap) -> Cell {
        let size = map.size();
        Cell::new(self.below(size.width()) as i32, self.below(size.height()) as i32)
    }

    pub fn free_cell(&mut self, map: &Tilemap) -> Cell {
        loop {
            let cell = self.cell(map);
            if is_free(map, FOOT, cell) {
                return cell;
            }
        }
    }
}
