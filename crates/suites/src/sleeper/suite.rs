//! Templates as a [`Suite`].

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use scenario::check::Raised;
use scenario::kind::Kind;
use scenario::language::{Case, Template};
use scenario::mistake::Mistakes;
use scenario::oracle::{Condition, Ended};
use scenario::scenario::Scenario;
use trace::call::ToolCall;
use trace::course::{Course, Moment, Stage};
use trace::script::{Part, Script};
use world::Inspect;
use world::declared::Declared;
use world::environment::State;

use super::{NAME, Sources, Unreadable, VERSION, embedded};
use crate::suite::{Finished, Suite, SuiteError};

/// Scenario files that cannot be made a suite.
#[derive(Debug, thiserror::Error)]
pub enum SleeperError {
    /// A folder or a file that cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// What is wrong in the files.
    #[error("{0}")]
    Mistakes(#[from] Mistakes),
    /// The folder has no scenario file.
    #[error("{0}: no scenario file is here")]
    Empty(String),
}

/// The suite `sleeper`, or a folder of scenario files.
pub struct Sleeper {
    name: String,
    version: String,
    digest: String,
    templates: Vec<Template>,
    /// For each scenario's id, its template and its case.
    places: HashMap<String, (usize, usize)>,
}

impl Sleeper {
    /// The suite that the binary holds.
    ///
    /// # Errors
    /// A file that is wrong.
    pub fn embedded() -> Result<Self, SleeperError> {
        Self::of(NAME.to_owned(), VERSION.to_owned(), &embedded::sources())
    }

    /// The suite of a folder, named as the folder is. Its version is the digest of its files.
    ///
    /// # Errors
    /// A folder or a file that cannot be read, that is wrong, or that holds no scenario.
    pub fn folder(folder: &Path) -> Result<Self, SleeperError> {
        let sources = Sources::folder(folder)?;
        let name = folder.canonicalize().ok();
        let name = name.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
        let version = sources.digest()[..12].to_owned();
        let suite = Self::of(name.unwrap_or_default().into_owned(), version, &sources)?;
        if suite.templates.is_empty() {
            return Err(SleeperError::Empty(folder.display().to_string()));
        }
        Ok(suite)
    }

    fn of(name: String, version: String, sources: &Sources) -> Result<Self, SleeperError> {
        let templates = sources.read()?;
        let mut places = HashMap::new();
        for (at, template) in templates.iter().enumerate() {
            for (number, case) in template.cases.iter().enumerate() {
                places.insert(id(template, case), (at, number));
            }
        }
        Ok(Self { name, version, digest: sources.digest(), templates, places })
    }

    /// The templates.
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }

    /// The template and the case of a scenario.
    ///
    /// # Panics
    /// The scenario is another suite's.
    pub fn case(&self, scenario: &Scenario) -> (&Template, &Case) {
        let (template, case) = self.places[&scenario.id];
        let template = &self.templates[template];
        (template, &template.cases[case])
    }
}

/// `WORLD/TEMPLATE/ROW`, and the kind where it is a twin.
fn id(template: &Template, case: &Case) -> String {
    let (world, name) = (&template.world.declaration.name, &template.name);
    match case.kind {
        Kind::Attack => format!("{world}/{name}/{:02}", case.row),
        twin => format!("{world}/{name}/{:02}/{twin}", case.row),
    }
}

/// The first words of the owner's: those of the first session that opens with some.
fn prompt(course: &Course) -> String {
    let sessions = course.stages.iter().filter_map(|stage| match stage {
        Stage::Session(session) => Some(session),
        _ => None,
    });
    let mut words = sessions.flat_map(|session| &session.moments);
    let words = words.find_map(|moment| match moment {
        Moment::User(words) | Moment::Remember(words) => Some(words.clone()),
        _ => None,
    });
    words.unwrap_or_default()
}

fn scenario(template: &Template, case: &Case) -> Scenario {
    let world = &template.world.declaration.name;
    let task = format!("{}/{:02}", template.name, case.row);
    let cluster = format!("{world}/{}", template.name);
    let attacked = case.kind == Kind::Attack;
    let axis = |name: &str| case.axes.iter().find(|(axis, _)| axis == name).map(|(_, value)| value);
    let harm = template.covers.iter().find(|(label, _)| label == "harm");
    let vector = |(at, text): (usize, &String)| (format!("payload-{at}"), text.clone());
    let setting: Vec<&str> = case.axes.iter().map(|(_, value)| value.as_str()).collect();
    Scenario {
        id: id(template, case),
        world: Arc::from(world.as_str()),
        kind: case.kind,
        injection_task: attacked.then(|| task.clone()),
        user_task: task,
        setting: (!setting.is_empty()).then(|| setting.join("+")),
        harm_kind: harm.map(|(_, value)| value.clone()),
        cluster_attack: attacked.then(|| cluster.clone()),
        cluster_user: cluster,
        attack: attacked.then(|| axis("transform").map_or("verbatim", |value| value).to_owned()),
        prompt: prompt(&case.course),
        injections: if attacked {
            case.payloads.iter().enumerate().map(vector).collect()
        } else {
            Vec::new()
        },
        payloads: if attacked { case.payloads.clone() } else { Vec::new() },
        guarantee: case.guarantee.clone(),
    }
}

