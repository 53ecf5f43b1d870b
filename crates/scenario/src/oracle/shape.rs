//! The shape of a world's state: which names there are, whatever stands in it now.

use std::collections::BTreeMap;

use serde_json::Value;
use trace::tool::{ParameterType, ToolSpec};
use world::declared::{Change, Declaration, Path, Segment, Text};

/// What is known of a value without looking at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nothing.
    Any,
    /// A text.
    Text,
    /// A number.
    Number,
    /// True or false.
    Switch,
    /// A list of such.
    List(Box<Shape>),
    /// Any keys, with such values.
    Table(Box<Shape>),
    /// These keys.
    Record(BTreeMap<String, Shape>),
}

impl Shape {
    /// What it is, in words.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Any => "anything",
            Self::Text => "a text",
            Self::Number => "a number",
            Self::Switch => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) | Self::Record(_) => "an object",
        }
    }

    /// The shape of a value.
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Any,
            Value::Bool(_) => Self::Switch,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::Text,
            Value::Array(items) => {
                Self::List(Box::new(items.iter().map(Self::of).fold(Self::Any, Self::or)))
            }
            Value::Object(fields) => {
                let fields = fields.iter().map(|(key, field)| (key.clone(), Self::of(field)));
                Self::Record(fields.collect())
            }
        }
    }

    /// What is known of a value that has the one shape or the other. Nothing is known of an empty
    /// list's items, so the other shape says it all.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Any, shape) | (shape, Self::Any) => shape,
            (Self::List(one), Self::List(other)) => Self::List(Box::new(one.or(*other))),
            (Self::Record(mut one), Self::Record(other)) => {
                for (key, shape) in other {
                    let known = one.remove(&key).unwrap_or(Self::Any);
                    one.insert(key, known.or(shape));
                }
                Self::Record(one)
            }
            (Self::Table(one), Self::Table(other)) => Self::Table(Box::new(one.or(*other))),
            (Self::Table(one), Self::Record(other)) | (Self::Record(other), Self::Table(one)) => {
                Self::Table(Box::new(other.into_values().fold(*one, Self::or)))
            }
            (one, other) if one == other => one,
            // Two kinds of scalars in one place: nothing is known.
            _ => Self::Table(Box::new(Self::Any)),
        }
    }

    /// The shape at a path, made if it is not there yet.
    fn at(&mut self, path: &[Segment]) -> &mut Self {
        let Some((first, rest)) = path.split_first() else { return self };
        let next = match (self, first) {
            (Self::List(item), _) => &mut **item,
            (Self::Table(value), _) => &mut **value,
            (Self::Record(fields), Segment::Key(key)) => {
                fields.entry(key.clone()).or_insert(Self::Any)
            }
            (shape, Segment::Argument(_)) => {
                // Keys that a call makes up: the record is a table.
                *shape = std::mem::replace(shape, Self::Any).or(Self::Table(Box::new(Self::Any)));
                match shape {
                    Self::Table(value) => &mut **value,
                    other => other,
                }
            }
            (shape, Segment::Key(key)) => {
                *shape = Self::Record(BTreeMap::from([(key.clone(), Self::Any)]));
                match shape {
                    Self::Record(fields) => fields.entry(key.clone()).or_insert(Self::Any),
                    other => other,
                }
            }
        };
        next.at(rest)
    }
}

/// The shape of a world's state: of what stands in it at the start, and of whatever its tools put
/// there.
pub fn of_world(declaration: &Declaration) -> Shape {
    let mut shape = Shape::of(&declaration.initial);
    for (spec, behaviour) in declaration.tools.iter().zip(&declaration.behaviours) {
        for change in &behaviour.changes {
            widen(&mut shape, change, spec);
        }
    }
    shape
}

fn widen(shape: &mut Shape, change: &Change, spec: &ToolSpec) {
    let join = |shape: &mut Shape, Path(path): &Path, new: Shape| {
        let at = shape.at(path);
        *at = std::mem::replace(at, Shape::Any).or(new);
    };
    match change {
        Change::Append { to, record } => {
            join(shape, to, Shape::List(Box::new(of_template(record, spec))));
        }
        Change::Set { at, value } => join(shape, at, of_template(value, spec)),
        Change::Extend { at, .. } => join(shape, at, Shape::Text),
        Change::Remove(path) => join(shape, path, Shape::Any),
        Change::Where { then, .. } => widen(shape, then, spec),
        Change::Require(_) => {}
    }
}

/// The shape of a value into which arguments are put.
fn of_template(value: &Value, spec: &ToolSpec) -> Shape {
    match value {
        Value::String(words) => match Text::parse(words).as_ref().map(|text| text.0.as_slice()) {
            Ok([world::declared::Part::Argument(name)]) => {
                let mut parameters = spec.parameters.iter();
                let parameter = parameters.find(|parameter| parameter.name == *name);
                parameter.map_or(Shape::Any, |parameter| of_type(&parameter.ty))
            }
            _ => Shape::Text,
        },
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, field)| (key.clone(), of_template(field, spec)));
            Shape::Record(fields.collect())
        }
        other => Shape::of(other),
    }
}

fn of_type(ty: &ParameterType) -> Shape {
    match ty {
        ParameterType::Str | ParameterType::Enum { .. } => Shape::Text,
        ParameterType::Int | ParameterType::Float => Shape::Number,
        ParameterType::Bool => Shape::Switch,
        ParameterType::Dict => Shape::Table(Box::new(Shape::Any)),
        ParameterType::List { items } => Shape::List(Box::new(of_type(items))),
    }
}
