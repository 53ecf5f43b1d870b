//! What is wrong in a file that a person wrote, and where.

use std::fmt;

/// A mistake in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mistake {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)?;
        match &self.hint {
            Some(hint) => write!(out, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// All that is wrong, in the order of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mistakes(pub Vec<Mistake>);

impl fmt::Display for Mistakes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, mistake) in self.0.iter().enumerate() {
            if at > 0 {
                out.write_str("\n")?;
            }
            write!(out, "{mistake}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Mistakes {}

/// The known name that is most like this one, if any is.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let distance = |known: &str| strsim::damerau_levenshtein(name, known);
    let near = known.into_iter().map(|known| (distance(known), known));
    let bound = (name.chars().count() / 3).max(1);
    near.filter(|(distance, _)| *distance <= bound).min().map(|(_, known)| known)
}

/// A hint that names what was meant, or all that is known.
pub fn did_you_mean(name: &str, known: &[&str]) -> Option<String> {
    match nearest(name, known.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None if known.is_empty() => None,
        None => Some(format!("known: {}", known.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        assert_eq!(nearest("sesion", ["session", "stages"]), Some("session"));
        assert_eq!(nearest("x", ["session", "stages"]), None);
        let hint = did_you_mean("colour", &["kind", "role"]).unwrap();
        assert_eq!(hint, "known: kind, role");
    }
}
