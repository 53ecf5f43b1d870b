//! Models that upstream builds from a call's arguments, field by field.

use serde_json::Value;
use trace::call::ToolError;
use trace::tool::ParameterType;

use super::{Problem, coerce, moment, text};
use crate::python::address;
use crate::python::datetime::DateTime;
use crate::python::repr::{self, type_name};

/// What is wrong with the fields of a model, in the order of the fields.
#[derive(Default)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// A field of one of the types that parameters have; `null` where it is wrong.
    pub fn field(&mut self, ty: &ParameterType, name: &str, given: &Value) -> Value {
        coerce(ty, given, name, &mut self.0)
    }

    /// A field that must be there and is not: `input` is what was given in its place.
    pub fn missing(&mut self, name: &str, input: &Value) {
        self.0.push(Problem {
            location: name.to_owned(),
            kind: "missing",
            message: "Field required".to_owned(),
            input: repr::value(input),
            input_type: type_name(input),
        });
    }

    /// A mail address in its normal form.
    pub fn address(&mut self, location: &str, given: &str) -> String {
        address::normalize(given).unwrap_or_else(|reason| {
            self.0.push(Problem {
                location: location.to_owned(),
                kind: "value_error",
                message: format!("value is not a valid email address: {reason}"),
                input: repr::text(given),
                input_type: "str",
            });
            String::new()
        })
    }

    /// A list of mail addresses in their normal form, of texts.
    pub fn address_list(&mut self, name: &str, given: &[String]) -> Vec<String> {
        let items = given.iter().enumerate();
        items.map(|(at, text)| self.address(&format!("{name}.{at}"), text)).collect()
    }

    /// A list of mail addresses in their normal form, of any value.
    pub fn addresses(&mut self, name: &str, given: &Value) -> Vec<String> {
        let Value::Array(items) = given else {
            self.field(&ParameterType::List { items: Box::new(ParameterType::Str) }, name, given);
            return Vec::new();
        };
        let mut addresses = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let location = format!("{name}.{at}");
            match item {
                Value::String(text) => addresses.push(self.address(&location, text)),
                other => _ = self.field(&ParameterType::Str, &location, other),
            }
        }
        addresses
    }

    /// A day and a time.
    pub fn moment(&mut self, name: &str, given: &Value) -> Option<DateTime> {
        let (kind, message) = match moment::read(given) {
            Ok(moment) => return Some(moment),
            Err(kind @ "datetime_type") => (kind, "Input should be a valid datetime"),
            Err(kind @ "datetime_parsing") => {
                (kind, "Input should be a valid datetime, out of range")
            }
            Err(kind) => (kind, "Input should be a valid datetime or date"),
        };
        self.0.push(Problem {
            location: name.to_owned(),
            kind,
            message: message.to_owned(),
            input: repr::value(given),
            input_type: type_name(given),
        });
        None
    }

    /// Refuses the model if anything was wrong.
    ///
    /// # Errors
    /// A `ValidationError` that names all of it.
    pub fn finish(self, model: &str) -> Result<(), ToolError> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(ToolError { kind: "ValidationError", message: text(model, &self.0) })
    }
}
