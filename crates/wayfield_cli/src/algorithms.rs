//! `wayfield algorithms`: what there is, and what it promises.

use std::io::{self, Write};

use serde::Serialize;
use wayfield::Algorithm;

use crate::args::AlgorithmsArgs;
use crate::output::json_line;

/// One algorithm, as JSON has it.
#[derive(Debug, Serialize)]
struct AlgorithmLine {
    name: &'static str,
    optimal: bool,
    weighted: bool,
    links: bool,
    sizes: bool,
}

/// Writes a line for each algorithm.
pub fn run(args: &AlgorithmsArgs, out: &mut impl Write) -> io::Result<()> {
    if !args.json {
        writeln!(out, "{:<22} optimal weighted links sizes", "algorithm")?;
    }
    for algorithm in Algorithm::ALL {
        let promises = algorithm.promises();
        let line = AlgorithmLine {
            name: algorithm.name(),
            optimal: promises.optimal,
            weighted: promises.weighted,
            links: promises.links,
            sizes: promises.sizes,
        };
        if args.json {
            json_line(out, &line)?;
        } else {
            let [optimal, weighted, links, sizes] =
                [line.optimal, line.weighted, line.links, line.sizes].map(|kept| if kept { "yes" } else { "no" });
            writeln!(out, "{:<22} {optimal:<7} {weighted:<8} {links:<5} {sizes}", line.name)?;
        }
    }
    Ok(())
}
