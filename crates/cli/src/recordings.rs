//! `--agent recorded:PATH`: reads recorded runs, and says how their replays ended.

use std::collections::BTreeSet;
use std::path::Path;

use runner::replay::Recording;
use suites::import::{self, ImportError, Imported};
use suites::injecagent::dataset::Dataset;
use suites::injecagent::error::DataError;
use suites::injecagent::recorded::read_folder;
use suites::{agentdojo, injecagent};
use trace::rows::CellRow;
use trace::trajectory::Trajectory;

use crate::commands::conform_injecagent::{self, unusable};
use crate::exit;
use crate::failure::Failure;

/// What an agent's name begins with that repeats recorded runs.
pub(crate) const PREFIX: &str = "recorded:";

/// The recorded agents of a run.
pub(crate) struct Recordings {
    /// The sets, in the order given.
    pub(crate) sets: Vec<Recording>,
    /// What one should know of what was read, a line each.
    pub(crate) notes: Vec<String>,
    /// What the sets are, a line each.
    pub(crate) about: Vec<String>,
}

impl Recordings {
    /// Reads what lies at the paths that the agents' names hold.
    ///
    /// # Errors
    /// A path cannot be read, or holds a log that is malformed or of another suite.
    pub(crate) fn read(suite: &str, agents: &[String]) -> Result<Self, Failure> {
        let (mut sets, mut notes) = (Vec::new(), Vec::new());
        for path in agents.iter().filter_map(|name| name.strip_prefix(PREFIX)) {
            let imported = read(suite, Path::new(path))?;
            if let Some(first) = imported.malformed.first() {
                let message = format!(
                    "{} of `{path}` cannot be read, the first one: {}: {}",
                    logs(imported.malformed.len()),
                    first.site,
                    first.why
                );
                let hint = format!(
                    "`bench import {suite} {path} -o FILE` names each and keeps the others; then \
                     give `{PREFIX}FILE`"
                );
                return Err(Failure::new(exit::INVALID, message).hint(hint));
            }
            if let Some((site, other)) = imported.foreign.first() {
                let count = logs(imported.foreign.len());
                notes.push(format!("{count} of `{path}` left out: suite `{other}` ({site}) …"));
            }
            sets.extend(Recording::sets(imported.trajectories));
        }
        let about = sets.iter().map(about).collect();
        Ok(Self { sets, notes, about })
    }

    /// The agents' names in a run's rows.
    pub(crate) fn names(&self) -> Vec<String> {
        self.sets.iter().map(|set| set.name.to_string()).collect()
    }

    /// The attacks of the recorded runs, by name.
    pub(crate) fn attacks(&self) -> BTreeSet<&str> {
        let trajectories = self.sets.iter().flat_map(|set| &set.trajectories);
        trajectories.filter_map(|one| one.attack.as_deref()).collect()
    }
}

/// Reads what lies at a path, by the suite's own importer.
///
/// # Errors
/// The path cannot be read.
pub(crate) fn read(suite: &str, path: &Path) -> Result<Imported, Failure> {
    let imported = match suite {
        agentdojo::NAME => agentdojo::import::import(path),
        injecagent::NAME if path.is_dir() => return injecagent_folder(path),
        _ => import::trajectories(path),
    };
    imported.map_err(|error| {
        let hint = match &error {
            ImportError::Read { .. } => "give a log, a file of logs, or a folder of these",
            ImportError::Nothing(_) => {
                "logs end in .json, files of logs in .jsonl, or these in .zst"
            }
        };
        Failure::new(exit::INVALID, &error).hint(hint)
    })
}

/// Reads the recorded outputs below a folder, or the trajectories in it where it has none.
fn injecagent_folder(path: &Path) -> Result<Imported, Failure> {
    let data = Dataset::read(&conform_injecagent::files(None)?).map_err(unusable)?;
    let recordings = match read_folder(path, &data) {
        Err(DataError::NoRecordings { .. }) => {
            return import::trajectories(path)
                .map_err(|error| Failure::new(exit::INVALID, &error).hint(LAYOUTS));
        }
        other => other.map_err(unusable)?,
    };
    let trajectories = injecagent::import::trajectories(&data, &recordings).map_err(unusable)?;
    Ok(Imported { trajectories, ..Imported::default() })
}

/// What a folder of recordings looks like.
const LAYOUTS: &str = "expected `{base,enhanced}/MODEL/{dh,ds}.jsonl.zst`, \
                       `{BASE,ENHANCED}/MODEL/test_cases_*.json`, or files of trajectories";

/// What is said of a set: how much of it there is, and what its attacks were.
fn about(set: &Recording) -> String {
    let landed = |one: &&Trajectory| one.attack.is_some() && one.logged.security == Some(true);
    let landed = || set.trajectories.iter().map(AsRef::as_ref).filter(landed);
    let pairs: BTreeSet<String> = landed().map(Trajectory::scenario).collect();
    // Only the harness of a defense writes this form.
    let behind = set.trajectories.iter().any(|one| one.provenance.form == "conversations");
    let behind = if behind { "made behind another defense" } else { "made elsewhere" };
    format!(
        "{}: {}, {behind}; {} attacks had landed, of {} distinct pairs: no model's attack success",
        set.name,
        logs(set.trajectories.len()),
        landed().count(),
        pairs.len()
    )
}

fn logs(count: usize) -> String {
    if count == 1 { "1 log".to_owned() } else { format!("{count} logs") }
}

/// Whether every replay without a defense ends as its log says.
pub(crate) fn agree(cells: &[&CellRow]) -> bool {
    report::recorded::agreement(cells.iter().copied())
        .is_none_or(|agreement| agreement.k == agreement.n)
}

/// Prints on standard output what the sets are and, where there is something to compare, every verdict
/// that is not the log's, and how many agree.
pub(crate) fn print(about: &[String], cells: &[&CellRow]) {
    for line in about {
        println!("{line}");
    }
    let Some(agreement) = report::recorded::agreement(cells.iter().copied()) else { return };
    let named = report::recorded::disagreements(cells.iter().copied());
    for one in &named {
        let ours = one.ours.map_or_else(|| "none".to_owned(), |verdict| verdict.to_string());
        let (scenario, epoch, verdict, logged) =
            (&one.scenario, one.epoch, one.verdict, one.logged);
        println!("{scenario} (epoch {epoch}): {verdict} here {ours}, in the log {logged}");
    }
    println!("verdicts: {} of {} agree", agreement.k, agreement.n);
}
