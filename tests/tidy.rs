//! The rules of the house as tests. Each message names the file and the line.
//!
//! The Rust sources are scanned as text with comments and strings blanked out (`tidy/source.rs`); nothing here
//! depends on a crate. A folder or file that a rule needs and does not find is a failure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[path = "tidy/project.rs"]
mod project;
#[path = "tidy/source.rs"]
mod source;

use project::{
    dependencies, file_name, folders, has_defaults, is_optional, local_links, read, root, section_has, shown,
};
use source::{Source, code_only, identifier, receiver, sources, tree_heads, words};

/// The modules of the core and what each may import, bottom first. A module that is not listed here is a failure:
/// whoever adds one says here where it stands.
const CORE_IMPORTS: &[(&str, &str)] = &[
    ("cost", ""),
    ("direction", "cost grid"),
    ("grid", "cost direction"),
    ("terrain", "cost direction grid"),
    ("links", "cost grid"),
    ("map", "cost direction grid links terrain"),
    ("space", "cost"),
    ("bit_rows", ""),
    ("jump_stops", "bit_rows direction grid terrain"),
    ("jump_table", "bit_rows cost direction grid jump_stops space terrain"),
    ("components", "direction grid"),
    ("footprint", "cost direction grid map terrain"),
    ("link_table", "cost grid links space"),
    ("hierarchy", "cost direction grid space"),
    (
        "cost_grid",
        "components cost direction footprint grid hierarchy jump_stops jump_table link_table links map space terrain",
    ),
    ("canonical", "cost cost_grid direction jump_stops space terrain"),
    ("jump_point", "canonical cost cost_grid direction grid jump_stops jump_table space terrain"),
    ("workspace", "cost space"),
    ("search", "cost space workspace"),
    ("bidirectional", "cost search space"),
    ("incremental", "cost search space workspace"),
    ("hierarchical_search", "cost hierarchy search space"),
    ("heuristic", "cost grid terrain"),
    ("link_bounds", "cost cost_grid grid link_table space"),
    ("path", "cost cost_grid direction grid links"),
    ("replan", "cost cost_grid grid heuristic incremental link_bounds map path search space terrain"),
    ("smoothing", "cost cost_grid grid links path terrain"),
    ("algorithm", "heuristic replan search terrain"),
    ("auto", "algorithm cost_grid"),
    ("field_input", "grid"),
    (
        "dijkstra_map",
        "canonical cost cost_grid direction field_input grid jump_stops link_table links path space terrain",
    ),
    ("flow_field", "cost_grid dijkstra_map direction grid links path space"),
    ("nearest", "cost cost_grid grid heuristic search space"),
    ("moving_ai", "cost grid map terrain"),
    ("target", "cost cost_grid grid heuristic link_bounds space"),
    ("query", EVERYTHING),
    ("closest", "algorithm cost cost_grid grid query search target"),
    ("graph", "algorithm bidirectional cost incremental query search space"),
    ("group", "algorithm cost cost_grid grid link_bounds query search space target"),
    ("lib", EVERYTHING),
];

/// Stands in [`CORE_IMPORTS`] for "all modules except `lib`".
const EVERYTHING: &str = "*";

/// Where an open list may be popped: the list's own home, the two engines, and the sweep.
const MAY_POP: &[&str] = &["workspace", "search", "incremental", "dijkstra_map"];

/// Owns the examples and these tests; nobody depends on it.
const ROOT_PACKAGE: &str = "wayfield_workspace";

/// The members of the workspace: which members each may depend on, and which crates from outside it must not name.
/// A name that ends with `*` is a prefix.
const MEMBERS: &[(&str, &str, &str)] = &[
    ("wayfield", "", "bevy* egui* rand* winit wgpu"),
    ("bevy_wayfield", "wayfield", "egui* bevy_egui bevy_render bevy_winit winit wgpu"),
    ("bevy_wayfield_egui", "wayfield bevy_wayfield", ""),
    ("wayfield_cli", "wayfield", "bevy* egui*"),
    ("wayfield_bench", "wayfield", "bevy* egui*"),
];

