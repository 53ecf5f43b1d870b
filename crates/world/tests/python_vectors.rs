//! Python's text forms against vectors that real Python wrote (`scripts/python_vectors.py`).
//!
//! `PYTHON_VECTORS` names another file of vectors, such as one with more cases.
#![allow(clippy::unwrap_used)] // vectors that are not as the script writes them must fail

use serde_json::{Map, Value};
use trace::call::ToolError;
use trace::tool::Parameter;
use world::python::coercion::{self, error_shape};
use world::python::datetime::{self, DateTime};
use world::python::folding::{self, FoldingError};
use world::python::yaml::{self, Node};
use world::python::{address, difflib, literal, repr};

/// The cases of a module, each an array of an input and what Python made of it.
fn vectors(module: &str) -> Vec<Value> {
    let text = match std::env::var("PYTHON_VECTORS") {
        Ok(path) => std::fs::read_to_string(path).unwrap(),
        Err(_) => include_str!("data/python_vectors.json").to_owned(),
    };
    let mut all: Map<String, Value> = serde_json::from_str(&text).unwrap();
    let Some(Value::Array(cases)) = all.remove(module) else { panic!("no vectors for {module}") };
    assert!(cases.len() >= 100, "only {} vectors for {module}", cases.len());
    cases
}

/// Runs every case and reports all that differ, the first twenty in full.
fn check(module: &str, differs: impl Fn(&Value) -> Option<String>) {
    let cases = vectors(module);
    let count = cases.len();
    let differing: Vec<_> = cases
        .iter()
        .filter_map(|case| differs(case).map(|how| format!("{case}\n  {how}")))
        .collect();
    for shown in differing.iter().take(20) {
        eprintln!("{shown}");
    }
    eprintln!("{module}: {} of {count} agree", count - differing.len());
    assert!(differing.is_empty(), "{} of {count} cases of {module} differ", differing.len());
}

fn unequal(ours: &str, expected: &Value) -> Option<String> {
    (expected.as_str() != Some(ours)).then(|| format!("ours: {ours:?}"))
}

fn node(shown: &Value) -> Node<'_> {
    match shown {
        Value::Null => Node::Null,
        Value::Bool(flag) => Node::Bool(*flag),
        Value::Number(number) => Node::Int(number.as_i64().unwrap()),
        Value::String(text) => Node::Str(text.into()),
        Value::Array(items) => Node::List(items.iter().map(node).collect()),
        Value::Object(fields) => {
            if let Some(entries) = fields.get("map") {
                let entries = entries.as_array().unwrap().iter();
                Node::Map(
                    entries
                        .map(|pair| (pair[0].as_str().unwrap().into(), node(&pair[1])))
                        .collect(),
                )
            } else if let Some(number) = fields.get("float") {
                Node::Float(number.as_str().unwrap().parse().unwrap())
            } else {
                let identity = fields["identity"].as_u64().unwrap().try_into().unwrap();
                Node::DateTime { text: fields["datetime"].as_str().unwrap().into(), identity }
            }
        }
    }
}

#[test]
fn yaml_is_dumped_as_python_dumps_it() {
    check("yaml", |case| unequal(&yaml::safe_dump(&node(&case[0])), &case[1]));
}

#[test]
fn texts_have_the_repr_that_python_gives_them() {
    check("repr_text", |case| unequal(&repr::text(case[0].as_str().unwrap()), &case[1]));
}

#[test]
fn floats_have_the_repr_that_python_gives_them() {
    check("repr_float", |case| {
        let bits = u64::from_str_radix(case[0].as_str().unwrap(), 16).unwrap();
        unequal(&repr::float(f64::from_bits(bits)), &case[1])
    });
}

#[test]
fn values_have_the_repr_that_python_gives_them() {
    check("repr_value", |case| unequal(&repr::value(&case[0]), &case[1]));
}

#[test]
fn dictionaries_of_texts_have_the_repr_that_python_gives_them() {
    check("repr_dict", |case| {
        let pairs = case[0].as_array().unwrap().iter();
        let pairs: Vec<_> =
            pairs.map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap())).collect();
        unequal(&repr::text_dict(&pairs), &case[1])
    });
}

