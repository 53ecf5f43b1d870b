//! The oracle's file, and the account of what was compared with it.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::Value;

/// The families that the oracle's README names.
const FAMILIES: usize = 32;

/// The oracle, and what has been compared with it.
pub(crate) struct Book {
    oracle: Value,
    families: BTreeSet<&'static str>,
    cases: usize,
    values: usize,
    wrong: Vec<String>,
}

impl Book {
    /// The oracle's file, or `None` where it is absent and may be.
    pub(crate) fn open() -> Option<Self> {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
        let shared = std::env::var_os("BENCH_SHARED").map_or(root, PathBuf::from);
        let path = shared.join("oracles/stats.json");
        if let Ok(text) = std::fs::read_to_string(&path) {
            let oracle = serde_json::from_str(&text).unwrap();
            let families = BTreeSet::new();
            return Some(Self { oracle, families, cases: 0, values: 0, wrong: Vec::new() });
        }
        let required = std::env::var("BENCH_REQUIRE_DATA").is_ok_and(|value| value == "1");
        assert!(!required, "{} is required and absent", path.display());
        // Past the harness, which keeps what passing tests print.
        let path = path.display();
        let _ = writeln!(io::stderr(), "SKIPPED: {path} is absent (BENCH_SHARED names its folder)");
        None
    }

    /// The cases of a family, at least as many as its README says.
    pub(crate) fn cases(&mut self, family: &'static str, least: usize) -> Vec<Value> {
        assert!(self.families.insert(family), "{family} is read twice");
        let path = format!("/{family}");
        let found = self.oracle.pointer(&format!("{path}/cases"));
        let found = found.or_else(|| self.oracle.pointer(&path)).unwrap();
        let cases = found.as_array().cloned().unwrap_or_else(|| vec![found.clone()]);
        assert!(cases.len() >= least, "{family} has {} cases", cases.len());
        self.cases += cases.len();
        cases
    }

    /// Compares within the oracle's tolerance, from its README; null is no value.
    pub(crate) fn close(&mut self, got: Option<f64>, case: &Value, field: &str) {
        self.within(got, case, field, |expected| f64::max(1e-9 * expected.abs(), 1e-11));
    }

    /// Compares within a tolerance of the case's own.
    pub(crate) fn within(
        &mut self,
        got: Option<f64>,
        case: &Value,
        field: &str,
        tolerance: impl Fn(f64) -> f64,
    ) {
        let value = case.pointer(&format!("/{}", field.replace('.', "/")));
        let value = value.or_else(|| case.get(field));
        let value = value.unwrap_or_else(|| panic!("no {field} in {case}"));
        let expected = value.as_f64();
        assert!(expected.is_some() || value.is_null(), "{field} is no number in {case}");
        let agree = match (got, expected) {
            (Some(got), Some(expected)) => (got - expected).abs() <= tolerance(expected),
            (None, None) => true,
            _ => false,
        };
        self.note(agree, || format!("{field} is {got:?} and not {expected:?} in {case}"));
    }

    /// Compares lists, element by element.
    pub(crate) fn all_close(&mut self, got: &[f64], case: &Value, field: &str) {
        let expected = case[field].as_array().unwrap();
        assert_eq!(got.len(), expected.len(), "{field} in {case}");
        for (at, got) in got.iter().enumerate() {
            self.close(Some(*got), case, &format!("{field}.{at}"));
        }
    }

    /// Compares what is exact.
    pub(crate) fn same<T: PartialEq + std::fmt::Debug>(
        &mut self,
        got: T,
        expected: T,
        case: &Value,
    ) {
        self.note(got == expected, || format!("{got:?} and not {expected:?} in {case}"));
    }

    fn note(&mut self, agree: bool, message: impl Fn() -> String) {
        self.values += 1;
        if !agree {
            let message: String = message().chars().take(400).collect();
            self.wrong.push(message);
        }
    }

    /// Families that the oracle holds and nothing has read.
    fn left_out(&self) -> Vec<&str> {
        let all = self.oracle.as_object().unwrap().keys();
        let read = |name: &&str| {
            let below = format!("{name}/");
            self.families.iter().any(|family| family == name || family.starts_with(&below))
        };
        all.map(String::as_str).filter(|name| *name != "_meta" && !read(name)).collect()
    }

    /// The account; panics if anything disagreed or a family was left out.
    pub(crate) fn account(self) -> String {
        let left = self.left_out();
        assert!(left.is_empty(), "families that nothing reads: {left:?}");
        assert_eq!(self.families.len(), FAMILIES, "{:?}", self.families);
        let wrong = self.wrong.len();
        assert!(wrong == 0, "{wrong} of {} differ:\n{}", self.values, self.wrong.join("\n"));
        let Self { cases, values, .. } = self;
        format!("oracle: {FAMILIES} families, {cases} cases, {values} values agree")
    }
}

/// A whole number of a case.
pub(crate) fn whole(case: &Value, field: &str) -> u64 {
    case[field].as_u64().unwrap_or_else(|| panic!("no whole {field} in {case}"))
}

/// A number of a case.
pub(crate) fn number(case: &Value, field: &str) -> f64 {
    case[field].as_f64().unwrap_or_else(|| panic!("no {field} in {case}"))
}

/// A list of numbers of a case.
pub(crate) fn numbers(case: &Value, field: &str) -> Vec<f64> {
    case[field].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

/// A list of words of a case.
pub(crate) fn words(case: &Value, field: &str) -> Vec<String> {
    case[field].as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_owned()).collect()
}
