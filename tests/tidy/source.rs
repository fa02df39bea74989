//! Rust sources as text: what is code in them, and which names stand where.

use std::path::{Path, PathBuf};

use crate::project::{entries, file_name, read, root, shown};

/// A Rust file: its text with comments and strings blanked out, once whole and once without unit tests.
/// Offsets and line numbers are those of the file.
pub struct Source {
    pub path: PathBuf,
    pub code: String,
    pub shipped: String,
}

impl Source {
    pub fn new(path: PathBuf, text: &str) -> Self {
        let code = code_only(text);
        let shipped = without_unit_tests(&code);
        Self { path, code, shipped }
    }

    /// The module of a crate that the file belongs to: `src/graph.rs` and `src/graph/edge.rs` are both `graph`.
    pub fn module(&self) -> String {
        let inside = self.path.iter().skip_while(|&part| part != "src").nth(1);
        let name = inside.unwrap_or_default().to_string_lossy();
        name.strip_suffix(".rs").unwrap_or(&name).to_owned()
    }

    /// A message that begins with the file and the line of an offset.
    pub fn at(&self, offset: usize, what: &str) -> String {
        let before = self.code.bytes().take(offset);
        let line = before.filter(|&byte| byte == b'\n').count() + 1;
        format!("{}:{line}: {what}", shown(&self.path))
    }
}

/// The Rust files under some folders of the project; a folder without any is a failure.
pub fn sources(folders: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    for folder in folders {
        let before = found.len();
        collect(&root().join(folder), &mut found);
        assert!(found.len() > before, "{folder}: no Rust file in it");
    }
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for path in entries(folder) {
        if path.is_dir() {
            if file_name(&path) != "target" {
                collect(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = read(&path);
            found.push(Source::new(path, &text));
        }
    }
}

/// The text with comments, strings and characters turned into spaces; line breaks stay.
pub fn code_only(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let length = not_code(bytes, at);
        blank(&mut code[at..at + length]);
        at += length.max(1);
    }
    String::from_utf8_lossy(&code).into_owned()
}

/// The length of the comment, string or character that starts here, or 0.
fn not_code(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    // `r` may end a word, as in `for`; only `br` and `cr` are prefixes of a raw string.
    let before = at.checked_sub(1).map(|before| bytes[before]);
    let starts_word = !before.is_some_and(|byte| is_word(byte) && byte != b'b' && byte != b'c');
    match rest {
        [b'/', b'/', ..] => rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()),
        [b'/', b'*', ..] => block_comment(rest),
        [b'"', ..] => quoted(rest, b'"'),
        [b'r', b'"' | b'#', ..] if starts_word => raw_string(rest),
        [b'\'', ..] if is_character(rest) => quoted(rest, b'\''),
        _ => 0,
    }
}

fn block_comment(rest: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += 1;
        }
    }
    at
}

fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// The length of `r"..."` or `r#"..."#`, or 0 for a raw identifier.
fn raw_string(rest: &[u8]) -> usize {
    let hashes = rest[1..].iter().take_while(|&&byte| byte == b'#').count();
    if rest.get(1 + hashes) != Some(&b'"') {
        return 0;
    }
    let mut end = vec![b'"'];
    end.resize(1 + hashes, b'#');
    let inside = 2 + hashes;
    let length = rest[inside..].windows(end.len()).position(|window| window == end);
    length.map_or(rest.len(), |length| inside + length + end.len())
}

/// `'x'` and `'\n'`, but not the lifetime `'a`.
fn is_character(rest: &[u8]) -> bool {
    let width = match rest.get(1) {
        Some(b'\\') => return true,
        Some(0..0x80) => 1,
        Some(0x80..0xE0) => 2,
        Some(0xE0..0xF0) => 3,
        Some(_) => 4,
        None => return false,
    };
    rest.get(1 + width) == Some(&b'\'')
}

/// Blanks what follows `#[cfg(test)]`, up to the end of its braces or its semicolon.
fn without_unit_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut bytes = code.as_bytes().to_vec();
    for (start, _) in code.match_indices(MARK) {
        let start = start + MARK.len();
        let mut depth = 0_usize;
        let length = bytes[start..].iter().position(|&byte| {
            let is_end = (byte == b'}' && depth == 1) || (byte == b';' && depth == 0);
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            is_end
        });
        let end = length.map_or(bytes.len(), |length| start + length + 1);
        blank(&mut bytes[start..end]);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

/// The first names after `prefix::`, also inside `prefix::{a::b, c}`; `*` for a glob.
pub fn tree_heads(code: &str, prefix: &str) -> Vec<(usize, String)> {
    let mut heads = Vec::new();
    for offset in words(code, prefix) {
        let after = code[offset + prefix.len()..].trim_start();
        let Some(path) = after.strip_prefix("::").map(str::trim_start) else {
            continue;
        };
        match path.strip_prefix('{') {
            Some(group) => heads.extend(group_heads(group).into_iter().map(|at| (offset, head(&group[at..])))),
            None => heads.push((offset, head(path))),
        }
    }
    heads
}

/// Where the members of a `{...}` start; the text begins after the brace.
fn group_heads(group: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut depth = 0_usize;
    let mut expects_name = true;
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => expects_name = true,
            _ if expects_name && !character.is_whitespace() => {
                starts.push(at);
                expects_name = false;
            }
            _ => {}
        }
    }
    starts
}

fn head(path: &str) -> String {
    let name = identifier(path);
    if name.is_empty() { "*" } else { name }.to_owned()
}

/// The last name of an expression that ends here: `open` of `self.open`, `buckets` of `self.buckets[i]`.
pub fn receiver(before: &str) -> &str {
    let mut rest = before.trim_end();
    while let Some(close @ (b')' | b']')) = rest.bytes().last() {
        let open = if close == b')' { b'(' } else { b'[' };
        let mut depth = 0_usize;
        let start = rest.bytes().rposition(|byte| {
            if byte == close {
                depth += 1;
            } else if byte == open {
                depth -= 1;
            }
            depth == 0
        });
        rest = rest[..start.unwrap_or(0)].trim_end();
    }
    let name = rest.bytes().rev().take_while(|&byte| is_word(byte)).count();
    &rest[rest.len() - name..]
}

/// The offsets where `word` stands as a whole word.
pub fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let bytes = code.as_bytes();
    let offsets = code.match_indices(word).map(|(offset, _)| offset);
    offsets.filter(move |&offset| {
        let before = offset.checked_sub(1).map(|at| bytes[at]);
        let after = bytes.get(offset + word.len()).copied();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// The name that a text begins with, or nothing.
pub fn identifier(text: &str) -> &str {
    &text[..text.bytes().take_while(|&byte| is_word(byte)).count()]
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