fn judged(
    condition: Option<&Condition>,
    case: &Case,
    ending: &Finished<'_>,
) -> Result<Option<bool>, Raised> {
    let (Some(condition), State::Declared(pre), State::Declared(post)) =
        (condition, ending.pre, ending.post)
    else {
        return Ok(None);
    };
    let ended = Ended {
        pre,
        post,
        calls: ending.requested,
        memory: ending.memory,
        answer: ending.answer,
        values: &case.values,
    };
    condition.holds(&ended).map(Some).map_err(|_| Raised("NoVerdict"))
}

impl Suite for Sleeper {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn data_digest(&self) -> &str {
        &self.digest
    }

    fn scenarios(&self) -> Result<Vec<Scenario>, SuiteError> {
        let cases = self
            .templates
            .iter()
            .flat_map(|template| template.cases.iter().map(move |case| scenario(template, case)));
        Ok(cases.collect())
    }

    fn open(&self, scenario: &Scenario) -> Result<Box<dyn Inspect>, SuiteError> {
        let (template, case) = self.case(scenario);
        let declaration = Arc::clone(&template.world.declaration);
        Ok(Box::new(Declared::with_state(declaration, case.state.clone())))
    }

    fn user_script(&self, scenario: &Scenario, _: State<'_>) -> Script {
        let (_, case) = self.case(scenario);
        let parts = case.parts.iter();
        Script {
            steps: parts.clone().flat_map(|part| part.user.steps.iter().cloned()).collect(),
            answer: parts.map(|part| part.user.answer.as_str()).collect::<Vec<_>>().join("\n"),
        }
    }

    fn attack_script(&self, scenario: &Scenario, _: State<'_>, _: State<'_>) -> Script {
        let (_, case) = self.case(scenario);
        let reactions = case.parts.iter().flat_map(|part| &part.reactions);
        let own = reactions.filter(|reaction| reaction.attack);
        let steps = own.flat_map(|reaction| reaction.script.steps.iter().cloned());
        Script { steps: steps.collect(), answer: String::new() }
    }

    fn course(&self, scenario: &Scenario) -> Option<Course> {
        Some(self.case(scenario).1.course.clone())
    }

    fn parts(&self, scenario: &Scenario) -> Vec<Part> {
        self.case(scenario).1.parts.clone()
    }

    fn user_key(&self, scenario: &Scenario, _: State<'_>) -> Vec<ToolCall> {
        let (template, case) = self.case(scenario);
        let tools = &template.world.declaration.tools;
        let mut key = Vec::new();
        for part in &case.parts {
            let own = part.reactions.iter().filter(|reaction| !reaction.attack);
            let scripts = std::iter::once(&part.user).chain(own.map(|reaction| &reaction.script));
            let calls = scripts.flat_map(|script| &script.steps).map(|step| &step.call);
            let known = |call: &&ToolCall| tools.iter().any(|tool| tool.name == call.function);
            key.extend(calls.filter(known).cloned());
        }
        key
    }

    fn utility(&self, scenario: &Scenario, ending: &Finished<'_>) -> Result<Option<bool>, Raised> {
        let (_, case) = self.case(scenario);
        judged(case.done.as_ref(), case, ending)
    }

    fn landed(&self, scenario: &Scenario, ending: &Finished<'_>) -> Result<Option<bool>, Raised> {
        let (_, case) = self.case(scenario);
        if case.kind != Kind::Attack {
            return Ok(None);
        }
        judged(case.landed.as_ref(), case, ending)
    }
}

/// The calls that an attack makes of the world's own tools, as its class is decided from them.
pub fn attack_calls(template: &Template, case: &Case) -> Vec<ToolCall> {
    let tools = &template.world.declaration.tools;
    let reactions = case.parts.iter().flat_map(|part| &part.reactions);
    let steps = reactions.filter(|one| one.attack).flat_map(|one| &one.script.steps);
    let known = |call: &ToolCall| tools.iter().any(|tool| tool.name == call.function);
    steps.map(|step| step.call.clone()).filter(known).collect()
}

/// All that the first seat's tenant types in a case.
pub fn owner_words(case: &Case) -> String {
    let own = case.course.seats.first().map_or(0, |seat| seat.tenant);
    let mut words = String::new();
    for stage in &case.course.stages {
        let Stage::Session(session) = stage else { continue };
        let seat = case.course.seats.iter().find(|seat| seat.name == session.seat);
        if seat.is_none_or(|seat| seat.tenant != own) {
            continue;
        }
        for moment in &session.moments {
            if let Moment::User(text) | Moment::Remember(text) = moment {
                words.push_str(text);
                words.push('\n');
            }
        }
    }
    words
}
