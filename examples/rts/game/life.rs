//! What units do by themselves: raid, flee, gather. None of it searches: they follow shared fields and give orders.

use bevy::prelude::*;
use bevy_wayfield::wayfield::{Cell, CellRect, FleeScale};
use bevy_wayfield::{
    Deposited, DijkstraMaps, Field, FieldId, FollowField, Gather, GatherStage, Gathered, PathRequest, PathStatus,
    SimId, Tilemap,
};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::maps::Places;
use super::orders::Orders;
use super::terrain::{CELL_SIZE, FOOT, RAIDER};
use super::units::{Dice, PREY, RAIDERS, Town, UnitKind, place};

/// How long a worker digs at an ore node, and unloads at the depot, in ticks.
pub const DIGGING: u32 = 20;
pub const UNLOADING: u32 = 10;
/// How many loads a node holds.
const LOADS: u32 = 12;
/// How many nodes there are at a time: one worker digs at each.
pub const NODES: usize = 40;
/// How far from the village ore turns up, in king's steps.
const ORE_DISTANCE: u32 = 26;
/// How long a raider rests in the camp, in ticks.
const REST: u32 = 900;
/// Civilians flee from raiders within this way, in terrain units, and calm down beyond the other one.
const FEAR: f64 = 22.0;
const CALM: f64 = 34.0;
/// How near a raider comes to rob someone, and a soldier to drive a raider away.
const REACH: f32 = 1.2 * CELL_SIZE;

/// The fields that everybody shares.
#[derive(Resource)]
pub struct SharedFields {
    /// Toward the nearest prey, for raiders.
    pub chase: FieldId,
    /// Toward the camp, for raiders who have had enough.
    pub camp: FieldId,
    /// Away from raiders.
    pub flee: FieldId,
    /// How far the nearest raider is.
    pub danger: FieldId,
    /// Toward the nearest ore.
    pub ore: FieldId,
    /// Toward the depot.
    pub depot: FieldId,
}

/// What has happened so far.
#[derive(Resource, Default)]
pub struct Chronicle {
    pub brought_home: u64,
    pub robberies: u64,
    pub driven_away: u64,
    /// Where something that a player would want to see has happened last.
    pub last_event: Option<Cell>,
}

/// A place where ore lies.
#[derive(Component)]
pub struct OreNode {
    pub cell: Cell,
    pub loads: u32,
}

/// What a raider is up to.
#[derive(Component, Default)]
pub enum Raid {
    #[default]
    Chasing,
    GoingHome,
    /// For so many more ticks.
    Resting(u32),
}

impl Raid {
    /// In words.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Chasing => "chases prey",
            Self::GoingHome => "goes home",
            Self::Resting(_) => "rests",
        }
    }
}

/// A civilian that runs from raiders.
#[derive(Component)]
pub struct Fleeing;

/// Defines the fields of a scene; units begin what their kind does by itself.
pub fn settle(
    mut commands: Commands,
    units: Query<(Entity, &UnitKind)>,
    mut maps: ResMut<DijkstraMaps>,
    town: Res<Town>,
) {
    let fields = SharedFields {
        chase: maps.define("chase", Field::seek(RAIDER).group(PREY).every(6)),
        camp: maps.define("camp", Field::seek(RAIDER).cells([town.0.camp])),
        flee: maps.define("flee", Field::flee(FOOT, RAIDER, FleeScale::default()).group(RAIDERS).every(6)),
        danger: maps.define("danger", Field::seek(FOOT).group(RAIDERS).every(6)),
        ore: maps.define("ore", Field::seek(FOOT).every(3)),
        // The yard around it, so that many unload at a time.
        depot: maps.define("depot", Field::seek(FOOT).cells(CellRect::around(town.0.village, 1).cells())),
    };
    for (entity, &kind) in &units {
        begin_life(&mut commands.entity(entity), kind, &fields);
    }
    commands.insert_resource(fields);
}

/// Lets a unit begin what its kind does by itself.
pub fn begin_life(unit: &mut EntityCommands, kind: UnitKind, fields: &SharedFields) {
    match kind {
        UnitKind::Raider => unit.insert((Raid::default(), FollowField::new(fields.chase))),
        UnitKind::Worker => unit.insert(work(fields)),
        UnitKind::Soldier | UnitKind::Civilian => unit,
    };
}

/// What a worker does all day.
pub fn work(fields: &SharedFields) -> Gather {
    Gather::new(fields.ore, fields.depot).digging(DIGGING).unloading(UNLOADING)
}

/// In words.
pub fn name_of_work(stage: GatherStage) -> &'static str {
    match stage {
        GatherStage::Seeking => "looks for ore",
        GatherStage::Going(_) => "goes to the ore",
        GatherStage::Digging(..) => "digs",
        GatherStage::Carrying => "carries ore home",
        GatherStage::Unloading(_) => "unloads",
    }
}

/// A fresh node somewhere about the village.
pub fn new_node(places: &Places, rng: &mut ChaCha8Rng) -> OreNode {
    OreNode { cell: places.random_near(places.village, ORE_DISTANCE, rng), loads: LOADS }
}