#[test]
fn literals_are_lists_where_python_reads_lists() {
    check("literal", |case| {
        let ours =
            literal::string_list(case[0].as_str().unwrap()).map_or(Value::Null, Value::Array);
        (ours != case[1]).then(|| format!("ours: {ours}"))
    });
}

/// The word for the error in the vectors, and its place where the vectors know it.
fn refusal(error: &FoldingError) -> (&'static str, Option<usize>) {
    match error {
        FoldingError::Unprintable { at, .. } => ("unprintable", Some(*at)),
        FoldingError::Quote { at } => ("quote", Some(*at)),
        FoldingError::UnknownEscape { at, .. } => ("escape", Some(*at)),
        FoldingError::HexDigits { at, .. } => ("hex", Some(*at)),
        FoldingError::Marker { at } => ("marker", Some(*at)),
        FoldingError::NoCharacter { .. } => ("no character", None),
        FoldingError::Unfinished { .. } => ("unfinished", None),
    }
}

#[test]
fn quoted_texts_fold_as_yaml_folds_them() {
    check("folding", |case| {
        let expected = &case[1];
        let ours = folding::double_quoted(case[0].as_str().unwrap());
        let agrees = match &ours {
            Ok(value) => expected["value"].as_str() == Some(value),
            Err(error) => {
                let (kind, at) = refusal(error);
                let place = expected["at"].as_u64();
                expected["error"] == "any"
                    || expected["error"] == kind
                        && (place.is_none() || place == at.map(|at| u64::try_from(at).unwrap()))
            }
        };
        (!agrees).then(|| format!("ours: {ours:?}"))
    });
}

#[test]
fn arguments_are_coerced_and_refused_as_pydantic_does() {
    check("coercion", |case| {
        let parameters: Vec<Parameter> = serde_json::from_value(case[0].clone()).unwrap();
        let ours = coercion::validate("t", &parameters, case[1].as_object().unwrap());
        let agrees = match &ours {
            Ok(values) => case[2]["values"].as_array() == Some(values),
            Err(error) => case[2]["error"].as_str() == Some(&error.message),
        };
        (!agrees).then(|| format!("ours: {ours:?}"))
    });
}

fn moment(read: Result<DateTime, ToolError>, expected: &Value) -> Option<String> {
    let ours = read.map_or_else(|error| error.to_string(), |read| read.to_string());
    unequal(&ours, expected)
}

#[test]
fn iso_texts_are_moments_where_python_reads_moments() {
    check("fromisoformat", |case| {
        moment(DateTime::fromisoformat(case[0].as_str().unwrap()), &case[1])
    });
}

#[test]
fn formats_take_what_python_takes() {
    check("strptime", |case| {
        let parse = if case[1] == true { datetime::date_and_time } else { datetime::date };
        moment(parse(case[0].as_str().unwrap()), &case[2])
    });
}

#[test]
fn addresses_are_taken_and_written_as_python_does() {
    check("address", |case| {
        let got = address::normalize(case[0].as_str().unwrap()).ok();
        (got.as_deref() != case[1].as_str()).then(|| format!("{got:?}"))
    });
}

#[test]
fn values_are_moments_where_pydantic_takes_them() {
    check("moment", |case| {
        let got = coercion::moment(&case[0]);
        unequal(&got.map_or_else(str::to_owned, |moment| moment.to_string()), &case[1])
    });
}

#[test]
fn texts_are_as_alike_as_in_python() {
    check("ratio", |case| {
        let got = difflib::ratio(case[0].as_str().unwrap(), case[1].as_str().unwrap());
        (Some(got) != case[2].as_f64()).then(|| got.to_string())
    });
}

#[test]
fn error_texts_have_the_shape_of_those_that_pydantic_wrote() {
    let mut compared = 0;
    for case in vectors("coercion") {
        let Some(text) = case[2]["error"].as_str() else { continue };
        let parameters: Vec<Parameter> = serde_json::from_value(case[0].clone()).unwrap();
        let ours = coercion::validate("t", &parameters, case[1].as_object().unwrap()).unwrap_err();
        let shape = error_shape(text).unwrap();
        let count: usize = text.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(shape.locations.len(), count, "{text}");
        assert_eq!(error_shape(&ours.to_string()), Some(shape), "{text}");
        compared += 1;
    }
    assert!(compared >= 50, "only {compared} error texts were compared");
}
