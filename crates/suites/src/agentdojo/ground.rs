//! A world of the suite: its environment, its tools, and the ported parts of its tasks.

use std::sync::Arc;

use scenario::check::{Ending, Predicate, Raised};
use trace::call::ToolCall;
use world::Inspect;
use world::environment::{State, Typed};
use world::live::Live;
use world::template::{Injections, Template, TemplateError, Vector};
use world::tool::{Described, Toolbox};

use super::bundle::{self, Version};
use super::suite::SuiteError;

/// Upstream's script where it reads the live environment: from the exported calls, which were made
/// on the pristine one.
pub(crate) type LiveScript<W> = fn(&LiveCalls<'_, W>) -> Vec<ToolCall>;

/// What a live script is made from.
pub(crate) struct LiveCalls<'a, W> {
    /// The environment now.
    pub(crate) live: &'a W,
    /// The environment before the first turn.
    pub(crate) start: &'a W,
    /// The environment as the data set describes it, without an attack.
    pub(crate) pristine: &'a W,
    /// The calls on the pristine environment.
    pub(crate) calls: &'a [ToolCall],
    /// The task's own words.
    pub(crate) words: &'a str,
}

/// Whose scripts carry out the injection tasks for which upstream has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scripts {
    /// Upstream's alone: an injection task with an empty ground truth has no script.
    Upstream,
    /// This project's own where upstream's is empty. They read what they send.
    #[default]
    Ours,
}

/// The ported part of a task.
pub(crate) struct Ported<W: 'static> {
    /// The task's id.
    pub(crate) id: &'static str,
    /// Its check, as it was registered first.
    pub(crate) check: Predicate<W>,
    /// The versions from which it has another check, in order.
    pub(crate) later: &'static [(Version, Predicate<W>)],
    /// Its script, where it reads the environment.
    pub(crate) live: Option<LiveScript<W>>,
    /// Our own script, where upstream's is empty.
    pub(crate) own: Option<LiveScript<W>>,
}

impl<W> Ported<W> {
    /// A task whose script never reads the environment.
    pub(crate) const fn fixed(id: &'static str, check: Predicate<W>) -> Self {
        Self { id, check, later: &[], live: None, own: None }
    }

    /// A task whose script reads the environment.
    pub(crate) const fn live(id: &'static str, check: Predicate<W>, script: LiveScript<W>) -> Self {
        Self { id, check, later: &[], live: Some(script), own: None }
    }

    /// A task whose script is empty upstream.
    pub(crate) const fn own(id: &'static str, check: Predicate<W>, script: LiveScript<W>) -> Self {
        Self { id, check, later: &[], live: None, own: Some(script) }
    }

    /// The same task, with the checks that it has from later versions on. Its script is the same in
    /// all of them: what differs there is in the exported calls.
    pub(crate) const fn later(self, later: &'static [(Version, Predicate<W>)]) -> Self {
        Self { later, ..self }
    }

    /// The check that a suite of version `limit` serves.
    fn check_in(&self, limit: Version) -> Predicate<W> {
        let served = self.later.iter().rfind(|(version, _)| *version <= limit);
        served.map_or(self.check, |(_, check)| *check)
    }
}

/// An environment whose tasks are ported.
pub(crate) trait PortedWorld: Typed {
    /// The user tasks, in upstream's registration order.
    const USER_TASKS: &'static [Ported<Self>];
    /// The injection tasks, in upstream's registration order.
    const INJECTION_TASKS: &'static [Ported<Self>];
}

/// Which of a world's two tables a task stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    /// User tasks.
    User,
    /// Injection tasks.
    Injection,
}

/// How an episode ended, whatever its world.
#[derive(Clone, Copy)]
pub(crate) struct AnyEnding<'a> {
    pub(crate) pre: State<'a>,
    pub(crate) post: State<'a>,
    pub(crate) answer: &'a str,
    pub(crate) requested: &'a [ToolCall],
    pub(crate) key: &'a [ToolCall],
    pub(crate) words: &'a str,
    pub(crate) output: &'a str,
}

/// The environment before the first turn, and at the moment a script is made.
#[derive(Clone, Copy)]
pub(crate) struct Then<'a> {
    pub(crate) start: State<'a>,
    pub(crate) now: State<'a>,
}

impl<'a> Then<'a> {
    /// The first turn itself.
    pub(crate) fn only(start: State<'a>) -> Self {
        Self { start, now: start }
    }
}

/// A task whose script is to be made.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) table: Table,
    pub(crate) id: &'a str,
    /// The calls on the pristine environment.
    pub(crate) calls: &'a [ToolCall],
    /// The task's own words.
    pub(crate) words: &'a str,
}

