//! Runs the episodes of one job.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use agents::scripted::{Diary, find_payload};
use defenses::roster::{Choice, Prepared};
use harness::agent::Invalid;
use harness::episode::{self, Cast, Record};
use harness::paged;
use harness::timing::Sample;
use scenario::scenario::Scenario;
use suites::suite::{Suite, SuiteError};
use trace::call::ToolCall;
use trace::rows::{ApprovalRow, CellRow, EventRow, FaultRow, TimingRow};
use trace::tool::Channel;

use crate::cell_rows;
use crate::draw::Draw;
use crate::fatigue::Requests;
use crate::harness::{HarnessChoice, Paged, course_of};
use crate::owners::{Look, Mood, OwnerChoice};
use crate::plan::{Cell, Job, Plan};
use crate::replay::{Player, left_course};
use crate::shared_world::{Handle, SharedWorld};
use crate::verdict;

/// An episode that came to an end, and what it is judged by.
pub(crate) struct Course {
    pub(crate) record: Record,
    pub(crate) diary: Diary,
    pub(crate) pre: Handle,
    pub(crate) post: Handle,
    /// The calls that the user's task needs.
    pub(crate) key: Arc<[ToolCall]>,
    /// For recorded agents, the numbers of the calls asked for, in the trajectory.
    pub(crate) asked: Vec<usize>,
    /// For recorded agents, whether the view left the recorded course.
    pub(crate) diverged: Option<bool>,
}

impl Course {
    /// What the episode began with, for another one.
    pub(crate) fn opened(&self) -> Opened {
        Opened { pre: self.pre.clone(), key: Arc::clone(&self.key) }
    }

    /// Writes down, for a replay, which calls are the attack's own, and whether the view left that of
    /// the undefended replay; without one to compare with it is that replay.
    fn mark(&mut self, own_calls: &[usize], bare: Option<&Self>) {
        self.diary.attack_calls = self.asked.iter().map(|call| own_calls.contains(call)).collect();
        let first_own = self.diary.attack_calls.iter().position(|own| *own);
        let left = bare.is_some_and(|bare| left_course(&bare.record, &self.record, first_own));
        self.diverged = Some(left);
    }
}

/// A scenario's world before the first turn, shared by the episodes of a job, and what the user's task
/// needs there.
#[derive(Clone)]
pub(crate) struct Opened {
    pub(crate) pre: Handle,
    pub(crate) key: Arc<[ToolCall]>,
}

/// An episode, and how long it took.
struct Timed {
    course: Result<Course, Invalid>,
    wall_ns: u64,
}

/// What one cell came to.
#[derive(Clone, Debug)]
pub struct CellOutcome {
    /// Its row.
    pub cell: CellRow,
    /// Its approval requests.
    pub approvals: Vec<ApprovalRow>,
    /// Its faults.
    pub faults: Vec<FaultRow>,
    /// Its time.
    pub timing: TimingRow,
    /// Its events; empty unless they are asked for.
    pub events: Vec<EventRow>,
    /// How long its defense's hooks took.
    pub samples: Vec<Sample>,
}

/// Where a payload first stood in the agent's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The message, from 0.
    pub message: u32,
    /// Its first byte.
    pub start: u32,
    /// The byte behind it.
    pub end: u32,
}

/// What a job came to.
#[derive(Clone, Debug)]
pub struct JobOutcome {
    /// Its number in the plan.
    pub number: usize,
    /// The first sight of a payload without a defense.
    pub exposed: Option<Sighting>,
    /// Its cells, in the plan's order.
    pub cells: Vec<CellOutcome>,
}

/// What cannot be run, through no fault of the cell.
#[derive(Debug, thiserror::Error)]
#[error("cell {cell}: {cause}")]
pub struct RunError {
    /// The first cell of the job.
    pub cell: String,
    /// Why.
    pub cause: SuiteError,
}