/// Tells the ore field where ore is; a node that is used up turns up elsewhere.
pub fn tend_ore(
    mut nodes: Query<&mut OreNode>,
    mut maps: ResMut<DijkstraMaps>,
    fields: Res<SharedFields>,
    town: Res<Town>,
    mut dice: ResMut<Dice>,
) {
    let mut cells = Vec::new();
    for mut node in &mut nodes {
        if node.loads == 0 {
            *node = new_node(&town.0, &mut dice.0);
        }
        cells.push(node.cell);
    }
    maps.set_cells(fields.ore, cells);
}

/// A load less lies where a worker has dug.
pub fn take_load(gathered: On<Gathered>, mut nodes: Query<&mut OreNode>) {
    let mut nodes = nodes.iter_mut().filter(|node| node.cell == gathered.cell && node.loads > 0);
    if let Some(mut node) = nodes.next() {
        node.loads -= 1;
    }
}

/// A load more is at home.
pub fn store_load(_: On<Deposited>, mut chronicle: ResMut<Chronicle>) {
    chronicle.brought_home += 1;
}

pub fn raid(
    mut commands: Commands,
    mut raiders: Query<(Entity, &SimId, &mut Raid, &Transform)>,
    mut others: Query<
        (Entity, &SimId, &UnitKind, &mut Transform, Option<&mut Gather>, Option<&mut Orders>),
        Without<Raid>,
    >,
    tilemap: Res<Tilemap>,
    town: Res<Town>,
    fields: Res<SharedFields>,
    mut chronicle: ResMut<Chronicle>,
) {
    let mut raiders: Vec<_> = raiders.iter_mut().collect();
    raiders.sort_unstable_by_key(|(_, id, ..)| **id);
    for (entity, _, mut raid, at) in raiders {
        let at = at.translation.truncate();
        let in_reach = |transform: &Transform| transform.translation.truncate().distance(at) < REACH;
        let go = |field| FollowField::new(field);
        match &mut *raid {
            Raid::Resting(0) => {
                *raid = Raid::Chasing;
                commands.entity(entity).insert(go(fields.chase));
            }
            Raid::Resting(left) => *left -= 1,
            Raid::GoingHome => {
                let home = tilemap.cell_to_world(town.0.camp);
                if at.distance(home) < 4.0 * CELL_SIZE {
                    *raid = Raid::Resting(REST);
                    commands.entity(entity).remove::<FollowField>();
                }
            }
            Raid::Chasing => {
                let is_soldier_near =
                    others.iter().any(|(_, _, kind, transform, ..)| *kind == UnitKind::Soldier && in_reach(transform));
                let victim = others
                    .iter()
                    .filter(|(_, _, kind, transform, ..)| **kind != UnitKind::Soldier && in_reach(transform))
                    .min_by_key(|(_, id, ..)| **id)
                    .map(|(entity, ..)| entity);
                if is_soldier_near {
                    chronicle.driven_away += 1;
                    chronicle.last_event = tilemap.world_to_cell(at);
                } else if let Some((victim, _, _, mut transform, work, orders)) =
                    victim.and_then(|victim| others.get_mut(victim).ok())
                {
                    chronicle.robberies += 1;
                    chronicle.last_event = tilemap.world_to_cell(at);
                    if let Some(mut orders) = orders {
                        *orders = Orders::default();
                    }
                    // Robbed and frightened, it is back in the village.
                    place(&tilemap, &mut transform, town.0.village);
                    commands.entity(victim).remove::<PathRequest>();
                    if let Some(mut work) = work {
                        work.start_over();
                    }
                } else {
                    continue;
                }
                *raid = Raid::GoingHome;
                commands.entity(entity).insert(go(fields.camp));
            }
        }
    }
}

pub fn stroll_and_flee(
    mut commands: Commands,
    civilians: Query<(Entity, &SimId, &UnitKind, &Transform, &PathStatus, Has<Fleeing>)>,
    maps: Res<DijkstraMaps>,
    fields: Res<SharedFields>,
    tilemap: Res<Tilemap>,
    town: Res<Town>,
    mut dice: ResMut<Dice>,
) {
    let mut civilians: Vec<_> = civilians.iter().filter(|(_, _, kind, ..)| **kind == UnitKind::Civilian).collect();
    civilians.sort_unstable_by_key(|(_, id, ..)| **id);
    for (entity, _, _, at, status, fleeing) in civilians {
        let Some(here) = tilemap.world_to_cell(at.translation.truncate()) else { continue };
        let danger = maps.value_at(fields.danger, here).unwrap_or(f64::INFINITY);
        let mut civilian = commands.entity(entity);
        if fleeing && danger > CALM {
            civilian.remove::<(Fleeing, FollowField)>();
        } else if !fleeing && danger < FEAR {
            civilian.remove::<PathRequest>().insert((Fleeing, FollowField::new(fields.flee)));
        } else if !fleeing && matches!(status, PathStatus::Idle | PathStatus::Arrived | PathStatus::Failed(_)) {
            // A stroll now and then.
            if dice.0.random_bool(0.02) {
                civilian.insert(PathRequest::to(town.0.random_near(town.0.village, 14, &mut dice.0)).class(FOOT));
            }
        }
    }
}
