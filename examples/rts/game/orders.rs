//! What the player's units were told, one thing after the other, and how they go about it.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_wayfield::wayfield::{Cell, CostGrid, assign_slots, end_slots};
use bevy_wayfield::{FollowField, Gather, Occupant, PathRequest, PathStatus, SimId, Tilemap};

use super::life::{Raid, SharedFields, work};
use super::terrain::{CELL_SIZE, FOOT};
use super::units::UnitKind;

/// How near a raider comes before a soldier with a free hand goes after it, in cells.
const SIGHT: f32 = 7.0;
/// How far it is chased, in cells.
const LEASH: f32 = 14.0;
/// From here on a unit that follows another one catches up, in cells.
const BESIDE: f32 = 2.5;

/// One thing that a unit is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    Move(Cell),
    /// Goes there, and after raiders on the way.
    AttackMove(Cell),
    /// Goes after a raider until that is driven away.
    Chase(Entity),
    /// Keeps beside another unit.
    Follow(Entity),
    /// Digs ore, at a node if one is named; workers only.
    Gather(Option<Cell>),
    /// Goes between two cells, and after raiders on the way.
    Patrol {
        to: Cell,
        back: Cell,
    },
    /// Keeps away from raiders.
    Flee,
    /// Stands, whoever comes near.
    Hold,
}

impl Order {
    /// The cell that it leads to, if it is one.
    pub fn cell(self) -> Option<Cell> {
        match self {
            Self::Move(cell) | Self::AttackMove(cell) | Self::Patrol { to: cell, .. } => Some(cell),
            Self::Gather(cell) => cell,
            Self::Chase(_) | Self::Follow(_) | Self::Flee | Self::Hold => None,
        }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Move(_) => "move",
            Self::AttackMove(_) => "attack-move",
            Self::Chase(_) => "chase",
            Self::Follow(_) => "follow",
            Self::Gather(_) => "gather",
            Self::Patrol { .. } => "patrol",
            Self::Flee => "flee",
            Self::Hold => "hold",
        }
    }
}

/// The orders of a unit, the present one first.
#[derive(Component, Debug, Default, PartialEq)]
pub struct Orders {
    list: VecDeque<Order>,
    /// Whether the first one was begun.
    begun: bool,
    /// The raider that the unit went after on its own account.
    quarry: Option<Entity>,
    /// Whether what it did last is to be given up.
    dropped: bool,
}

impl Orders {
    /// The longest list; more is a slip of the hand.
    const MOST: usize = 64;

    /// Another order: after the others, or in their place.
    pub fn give(&mut self, order: Order, queued: bool) {
        if !queued {
            self.stop();
        }
        if self.list.len() < Self::MOST {
            self.list.push_back(order);
        }
    }

    /// No orders any more.
    pub fn stop(&mut self) {
        *self = Self { dropped: true, ..Self::default() };
    }

    /// The present one first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Order> {
        self.list.iter().copied()
    }

    fn finish(&mut self) {
        self.list.pop_front();
        self.begun = false;
        self.quarry = None;
    }
}

/// Tells units, which stand in these cells, to go to a cell; each gets an end of its own around it.
pub fn to_cell<'a>(
    grid: &CostGrid,
    units: impl Iterator<Item = (Cell, Mut<'a, Orders>)>,
    goal: Cell,
    queued: bool,
    order: impl Fn(Cell) -> Order,
) {
    let (cells, units): (Vec<_>, Vec<_>) = units.unzip();
    let slots = end_slots(grid, goal, units.len());
    // A goal that nobody can stand on is the order's own affair.
    let slots = assign_slots(&cells, if slots.is_empty() { std::slice::from_ref(&goal) } else { &slots });
    for (mut unit, slot) in units.into_iter().zip(slots) {
        unit.give(order(slot), queued);
    }
}

type Commanded = (
    Entity,
    &'static SimId,
    &'static UnitKind,
    &'static mut Orders,
    &'static Transform,
    &'static PathStatus,
    Has<PathRequest>,
    &'static mut Occupant,
);

