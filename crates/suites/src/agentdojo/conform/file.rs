//! Judges a file of golden rows.

use std::collections::BTreeMap;
use std::thread;

use super::super::suite::{AgentDojo, SuiteError};
use super::{Agreement, GoldenRow, Judged, Unjudged, judge};

/// What became of a line that holds a row.
#[derive(Debug)]
pub struct Line {
    /// Its number in the file, from 1.
    pub number: usize,
    /// What judging it came to.
    pub outcome: Result<Judged, Unjudged>,
}

/// What a file of rows came to.
#[derive(Debug)]
pub struct Conformance {
    /// Every line that is not blank, in order.
    pub lines: Vec<Line>,
}

/// Judges the rows of a file, `jobs` of them at a time. `rows` is the file's text, `bundle` the data
/// set's; suites of the versions that occur are made from it.
///
/// The outcome does not depend on `jobs`. A row that cannot be judged is an outcome of its own.
///
/// # Errors
/// The bundle cannot be used.
pub fn conform(bundle: &[u8], rows: &str, jobs: usize) -> Result<Conformance, SuiteError> {
    let lines: Vec<(usize, &str)> = rows
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| (at + 1, line))
        .collect();
    let suites = suites(bundle, &lines)?;
    let share = lines.len().div_ceil(jobs.max(1)).max(1);
    let judged = thread::scope(|scope| {
        let parts = lines.chunks(share).map(|part| scope.spawn(|| judge_all(&suites, part)));
        let parts: Vec<_> = parts.collect();
        parts.into_iter().map(|part| part.join().expect("judging a row never panics")).collect()
    });
    let judged: Vec<Vec<Line>> = judged;
    Ok(Conformance { lines: judged.into_iter().flatten().collect() })
}

/// The suites of the rows' versions; a version that is not known has none.
fn suites(
    bundle: &[u8],
    lines: &[(usize, &str)],
) -> Result<BTreeMap<String, AgentDojo>, SuiteError> {
    #[derive(serde::Deserialize)]
    struct Version {
        version: String,
    }
    let mut suites = BTreeMap::new();
    let mut unknown: Vec<String> = Vec::new();
    for (_, line) in lines {
        let Ok(Version { version }) = serde_json::from_str(line) else { continue };
        if suites.contains_key(&version) || unknown.contains(&version) {
            continue;
        }
        match AgentDojo::load(bundle, &version) {
            Ok(suite) => {
                suites.insert(version, suite);
            }
            Err(SuiteError::Version(_)) => unknown.push(version),
            Err(error) => return Err(error),
        }
    }
    Ok(suites)
}

fn judge_all(suites: &BTreeMap<String, AgentDojo>, part: &[(usize, &str)]) -> Vec<Line> {
    let judged = part.iter().map(|(number, line)| Line {
        number: *number,
        outcome: serde_json::from_str(line).map_err(Unjudged::from).and_then(|row: GoldenRow| {
            let suite = suites.get(&row.version);
            let suite = suite.ok_or_else(|| SuiteError::Version(row.version.clone()))?;
            judge(suite, &row)
        }),
    });
    judged.collect()
}

impl Conformance {
    /// The rows that were judged, with the numbers of their lines.
    pub fn judged(&self) -> impl Iterator<Item = (usize, &Judged)> {
        self.lines.iter().filter_map(|line| Some((line.number, line.outcome.as_ref().ok()?)))
    }

    /// The lines that could not be judged.
    pub fn unjudged(&self) -> impl Iterator<Item = (usize, &Unjudged)> {
        self.lines.iter().filter_map(|line| Some((line.number, line.outcome.as_ref().err()?)))
    }

    /// Rows whose verdicts are both upstream's, of those judged.
    pub fn verdicts(&self) -> Agreement {
        let mut verdicts = Agreement::default();
        self.judged().for_each(|(_, judged)| verdicts.add(judged.verdicts_agree));
        verdicts
    }

    /// Outputs with upstream's text.
    pub fn texts(&self) -> Agreement {
        self.judged().map(|(_, judged)| judged.texts).sum()
    }

    /// Errors that are upstream's.
    pub fn errors(&self) -> Agreement {
        self.judged().map(|(_, judged)| judged.errors).sum()
    }

    /// For each check, how many rows do not hold and how many do, by upstream.
    pub fn each_way(&self) -> BTreeMap<&str, [usize; 2]> {
        let mut each_way: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for (check, verdict) in self.judged().flat_map(|(_, judged)| &judged.checks) {
            if let super::GoldenVerdict::Held(held) = verdict {
                each_way.entry(check).or_default()[usize::from(*held)] += 1;
            }
        }
        each_way
    }

    /// For each tool, how many calls upstream answered, and how many with an error.
    pub fn tools(&self) -> BTreeMap<&str, [usize; 2]> {
        let mut tools: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for (tool, failed) in self.judged().flat_map(|(_, judged)| &judged.tools) {
            tools.entry(tool).or_default()[usize::from(*failed)] += 1;
        }
        tools
    }
}
