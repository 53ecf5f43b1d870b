//! What `pydantic` 2.14 makes of a call's arguments in lax mode, and what it says when it cannot.
//!
//! Accepted differences, all beyond what JSON holds: an integer beyond 64 bits becomes the nearest
//! float, and a float that is infinite or not a number becomes the text `inf`, `-inf` or `nan`
//! (see [`integer`] and [`float`]).

pub mod model;
mod moment;
mod numeral;
mod shape;

pub use moment::read as moment;
pub use shape::{ErrorShape, error_shape};

use numeral::{Integer, NotInteger};
use serde_json::{Map, Number, Value};
use trace::call::ToolError;
use trace::tool::{Parameter, ParameterType};

use super::repr::{self, type_name};

/// The version that error texts name.
const PYDANTIC: &str = "2.14";

/// What stands before the address of an error type's page.
const PAGE: &str = "\n    For further information visit ";

/// The most bytes of an input's `repr` that an error text shows.
const SHOWN: usize = 50;

/// Validates the arguments of a call of `tool` and returns them in the order of `parameters`,
/// coerced, with defaults for what is left out. Arguments that are no parameter's are ignored.
///
/// # Errors
///
/// A `ValidationError` that names every argument that is missing or of another type, in the text
/// that `pydantic` prints.
pub fn validate(
    tool: &str,
    parameters: &[Parameter],
    args: &Map<String, Value>,
) -> Result<Vec<Value>, ToolError> {
    let mut values = Vec::with_capacity(parameters.len());
    let mut problems = Vec::new();
    for parameter in parameters {
        match args.get(&parameter.name) {
            Some(Value::Null) if parameter.nullable => values.push(Value::Null),
            Some(given) => {
                values.push(coerce(&parameter.ty, given, &parameter.name, &mut problems));
            }
            None if parameter.required => {
                let input = repr::value(&Value::Object(args.clone()));
                problems.push(Problem {
                    location: parameter.name.clone(),
                    kind: "missing",
                    message: "Field required".to_owned(),
                    input,
                    input_type: "dict",
                });
            }
            None => values.push(parameter.default.clone()),
        }
    }
    if problems.is_empty() {
        return Ok(values);
    }
    let model = format!("Input schema for `{tool}`");
    Err(ToolError { kind: "ValidationError", message: text(&model, &problems) })
}

/// The integer that a validated value stands for, the nearest one of 64 bits where it is larger.
#[allow(clippy::cast_possible_truncation)] // saturates
pub fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_f64().map(|number| number as i64))
}

/// The float that a validated value stands for, `inf`, `-inf` and `nan` included.
pub fn float(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some(word @ ("inf" | "-inf" | "nan")) => word.parse().ok(),
        Some(_) => None,
        None => value.as_f64(),
    }
}

/// One line of a validation error.
struct Problem {
    location: String,
    kind: &'static str,
    message: String,
    /// `repr` of what was given.
    input: String,
    input_type: &'static str,
}

/// The error text. A model's own checks (`value_error`) have no page.
fn text(model: &str, problems: &[Problem]) -> String {
    let plural = if problems.len() == 1 { "" } else { "s" };
    let mut out = format!("{} validation error{plural} for {model}", problems.len());
    for Problem { location, kind, message, input, input_type } in problems {
        let input = truncated(input);
        let details = format!("[type={kind}, input_value={input}, input_type={input_type}]");
        let page = format!("https://errors.pydantic.dev/{PYDANTIC}/v/{kind}");
        out.extend(["\n", location, "\n  ", message, " ", &details]);
        if *kind != "value_error" {
            out.extend([PAGE, &page]);
        }
    }
    out
}

/// The first 25 and the last 24 bytes of a long text, at the limits of characters.
fn truncated(text: &str) -> String {
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let mut head = SHOWN / 2;
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    let mut tail = text.len() - (SHOWN / 2 - 1);
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    format!("{}...{}", &text[..head], &text[tail..])
}

/// Coerces one value, or adds what is wrong with it to `problems` and returns `null`.
fn coerce(ty: &ParameterType, given: &Value, location: &str, problems: &mut Vec<Problem>) -> Value {
    let coerced = match (ty, given) {
        (ParameterType::List { items }, Value::Array(given)) => {
            let item = |(at, given)| coerce(items, given, &format!("{location}.{at}"), problems);
            return Value::Array(given.iter().enumerate().map(item).collect());
        }
        (ParameterType::List { .. }, _) => Err("list_type"),
        (ParameterType::Str, Value::String(_)) | (ParameterType::Dict, Value::Object(_)) => {
            Ok(given.clone())
        }
        (ParameterType::Str, _) => Err("string_type"),
        (ParameterType::Dict, _) => Err("dict_type"),
        (ParameterType::Enum { values }, Value::String(text)) if values.contains(text) => {
            Ok(given.clone())
        }
        (ParameterType::Enum { .. }, _) => Err("enum"),
        (ParameterType::Int, _) => to_int(given),
        (ParameterType::Float, _) => to_float(given),
        (ParameterType::Bool, _) => to_bool(given),
    };
    coerced.unwrap_or_else(|kind| {
        problems.push(Problem {
            location: location.to_owned(),
            kind,
            message: message(kind, ty),
            input: repr::value(given),
            input_type: type_name(given),
        });
        Value::Null
    })
}

