//! `AgentDojo` as a [`Suite`].

use scenario::check::Raised;
use scenario::scenario::Scenario;
use trace::call::ToolCall;
use trace::script::Script;
use trace::trajectory::Trajectory;
use world::Inspect;
use world::environment::State;

use super::{AgentDojo, NAME};
use crate::suite::{Finished, Suite, SuiteError};

impl Suite for AgentDojo {
    fn name(&self) -> &str {
        NAME
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn data_digest(&self) -> &str {
        &self.digest
    }

    fn scenarios(&self) -> Result<Vec<Scenario>, SuiteError> {
        Ok(self.scenarios()?)
    }

    fn recorded_injections(
        &self,
        scenario: &Scenario,
        trajectory: &Trajectory,
    ) -> Result<Option<Vec<(String, String)>>, SuiteError> {
        Ok(self.recorded_injections(scenario, trajectory)?)
    }

    fn with_injections(
        &self,
        scenario: Scenario,
        injections: Vec<(String, String)>,
    ) -> Result<Scenario, SuiteError> {
        Ok(self.with_injections(scenario, injections)?)
    }

    fn open(&self, scenario: &Scenario) -> Result<Box<dyn Inspect>, SuiteError> {
        Ok(self.open(scenario)?)
    }

    fn user_script(&self, scenario: &Scenario, start: State<'_>) -> Script {
        self.user_script(scenario, start)
    }

    fn attack_script(&self, scenario: &Scenario, start: State<'_>, now: State<'_>) -> Script {
        self.attack_script(scenario, start, now)
    }

    fn user_key(&self, scenario: &Scenario, start: State<'_>) -> Vec<ToolCall> {
        self.user_key(scenario, start)
    }

    fn utility(&self, scenario: &Scenario, ending: &Finished<'_>) -> Result<Option<bool>, Raised> {
        self.utility(scenario, ending).map(Some)
    }

    fn landed(&self, scenario: &Scenario, ending: &Finished<'_>) -> Result<Option<bool>, Raised> {
        self.landed(scenario, ending)
    }

    fn denies(&self, scenario: &Scenario) -> bool {
        self.denies(scenario)
    }
}
