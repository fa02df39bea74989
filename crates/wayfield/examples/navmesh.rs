//! A path over the polygons of a navmesh: searched on a `WeightedGraph`, pulled straight by a funnel.
//!
//! `cargo run -p wayfield --example navmesh -- [FROM_X FROM_Y TO_X TO_Y]`
//!
//! Polygons are nodes, an edge leads between two that share a side and costs the way between their middles. The sides that the path goes
//! through are a corridor; the shortest line through it bends only at their corners (the funnel algorithm: Chazelle 1982, Lee and Preparata 1984).

use std::error::Error;

use wayfield::NodeId;
use wayfield::graph::{GraphBuilder, GraphError, GraphQuery, WeightedGraph, find_path};

const COURTYARD: &str = include_str!("courtyard.mesh");

type Point = [f64; 2];

/// Polygons that share sides.
struct Mesh {
    corners: Vec<Point>,
    /// The corners of each polygon, counter-clockwise.
    polygons: Vec<Vec<usize>>,
}

impl Mesh {
    fn parse(text: &str) -> Result<Self, Box<dyn Error>> {
        let mut mesh = Self { corners: Vec::new(), polygons: Vec::new() };
        for (number, line) in (1..).zip(text.lines()) {
            let number: usize = number;
            let wrong = || format!("line {number}: neither \"v X Y\" nor \"p A B C ..\" of known corners");
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.split_first() {
                None => {}
                Some((&"#", _)) => {}
                Some((&"v", [x, y])) => mesh.corners.push([x.parse()?, y.parse()?]),
                Some((&"p", corners)) if corners.len() >= 3 => {
                    let polygon = corners.iter().map(|corner| corner.parse()).collect::<Result<Vec<usize>, _>>()?;
                    if polygon.iter().any(|&corner| corner >= mesh.corners.len()) {
                        return Err(wrong().into());
                    }
                    mesh.polygons.push(polygon);
                }
                Some(_) => return Err(wrong().into()),
            }
        }
        Ok(mesh)
    }

    /// The sides of a polygon, by the numbers of their corners.
    fn sides(&self, polygon: usize) -> impl Iterator<Item = (usize, usize)> {
        let corners = &self.polygons[polygon];
        let next = corners.iter().cycle().skip(1);
        corners.iter().copied().zip(next.copied())
    }

    fn middle(&self, polygon: usize) -> Point {
        let corners = &self.polygons[polygon];
        let sum = |axis: usize| corners.iter().map(|&corner| self.corners[corner][axis]).sum::<f64>();
        [sum(0) / corners.len() as f64, sum(1) / corners.len() as f64]
    }

    /// The polygon that a point lies in.
    fn polygon_at(&self, point: Point) -> Option<usize> {
        let is_inside = |&polygon: &usize| {
            self.sides(polygon).all(|(from, to)| turn(self.corners[from], self.corners[to], point) >= 0.0)
        };
        (0..self.polygons.len()).find(is_inside)
    }

    /// The side through which one leaves a polygon for another: its right and its left end.
    fn portal(&self, from: usize, to: usize) -> Option<(Point, Point)> {
        let (right, left) = self.sides(from).find(|&(one, other)| self.sides(to).any(|side| side == (other, one)))?;
        Some((self.corners[right], self.corners[left]))
    }

    fn graph(&self) -> Result<WeightedGraph, GraphError> {
        let count = self.polygons.len();
        let mut builder = GraphBuilder::new(count).positions((0..count).map(|polygon| self.middle(polygon)));
        for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))) {
            if self.portal(from, to).is_some() {
                builder.push(from as NodeId, to as NodeId, distance(self.middle(from), self.middle(to)));
            }
        }
        builder.build()
    }
}

/// More than 0 if the way from `one` by `other` to `third` turns left.
fn turn(one: Point, other: Point, third: Point) -> f64 {
    (other[0] - one[0]) * (third[1] - one[1]) - (other[1] - one[1]) * (third[0] - one[0])
}

fn distance(one: Point, other: Point) -> f64 {
    (one[0] - other[0]).hypot(one[1] - other[1])
}

fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

