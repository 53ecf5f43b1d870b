//! Which run is wanted, and what of it is there already.

use std::fs;
use std::path::{Path, PathBuf};

use runner::partition::Partition;
use runner::plan::Plan;
use serde_json::{Value, json};

use crate::exit;
use crate::failure::Failure;

/// What decides a run's rows.
pub(crate) struct Wanted<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) partition: Option<Partition>,
    pub(crate) trace: bool,
    /// Whether a run that was begun is to be gone on with.
    pub(crate) resume: bool,
}

/// What is in the run's folder.
pub(crate) enum Earlier {
    /// No run that could be gone on with.
    Nothing,
    /// An interrupted run, with so many jobs.
    Jobs(usize),
    /// The whole run.
    Complete,
}

impl Wanted<'_> {
    /// What must agree with a run that is gone on with.
    pub(crate) fn identity(&self) -> Value {
        json!({
            "schema_version": trace::version::RUN_SCHEMA,
            "scorers": trace::version::SCORERS,
            "plan_id": self.plan.id.to_string(),
            "partition": self.partition.map(|partition| partition.to_string()),
            "trace": self.trace,
        })
    }

    /// A folder of its own for a run of the plan, beside those of earlier runs of it; or that of the
    /// first one that was not completed, where it is to be gone on with.
    pub(crate) fn default_folder(&self) -> PathBuf {
        let part = self.partition.map(|one| format!("-part-{}-of-{}", one.index(), one.count()));
        let plan = &self.plan.id.to_string()[..12];
        let name = format!("{}-{plan}{}", self.plan.suite.name(), part.unwrap_or_default());
        let results = PathBuf::from("results");
        let again = (2..).map(|run| results.join(format!("{name}-{run}")));
        let mut folders = std::iter::once(results.join(&name)).chain(again);
        let is_begun = |folder: &Path| manifest(folder).is_some_and(|it| !is_complete(&it));
        let fits = |folder: &PathBuf| !folder.exists() || self.resume && is_begun(folder);
        folders.find(fits).expect("there is always one more number")
    }

    /// What is there of a run that is to be gone on with.
    ///
    /// # Errors
    /// The folder holds another run.
    pub(crate) fn earlier(&self, target: &Path) -> Result<Earlier, Failure> {
        let found = manifest(target).filter(|_| self.resume);
        let Some(manifest) = found else { return Ok(Earlier::Nothing) };
        let mut same = manifest.clone();
        same["trace"] = manifest["configuration"]["trace"].clone();
        let identity = self.identity();
        let keys = identity.as_object().into_iter().flatten();
        if let Some((key, _)) = keys.into_iter().find(|(key, value)| same[key.as_str()] != **value)
        {
            let message = format!("`{}` is another run: its {key} differs", target.display());
            return Err(Failure::new(exit::INVALID, message)
                .hint("resume with the options of that run, or give another folder with --out"));
        }
        if is_complete(&manifest) {
            return Ok(Earlier::Complete);
        }
        let done = manifest["jobs"]["done"].as_u64().and_then(|done| usize::try_from(done).ok());
        Ok(done.map_or(Earlier::Nothing, Earlier::Jobs))
    }
}

/// Whether every job that was to be done is done.
fn is_complete(manifest: &Value) -> bool {
    manifest["jobs"]["done"] == manifest["jobs"]["planned"]
}

fn manifest(folder: &Path) -> Option<Value> {
    let text = fs::read_to_string(folder.join("manifest.json")).ok()?;
    serde_json::from_str(&text).ok()
}
