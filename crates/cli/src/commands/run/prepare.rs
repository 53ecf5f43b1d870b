//! From the options to a plan.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agents::roster::Character;
use defenses::roster::Choice;
use runner::filter::{FIELDS, Filter};
use runner::harness::HarnessChoice;
use runner::owners::OwnerChoice;
use runner::plan::{Plan, Request};
use suites::agentdojo::{self, Scripts};

use super::{Arguments, Switch, WhoseScripts};
use crate::exit;
use crate::failure::Failure;
use crate::open_suite::{Opened, Wanted};
use crate::recordings::{PREFIX, Recordings};

/// What the options come to, before anything runs.
pub(crate) struct Prepared {
    pub(crate) plan: Arc<Plan>,
    /// Where the suite's data lie.
    pub(super) data: PathBuf,
    pub(super) request: Request,
    /// The names of the recorded agents.
    pub(super) recorded: Vec<String>,
    /// What one should know of the recorded runs.
    notes: Vec<String>,
    /// What the recorded runs are.
    pub(super) about: Vec<String>,
}

impl Prepared {
    /// What one should know before the run, a line each.
    pub(crate) fn notes(&self) -> impl Iterator<Item = &String> {
        self.notes.iter().chain(&self.plan.notes)
    }
}

impl Arguments {
    /// What the options come to.
    ///
    /// # Errors
    /// A name, a filter or a recorded run that cannot be used; data that are missing; no cell.
    pub(crate) fn prepared(&self) -> Result<Prepared, Failure> {
        let recordings = self.recordings()?;
        let opened = self.suite(&recordings)?;
        let recorded = recordings.names();
        let Recordings { sets, notes, about } = recordings;
        let request = self.request(opened.suite.recalls_later())?;
        let request = Request { recordings: sets, ..request };
        let plan = Arc::new(Plan::new(opened.suite, &request)?);
        Ok(Prepared { plan, data: opened.data, request, recorded, notes, about })
    }

    fn recordings(&self) -> Result<Recordings, Failure> {
        Recordings::read(self.suite_name(), &self.agent)
    }

    /// The suite's name, without a version.
    fn suite_name(&self) -> &str {
        self.suite.split_once('@').map_or(&self.suite, |(name, _)| name)
    }

    /// The suite, under the attacks asked for, or those of the recorded runs where there are no other
    /// agents.
    fn suite(&self, recordings: &Recordings) -> Result<Opened, Failure> {
        let recorded = recordings.attacks().into_iter();
        let recorded =
            recorded.filter(|name| agentdojo::ATTACKS.iter().any(|(known, _)| known == name));
        let recorded: Vec<String> = recorded.map(str::to_owned).collect();
        let only_recorded = self.agent.iter().all(|name| name.starts_with(PREFIX));
        let attacks = if only_recorded && !recorded.is_empty() { &recorded } else { &self.attack };

        let scripts = match self.scripts {
            WhoseScripts::Ours => Scripts::Ours,
            WhoseScripts::Upstream => Scripts::Upstream,
        };
        let wanted = Wanted {
            name: &self.suite,
            attacks,
            attack_text: self.attack_text.as_deref(),
            scripts,
            offline: self.offline,
            say: &|line| self.say(line),
        };
        wanted.open()
    }

    /// `recalls` says whether the suite needs a harness with memory.
    fn request(&self, recalls: bool) -> Result<Request, Failure> {
        let invalid = |message: String, hint: &str| Failure::new(exit::INVALID, message).hint(hint);
        let scripted = self.agent.iter().filter(|name| !name.starts_with(PREFIX));
        let agents = scripted.map(|name| {
            let unknown = || invalid(format!("unknown agent `{name}`"), "run `bench list agents`");
            Character::parse(name).ok_or_else(unknown)
        });
        let owners = self.owner.iter().map(|name| {
            let unknown = || invalid(format!("unknown owner `{name}`"), "run `bench list owners`");
            OwnerChoice::parse(name).ok_or_else(unknown)
        });
        let defenses = self.defense_names().into_iter().map(|name| {
            Choice::parse_within(name, Some(Duration::from_secs_f64(self.exec_timeout)))
                .map_err(|error| invalid(error.to_string(), "run `bench list defenses`"))
        });
        let filter = self.filter.as_deref().map(Filter::parse).transpose().map_err(|error| {
            invalid(error.to_string(), &format!("fields are {}", FIELDS.join(", ")))
        })?;
        let name = match self.harness.as_str() {
            "stateless" if recalls => "paged",
            name => name,
        };
        let harness = HarnessChoice::parse(name, self.delay)
            .filter(|harness| self.delay == 0 || harness.has_memory())
            .ok_or_else(|| {
                let message = format!("harness `{}` has no memory to bridge a delay", self.harness);
                invalid(message, "add `--harness paged`")
            })?;
        Ok(Request {
            harness,
            recordings: Vec::new(),
            agents: once_each(agents.collect::<Result<_, _>>()?),
            defenses: once_each(defenses.collect::<Result<_, _>>()?),
            owners: once_each(owners.collect::<Result<_, _>>()?),
            filter,
            limit: self.limit,
            epochs: self.epochs,
            seed: self.seed,
        })
    }

    fn defense_names(&self) -> Vec<&str> {
        match self.mmu {
            Some(Switch::On) => vec!["mmu"],
            Some(Switch::Off) => vec!["none"],
            None => self.defense.iter().map(String::as_str).collect(),
        }
    }
}

/// The entries without repetition, in order.
fn once_each<T: PartialEq>(entries: Vec<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(entries.len());
    for entry in entries {
        if !kept.contains(&entry) {
            kept.push(entry);
        }
    }
    kept
}
