//! Which units the player has in hand.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_wayfield_egui::{MapPointer, TerrainBrush};

use super::Targeting;
use super::keys::{Action, Actions};
use super::lens::{Lens, LensOptions};
use crate::game::terrain::CELL_SIZE;
use crate::game::units::UnitKind;

/// How far the mouse is drawn before a click becomes a box, in pixels.
pub const DRAG: f32 = 5.0;
/// How near to a unit a click selects it, in world units.
const CLICK: f32 = 0.7 * CELL_SIZE;
/// Two clicks, or two strokes of a key, within so many seconds are a double one.
const DOUBLE: f32 = 0.35;

/// The selected units, and the one that was looked at last.
#[derive(Resource, Default, Debug, PartialEq)]
pub struct Selection {
    units: Vec<Entity>,
    /// Any unit, also one of somebody else's.
    pub inspected: Option<Entity>,
}

impl Selection {
    pub fn units(&self) -> &[Entity] {
        &self.units
    }

    pub fn contains(&self, unit: Entity) -> bool {
        self.units.contains(&unit)
    }

    /// In place of those before, or with them. A single one that is selected already is let go instead.
    pub fn pick(&mut self, picked: Vec<Entity>, adds: bool) {
        if !adds {
            self.units.clear();
        }
        if let (true, [one]) = (adds, picked.as_slice())
            && let Some(at) = self.units.iter().position(|unit| unit == one)
        {
            self.units.remove(at);
            return;
        }
        for unit in picked {
            if !self.units.contains(&unit) {
                self.units.push(unit);
            }
        }
    }

    pub fn clear(&mut self) {
        self.units.clear();
    }

    /// The middle of the selected units.
    pub fn middle(&self, units: &Query<&Transform, With<UnitKind>>) -> Option<Vec2> {
        let places: Vec<_> = units.iter_many(&self.units).map(|at| at.translation.truncate()).collect();
        (!places.is_empty()).then(|| places.iter().sum::<Vec2>() / places.len() as f32)
    }
}

/// The groups on the digits.
#[derive(Resource, Default)]
pub struct Groups {
    groups: [Vec<Entity>; 10],
    /// Which was called last, and when.
    called: Option<(u8, f32)>,
}

/// The clicks that select.
#[derive(Resource, Default)]
pub struct Clicks {
    /// The one before this one: when and where on the window.
    last: Option<(f32, Vec2)>,
    /// Whether the button that is down went down to select.
    selects: bool,
}

/// Lets go of units that are no more.
pub fn prune(mut selection: ResMut<Selection>, mut groups: ResMut<Groups>, units: Query<(), With<UnitKind>>) {
    let is_gone = |unit: &Entity| !units.contains(*unit);
    if selection.units.iter().any(is_gone) || selection.inspected.as_ref().is_some_and(is_gone) {
        selection.units.retain(|unit| !is_gone(unit));
        selection.inspected = selection.inspected.filter(|unit| !is_gone(unit));
    }
    for group in &mut groups.groups {
        group.retain(|unit| !is_gone(unit));
    }
}

pub fn keys(
    actions: Res<Actions>,
    mut selection: ResMut<Selection>,
    mut groups: ResMut<Groups>,
    mut targeting: ResMut<Targeting>,
    mut brush: ResMut<TerrainBrush>,
    mut hand: ResMut<super::brush::Hand>,
    mut lens: ResMut<Lens>,
    options: Res<LensOptions>,
    units: Query<(Entity, &UnitKind)>,
    places: Query<&Transform, With<UnitKind>>,
    time: Res<Time<Real>>,
) {
    let now = time.elapsed_secs();
    for action in actions.iter() {
        match action {
            Action::SelectAll => {
                let soldiers = units.iter().filter(|(_, kind)| **kind == UnitKind::Soldier).map(|(entity, _)| entity);
                selection.pick(soldiers.collect(), false);
            }
            Action::Cancel => {
                // One thing at a time: first what the mouse is about to do.
                if *targeting != Targeting::Nothing {
                    *targeting = Targeting::Nothing;
                } else if brush.terrain.take().is_none() && hand.spawns.take().is_none() {
                    selection.clear();
                    selection.inspected = None;
                }
            }
            Action::SetGroup(digit) => groups.groups[usize::from(digit)] = selection.units.clone(),
            Action::AddGroup(digit) => {
                let group = &mut groups.groups[usize::from(digit)];
                group.extend(selection.units.iter().filter(|unit| !group.contains(unit)).copied().collect::<Vec<_>>());
            }
            Action::Group(digit) => {
                let group = groups.groups[usize::from(digit)].clone();
                if group.is_empty() {
                    continue;
                }
                selection.pick(group, false);
                let is_twice = groups.called.is_some_and(|(last, when)| last == digit && now - when < DOUBLE);
                groups.called = Some((digit, now));
                if let Some(middle) = selection.middle(&places).filter(|_| is_twice) {
                    lens.look_at(middle, options.covered);
                }
            }
            _ => {}
        }
    }
}

/// The nearest of some units to a world position, if one is near enough for a click.
pub fn nearest(units: impl Iterator<Item = (Entity, Vec2)>, at: Vec2) -> Option<Entity> {
    let near = units.map(|(entity, place)| (entity, place.distance(at))).filter(|&(_, distance)| distance < CLICK);
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(entity, _)| entity)
}

