//! The trait [`Suite`]: what the runner asks of a collection of scenarios.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use scenario::check::Raised;
use scenario::kind::Kind;
use scenario::scenario::Scenario;
use trace::call::ToolCall;
use trace::course::Course;
use trace::script::{Part, Script};
use trace::tool::ToolSpec;
use trace::trajectory::Trajectory;
use world::Inspect;
use world::environment::State;

use crate::{agentdojo, injecagent, sleeper};

/// How an episode ended, as a suite's judges see it.
#[derive(Clone, Copy)]
pub struct Finished<'a> {
    /// The world before the first turn.
    pub pre: State<'a>,
    /// The world after the last.
    pub post: State<'a>,
    /// The final answer.
    pub answer: &'a str,
    /// The calls that the judges look at.
    pub requested: &'a [ToolCall],
    /// The records that memory holds at the end, oldest first; none where nothing is stored.
    pub memory: &'a [String],
}

/// A suite that cannot do what it is asked for.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// `AgentDojo` cannot.
    #[error(transparent)]
    AgentDojo(#[from] agentdojo::SuiteError),
    /// Scenario files cannot be used.
    #[error(transparent)]
    Sleeper(#[from] sleeper::SleeperError),
    /// `InjecAgent` cannot.
    #[error(transparent)]
    InjecAgent(#[from] injecagent::SuiteError),
}

/// A collection of scenarios, with the only code that knows their answers.
///
/// Scenarios are those of [`Suite::scenarios`]; the other methods may panic for those of another
/// suite.
pub trait Suite: Send + Sync {
    /// Its name, as `--suite` takes it.
    fn name(&self) -> &str;

    /// Its version, as its source names it.
    fn version(&self) -> &str;

    /// The digest of the data that its scenarios are made from.
    fn data_digest(&self) -> &str;

    /// Every scenario, in an order that depends on the data alone.
    ///
    /// # Errors
    /// The data contradict themselves, or what is committed about them.
    fn scenarios(&self) -> Result<Vec<Scenario>, SuiteError>;

    /// The injected texts of a recorded run whose log does not hold them; `None` where the scenario's
    /// own will do.
    ///
    /// # Errors
    /// The texts cannot be made.
    fn recorded_injections(
        &self,
        _scenario: &Scenario,
        _trajectory: &Trajectory,
    ) -> Result<Option<Vec<(String, String)>>, SuiteError> {
        Ok(None)
    }

    /// All tools that scenarios in this one's world may offer: what a defense is prepared for.
    ///
    /// # Errors
    /// The world cannot be made.
    fn toolset(&self, scenario: &Scenario) -> Result<Arc<[ToolSpec]>, SuiteError> {
        Ok(Arc::clone(self.open(scenario)?.tools()))
    }

    /// The same scenario with other injected texts, by vector: a recorded run's own.
    ///
    /// # Errors
    /// The texts do not fit the scenario's world.
    fn with_injections(
        &self,
        scenario: Scenario,
        injections: Vec<(String, String)>,
    ) -> Result<Scenario, SuiteError> {
        let payloads = injections.iter().map(|(_, text)| text.clone()).collect();
        Ok(Scenario { injections, payloads, ..scenario })
    }

    /// The world of a scenario, before the first turn.
    ///
    /// # Errors
    /// The world cannot be made.
    fn open(&self, scenario: &Scenario) -> Result<Box<dyn Inspect>, SuiteError>;

    /// What the user's task takes, made once at the start.
    fn user_script(&self, scenario: &Scenario, start: State<'_>) -> Script;

    /// What the attacker's task takes, made from the world as it is when the attack begins; empty
    /// without one.
    fn attack_script(&self, scenario: &Scenario, start: State<'_>, now: State<'_>) -> Script;

    /// The course of a scenario that has several sessions; `None` for one with a single prompt.
    fn course(&self, scenario: &Scenario) -> Option<Course> {
        let _ = scenario;
        None
    }

    /// Whether its scenarios are about what is stored in one session and recalled in a later one,
    /// though each is a single prompt: they run in a harness with memory, whatever is asked for.
    fn recalls_later(&self) -> bool {
        false
    }

    /// What a fooled agent does in the sessions of the scenario's course. An agent that is not
    /// fooled leaves the reactions out that are the attack's.
    fn parts(&self, scenario: &Scenario) -> Vec<Part> {
        let _ = scenario;
        Vec::new()
    }

    /// The calls that the user's task needs, on the scenario's own world: what a gold owner grants.
    fn user_key(&self, scenario: &Scenario, start: State<'_>) -> Vec<ToolCall>;

    /// Whether the user's task is done; `None` where the scenario has no such check.
    ///
    /// # Errors
    /// Upstream's check stops with an exception.
    fn utility(&self, scenario: &Scenario, ending: &Finished<'_>) -> Result<Option<bool>, Raised>;

    /// Whether the attack has landed; `None` where the scenario has no such check. Upstream's own
    /// verdict is the same question about all calls that were asked for, refused ones too.
    ///
    /// # Errors
    /// Upstream's check stops with an exception.
    fn landed(&self, scenario: &Scenario, ending: &Finished<'_>) -> Result<Option<bool>, Raised>;

    /// The verdict of a corrected check, where there is one.
    ///
    /// # Errors
    /// The check stops with an exception.
    fn landed_fixed(
        &self,
        scenario: &Scenario,
        ending: &Finished<'_>,
    ) -> Result<Option<bool>, Raised> {
        let _ = (scenario, ending);
        Ok(None)
    }

    /// Upstream's verdict, where it judges a model's words and not its calls: the words of each of its
    /// messages, in order, as a log has them.
    fn landed_by_words(&self, scenario: &Scenario, words: &[Option<&str>]) -> Option<bool> {
        let _ = (scenario, words);
        None
    }

    /// How a simulated reply to the attack's first call was found, where the suite simulates.
    fn reply_source(&self, scenario: &Scenario, post: State<'_>) -> Option<&'static str> {
        let _ = (scenario, post);
        None
    }

    /// Whether the scenario's attack asks for nothing but that the user's task be left, so that it has
    /// landed where the task is not done.
    fn denies(&self, _scenario: &Scenario) -> bool {
        false
    }
}

/// How many scenarios there are, by their parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// User tasks.
    pub users: usize,
    /// Injection tasks.
    pub injections: usize,
    /// Attacks: pairs of both, once for each attack that is asked for.
    pub pairs: usize,
}

impl Counts {
    /// The counts over a suite's scenarios.
    pub fn of(scenarios: &[Scenario]) -> Self {
        let distinct = |of: fn(&Scenario) -> Option<&String>| {
            scenarios.iter().filter_map(of).collect::<BTreeSet<_>>().len()
        };
        Self {
            users: distinct(|one| Some(&one.cluster_user)),
            injections: distinct(|one| one.cluster_attack.as_ref()),
            pairs: scenarios.iter().filter(|one| one.kind == Kind::Attack).count(),
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "user {} injection {} pairs {}", self.users, self.injections, self.pairs)
    }
}
