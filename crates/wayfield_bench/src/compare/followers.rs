//! What 100,000 units ask every tick.

use std::hint::black_box;

use wayfield::{Cell, DijkstraMap, FlowField};
use wayfield_bench::ground::{self, Dice};

use super::{Effort, Findings};
use crate::report::{Bound, Line};
use crate::rounds::{Contestant, take_turns};

const UNITS: usize = 100_000;
/// How many of them stand together.
const ARMY: usize = 1_000;
/// The side of a cell in the world.
const CELL: f32 = 16.0;
const READ: &str = "read";

/// Times values and directions by position, of armies all over the map whose units come in no order.
pub fn compare(effort: Effort, findings: &mut Findings) {
    let [_, side] = effort.sides;
    let [_, rooms, _] = ground::uniform(side, 1);
    let field = match DijkstraMap::toward(&rooms.grid, [rooms.queries[0].1]) {
        Ok(field) => field,
        Err(error) => panic!("{error}"),
    };
    let flow = FlowField::new(&field, &rooms.grid);
    let place = |coordinate: i32| (coordinate as f32 + 0.5) * CELL;
    let mut dice = Dice(9);
    let mut army = || {
        let middle = Cell::new(dice.roll(side) as i32, dice.roll(side) as i32);
        let mut around = |middle: i32| (middle + dice.roll(40) as i32 - 20).clamp(0, side as i32 - 1);
        (0..ARMY).map(|_| Cell::new(around(middle.x), around(middle.y))).collect::<Vec<_>>()
    };
    let units: Vec<_> = (0..UNITS / ARMY).flat_map(|_| army()).collect();
    let positions: Vec<_> = units.iter().map(|unit| (place(unit.x), place(unit.y))).collect();
    let cell = |&(x, y): &(f32, f32)| Cell::new(whole_below(x * CELL.recip()), whole_below(y * CELL.recip()));
    for (position, &unit) in positions.iter().zip(&units) {
        assert_eq!(cell(position), unit);
        assert_eq!(flow.next_step(cell(position)), field.next_step(&rooms.grid, cell(position)));
    }
    let read = Contestant::new(READ, || {
        let answers = positions.iter().map(cell).map(|cell| (field.value(cell), flow.direction(cell)));
        black_box(answers.filter(|(value, direction)| value.is_some() && direction.is_some()).count());
    });
    let times = take_turns(effort.rounds, vec![read]);
    let milliseconds = times.of(READ).iter().map(|time| time * 1e3).collect();
    let what = format!("value and direction for {UNITS} positions on a field of {side} x {side}");
    findings.lines.push(Line::new(what, "ms", milliseconds, Bound::AtMost(0.5)));
}

/// The whole number at or below another one, as the plugin has it: `floor` is a call where the processor may be any.
fn whole_below(number: f32) -> i32 {
    let whole = number as i32;
    whole - i32::from(whole as f32 > number)
}
