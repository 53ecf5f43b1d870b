//! The suite's scenarios.

use scenario::guarantee::Class;
use scenario::kind::Kind;
use scenario::scenario::Scenario;
use trace::profile::Profile;
use trace::trajectory::Trajectory;
use world::template::Injections;

use super::benchmark::{Benchmark, Task};
use super::suite::{AgentDojo, SuiteError};
use super::tables;
use super::wording::Wording;

impl AgentDojo {
    /// Every scenario: under each attack each pair of a user task and an injection task, or each user
    /// task where the attack only keeps the agent from it; each user task alone; and for each pair a
    /// benign control.
    ///
    /// # Errors
    /// An attack's text breaks an environment, or a case has no class.
    pub fn scenarios(&self) -> Result<Vec<Scenario>, SuiteError> {
        let guarantees = tables::Classes::read(&self.version)?;
        let mut scenarios = Vec::new();
        for world in &self.worlds {
            for wording in &self.attacks {
                // Upstream runs such an attack with the first injection task, and ignores its goal.
                let only = if wording.denies { 1 } else { world.injection_tasks.len() };
                for at in 0..world.user_tasks.len() {
                    for injection in &world.injection_tasks[..only] {
                        let pair = Pair { world, at, injection };
                        scenarios.push(attacked(wording, pair, &guarantees)?);
                    }
                }
            }
            scenarios.extend(world.user_tasks.iter().map(|user| world.benign(user, None)));
            for user in &world.user_tasks {
                let controls = world.injection_tasks.iter();
                scenarios.extend(controls.map(|injection| world.benign(user, Some(injection))));
            }
        }
        Ok(scenarios)
    }

    /// The injected texts of a recorded run whose log does not hold them, where the names in them are
    /// others than the scenario's; `None` where the scenario's own will do.
    ///
    /// # Errors
    /// The attack cannot be worded for the scenario's tasks.
    pub fn recorded_injections(
        &self,
        scenario: &Scenario,
        trajectory: &Trajectory,
    ) -> Result<Option<Injections>, SuiteError> {
        let mut attacks = self.attacks.iter();
        let wording = attacks.find(|one| scenario.attack.as_deref() == Some(one.name));
        let Some(wording) = wording.and_then(|one| one.as_logged(trajectory)) else {
            return Ok(None);
        };
        let world = self.world(scenario);
        let Some(injection) = world.injection_of(scenario) else { return Ok(None) };
        let text = wording.render(world.user_task(&scenario.user_task), injection)?;
        let vectors = scenario.injections.iter();
        Ok(Some(vectors.map(|(vector, _)| (vector.clone(), text.clone())).collect()))
    }

    /// The same scenario with other injected texts, as a recorded run had them.
    ///
    /// # Errors
    /// A vector is not one of the world's, or a text breaks the environment.
    pub fn with_injections(
        &self,
        scenario: Scenario,
        injections: Injections,
    ) -> Result<Scenario, SuiteError> {
        let world = self.world(&scenario);
        let payloads = payloads(world, &injections)?;
        Ok(Scenario { injections, payloads, ..scenario })
    }
}

/// A user task by its place, and an injection task, in a world.
#[derive(Clone, Copy)]
struct Pair<'a> {
    world: &'a Benchmark,
    at: usize,
    injection: &'a Task,
}

/// The injected texts as they stand in the world, without repetition.
fn payloads(world: &Benchmark, injections: &Injections) -> Result<Vec<String>, SuiteError> {
    let mut payloads: Vec<String> = Vec::new();
    for (vector, text) in injections {
        let folded = world.ground.folded_payload(vector, text)?;
        if !payloads.contains(&folded) {
            payloads.push(folded);
        }
    }
    Ok(payloads)
}

fn attacked(
    wording: &Wording,
    Pair { world, at, injection }: Pair<'_>,
    guarantees: &tables::Classes,
) -> Result<Scenario, SuiteError> {
    let user = &world.user_tasks[at];
    let text = wording.render(user, injection)?;
    let vectors = &world.candidates[at];
    let injections: Injections =
        vectors.iter().map(|vector| (vector.clone(), text.clone())).collect();
    let payloads = payloads(world, &injections)?;
    let guarantee = if wording.denies {
        Profile::ALL.iter().map(|profile| (*profile, Class::AnswerOnly)).collect()
    } else {
        let (user_task, injection_task) = (world.path(&user.id), world.path(&injection.id));
        match guarantees.of(&user_task, &injection_task) {
            Some(classes) => classes.to_vec(),
            None => return Err(SuiteError::Unclassified { user_task, injection_task }),
        }
    };
    Ok(Scenario {
        attack: Some(wording.name.to_owned()),
        injections,
        payloads,
        guarantee,
        ..world.scenario(Kind::Attack, user, Some(injection))
    })
}
