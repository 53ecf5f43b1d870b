//! The lines from a program, but for its answer to the greeting.
//!
//! Each hook has its own words and fields, and anything else is no answer. What a program wrote is
//! never repeated in a message: it may hold anything.

use std::collections::HashSet;

use harness::defense::Verdict;
use harness::memory::Revoked;
use serde::Deserialize;
use serde_json::Value;

/// The longest code of a reason.
const REASON_MAX: usize = 64;
/// The most reasons in one answer.
const REASONS_MAX: usize = 64;
/// The longest state that a checkpoint takes, in bytes of JSON.
pub(super) const STATE_MAX: usize = 256 << 10;

/// What a hook may be answered.
pub(super) trait Word: Copy + 'static {
    /// The words on the wire.
    const WORDS: &'static [(&'static str, Self)];
}

/// Whether something comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    Admit,
    Refuse,
}

impl Word for Admission {
    const WORDS: &'static [(&'static str, Self)] =
        &[("admit", Self::Admit), ("refuse", Self::Refuse)];
}

/// What becomes of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Keep,
    Relabel,
    Refuse,
}

impl Word for Storage {
    const WORDS: &'static [(&'static str, Self)] =
        &[("keep", Self::Keep), ("relabel", Self::Relabel), ("refuse", Self::Refuse)];
}

impl Word for Verdict {
    const WORDS: &'static [(&'static str, Self)] =
        &[("allow", Self::Allow), ("ask", Self::Ask), ("deny", Self::Deny)];
}

/// Whether a call that may go ahead does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Go,
    Stop,
}

impl Word for Step {
    const WORDS: &'static [(&'static str, Self)] = &[("go", Self::Go), ("stop", Self::Stop)];
}

/// Whether an owner's act has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Done,
    Refused,
}

impl Word for Act {
    const WORDS: &'static [(&'static str, Self)] =
        &[("done", Self::Done), ("refused", Self::Refused)];
}

/// Heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Done;

impl Word for Done {
    const WORDS: &'static [(&'static str, Self)] = &[("done", Self)];
}

/// These are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keep;

impl Word for Keep {
    const WORDS: &'static [(&'static str, Self)] = &[("keep", Self)];
}

/// A word, and the code of its reason where there is one.
pub(super) fn word<W: Word>(text: &str, id: u64) -> Result<(W, Option<String>), String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Line {
        id: u64,
        answer: String,
        reason: Option<String>,
    }
    let line: Line = read(text)?;
    let word = said(&line.answer, (id, line.id))?;
    Ok((word, line.reason.map(code).transpose()?))
}

/// That it was heard.
pub(super) fn done(text: &str, id: u64) -> Result<(), String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Line {
        id: u64,
        answer: String,
    }
    let line: Line = read(text)?;
    said::<Done>(&line.answer, (id, line.id)).map(drop)
}

/// The candidates that stay on the list: some of them, each once.
pub(super) fn kept(text: &str, id: u64, candidates: &[u32]) -> Result<HashSet<u32>, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Line {
        id: u64,
        answer: String,
        records: Vec<u32>,
    }
    let line: Line = read(text)?;
    said::<Keep>(&line.answer, (id, line.id))?;
    let known: HashSet<u32> = candidates.iter().copied().collect();
    let mut kept = HashSet::new();
    if line.records.iter().all(|record| known.contains(record) && kept.insert(*record)) {
        Ok(kept)
    } else {
        Err("records that are no subset of the candidates".to_owned())
    }
}

/// What goes into a checkpoint.
pub(super) fn state(text: &str, id: u64) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Line {
        id: u64,
        answer: String,
        #[serde(default)]
        state: Value,
    }
    let line: Line = read(text)?;
    said::<Done>(&line.answer, (id, line.id))?;
    if line.state.to_string().len() > STATE_MAX {
        return Err(format!("a state of more than {STATE_MAX} bytes"));
    }
    Ok(line.state)
}

/// What did not come back as it was saved.
pub(super) fn restored(text: &str, id: u64) -> Result<Vec<String>, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Line {
        id: u64,
        answer: String,
        #[serde(default)]
        reasons: Vec<String>,
    }
    let line: Line = read(text)?;
    said::<Done>(&line.answer, (id, line.id))?;
    if line.reasons.len() > REASONS_MAX {
        return Err(format!("more than {REASONS_MAX} reasons"));
    }
    line.reasons.into_iter().map(code).collect()
}

/// What an owner's act came to: whether it widens what he last said, or why it has no effect.
pub(super) fn spoken(text: &str, id: u64) -> Result<Result<bool, Option<String>>, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Line {
        id: u64,
        answer: String,
        #[serde(default)]
        widens: bool,
        reason: Option<String>,
    }
    let line: Line = read(text)?;
    let word = said(&line.answer, (id, line.id))?;
    let reason = line.reason.map(code).transpose()?;
    Ok(match word {
        Act::Done => Ok(line.widens),
        Act::Refused => Err(reason),
    })
}

/// What a revocation found. Of `records` the numbers were given out so far.
pub(super) fn revoked(text: &str, id: u64, records: u32) -> Result<Revoked, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Line {
        id: u64,
        answer: String,
        #[serde(default)]
        records: Vec<u32>,
        #[serde(default)]
        acts: u32,
        #[serde(default)]
        approvals: u32,
    }
    let line: Line = read(text)?;
    said::<Done>(&line.answer, (id, line.id))?;
    let mut seen = HashSet::new();
    if !line.records.iter().all(|record| *record < records && seen.insert(*record)) {
        return Err("records that it was not told of, or the same one twice".to_owned());
    }
    Ok(Revoked { records: line.records, acts: line.acts, approvals: line.approvals })
}

/// A line as JSON.
pub(super) fn read<'l, T: Deserialize<'l>>(line: &'l str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| {
        let what =
            if error.is_data() { "a line of another form" } else { "a line that is no JSON" };
        format!("{what}, at column {}", error.column())
    })
}

/// Whether an answer is to the question that was asked.
pub(super) fn to_question(asked: u64, answered: u64) -> Result<(), String> {
    if answered == asked {
        Ok(())
    } else {
        Err(format!("an answer to {answered}, and {asked} was asked"))
    }
}

/// One of the words that a hook takes, in answer to the question that was asked.
fn said<W: Word>(word: &str, (asked, answered): (u64, u64)) -> Result<W, String> {
    to_question(asked, answered)?;
    let known = W::WORDS.iter().find(|(known, _)| *known == word);
    known.map(|(_, word)| *word).ok_or_else(|| {
        let words: Vec<String> = W::WORDS.iter().map(|(word, _)| format!("`{word}`")).collect();
        format!("an answer that is none of {}", words.join(", "))
    })
}

/// A reason. The agent reads it: it is a code, so that no payload comes back through it.
fn code(reason: String) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    if reason.is_empty() || reason.len() > REASON_MAX || !reason.chars().all(plain) {
        return Err(format!(
            "a reason that is no code of letters, digits, `_` and `-`, at most {REASON_MAX}"
        ));
    }
    Ok(reason)
}
