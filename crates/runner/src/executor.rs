//! Runs the episodes of one job.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use agents::player::{self, Scene, put_off};
use agents::recorded::Recorded;
use agents::roster::Character;
use agents::scripted::{Diary, LateScript, Scripted, Temptation};
use agents::sight;
use defenses::roster::{Choice, Prepared};
use harness::agent::{Agent, Invalid};
use harness::episode::{self, Cast, Record};
use harness::paged;
use harness::timing::Sample;
use scenario::kind::Kind;
use scenario::scenario::Scenario;
use suites::suite::{Finished, Suite, SuiteError};
use trace::call::ToolCall;
use trace::rows::{ApprovalRow, CellRow, EventRow, FaultRow, TimingRow};
use trace::tool::Channel;

use crate::draw::Draw;
use crate::fatigue::Requests;
use crate::harness::{HarnessChoice, course_of};
use crate::owners::{Look, Mood, OwnerChoice};
use crate::plan::{Cell, Job, Plan};
use crate::replay::{Player, Replay, left_course};
use crate::shared_world::{Handle, SharedWorld};
use crate::verdict;

/// An episode that came to an end, and what it is judged by.
pub(crate) struct Course {
    pub(crate) record: Record,
    pub(crate) diary: Diary,
    pub(crate) pre: Handle,
    pub(crate) post: Handle,
    /// The calls that the user's task needs.
    pub(crate) key: Vec<ToolCall>,
    /// For recorded agents, the numbers of the calls asked for, in the trajectory.
    pub(crate) asked: Vec<usize>,
    /// For recorded agents, whether the view left the recorded course.
    pub(crate) diverged: Option<bool>,
}

impl Course {
    /// Writes down, for a replay, which calls are the attack's own, and whether the view left that of
    /// the undefended replay; without one to compare with it is that replay.
    fn mark(&mut self, own_calls: &[usize], bare: Option<&Self>) {
        self.diary.attack_calls = self.asked.iter().map(|call| own_calls.contains(call)).collect();
        let first_own = self.diary.attack_calls.iter().position(|own| *own);
        let left = bare.is_some_and(|bare| left_course(&bare.record, &self.record, first_own));
        self.diverged = Some(left);
    }
}

