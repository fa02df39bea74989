//! The list of terrain costs that `--costs` takes.

use std::str::FromStr;

use thiserror::Error;
use wayfield::{MovementClass, TerrainCost, TerrainId};

/// Costs of characters, in place of the usual ones.
///
/// Written `C=COST,C=COST`: one ASCII character, `=`, and a whole number from 1 to 255 or `-` for blocked.
/// The character is whatever an entry begins with, so that `,` and `=` can have a cost, too: `,=2,==3`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs(Vec<(TerrainId, Option<TerrainCost>)>);

/// What is wrong with a list of costs, and in which entry.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CostsError {
    /// There is nothing between two commas, or before or after one.
    #[error("entry {number} is empty")]
    Empty {
        /// The entry, from 1.
        number: usize,
    },
    /// An entry is not a character, `=` and something.
    #[error("the entry \"{0}\" is not a character, = and a cost, as in T=3")]
    Form(String),
    /// The character is none that a map can hold.
    #[error("the entry \"{0}\" has a character outside ASCII, which a map cannot tell from others")]
    NotAscii(String),
    /// The cost is none.
    #[error("the entry \"{0}\" needs a whole number from 1 to 255 as cost, or - for blocked")]
    Cost(String),
    /// The character has a cost already.
    #[error("the entry \"{0}\" gives its character a second cost")]
    Duplicate(String),
}

impl Costs {
    /// Gives a class these costs.
    pub fn apply(&self, class: &mut MovementClass) {
        for &(terrain, cost) in &self.0 {
            class.set_cost(terrain, cost);
        }
    }
}

impl FromStr for Costs {
    type Err = CostsError;

    fn from_str(list: &str) -> Result<Self, CostsError> {
        let mut costs = Vec::new();
        let mut rest = Some(list);
        while let Some(from_here) = rest {
            let (entry, after) = split_entry(from_here);
            rest = after;
            if entry.is_empty() {
                return Err(CostsError::Empty { number: costs.len() + 1 });
            }
            let (terrain, cost) = parse_entry(entry)?;
            if costs.iter().any(|&(known, _)| known == terrain) {
                return Err(CostsError::Duplicate(entry.to_owned()));
            }
            costs.push((terrain, cost));
        }
        Ok(Self(costs))
    }
}

/// The first entry, and what follows the comma after it. `,=` begins an entry for the comma itself.
fn split_entry(list: &str) -> (&str, Option<&str>) {
    let skipped = if list.starts_with(",=") { 1 } else { 0 };
    let comma = list.char_indices().skip(skipped).find(|&(_, character)| character == ',');
    match comma.and_then(|(index, _)| list.split_at_checked(index)) {
        Some((entry, after)) => (entry, after.strip_prefix(',')),
        None => (list, None),
    }
}

fn parse_entry(entry: &str) -> Result<(TerrainId, Option<TerrainCost>), CostsError> {
    let mut characters = entry.chars();
    let (Some(character), Some(cost)) = (characters.next(), characters.as_str().strip_prefix('=')) else {
        return Err(CostsError::Form(entry.to_owned()));
    };
    let terrain = u8::try_from(character).ok().filter(u8::is_ascii).map(TerrainId);
    let terrain = terrain.ok_or_else(|| CostsError::NotAscii(entry.to_owned()))?;
    if cost == "-" {
        return Ok((terrain, None));
    }
    let number = cost.parse::<i64>().ok().and_then(|number| TerrainCost::try_from(number).ok());
    match number {
        Some(cost) => Ok((terrain, Some(cost))),
        None => Err(CostsError::Cost(entry.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(list: &str) -> Vec<(char, Option<u8>)> {
        let Costs(costs) = list.parse().expect(list);
        costs.into_iter().map(|(terrain, cost)| (char::from(terrain.0), cost.map(TerrainCost::get))).collect()
    }

    #[test]
    fn entries_are_characters_and_costs() {
        assert_eq!(parsed(".=1,T=255,W=-"), [('.', Some(1)), ('T', Some(255)), ('W', None)]);
        assert_eq!(parsed(" =7,-=2"), [(' ', Some(7)), ('-', Some(2))]);
    }

    #[test]
    fn comma_and_equals_sign_can_have_a_cost() {
        assert_eq!(parsed(",=2,==3"), [(',', Some(2)), ('=', Some(3))]);
        assert_eq!(parsed("a=1,,=2"), [('a', Some(1)), (',', Some(2))]);
        assert_eq!(parsed("==-,,=-"), [('=', None), (',', None)]);
    }

    #[test]
    fn errors_name_the_entry() {
        let error = |list: &str| list.parse::<Costs>().expect_err(list);
        for (list, number) in [("", 1), ("a=1,", 2), ("a=1,,b=2", 2), (",", 1), (",a=1", 1)] {
            assert_eq!(error(list), CostsError::Empty { number }, "{list}");
        }
        for entry in ["a", "a1", "ab=1", "=", "=1"] {
            assert_eq!(error(&format!(".=1,{entry}")), CostsError::Form(entry.to_owned()));
        }
        for entry in ["a=", "a=0", "a=-1", "a=256", "a=x", "a=1.5", "a= 1", "a=99999999999999999999", "a=--", ",="] {
            assert_eq!(error(entry), CostsError::Cost(entry.to_owned()));
        }
        assert_eq!(error("ä=1"), CostsError::NotAscii("ä=1".to_owned()));
        assert_eq!(error("a=1,b=2,a=-"), CostsError::Duplicate("a=-".to_owned()));
    }
}
