//! YAML that people write, read in one place.
//!
//! The parser behind this module is archived; a successor is a change of this file alone. It takes
//! the last of two equal keys in silence, so this module refuses them itself.

use std::collections::HashSet;

use serde::de::DeserializeOwned;

/// A YAML text that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{origin}:{line}:{column}: {message}")]
pub struct YamlError {
    /// Where the text came from: a file's name.
    pub origin: String,
    /// The line, from 1; 0 where the parser gives none.
    pub line: usize,
    /// The column, from 1; 0 where the parser gives none.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// Reads a YAML text into `T`.
///
/// # Errors
/// The text is no YAML, holds a key twice, or does not fit `T`; with the place.
pub fn read<T: DeserializeOwned>(origin: &str, text: &str) -> Result<T, YamlError> {
    if let Some((line, key)) = repeated_key(text) {
        return Err(YamlError {
            origin: origin.to_owned(),
            line,
            column: 1,
            message: format!("key `{key}` stands here twice"),
        });
    }
    serde_yaml::from_str(text).map_err(|error| {
        let place = error.location();
        YamlError {
            origin: origin.to_owned(),
            line: place.as_ref().map_or(0, serde_yaml::Location::line),
            column: place.as_ref().map_or(0, serde_yaml::Location::column),
            message: error.to_string(),
        }
    })
}

/// The first key that stands twice in one block mapping, with its line from 1. Plain block style is
/// looked at, which is what this project's own files are written in.
fn repeated_key(text: &str) -> Option<(usize, String)> {
    // One open mapping for each level of indentation, with the keys it has shown so far.
    let mut open: Vec<(usize, HashSet<&str>)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let mut indent = line.len() - content.len();
        let mut rest = content;
        let mut item = false;
        while let Some(after) = rest.strip_prefix("- ") {
            indent += rest.len() - after.trim_start().len();
            rest = after.trim_start();
            item = true;
        }
        open.retain(|(level, _)| *level < indent || (*level == indent && !item));
        let Some(key) = key_of(rest) else { continue };
        match open.iter_mut().find(|(level, _)| *level == indent) {
            Some((_, keys)) => {
                if !keys.insert(key) {
                    return Some((number + 1, key.to_owned()));
                }
            }
            None => open.push((indent, HashSet::from([key]))),
        }
    }
    None
}

fn key_of(content: &str) -> Option<&str> {
    let end = content.find(": ").or_else(|| content.ends_with(':').then(|| content.len() - 1))?;
    let key = &content[..end];
    let plain = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.'));
    (plain && !key.is_empty()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_key_that_stands_twice_is_refused_with_its_line() {
        for (text, line) in [
            ("a: 1\nb: 2\na: 3\n", Some(3)),
            ("a:\n  x: 1\n  x: 2\n", Some(3)),
            ("a:\n  x: 1\nb:\n  x: 2\n", None),
            ("- x: 1\n  y: 2\n- x: 1\n", None),
            ("- x: 1\n  x: 2\n", Some(2)),
            ("# a: 1\na: 1\n", None),
        ] {
            assert_eq!(repeated_key(text).map(|(line, _)| line), line, "{text:?}");
        }
    }

    #[test]
    fn an_error_names_file_and_line() {
        let error = read::<BTreeMap<String, u32>>("own.yaml", "a: 1\nb: x\n").unwrap_err();
        assert!(error.to_string().starts_with("own.yaml:2:4: "), "{error}");
    }
}
