//! Tools of a typed environment, and how one is called.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;
use trace::call::{ToolCall, ToolError};
use trace::tool::{Channel, Parameter, ParameterType, ToolSpec};

use crate::automatic;
use crate::capability;
use crate::environment::Typed;
use crate::python::yaml::Node;
use crate::python::{coercion, repr};
use crate::shared::{Record, Shown, dump};

/// What a tool does: it reads and changes the environment and answers.
pub type Run<W> = for<'w> fn(&'w mut W, &Arguments) -> Result<Output<'w>, ToolError>;

/// A tool of the environment `W`.
#[derive(Debug)]
pub struct Tool<W> {
    /// Upstream's name.
    pub name: &'static str,
    /// Upstream's signature, as `name: type` or `name: type = default`, separated by commas. The
    /// data set's own signature must read the same, or it is not loaded.
    pub signature: &'static str,
    /// What it does.
    pub run: Run<W>,
}

/// Arguments that have been checked, in the order of the signature.
#[derive(Clone, Debug)]
pub struct Arguments(Vec<Value>);

impl Arguments {
    /// Arguments that need no check, for tests of tools.
    #[cfg(test)]
    pub(crate) fn given(values: Vec<Value>) -> Self {
        Self(values)
    }

    /// The text at a position, or `None` where it is null.
    pub fn text(&self, at: usize) -> Option<&str> {
        self.0.get(at).and_then(Value::as_str)
    }

    /// The text at a position that the signature requires.
    ///
    /// # Panics
    /// When the position holds no text: the signature then does not fit the tool.
    pub fn required(&self, at: usize) -> &str {
        self.text(at).expect("the signature requires a text here")
    }

    /// The number at a position, or `None` where it is null.
    pub fn number(&self, at: usize) -> Option<f64> {
        self.0.get(at).and_then(coercion::float)
    }

    /// The whole number at a position, or `None` where it is null.
    pub fn integer(&self, at: usize) -> Option<i64> {
        self.0.get(at).and_then(coercion::integer)
    }

    /// The value at a position as Python prints it within a text.
    pub fn shown(&self, at: usize) -> String {
        match self.0.get(at) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => repr::value(other),
            None => "None".to_owned(),
        }
    }

    /// The value at a position.
    pub fn value(&self, at: usize) -> &Value {
        self.0.get(at).unwrap_or(&Value::Null)
    }

    /// The texts of the list at a position; none where it is null.
    pub fn texts(&self, at: usize) -> Vec<String> {
        let items = self.value(at).as_array().into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The switch at a position, or `None` where it is null.
    pub fn switch(&self, at: usize) -> Option<bool> {
        self.0.get(at).and_then(Value::as_bool)
    }
}

