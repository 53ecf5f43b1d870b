//! Who acts in a job.

use std::sync::Arc;

use agents::player::{self, Scene, put_off};
use agents::recorded::Recorded;
use agents::roster::Character;
use agents::scripted::{Diary, LateScript, Scripted, Temptation};
use harness::agent::Agent;
use scenario::scenario::Scenario;

use crate::executor::Executor;
use crate::harness::{HarnessChoice, Paged};
use crate::plan::Job;
use crate::replay::Player;
use crate::shared_world::Handle;

/// An agent of any make.
pub(crate) enum Actor {
    Scripted(Scripted),
    InScenes(player::Player),
    Recorded(Recorded),
}

impl Actor {
    pub(crate) fn as_agent(&mut self) -> &mut dyn Agent {
        match self {
            Self::Scripted(agent) => agent,
            Self::InScenes(agent) => agent,
            Self::Recorded(agent) => agent,
        }
    }

    /// What it tells of what it did: a scripted agent's diary, a recorded one's calls.
    pub(crate) fn told(&self) -> (Diary, Vec<usize>) {
        match self {
            Self::Scripted(agent) => (agent.diary().clone(), Vec::new()),
            Self::InScenes(agent) => (agent.diary().clone(), Vec::new()),
            Self::Recorded(agent) => (Diary::default(), agent.asked().to_vec()),
        }
    }
}

impl Executor {
    /// Who acts: a recorded agent repeats its calls; in a course of its own a scripted one plays its
    /// parts; where an injection is put off, it notes first what it acts on later; else it follows its
    /// scripts.
    pub(crate) fn actor(
        &self,
        job: &Job,
        pre: &Handle,
        post: &Handle,
        left_out: &[usize],
    ) -> Actor {
        let scenario = &job.scenario;
        let character = match &job.agent {
            Player::Scripted(character) => *character,
            Player::Recorded(replay) => {
                return Actor::Recorded(Recorded::without(&replay.trajectory, left_out));
            }
        };
        if self.suite.course(scenario).is_some() {
            let scenes = self.suite.parts(scenario).into_iter().map(Scene::from);
            return Actor::InScenes(player::Player::new(character, scenes));
        }
        if !matches!(job.harness, HarnessChoice::Paged(Paged { delay: 1.., .. })) {
            return Actor::Scripted(self.agent(character, scenario, pre, post));
        }
        let user = self.suite.user_script(scenario, pre.lock().state());
        let attack = self.attack(scenario, pre, post);
        let scenes = put_off(character, user, &scenario.payloads, attack);
        Actor::InScenes(player::Player::new(character, scenes))
    }

    fn agent(
        &self,
        character: Character,
        scenario: &Arc<Scenario>,
        pre: &Handle,
        post: &Handle,
    ) -> Scripted {
        let user = self.suite.user_script(scenario, pre.lock().state());
        let temptation = scenario.attack.as_ref().map(|_| Temptation {
            denies: self.suite.denies(scenario),
            payloads: scenario.payloads.clone(),
            script: self.attack(scenario, pre, post),
        });
        Scripted::new(character, user, temptation)
    }

    /// The attack's script, made when it is begun.
    fn attack(&self, scenario: &Arc<Scenario>, pre: &Handle, post: &Handle) -> LateScript {
        let (suite, start, live) = (Arc::clone(&self.suite), pre.clone(), post.clone());
        let scenario = Arc::clone(scenario);
        Arc::new(move || suite.attack_script(&scenario, start.lock().state(), live.lock().state()))
    }
}
