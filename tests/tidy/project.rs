//! Files of the project: where they are, and what manifests and markdown say.

use std::fs;
use std::path::{Path, PathBuf};

/// The names under every kind of `[dependencies]` of a manifest, with their lines.
pub fn dependencies(manifest: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut inside = false;
    for (line, text) in (1..).zip(manifest.lines().map(str::trim)) {
        if let Some(header) = text.strip_prefix('[') {
            let header = header.split(']').next().unwrap_or_default();
            inside = header.ends_with("dependencies");
            if let Some((table, name)) = header.rsplit_once('.')
                && table.ends_with("dependencies")
            {
                found.push((line, name.to_owned()));
            }
        } else if inside && !text.starts_with('#') {
            let name = text.split(['=', '.']).next().unwrap_or_default().trim().trim_matches('"');
            if !name.is_empty() && text.contains('=') {
                found.push((line, name.to_owned()));
            }
        }
    }
    found
}

/// Whether the dependency in a line of a manifest is optional.
pub fn is_optional(manifest: &str, line: usize) -> bool {
    let text = manifest.lines().nth(line - 1).unwrap_or_default();
    let code = text.split('#').next().unwrap_or_default();
    code.replace(' ', "").contains("optional=true")
}

/// Whether a manifest has features that are on by default.
pub fn has_defaults(manifest: &str) -> bool {
    manifest.lines().any(|line| line.trim().replace(' ', "").starts_with("default="))
}

/// Whether a section of a manifest has this line, spaces aside.
pub fn section_has(manifest: &Path, section: &str, wanted: &str) -> bool {
    let text = read(manifest);
    let mut lines = text.lines().map(str::trim).skip_while(|&line| line != section).skip(1);
    lines.by_ref().take_while(|line| !line.starts_with('[')).any(|line| line.replace(' ', "") == wanted)
}

/// The files that a markdown text links to, with their lines; web addresses, anchors and code blocks left out.
pub fn local_links(markdown: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (line, text) in (1..).zip(markdown.lines()) {
        if text.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        let inline = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
        let html = ["src=\"", "href=\""].into_iter().flat_map(|mark| text.split(mark).skip(1));
        let html = html.filter_map(|rest| rest.split('"').next());
        let named = text.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
        for target in inline.chain(html).chain(named) {
            let file = target.trim().split('#').next().unwrap_or_default();
            let is_web = target.contains("://") || target.starts_with("mailto:");
            if !file.is_empty() && !is_web {
                found.push((line, file.to_owned()));
            }
        }
    }
    found
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub fn folders(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_dir()).collect()
}

pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let listing = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", shown(folder)));
    let mut paths: Vec<PathBuf> = listing.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", shown(path)))
}
