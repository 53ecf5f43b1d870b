//! What a fatigued owner was asked before: the benign tasks' own requests.

use std::collections::HashMap;
use std::sync::Arc;

use agents::roster::Character;
use defenses::roster::Choice;
use scenario::kind::Kind;
use trace::event::Event;

use crate::draw::Draw;
use crate::executor::{Executor, RunError};
use crate::owners::{Mood, OwnerChoice};
use crate::plan::{Cell, Job, Plan};

/// For each defense and world, how often each benign task asks a gold owner, in the suite's order.
pub(crate) type Requests = HashMap<(Choice, Arc<str>), Vec<u32>>;

impl Executor {
    /// Finds out how often the benign tasks ask, for every defense that a fatigued owner answers to.
    /// Nothing is to be done for a plan without one.
    ///
    /// # Errors
    /// A scenario's world cannot be opened.
    pub async fn learn_requests(&mut self, plan: &Plan) -> Result<(), RunError> {
        let mut wanted: Vec<(Choice, Arc<str>)> = Vec::new();
        for job in &plan.jobs {
            for cell in &job.cells {
                let place = (cell.defense, Arc::clone(&job.scenario.world));
                let fatigued = matches!(cell.owner, OwnerChoice::Fatigued { .. });
                if fatigued && !wanted.contains(&place) {
                    wanted.push(place);
                }
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let failed = |cause| RunError { cell: "of a benign task".to_owned(), cause };
        let scenarios = plan.suite.scenarios().map_err(failed)?;
        let benign: Vec<_> =
            scenarios.into_iter().filter(|one| one.kind == Kind::Benign).map(Arc::new).collect();
        let mut learnt = Requests::new();
        for (defense, world) in wanted {
            let mut requests = Vec::new();
            for scenario in benign.iter().filter(|scenario| scenario.world == world) {
                let job = Job {
                    scenario: Arc::clone(scenario),
                    digest: "".into(),
                    agent: Character::Loyal.into(),
                    harness: plan.harness.of_scenario(&*plan.suite, scenario),
                    epoch: 0,
                    cells: Vec::new(),
                };
                let gold = (OwnerChoice::Gold, Mood { earlier: 0, draw: Draw::new(0) });
                let opened = self.open(&job.scenario).map_err(failed)?;
                let course = self.course(&job, &opened, (defense, gold), &[]).await;
                let asked =
                    |event: &&Event| matches!(event, Event::Called { approval: Some(_), .. });
                if let Ok(course) = course {
                    let count = course.record.events.iter().filter(asked).count();
                    requests.push(u32::try_from(count).unwrap_or(u32::MAX));
                }
            }
            learnt.insert((defense, world), requests);
        }
        self.set_requests(learnt);
        Ok(())
    }

    /// What an owner brings into a cell: chance, seeded by the cell's id, and the requests of one
    /// benign task, drawn by it.
    pub(crate) fn mood(&self, cell: &Cell, world: &Arc<str>) -> Mood {
        let mut draw = Draw::new(cell.id.seed());
        let requests = self.requests(cell.defense, world);
        let earlier = match requests {
            [] => 0,
            some => {
                let at = draw.below(some.len() as u64);
                some[usize::try_from(at).expect("below a length")]
            }
        };
        Mood { earlier, draw }
    }
}
