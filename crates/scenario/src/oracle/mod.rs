//! Conditions that people write: CEL over how an episode ended.
//!
//! A condition speaks of `pre` and `post` (the world's state before the first turn and after the
//! last), `calls` (those that were carried out), `memory` (what stands in the stores at the end),
//! `answer`, and `values` (the scenario's own named values). Its names are checked against the shape
//! of the pristine world when the file is read, not by trying it out: a name behind `&&`, behind
//! `||`, or within a list that is still empty is never evaluated on the pristine world.

mod names;
mod shape;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use cel::{Context, Program};
use serde_json::{Value, json};
use trace::call::ToolCall;

pub use names::NameError;
pub use shape::{Shape, of_world};

/// A condition that has been compiled.
#[derive(Clone)]
pub struct Condition {
    text: Arc<str>,
    program: Arc<Program>,
}

impl fmt::Debug for Condition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Condition").field(&self.text).finish()
    }
}

/// What a condition is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// The world's state before the first turn.
    pub pre: &'a Value,
    /// The state after the last.
    pub post: &'a Value,
    /// The calls that were carried out, in order.
    pub calls: &'a [ToolCall],
    /// The texts that stand in the stores at the end.
    pub memory: &'a [String],
    /// The final answer.
    pub answer: &'a str,
    /// The scenario's own values, an object.
    pub values: &'a Value,
}

/// A condition that is no CEL: where in it, as a byte, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The byte.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
}

/// A condition that gave no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("condition `{condition}`: {why}")]
pub struct NoVerdict {
    /// The condition.
    pub condition: String,
    /// Why not.
    pub why: String,
}

impl Condition {
    /// Compiles a condition.
    ///
    /// # Errors
    /// The text is no CEL.
    pub fn compile(text: &str) -> Result<Self, SyntaxError> {
        match Program::compile(text) {
            Ok(program) => Ok(Self { text: text.into(), program: Arc::new(program) }),
            Err(errors) => {
                let first = errors.errors.first();
                let (line, column) = first.map_or((1, 1), |error| error.pos);
                let lines = text.split_inclusive('\n');
                let ahead = lines.take(usize::try_from(line - 1).unwrap_or(0)).map(str::len);
                let within = usize::try_from(column - 1).unwrap_or(0);
                let message = first.map_or_else(|| errors.to_string(), |error| error.msg.clone());
                // The parser prints its whole list of what it expected; its first words say enough.
                let message = message.split(" expecting ").next().unwrap_or_default().to_owned();
                let offset = (ahead.sum::<usize>() + within).min(text.len());
                Err(SyntaxError { offset, message })
            }
        }
    }

    /// The condition as it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is wrong with its names and types, against the shapes of what it may speak of.
    pub fn check(&self, scope: &[(&str, Shape)]) -> Vec<NameError> {
        names::check(&self.program, &self.text, scope)
    }

    /// Whether it holds.
    ///
    /// # Errors
    /// It reads something that is not there at the end, or its value is neither true nor false.
    pub fn holds(&self, ended: &Ended<'_>) -> Result<bool, NoVerdict> {
        let no = |why: String| NoVerdict { condition: self.text.to_string(), why };
        let calls: Vec<Value> = ended
            .calls
            .iter()
            .map(|call| json!({"tool": call.function, "args": call.args}))
            .collect();
        let mut context = Context::default();
        for (name, value) in [
            ("pre", convert(ended.pre)),
            ("post", convert(ended.post)),
            ("calls", convert(&Value::Array(calls))),
            ("memory", convert(&json!(ended.memory))),
            ("answer", convert(&json!(ended.answer))),
            ("values", convert(ended.values)),
        ] {
            context.add_variable_from_value(name, value);
        }
        match self.program.execute(&context) {
            Ok(cel::Value::Bool(holds)) => Ok(holds),
            Ok(_) => Err(no("its value is neither true nor false".to_owned())),
            Err(error) => Err(no(error.to_string())),
        }
    }
}

/// JSON in CEL's words. Whole numbers are integers.
fn convert(value: &Value) -> cel::Value {
    match value {
        Value::Null => cel::Value::Null,
        Value::Bool(value) => cel::Value::Bool(*value),
        Value::Number(number) => match number.as_i64() {
            Some(number) => cel::Value::Int(number),
            None => cel::Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => cel::Value::String(Arc::new(text.clone())),
        Value::Array(items) => cel::Value::List(Arc::new(items.iter().map(convert).collect())),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, field)| (key.clone(), convert(field)));
            fields.collect::<HashMap<String, cel::Value>>().into()
        }
    }
}

#[cfg(test)]
mod tests;