/// Runs jobs: what they share is made once.
pub struct Executor {
    pub(crate) suite: Arc<dyn Suite>,
    seed: u64,
    /// Each defense for each world.
    defenses: HashMap<(Choice, Arc<str>), Prepared>,
    keep_events: bool,
    requests: Requests,
}

impl Executor {
    /// An executor for the plan's jobs.
    ///
    /// # Errors
    /// A world cannot be opened.
    pub fn new(plan: &Plan, keep_events: bool) -> Result<Self, SuiteError> {
        let mut defenses = HashMap::new();
        for job in &plan.jobs {
            let world = &job.scenario.world;
            let choices = job.cells.iter().map(|cell| cell.defense).chain([Choice::None]);
            for choice in choices {
                if let std::collections::hash_map::Entry::Vacant(entry) =
                    defenses.entry((choice, Arc::clone(world)))
                {
                    entry.insert(choice.prepare(&plan.suite.toolset(&job.scenario)?));
                }
            }
        }
        Ok(Self {
            suite: Arc::clone(&plan.suite),
            seed: plan.seed,
            defenses,
            keep_events,
            requests: Requests::new(),
        })
    }

    pub(crate) fn set_requests(&mut self, requests: Requests) {
        self.requests = requests;
    }

    pub(crate) fn requests(&self, defense: Choice, world: &Arc<str>) -> &[u32] {
        self.requests.get(&(defense, Arc::clone(world))).map_or(&[], Vec::as_slice)
    }

    /// Runs a job: one undefended episode for what every cell is compared with, then each cell.
    ///
    /// # Errors
    /// The scenario's world cannot be opened.
    pub async fn run(&self, number: usize, job: &Job) -> Result<JobOutcome, RunError> {
        let failed = |cause| RunError {
            cell: job.cells.first().map(|cell| cell.id.to_string()).unwrap_or_default(),
            cause,
        };
        let opened = self.open(&job.scenario).map_err(failed)?;
        let attacked = job.scenario.attack.is_some() || job.agent.replay().is_some();
        let undefended = |cell: &Cell| cell.defense == Choice::None;
        let mut bare = if attacked || job.cells.iter().any(undefended) {
            let nobody = (OwnerChoice::Never, Mood { earlier: 0, draw: Draw::new(0) });
            Some(self.timed(job, &opened, Choice::None, nobody).await)
        } else {
            None
        };
        let exposed = match &bare {
            Some(Timed { course: Ok(course), .. }) => sighting(course, job),
            _ => None,
        };
        let own_calls = match (job.agent.replay(), &bare) {
            (Some(replay), Some(Timed { course: Ok(course), .. })) => {
                self.own_calls(job, replay, course).await
            }
            _ => Vec::new(),
        };
        if let (Some(_), Some(Timed { course: Ok(course), .. })) = (job.agent.replay(), &mut bare) {
            course.mark(&own_calls, None);
        }
        let mut cells = Vec::with_capacity(job.cells.len());
        for cell in &job.cells {
            // Without a defense nobody is asked: the same episode serves every owner.
            let own;
            let timed = match &bare {
                Some(bare) if undefended(cell) => bare,
                _ => {
                    let owner = (cell.owner, self.mood(cell, &job.scenario.world));
                    let mut timed = self.timed(job, &opened, cell.defense, owner).await;
                    if let (Some(_), Ok(course)) = (job.agent.replay(), &mut timed.course) {
                        let bare = bare.as_ref().and_then(|bare| bare.course.as_ref().ok());
                        course.mark(&own_calls, bare);
                    }
                    own = timed;
                    &own
                }
            };
            let course = &timed.course;
            let seen = verdict::Seen { exposed, wall_ns: timed.wall_ns, seed: self.seed };
            let mut outcome = match course {
                Ok(course) => verdict::judge(&*self.suite, job, cell, course, seen),
                Err(why) => verdict::invalid(&*self.suite, job, cell, &why.to_string(), seen),
            };
            if let (true, Ok(course)) = (self.keep_events, course) {
                outcome.events = cell_rows::event_rows(&outcome.cell.cell_id, &course.record);
            }
            cells.push(outcome);
        }
        Ok(JobOutcome { number, exposed, cells })
    }