/// The shortest line from start to goal through portals, each a right and a left end.
///
/// From the latest bend two lines are kept, to the farthest right and left that are in sight; the portals narrow them. Where one crosses the
/// other the line bends there, and it goes on from the bend.
fn pull_straight(start: Point, goal: Point, portals: &[(Point, Point)]) -> Vec<Point> {
    let mut gates = portals.to_vec();
    gates.push((goal, goal));
    let mut line = vec![start];
    let (mut bend, mut right, mut left) = (start, (start, 0), (start, 0));
    let mut index = 0;
    while let Some(&(new_right, new_left)) = gates.get(index) {
        if turn(bend, right.0, new_right) >= 0.0 {
            if right.0 == bend || turn(bend, left.0, new_right) < 0.0 {
                right = (new_right, index);
            } else {
                // The right side has crossed the left one: bend round that.
                (bend, index) = (left.0, left.1 + 1);
                (right, left) = ((bend, index), (bend, index));
                line.push(bend);
                continue;
            }
        }
        if turn(bend, left.0, new_left) <= 0.0 {
            if left.0 == bend || turn(bend, right.0, new_left) > 0.0 {
                left = (new_left, index);
            } else {
                (bend, index) = (right.0, right.1 + 1);
                (right, left) = ((bend, index), (bend, index));
                line.push(bend);
                continue;
            }
        }
        index += 1;
    }
    if line.last() != Some(&goal) {
        line.push(goal);
    }
    line
}

fn main() -> Result<(), Box<dyn Error>> {
    let mesh = Mesh::parse(COURTYARD)?;
    let graph = mesh.graph()?;
    let numbers = std::env::args().skip(1).map(|word| word.parse()).collect::<Result<Vec<f64>, _>>()?;
    let (start, goal) = match numbers[..] {
        [] => ([-2.0, 6.0], [19.0, 10.0]),
        [x, y, to_x, to_y] => ([x, y], [to_x, to_y]),
        _ => return Err("four numbers: FROM_X FROM_Y TO_X TO_Y".into()),
    };
    let polygon = |point| mesh.polygon_at(point).ok_or_else(|| format!("{point:?} is outside the mesh"));
    let query = GraphQuery::new(polygon(start)? as NodeId, polygon(goal)? as NodeId);
    let answer = find_path(&graph, &query)?;
    let Some(path) = answer.outcome.path() else {
        println!("no way: {:?}", answer.outcome);
        return Ok(());
    };
    let corridor: Vec<usize> = path.nodes().iter().map(|&node| node as usize).collect();
    let portals: Vec<_> = corridor.windows(2).filter_map(|pair| mesh.portal(pair[0], pair[1])).collect();
    let line = pull_straight(start, goal, &portals);

    let inside = corridor.iter().skip(1).take(corridor.len().saturating_sub(2));
    let by_middles: Vec<_> =
        [start].into_iter().chain(inside.map(|&polygon| mesh.middle(polygon))).chain([goal]).collect();
    println!("polygons   {corridor:?}, {} expanded", answer.stats.expanded);
    println!("by middles {:.3}", length(&by_middles));
    println!("straight   {:.3} over {line:?}", length(&line));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(start: Point, goal: Point) -> Vec<Point> {
        let mesh = Mesh::parse(COURTYARD).expect("the mesh is right");
        let graph = mesh.graph().expect("the mesh is a graph");
        let node = |point| mesh.polygon_at(point).expect("inside") as NodeId;
        let answer = find_path(&graph, &GraphQuery::new(node(start), node(goal))).expect("both are nodes");
        let nodes = answer.outcome.path().expect("all is one courtyard").nodes().to_vec();
        let portal = |pair: &[NodeId]| mesh.portal(pair[0] as usize, pair[1] as usize);
        pull_straight(start, goal, &nodes.windows(2).filter_map(portal).collect::<Vec<_>>())
    }

    #[test]
    fn the_line_bends_round_the_pond_and_nowhere_else() {
        let around = line([-2.0, 6.0], [19.0, 10.0]);
        assert_eq!(around.first().zip(around.last()), Some((&[-2.0, 6.0], &[19.0, 10.0])));
        let pond = [[4.0, 8.0], [8.0, 8.0]];
        assert!(around[1..around.len() - 1].iter().all(|bend| pond.contains(bend) || bend[0] == 12.0), "{around:?}");
        assert_eq!(line([1.0, 1.0], [11.0, 1.0]), [[1.0, 1.0], [11.0, 1.0]], "straight ahead");
        assert_eq!(line([1.0, 1.0], [2.0, 3.0]), [[1.0, 1.0], [2.0, 3.0]], "in one polygon");
        assert_eq!(line([6.0, 3.0], [3.0, 6.0]), [[6.0, 3.0], [4.0, 4.0], [3.0, 6.0]], "round one corner");
    }

    #[test]
    fn there_and_back_are_equally_long() {
        for (one, other) in [([-2.0, 6.0], [19.0, 10.0]), ([1.0, 1.0], [11.0, 11.0]), ([6.0, 1.0], [6.0, 11.0])] {
            let (there, back) = (line(one, other), line(other, one));
            assert!((length(&there) - length(&back)).abs() < 1e-9 || there.len() != back.len(), "{there:?} {back:?}");
            assert!(length(&there) >= distance(one, other));
        }
    }
}