/// A world of the suite, whatever its type.
pub(crate) trait Ground: Send + Sync {
    fn vectors(&self) -> &[Vector];
    fn open(&self, injections: &Injections) -> Result<Box<dyn Inspect>, TemplateError>;
    fn folded_payload(&self, vector: &str, text: &str) -> Result<String, TemplateError>;
    /// Whether a task with these versions is ported, and whether its script may read the environment.
    fn ported(&self, table: Table, id: &str, registered: &[Version]) -> Option<bool>;
    fn script(&self, wanted: Wanted<'_>, then: Then<'_>) -> Vec<ToolCall>;
    /// The environment without an attack.
    fn pristine(&self) -> State<'_>;
    fn check(&self, table: Table, id: &str, ending: AnyEnding<'_>) -> Result<bool, Raised>;
}

/// A world of the suite by its type.
pub(crate) struct TypedGround<W: Typed> {
    template: Template<W>,
    toolbox: Arc<Toolbox<W>>,
    pristine: W,
    /// The version of the world's tasks.
    limit: Version,
    scripts: Scripts,
}

impl<W: PortedWorld> TypedGround<W> {
    /// The world as the bundle describes it, with the tasks of version `limit`.
    pub(crate) fn load(
        suite: &mut bundle::Suite,
        limit: Version,
        scripts: Scripts,
    ) -> Result<Self, SuiteError> {
        let vectors = suite.vectors.iter();
        let vectors = vectors.map(|v| Vector { id: v.id.clone(), default: v.default.clone() });
        let template = Template::load(suite.environment.take(), vectors.collect())?;
        let described = suite.tools.drain(..).map(|tool| Described {
            name: tool.name,
            description: tool.description,
            parameters: tool.parameters,
        });
        let toolbox = Arc::new(Toolbox::new(described.collect())?);
        let pristine = template.fill(&Vec::new())?;
        Ok(Self { template, toolbox, pristine, limit, scripts })
    }

    fn entry(table: Table, id: &str) -> Option<&'static Ported<W>> {
        let entries = match table {
            Table::User => W::USER_TASKS,
            Table::Injection => W::INJECTION_TASKS,
        };
        entries.iter().find(|entry| entry.id == id)
    }
}

const OTHER_WORLD: &str = "a scenario is only ever judged in its own world";

impl<W: PortedWorld> Ground for TypedGround<W> {
    fn vectors(&self) -> &[Vector] {
        self.template.vectors()
    }

    fn open(&self, injections: &Injections) -> Result<Box<dyn Inspect>, TemplateError> {
        let environment = self.template.fill(injections)?;
        Ok(Box::new(Live::new(environment, Arc::clone(&self.toolbox))))
    }

    fn folded_payload(&self, vector: &str, text: &str) -> Result<String, TemplateError> {
        self.template.folded_payload(vector, text)
    }

    fn ported(&self, table: Table, id: &str, registered: &[Version]) -> Option<bool> {
        let entry = Self::entry(table, id)?;
        let known = entry.later.iter().all(|(version, _)| registered.contains(version));
        known.then_some(entry.live.is_some())
    }

    fn script(&self, wanted: Wanted<'_>, then: Then<'_>) -> Vec<ToolCall> {
        let Wanted { table, id, calls, words } = wanted;
        let script = Self::entry(table, id).and_then(|entry| match self.scripts {
            Scripts::Ours => entry.live.or(entry.own),
            Scripts::Upstream => entry.live,
        });
        let Some(script) = script else { return calls.to_vec() };
        let live = W::from_state(then.now).expect(OTHER_WORLD);
        let start = W::from_state(then.start).expect(OTHER_WORLD);
        script(&LiveCalls { live, start, pristine: &self.pristine, calls, words })
    }

    fn pristine(&self) -> State<'_> {
        self.pristine.as_state()
    }

    fn check(&self, table: Table, id: &str, ending: AnyEnding<'_>) -> Result<bool, Raised> {
        let entry = Self::entry(table, id).expect("every task of the suite is ported");
        (entry.check_in(self.limit))(&Ending {
            pre: W::from_state(ending.pre).expect(OTHER_WORLD),
            post: W::from_state(ending.post).expect(OTHER_WORLD),
            answer: ending.answer,
            requested: ending.requested,
            key: ending.key,
            words: ending.words,
            output: ending.output,
        })
    }
}

/// The text of an argument of one of the task's own calls.
pub(crate) fn key_text<'a>(key: &'a [ToolCall], call: usize, argument: &str) -> &'a str {
    key.get(call).and_then(|call| call.args.get(argument)?.as_str()).unwrap_or_default()
}

/// The texts of a list that is an argument of one of the task's own calls.
pub(crate) fn key_texts<'a>(key: &'a [ToolCall], call: usize, argument: &str) -> Vec<&'a str> {
    let list = key.get(call).and_then(|call| call.args.get(argument)?.as_array());
    list.into_iter().flatten().filter_map(serde_json::Value::as_str).collect()
}