    /// The scenario's world before the first turn, and what its user's task needs.
    ///
    /// # Errors
    /// The world cannot be opened.
    pub(crate) fn open(&self, scenario: &Scenario) -> Result<Opened, SuiteError> {
        let world = self.suite.open(scenario)?;
        let key = self.suite.user_key(scenario, world.state());
        Ok(Opened { pre: Handle::new(world), key: key.into() })
    }

    async fn timed(
        &self,
        job: &Job,
        opened: &Opened,
        defense: Choice,
        owner: (OwnerChoice, Mood),
    ) -> Timed {
        let start = Instant::now();
        let course = self.course(job, opened, (defense, owner), &[]).await;
        let wall_ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Timed { course, wall_ns }
    }

    /// One episode in a world of its own. A result without a course is the cell's: an agent that could
    /// not act makes the cell invalid, not the run. A recorded agent leaves out the calls with the
    /// numbers in `left_out`.
    pub(crate) async fn course(
        &self,
        job: &Job,
        opened: &Opened,
        (defense, (owner, mood)): (Choice, (OwnerChoice, Mood)),
        left_out: &[usize],
    ) -> Result<Course, Invalid> {
        let scenario = &job.scenario;
        let Opened { pre, key } = opened.clone();
        let post = Handle::new(pre.lock().fork());
        let course = self.planned_course(job);
        let mut actor = self.actor(job, &pre, &post, left_out);
        let look = match &job.agent {
            Player::Scripted(_) => Look::WholeCall,
            Player::Recorded(_) => Look::EachLeaf,
        };
        let prepared = self.defenses.get(&(defense, Arc::clone(&scenario.world)));
        let mut defense = prepared.expect("every defense of the plan was prepared").build();
        let mut owner = owner.build(&key, look, mood);
        let mut world = SharedWorld::new(post.clone());
        let cast = Cast {
            world: &mut world,
            agent: actor.as_agent(),
            defense: &mut *defense,
            owner: &mut *owner,
        };
        let record = match &course {
            None => episode::run(cast, &scenario.prompt).await,
            Some(course) => paged::run(cast, course).await,
        };
        let (diary, asked) = actor.told();
        // Whichever harness ran: what a defense refused that fell out is no evidence.
        let record = match defense.outage() {
            Some(why) => Err(Invalid::Defense(why)),
            None => record,
        };
        record.map(|record| Course { record, diary, pre, post, key, asked, diverged: None })
    }

    /// The course of a job in a harness with memory: the scenario's own, or what its prompt becomes.
    fn planned_course(&self, job: &Job) -> Option<trace::course::Course> {
        let HarnessChoice::Paged(Paged { delay, consolidate }) = job.harness else { return None };
        let own = self.suite.course(&job.scenario);
        let mut course = own.unwrap_or_else(|| course_of(&job.scenario.prompt, delay));
        course.consolidates |= consolidate;
        Some(course)
    }
}

/// Where a payload of the scenario first stands in the agent's view.
pub(crate) fn sighting(course: &Course, job: &Job) -> Option<Sighting> {
    let payloads = &job.scenario.payloads;
    let (at, range) = match (course.diary.seen_at, &course.diary.seen_range) {
        // In one session without a memory the agent has looked at the same messages.
        (Some(at), Some(range)) if !job.harness.has_memory() => (at, range.clone()),
        _ => {
            let shown = course.record.messages.iter().enumerate();
            let mut shown = shown.filter(|(_, message)| {
                message.channel.is_others() || message.channel == Channel::Memory
            });
            shown.find_map(|(at, message)| Some((at, find_payload(&message.text, payloads)?)))?
        }
    };
    Some(Sighting {
        message: u32::try_from(at).ok()?,
        start: u32::try_from(range.start).ok()?,
        end: u32::try_from(range.end).ok()?,
    })
}