/// Units begin their first order, and the next one when it is done.
pub fn obey(
    mut commands: Commands,
    mut units: Query<Commanded>,
    raiders: Query<(Entity, &SimId, &Raid, &Transform)>,
    others: Query<&Transform, With<UnitKind>>,
    fields: Res<SharedFields>,
    tilemap: Res<Tilemap>,
) {
    let mut threats: Vec<_> = raiders
        .iter()
        .filter(|(_, _, raid, _)| matches!(raid, Raid::Chasing))
        .map(|(entity, id, _, at)| (*id, entity, at.translation.truncate()))
        .collect();
    threats.sort_unstable_by_key(|&(id, ..)| id);
    let place_of = |entity: Entity| threats.iter().find(|threat| threat.1 == entity).map(|threat| threat.2);

    let mut units: Vec<_> = units.iter_mut().collect();
    units.sort_unstable_by_key(|(_, id, ..)| **id);
    for (entity, _, kind, mut orders, at, status, has_request, mut occupant) in units {
        let at = at.translation.truncate();
        let mut unit = commands.entity(entity);
        let request = |cell| PathRequest::to(cell).class(FOOT).nearest().allow_partial();
        if std::mem::take(&mut orders.bypass_change_detection().dropped) {
            unit.try_remove::<(PathRequest, FollowField, Gather)>();
        }
        let (is_fighter, is_worker) = (*kind == UnitKind::Soldier, *kind == UnitKind::Worker);
        // Who is to hold its place makes way for nobody.
        let is_firm = matches!(orders.list.front(), Some(Order::Hold));
        if occupant.is_firm != is_firm {
            occupant.is_firm = is_firm;
        }
        let is_at_ease =
            !matches!(orders.list.front(), Some(Order::Move(_) | Order::Follow(_) | Order::Flee | Order::Hold));

        // What is in sight comes first, as far as the leash is long.
        if let Some(quarry) = orders.quarry {
            let is_near = place_of(quarry).is_some_and(|there| there.distance(at) < LEASH * CELL_SIZE);
            if is_near && has_request {
                continue;
            }
            if !is_near {
                orders.quarry = None;
                orders.begun = false;
                unit.try_remove::<PathRequest>();
                continue;
            }
        }
        if is_fighter && is_at_ease && !matches!(orders.list.front(), Some(Order::Chase(_))) {
            let near = threats.iter().map(|&(_, threat, there)| (threat, there.distance(at)));
            let near = near.filter(|&(_, distance)| distance < SIGHT * CELL_SIZE);
            if let Some((threat, _)) = near.min_by(|a, b| a.1.total_cmp(&b.1)) {
                if orders.list.is_empty() {
                    // Then back to its post.
                    let Some(post) = tilemap.world_to_cell(at) else { continue };
                    orders.list.push_back(Order::AttackMove(post));
                }
                orders.quarry = Some(threat);
                unit.try_insert(PathRequest::to(threat).class(FOOT).nearest());
                continue;
            }
        }

        let Some(&order) = orders.list.front() else { continue };
        if !orders.begun {
            orders.begun = true;
            unit.try_remove::<(FollowField, Gather)>();
            match order {
                Order::Move(cell) | Order::AttackMove(cell) | Order::Patrol { to: cell, .. } => {
                    unit.try_insert(request(cell));
                }
                Order::Chase(target) | Order::Follow(target) => {
                    unit.try_insert(PathRequest::to(target).class(FOOT).nearest());
                }
                Order::Flee => {
                    unit.try_remove::<PathRequest>().try_insert(FollowField::new(fields.flee));
                }
                Order::Hold => {
                    unit.try_remove::<PathRequest>();
                }
                Order::Gather(node) => {
                    unit.try_remove::<PathRequest>();
                    if is_worker {
                        unit.try_insert(work(&fields));
                        if let Some(node) = node {
                            unit.try_insert(request(node));
                        }
                    }
                }
            }
            continue;
        }
        let is_over = !has_request;
        let gave_up = matches!(status, PathStatus::Failed(_));
        match order {
            // One that cannot be reached is skipped if another one follows.
            Order::Move(_) | Order::AttackMove(_) if is_over || gave_up && orders.list.len() > 1 => orders.finish(),
            Order::Patrol { to, back } if is_over || gave_up => {
                // Queued orders end a patrol.
                let goes_on = orders.list.len() == 1;
                orders.finish();
                if goes_on {
                    orders.list.push_back(Order::Patrol { to: back, back: to });
                }
            }
            Order::Chase(target) if place_of(target).is_none() => {
                unit.try_remove::<PathRequest>();
                orders.finish();
            }
            Order::Chase(_) if is_over => orders.begun = false,
            Order::Follow(target) => match others.get(target) {
                Ok(there) if is_over => {
                    orders.begun = there.translation.truncate().distance(at) < BESIDE * CELL_SIZE;
                }
                Ok(_) => {}
                Err(_) => orders.finish(),
            },
            // Work, once begun, goes on by itself; queued orders wait for nothing else.
            Order::Gather(_) if orders.list.len() > 1 || !is_worker => {
                orders.finish();
            }
            Order::Flee | Order::Hold if orders.list.len() > 1 => orders.finish(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queued_orders_follow_and_plain_ones_replace() {
        let cell = |x| Cell::new(x, 0);
        let mut orders = Orders::default();
        for x in 1..=3 {
            orders.give(Order::Move(cell(x)), x > 1);
        }
        orders.give(Order::AttackMove(cell(4)), true);
        let cells: Vec<_> = orders.iter().map(|order| order.cell().unwrap().x).collect();
        assert_eq!(cells, [1, 2, 3, 4]);
        orders.give(Order::Move(cell(9)), false);
        assert_eq!(orders.iter().collect::<Vec<_>>(), [Order::Move(cell(9))]);
        assert!(!orders.begun, "it begins anew");
        for _ in 0..200 {
            orders.give(Order::Hold, true);
        }
        assert_eq!(orders.iter().len(), Orders::MOST);
        orders.stop();
        assert_eq!(orders.iter().len(), 0);
    }
}