/// Of the player's units in a box, the fighters; if there are none, the others.
fn in_box(units: impl Iterator<Item = (Entity, UnitKind, Vec2)>, area: Rect) -> Vec<Entity> {
    let inside: Vec<_> = units.filter(|(_, kind, at)| kind.is_own() && area.contains(*at)).collect();
    let has_fighters = inside.iter().any(|(_, kind, _)| *kind == UnitKind::Soldier);
    let wanted = inside.into_iter().filter(|(_, kind, _)| !has_fighters || *kind == UnitKind::Soldier);
    wanted.map(|(entity, ..)| entity).collect()
}

/// A click selects a unit, a box all fighters in it, a double click all of a kind on the screen.
pub fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    actions: Res<Actions>,
    pointer: Res<MapPointer>,
    brush: Res<TerrainBrush>,
    hand: Res<super::brush::Hand>,
    targeting: Res<Targeting>,
    window: Single<&Window, With<PrimaryWindow>>,
    lens: Res<Lens>,
    mut selection: ResMut<Selection>,
    mut clicks: ResMut<Clicks>,
    units: Query<(Entity, &UnitKind, &Transform)>,
    time: Res<Time<Real>>,
) {
    let is_free = brush.terrain.is_none() && hand.spawns.is_none() && *targeting == Targeting::Nothing;
    if buttons.just_pressed(MouseButton::Left) {
        // The press that said where an attack leads is none of ours, nor is its release, however much later that is.
        clicks.selects = is_free && !targeting.is_changed();
    }
    let is_free = is_free && clicks.selects;
    let Some(origin) = pointer.pressed_on_map(MouseButton::Left).filter(|_| is_free) else { return };
    if !buttons.just_released(MouseButton::Left) {
        return;
    }
    let end = window.cursor_position().unwrap_or(origin);
    let all = || units.iter().map(|(entity, kind, at)| (entity, *kind, at.translation.truncate()));
    if origin.distance(end) >= DRAG {
        clicks.last = None;
        let area = Rect::from_corners(lens.to_world(origin, window.size()), lens.to_world(end, window.size()));
        selection.pick(in_box(all(), area), actions.shift);
        return;
    }
    let now = time.elapsed_secs();
    let is_double = clicks.last.is_some_and(|(when, at)| now - when < DOUBLE && at.distance(end) < DRAG);
    clicks.last = Some((now, end));
    let at = lens.to_world(end, window.size());
    let hit = nearest(all().map(|(entity, _, place)| (entity, place)), at).and_then(|hit| units.get(hit).ok());
    selection.inspected = hit.map(|(entity, ..)| entity);
    let picked = match hit {
        Some((_, &kind, _)) if kind.is_own() && is_double => {
            let view = lens.view(window.size());
            all()
                .filter(|(_, other, place)| *other == kind && view.contains(*place))
                .map(|(entity, ..)| entity)
                .collect()
        }
        Some((entity, kind, _)) if kind.is_own() => vec![entity],
        // One of the others is looked at, and keeps nobody from their orders.
        Some(_) => return,
        None => Vec::new(),
    };
    // A double click has added its unit with the first click.
    if is_double && actions.shift {
        selection.units.retain(|unit| !picked.contains(unit));
    }
    selection.pick(picked, actions.shift);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entities(count: usize) -> Vec<Entity> {
        let mut world = World::new();
        (0..count).map(|_| world.spawn_empty().id()).collect()
    }

    #[test]
    fn shift_toggles_one_and_adds_many() {
        let units = entities(4);
        let mut selection = Selection::default();
        selection.pick(units[..3].to_vec(), false);
        selection.pick(vec![units[1]], true);
        assert_eq!(selection.units(), [units[0], units[2]]);
        selection.pick(vec![units[2], units[3]], true);
        assert_eq!(selection.units(), [units[0], units[2], units[3]]);
        selection.pick(Vec::new(), true);
        assert_eq!(selection.units().len(), 3, "a miss with Shift loses nothing");
        selection.pick(Vec::new(), false);
        assert!(selection.units().is_empty());
    }

    #[test]
    fn a_box_prefers_fighters_and_takes_nobody_elses() {
        let units = entities(4);
        let kinds = [UnitKind::Soldier, UnitKind::Worker, UnitKind::Raider, UnitKind::Worker];
        let place = |index: usize| Vec2::new(index as f32, 0.0);
        let all = || (0..4).map(|index| (units[index], kinds[index], place(index)));
        let area = |from: f32, to: f32| Rect::new(from, -1.0, to, 1.0);
        assert_eq!(in_box(all(), area(-0.5, 3.5)), [units[0]]);
        assert_eq!(in_box(all(), area(0.5, 3.5)), [units[1], units[3]]);
        assert!(in_box(all(), area(1.5, 2.5)).is_empty());
    }

    #[test]
    fn a_click_takes_the_nearest_in_reach() {
        let units = entities(2);
        let all = || units.iter().copied().zip([Vec2::ZERO, Vec2::new(20.0, 0.0)]);
        assert_eq!(nearest(all(), Vec2::new(12.0, 0.0)), Some(units[1]));
        assert_eq!(nearest(all(), Vec2::new(0.0, 60.0)), None);
    }
}
