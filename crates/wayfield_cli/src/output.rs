//! Answers as JSON lines and as text.

use std::io::{self, Write};

use serde::Serialize;
use wayfield::Outcome;

/// Writes one JSON object and the end of the line.
pub fn json_line(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)
}

/// The name of an ending in JSON and text.
pub fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Found(_) => "found",
        Outcome::Partial(..) => "partial",
        Outcome::Failed(_) => "failed",
    }
}

/// A number for people: rounded to `decimals` digits, without zeros at the end; `-` for none.
pub fn number(value: Option<f64>, decimals: usize) -> String {
    let Some(value) = value else { return "-".to_owned() };
    let text = format!("{value:.decimals$}");
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_short() {
        let texts = [17.0, 100.0, 2.5, -3.6, 5.8284271, -0.0001, 0.0].map(|value| number(Some(value), 3));
        assert_eq!(texts, ["17", "100", "2.5", "-3.6", "5.828", "0", "0"]);
        assert_eq!(number(Some(1200.4), 0), "1200");
        assert_eq!(number(None, 3), "-");
    }
}