/// What is said of an error of that type.
fn message(kind: &str, ty: &ParameterType) -> String {
    let fixed = match kind {
        "int_type" => "Input should be a valid integer",
        "int_parsing" => "Input should be a valid integer, unable to parse string as an integer",
        "int_parsing_size" => "Unable to parse input string as an integer, exceeded maximum size",
        "int_from_float" => "Input should be a valid integer, got a number with a fractional part",
        "float_type" => "Input should be a valid number",
        "float_parsing" => "Input should be a valid number, unable to parse string as a number",
        "bool_type" => "Input should be a valid boolean",
        "bool_parsing" => "Input should be a valid boolean, unable to interpret input",
        "string_type" => "Input should be a valid string",
        "list_type" => "Input should be a valid list",
        "dict_type" => "Input should be a valid dictionary",
        _ => {
            let ParameterType::Enum { values } = ty else { return String::new() };
            return format!("Input should be {}", alternatives(values));
        }
    };
    fixed.to_owned()
}

/// The texts as `'a', 'b' or 'c'`.
fn alternatives(values: &[String]) -> String {
    let shown: Vec<_> = values.iter().map(|value| repr::text(value)).collect();
    match shown.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => shown.concat(),
    }
}

type Coerced = Result<Value, &'static str>;

/// Whether the float is a whole number strictly within 64 bits.
fn whole(number: f64) -> Option<i64> {
    let fits = number > -9_223_372_036_854_775_808.0 && number < 9_223_372_036_854_775_808.0;
    #[allow(clippy::cast_possible_truncation)] // whole and within the limits
    (fits && number.fract() == 0.0).then_some(number as i64)
}

fn to_int(given: &Value) -> Coerced {
    match given {
        Value::Bool(flag) => Ok(i64::from(*flag).into()),
        Value::Number(number) if !number.is_f64() => Ok(given.clone()),
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            match whole(number) {
                Some(whole) => Ok(whole.into()),
                None if number.fract() != 0.0 => Err("int_from_float"),
                None => Err("int_parsing_size"),
            }
        }
        Value::String(text) => match numeral::integer(text) {
            Ok(Integer::Small(number)) => Ok(number.into()),
            Ok(Integer::Large(digits)) => Ok(large(&digits)),
            Err(NotInteger::Malformed) => Err("int_parsing"),
            Err(NotInteger::TooLong) => Err("int_parsing_size"),
        },
        _ => Err("int_type"),
    }
}

/// The integer as JSON can hold it.
fn large(digits: &str) -> Value {
    match digits.parse::<u64>() {
        Ok(number) => number.into(),
        Err(_) => Number::from_f64(digits.parse().unwrap_or(f64::INFINITY))
            .map_or_else(|| digits.into(), Value::Number),
    }
}

fn to_float(given: &Value) -> Coerced {
    let number = match given {
        Value::Bool(flag) => f64::from(u8::from(*flag)),
        Value::Number(number) => number.as_f64().ok_or("float_type")?,
        Value::String(text) => numeral::float(text).ok_or("float_parsing")?,
        _ => return Err("float_type"),
    };
    Ok(Number::from_f64(number).map_or_else(|| repr::float(number).into(), Value::Number))
}

fn to_bool(given: &Value) -> Coerced {
    let number = match given {
        Value::Bool(_) => return Ok(given.clone()),
        Value::Number(number) => {
            number.as_i64().or_else(|| number.as_f64().filter(|_| number.is_f64()).and_then(whole))
        }
        Value::String(text) => {
            let text = text.to_ascii_lowercase();
            return match text.as_str() {
                "1" | "on" | "t" | "true" | "y" | "yes" => Ok(true.into()),
                "0" | "off" | "f" | "false" | "n" | "no" => Ok(false.into()),
                _ => Err("bool_parsing"),
            };
        }
        _ => None,
    };
    match number {
        Some(0) => Ok(false.into()),
        Some(1) => Ok(true.into()),
        Some(_) => Err("bool_parsing"),
        None => Err("bool_type"),
    }
}