/// What a member may depend on all the same, if it is optional and off by default. `bevy_reflect` is derives for the core's
/// plain data, so that the plugin's components can be looked into, saved and edited by a game's tools: only the crate that
/// defines a type can have them derived. Whoever uses the core alone does not see it.
const OPTIONAL: &[(&str, &str)] = &[("wayfield", "bevy_reflect")];

const MAX_LINES: usize = 600;
const VAGUE_NAMES: &[&str] = &["util", "utils", "common", "helper", "helpers", "misc", "manager"];
const UNFINISHED: &[&str] = &["todo!", "unimplemented!", "dbg!", "#[ignore", "#[allow(", "#![allow("];
/// The core has no clock, no randomness, no input or output, and nothing with an order that changes from run to run.
const IMPURE_STD: &[&str] = &["time", "fs", "io", "net", "env", "process"];
const IMPURE_NAMES: &[&str] = &["HashMap", "HashSet", "rand", "rand_chacha", "println", "eprintln", "thread_local"];

#[test]
fn core_modules_import_only_what_stands_below_them() {
    let table: BTreeMap<&str, &str> = CORE_IMPORTS.iter().copied().collect();
    let mut problems = Vec::new();
    let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in core_sources() {
        let module = file.module();
        let Some((&module, &allowed)) = table.get_key_value(module.as_str()) else {
            problems.push(file.at(0, &format!("module `{module}` is not in CORE_IMPORTS")));
            continue;
        };
        for (offset, head) in crate_heads(&file, module) {
            let Some((&target, _)) = table.get_key_value(head.as_str()) else {
                let what = format!("`crate::{head}`: import from the module that owns it");
                problems.push(file.at(offset, &what));
                continue;
            };
            let is_allowed = allowed == EVERYTHING || allowed.split(' ').any(|name| name == target);
            if target == "lib" || !is_allowed {
                let what = format!("`{module}` must not import `{target}`");
                problems.push(file.at(offset, &what));
            }
            graph.entry(module).or_default().insert(target);
        }
    }
    for module in graph.keys() {
        if reaches(&graph, module, module, &mut BTreeSet::new()) {
            problems.push(format!("crates/wayfield/src/{module}.rs:1: imports itself in a circle"));
        }
    }
    report(&problems);
}

#[test]
fn crates_depend_downwards_only() {
    let mut problems = Vec::new();
    let is_member = |name: &str| MEMBERS.iter().any(|&(member, ..)| member == name);
    for folder in folders(&root().join("crates")) {
        let manifest = folder.join("Cargo.toml");
        let name = file_name(&folder);
        let Some((_, below, foreign)) = MEMBERS.iter().find(|&&(member, ..)| member == name) else {
            let place = shown(&manifest);
            problems.push(format!("{place}:1: crate `{name}` is not in MEMBERS"));
            continue;
        };
        for (line, dependency) in dependencies(&read(&manifest)) {
            let is_allowed = if is_member(&dependency) {
                below.split(' ').any(|name| name == dependency)
            } else {
                let forbidden = |pattern| matches_name(pattern, &dependency);
                let is_excepted = OPTIONAL.contains(&(name.as_str(), dependency.as_str()));
                let is_off = !has_defaults(&read(&manifest)) && is_optional(&read(&manifest), line);
                dependency != ROOT_PACKAGE && (!foreign.split(' ').any(forbidden) || is_excepted && is_off)
            };
            if !is_allowed {
                let place = format!("{}:{line}", shown(&manifest));
                problems.push(format!("{place}: `{name}` must not depend on `{dependency}`"));
            }
        }
    }
    for (name, ..) in MEMBERS {
        if !root().join("crates").join(name).is_dir() {
            problems.push(format!("crates/{name}: in MEMBERS, but there is no such crate"));
        }
    }
    report(&problems);
}

#[test]
fn only_the_engines_and_the_sweep_pop_an_open_list() {
    let mut problems = Vec::new();
    for file in core_sources() {
        if !MAY_POP.contains(&file.module().as_str()) {
            problems.extend(
                pops(&file.shipped)
                    .into_iter()
                    .map(|(offset, what)| file.at(offset, &format!("{what}: only {MAY_POP:?} touch an open list"))),
            );
        }
    }
    report(&problems);
}