/// An episode, and how long it took from opening its world to its end.
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
    suite: Arc<dyn Suite>,
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
        let attacked = job.scenario.attack.is_some() || job.agent.replay().is_some();
        let undefended = |cell: &Cell| cell.defense == Choice::None;
        let mut bare = if attacked || job.cells.iter().any(undefended) {
            let nobody = (OwnerChoice::Never, Mood { earlier: 0, draw: Draw::new(0) });
            Some(self.timed(job, Choice::None, nobody).await.map_err(failed)?)
        } else {
            None
        };
        let exposed = match &bare {
            Some(Timed { course: Ok(course), .. }) => sighting(&course.record, &job.scenario),
            _ => None,
        };
        let own_calls = match (job.agent.replay(), &bare) {
            (Some(replay), Some(Timed { course: Ok(course), .. })) => {
                self.own_calls(job, replay, course).await.map_err(failed)?
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
                    let mut timed = self.timed(job, cell.defense, owner).await.map_err(failed)?;
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
                outcome.events = verdict::event_rows(&outcome.cell.cell_id, &course.record);
            }
            cells.push(outcome);
        }
        Ok(JobOutcome { number, exposed, cells })
    }

    async fn timed(
        &self,
        job: &Job,
        defense: Choice,
        owner: (OwnerChoice, Mood),
    ) -> Result<Timed, SuiteError> {
        let start = Instant::now();
        let course = self.course(job, defense, owner, &[]).await?;
        let wall_ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Ok(Timed { course, wall_ns })
    }

    /// One episode from a fresh world. The inner result is the cell's own: an agent that could not
    /// act makes the cell invalid, not the run. A recorded agent leaves out the calls with the numbers
    /// in `left_out`.
    pub(crate) async fn course(
        &self,
        job: &Job,
        defense: Choice,
        (owner, mood): (OwnerChoice, Mood),
        left_out: &[usize],
    ) -> Result<Result<Course, Invalid>, SuiteError> {
        let scenario = &job.scenario;
        let opened = self.suite.open(scenario)?;
        let post = Handle::new(opened.fork());
        let key = self.suite.user_key(scenario, opened.state());
        let pre = Handle::new(opened);
        let course = match (self.suite.course(scenario), job.harness) {
            (Some(course), _) => Some(course),
            (None, HarnessChoice::Paged { delay }) => Some(course_of(&scenario.prompt, delay)),
            (None, HarnessChoice::Stateless) => None,
        };
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
        Ok(record.map(|record| Course { record, diary, pre, post, key, asked, diverged: None }))
    }

    /// The recorded calls that are the attack's own, by their numbers in the trajectory: those without
    /// which its check no longer holds (leave-one-out). Where these alone do not suffice, as when two
    /// calls each would do, the first ones that suffice together. Empty where the attack has not landed, or needs
    /// no call.
    async fn own_calls(
        &self,
        job: &Job,
        replay: &Replay,
        bare: &Course,
    ) -> Result<Vec<usize>, SuiteError> {
        if job.scenario.kind != Kind::Attack || !self.lands(job, replay, bare, &[]) {
            return Ok(Vec::new());
        }
        let mut own = Vec::new();
        for call in &bare.asked {
            if !self.lands_without(job, replay, &[*call]).await? {
                own.push(*call);
            }
        }
        // Where one of two calls suffices beside these, neither is missed alone.
        let others: Vec<usize> =
            bare.asked.iter().filter(|call| !own.contains(call)).copied().collect();
        if !own.is_empty() && self.lands_without(job, replay, &others).await? {
            return Ok(own);
        }
        let mut left_out = Vec::new();
        for call in bare.asked.iter().rev() {
            left_out.push(*call);
            if !self.lands_without(job, replay, &left_out).await? {
                left_out.pop();
            }
        }
        Ok(bare.asked.iter().filter(|call| !left_out.contains(call)).copied().collect())
    }

    async fn lands_without(
        &self,
        job: &Job,
        replay: &Replay,
        left_out: &[usize],
    ) -> Result<bool, SuiteError> {
        let nobody = (OwnerChoice::Never, Mood { earlier: 0, draw: Draw::new(0) });
        let course = self.course(job, Choice::None, nobody, left_out).await?;
        Ok(course.is_ok_and(|course| self.lands(job, replay, &course, left_out)))
    }

    fn lands(&self, job: &Job, replay: &Replay, course: &Course, left_out: &[usize]) -> bool {
        let (pre, post) = (course.pre.lock(), course.post.lock());
        let ending = Finished {
            pre: pre.state(),
            post: post.state(),
            answer: &course.record.answer,
            requested: &replay.requested(left_out),
            memory: &[],
        };
        matches!(self.suite.landed(&job.scenario, &ending), Ok(Some(true)))
    }

    /// Who acts: a recorded agent repeats its calls; in a course of its own a scripted one plays its
    /// parts; where an injection is put off, it notes first what it acts on later; else it follows its
    /// scripts.
    fn actor(&self, job: &Job, pre: &Handle, post: &Handle, left_out: &[usize]) -> Actor {
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
        if !matches!(job.harness, HarnessChoice::Paged { delay: 1.. }) {
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

    /// The harness in which a scenario of the plan runs.
    pub(crate) fn harness_of(plan: &Plan, scenario: &Scenario) -> HarnessChoice {
        match plan.suite.course(scenario) {
            Some(_) => HarnessChoice::Paged { delay: 0 },
            None => plan.harness,
        }
    }
}

/// An agent of any make.
enum Actor {
    Scripted(Scripted),
    InScenes(player::Player),
    Recorded(Recorded),
}

impl Actor {
    fn as_agent(&mut self) -> &mut dyn Agent {
        match self {
            Self::Scripted(agent) => agent,
            Self::InScenes(agent) => agent,
            Self::Recorded(agent) => agent,
        }
    }

    /// What it tells of what it did: a scripted agent's diary, a recorded one's calls.
    fn told(&self) -> (Diary, Vec<usize>) {
        match self {
            Self::Scripted(agent) => (agent.diary().clone(), Vec::new()),
            Self::InScenes(agent) => (agent.diary().clone(), Vec::new()),
            Self::Recorded(agent) => (Diary::default(), agent.asked().to_vec()),
        }
    }
}

/// Where a payload of the scenario first stands in the agent's view.
pub(crate) fn sighting(record: &Record, scenario: &Scenario) -> Option<Sighting> {
    let shown = record.messages.iter().enumerate();
    let mut shown = shown
        .filter(|(_, message)| message.channel.is_others() || message.channel == Channel::Memory);
    shown.find_map(|(at, message)| {
        let mut payloads = scenario.payloads.iter();
        let range = payloads.find_map(|payload| sight::find_rendered(&message.text, payload))?;
        Some(Sighting {
            message: u32::try_from(at).ok()?,
            start: u32::try_from(range.start).ok()?,
            end: u32::try_from(range.end).ok()?,
        })
    })
}