/// What a tool answers, before it is made text.
#[derive(Clone, Debug)]
pub enum Output<'w> {
    /// Python's `None`.
    None,
    /// A text, given as it is.
    Text(Cow<'w, str>),
    /// A number, as Python prints it.
    Float(f64),
    /// A `dict[str, str]`, as Python's `repr` prints it.
    Dict(Vec<(&'static str, Cow<'w, str>)>),
    /// A dictionary of other values, as Python's `repr` prints it.
    Python(Value),
    /// A list, dumped as YAML.
    List(Vec<Node<'w>>),
    /// A list, by the dumps of its items.
    Items(Vec<&'w str>),
    /// A record, dumped as YAML.
    Model(Node<'w>),
}

impl<'w> Output<'w> {
    /// A list of records: of their own dumps, or where one shows other records as well, dumped as a
    /// whole, since an object that is met twice is shown once.
    pub(crate) fn records<T: Shown + 'w>(
        records: impl Iterator<Item = &'w Record<T>> + Clone,
        node: impl Fn(&'w T) -> Node<'w>,
    ) -> Self {
        match records.clone().map(Record::item).collect::<Option<Vec<&str>>>() {
            Some(items) => Self::Items(items),
            None => Self::List(records.map(|record| node(record)).collect()),
        }
    }

    /// A record, by its own dump where that stands alone.
    pub(crate) fn record<T: Shown + 'w>(
        record: &'w Record<T>,
        node: impl Fn(&'w T) -> Node<'w>,
    ) -> Self {
        match record.whole() {
            Some(text) => Self::Text(Cow::Borrowed(text)),
            None => Self::Model(node(record)),
        }
    }

    /// The text that a model sees (upstream: `tool_result_to_str`).
    pub fn render(self) -> String {
        match self {
            Self::None => "None".to_owned(),
            Self::Text(text) => text.into_owned(),
            Self::Float(number) => repr::float(number),
            Self::Dict(entries) => {
                let entries: Vec<(&str, &str)> =
                    entries.iter().map(|(key, value)| (*key, value.as_ref())).collect();
                repr::text_dict(&entries)
            }
            Self::Python(value) => repr::value(&value),
            Self::List(items) => dump(&Node::List(items)),
            Self::Items(items) if items.is_empty() => dump(&Node::List(Vec::new())),
            Self::Items(items) => items.join("\n"),
            Self::Model(node) => dump(&node),
        }
    }
}

/// The data set's description of a tool that is not ours.
#[derive(Debug, thiserror::Error)]
pub enum ToolboxError {
    /// The tools are not those of this world, or in another order.
    #[error("tools of `{world}` are not the expected ones: got `{got}`, expected `{expected}`")]
    Names {
        /// The world.
        world: &'static str,
        /// The names given.
        got: String,
        /// The names expected.
        expected: String,
    },
    /// A tool's signature is another one.
    #[error("signature of `{tool}` is `{got}`, expected `{expected}`")]
    Signature {
        /// The tool.
        tool: &'static str,
        /// The signature given.
        got: String,
        /// The signature expected.
        expected: &'static str,
    },
    /// A tool has no capability schema, or one that does not fit.
    #[error(transparent)]
    Capability(#[from] capability::CapabilityError),
}

/// A tool as the data set describes it.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// What it says it does.
    pub description: String,
    /// Its parameters in signature order.
    pub parameters: Vec<Parameter>,
}

/// The tools of a world: what is known of them, and what they do.
#[derive(Debug)]
pub struct Toolbox<W: Typed> {
    specs: Arc<[ToolSpec]>,
    tools: &'static [Tool<W>],
}

impl<W: Typed> Toolbox<W> {
    /// The tools of `W`, described by the data set.
    ///
    /// # Errors
    /// The data set describes other tools than those that were ported, or a capability schema does
    /// not fit them.
    pub fn new(described: Vec<Described>) -> Result<Self, ToolboxError> {
        check_names::<W>(&described)?;
        let mut capabilities = capability::of_world(W::NAME)?;
        let mut specs = Vec::with_capacity(described.len());
        for (tool, given) in W::TOOLS.iter().zip(described) {
            let got = signature_text(&given.parameters);
            if got != tool.signature {
                return Err(ToolboxError::Signature {
                    tool: tool.name,
                    got,
                    expected: tool.signature,
                });
            }
            let capability = capabilities.take(tool.name, &given.parameters)?;
            let automatic = automatic::schema(tool.name, &given.parameters);
            specs.push(ToolSpec {
                name: given.name,
                description: given.description,
                parameters: given.parameters,
                channel: Channel::Tool,
                capability,
                automatic,
            });
        }
        capabilities.finish()?;
        Ok(Self { specs: specs.into(), tools: W::TOOLS })
    }

    /// What is known of the tools, in upstream's order.
    pub fn specs(&self) -> &Arc<[ToolSpec]> {
        &self.specs
    }

    /// Carries out a call and gives the answer's text (upstream: `FunctionsRuntime.run_function` and
    /// `tool_result_to_str`).
    ///
    /// # Errors
    /// Whatever upstream raises, by its type's name.
    pub fn call(&self, environment: &mut W, call: &ToolCall) -> Result<String, ToolError> {
        let Some(at) = self.specs.iter().position(|spec| spec.name == call.function) else {
            return Err(ToolError {
                kind: "ToolNotFoundError",
                message: format!("The requested function `{}` is not available.", call.function),
            });
        };
        let spec = &self.specs[at];
        let arguments = coercion::validate(&spec.name, &spec.parameters, &call.args)?;
        (self.tools[at].run)(environment, &Arguments(arguments)).map(Output::render)
    }
}

fn check_names<W: Typed>(described: &[Described]) -> Result<(), ToolboxError> {
    let got: Vec<&str> = described.iter().map(|tool| tool.name.as_str()).collect();
    let expected: Vec<&str> = W::TOOLS.iter().map(|tool| tool.name).collect();
    if got == expected {
        return Ok(());
    }
    Err(ToolboxError::Names { world: W::NAME, got: got.join(", "), expected: expected.join(", ") })
}

/// A signature in the form of [`Tool::signature`].
pub fn signature_text(parameters: &[Parameter]) -> String {
    let mut text = String::new();
    for (at, parameter) in parameters.iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        let _ = write!(text, "{}: {}", parameter.name, type_text(&parameter.ty));
        if parameter.nullable {
            text.push('?');
        }
        if !parameter.required {
            let _ = write!(text, " = {}", repr::value(&parameter.default));
        }
    }
    text
}

fn type_text(ty: &ParameterType) -> String {
    match ty {
        ParameterType::Str => "str".to_owned(),
        ParameterType::Int => "int".to_owned(),
        ParameterType::Float => "float".to_owned(),
        ParameterType::Bool => "bool".to_owned(),
        ParameterType::Dict => "dict".to_owned(),
        ParameterType::List { items } => format!("list[{}]", type_text(items)),
        ParameterType::Enum { values } => values.join("|"),
    }
}