#[test]
fn the_core_is_pure() {
    let mut problems = Vec::new();
    for file in core_sources() {
        problems.extend(
            impurities(&file.shipped)
                .into_iter()
                .map(|(offset, what)| file.at(offset, &format!("`{what}` has no place in the core"))),
        );
    }
    report(&problems);
}

#[test]
fn unsafe_code_is_forbidden_everywhere() {
    let workspace = section_has(&root().join("Cargo.toml"), "[workspace.lints.rust]", "unsafe_code=\"forbid\"");
    let mut problems = Vec::new();
    let mut manifests = vec![root().join("Cargo.toml")];
    manifests.extend(folders(&root().join("crates")).iter().map(|folder| folder.join("Cargo.toml")));
    for manifest in manifests {
        let inherits = workspace && section_has(&manifest, "[lints]", "workspace=true");
        let library = manifest.with_file_name("src").join("lib.rs");
        let says_so = library.is_file() && code_only(&read(&library)).contains("#![forbid(unsafe_code)]");
        if !inherits && !says_so {
            problems.push(format!("{}:1: unsafe code is not forbidden", shown(&manifest)));
        }
    }
    report(&problems);
}

#[test]
fn no_file_is_too_long() {
    let mut problems = Vec::new();
    for file in all_sources() {
        let lines = file.code.lines().count();
        if lines > MAX_LINES {
            problems.push(format!("{}:{lines}: more than {MAX_LINES} lines", shown(&file.path)));
        }
    }
    report(&problems);
}

#[test]
fn no_name_is_vague() {
    let mut problems = Vec::new();
    for file in all_sources() {
        let relative = file.path.strip_prefix(root()).unwrap_or(&file.path).with_extension("");
        for part in relative.components().map(|part| part.as_os_str().to_string_lossy()) {
            if VAGUE_NAMES.contains(&part.as_ref()) {
                problems.push(file.at(0, &format!("`{part}` says nothing about what is inside")));
            }
        }
        for offset in words(&file.code, "mod") {
            let name = identifier(file.code[offset + 3..].trim_start());
            if VAGUE_NAMES.contains(&name) {
                problems.push(file.at(offset, &format!("module `{name}` says nothing about what is inside")));
            }
        }
    }
    report(&problems);
}

#[test]
fn nothing_is_left_unfinished_or_silenced() {
    let mut problems = Vec::new();
    for file in all_sources() {
        for (offset, what) in unfinished(&file.code) {
            problems.push(file.at(offset, &format!("`{what}` must not stay")));
        }
    }
    report(&problems);
}

#[test]
fn links_of_the_readme_resolve() {
    let readme = root().join("README.md");
    let mut problems = Vec::new();
    for (line, target) in local_links(&read(&readme)) {
        if !root().join(&target).exists() {
            problems.push(format!("README.md:{line}: `{target}` does not exist"));
        }
    }
    report(&problems);
}

