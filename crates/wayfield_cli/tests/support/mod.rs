//! The real binary, and what it says.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// What the binary said.
pub struct Said {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Runs the binary with arguments that are separated by spaces, and `input` as standard input.
pub fn wayfield(arguments: &str, input: impl AsRef<[u8]>) -> Said {
    let arguments: Vec<_> = arguments.split(' ').collect();
    wayfield_with(&arguments, input)
}

pub fn wayfield_with(arguments: &[&str], input: impl AsRef<[u8]>) -> Said {
    let mut child = start(arguments);
    feed(&mut child, input.as_ref());
    let output = child.wait_with_output().unwrap();
    Said {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

pub fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfield"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Writes standard input and closes it. A child that has ended before it read all of it is no failure.
pub fn feed(child: &mut Child, input: &[u8]) {
    let _ = child.stdin.take().unwrap().write_all(input);
}

/// The JSON lines of an answer.
pub fn answers(arguments: &str, input: &str) -> Vec<Value> {
    let said = wayfield(&format!("{arguments} --json"), input);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{arguments}");
    said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The only JSON line of an answer.
pub fn answer(arguments: &str, input: &str) -> Value {
    let lines = answers(arguments, input);
    assert_eq!(lines.len(), 1, "{arguments}");
    lines.into_iter().next().unwrap()
}

/// Checks exit code 2, an empty standard output, and a message that has all the parts.
pub fn refuses(arguments: &str, input: impl AsRef<[u8]>, parts: &[&str]) {
    let said = wayfield(arguments, input);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{arguments}: {}", said.stderr);
    for part in parts {
        assert!(said.stderr.contains(part), "{arguments}: no \"{part}\" in: {}", said.stderr);
    }
}

/// A file for one test.
pub fn file(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

pub fn assert_close(value: &Value, expected: f64) {
    let number = value.as_f64().unwrap();
    assert!((number - expected).abs() < 1e-6, "{number} is not {expected}");
}