/// The scanners on planted violations: a rule that cannot fail is no rule.
#[test]
fn the_scanners_see_what_they_look_for() {
    let planted = r##"
        use crate::{cost::Cost, map::{TerrainMap, Link}}; // crate::comment
        fn f() { crate::query::find("crate::string"); super::search::g() }
        /* crate::block /* nested */ */ const C: char = '"'; const R: &str = r#"crate::raw " "#;
        #[cfg(test)]
        mod tests { use super::*; use crate::lib_only; fn t() { let _ = std::time::Instant::now(); } }
    "##;
    let file = Source::new(PathBuf::from("crates/wayfield/src/terrain.rs"), planted);
    let heads: Vec<String> = crate_heads(&file, "terrain").into_iter().map(|(_, head)| head).collect();
    assert_eq!(heads, ["cost", "map", "query", "search"]);
    assert_eq!(file.at(planted.find("fn f").unwrap_or(0), "x"), "crates/wayfield/src/terrain.rs:3: x");
    assert!(impurities(&file.shipped).is_empty());

    let count = |found: Vec<(usize, String)>| found.len();
    assert_eq!(count(impurities("use std::{fs, time::Instant}; let m: HashMap<u8, u8>; rand::random()")), 4);
    assert_eq!(count(impurities("operand(); std::iter::once(1); BTreeMap::new()")), 0);
    assert_eq!(count(pops("self.open\n    .pop(); self.buckets[i].pop(); list.open_mut().pop_front();")), 3);
    assert_eq!(count(pops("BinaryHeap::new(); stack.pop(); cells.pop(); queue.populate()")), 1);
    assert_eq!(count(unfinished(&code_only("todo!() // dbg!\n#[ignore = \"x\"] #[expect(y)] \"#[allow(\""))), 2);

    let manifest = "[dependencies]\na = 1 # b\n[dev-dependencies.c]\nd = 1\n[target.'cfg(x)'.dependencies]\ne.workspace = true\n[features]\nf = []";
    let names: Vec<String> = dependencies(manifest).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["a", "c", "e"]);
    let manifest =
        "[features]\nx = []\n[dependencies]\na = { version = \"1\", optional = true }\nb = 1 # optional = true";
    assert_eq!((is_optional(manifest, 4), is_optional(manifest, 5), has_defaults(manifest)), (true, false, false));
    assert!(has_defaults("[features]\n default= [\"x\"]"));

    let markdown =
        "[a](b.md#c) ![p](p.png \"t\") [w](https://x.y) [h](#h)\n```\n[no](code)\n```\n[r]: r.md\n<img src=\"i.png\">";
    let targets: Vec<String> = local_links(markdown).into_iter().map(|(_, target)| target).collect();
    assert_eq!(targets, ["b.md", "p.png", "r.md", "i.png"]);
}

fn core_sources() -> Vec<Source> {
    sources(&["crates/wayfield/src"])
}

fn all_sources() -> Vec<Source> {
    sources(&["crates", "examples", "tests"])
}

/// Every other module named by `crate::x` or, from the top of a module, by `super::x`, with its offset.
fn crate_heads(file: &Source, module: &str) -> Vec<(usize, String)> {
    let is_module = |name: &str| CORE_IMPORTS.iter().any(|&(known, _)| known == name);
    let mut heads = tree_heads(&file.shipped, "super");
    heads.retain(|(_, head)| is_module(head));
    heads.extend(tree_heads(&file.shipped, "crate"));
    heads.retain(|(_, head)| head != module);
    heads.sort();
    heads
}

fn impurities(code: &str) -> Vec<(usize, String)> {
    let from_std = tree_heads(code, "std").into_iter();
    let mut found: Vec<(usize, String)> = from_std
        .filter(|(_, head)| IMPURE_STD.contains(&head.as_str()))
        .map(|(offset, head)| (offset, format!("std::{head}")))
        .collect();
    for name in IMPURE_NAMES {
        found.extend(words(code, name).map(|offset| (offset, (*name).to_owned())));
    }
    found
}

/// Calls of `pop`, `pop_front`, `pop_first` ... on something that is called like an open list, and binary heaps.
fn pops(code: &str) -> Vec<(usize, String)> {
    const LISTS: &[&str] = &["open", "heap", "queue", "bucket", "frontier", "fringe", "workspace"];
    let mut found: Vec<(usize, String)> =
        words(code, "BinaryHeap").map(|offset| (offset, "BinaryHeap".to_owned())).collect();
    for (offset, _) in code.match_indices(".pop") {
        let method = identifier(&code[offset + 1..]);
        let receiver = receiver(&code[..offset]);
        let is_pop = method == "pop" || method.starts_with("pop_");
        let is_list = |list: &&str| receiver.to_lowercase().contains(*list);
        if is_pop && LISTS.iter().any(is_list) {
            found.push((offset, format!("`{receiver}.{method}`")));
        }
    }
    found
}

fn unfinished(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for what in UNFINISHED {
        found.extend(code.match_indices(what).map(|(offset, _)| (offset, (*what).to_owned())));
    }
    found
}

fn reaches<'a>(
    graph: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    from: &str,
    goal: &str,
    seen: &mut BTreeSet<&'a str>,
) -> bool {
    graph
        .get(from)
        .into_iter()
        .flatten()
        .any(|&next| next == goal || (seen.insert(next) && reaches(graph, next, goal, seen)))
}

fn matches_name(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |prefix| name.starts_with(prefix))
}

fn report(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}
