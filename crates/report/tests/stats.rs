//! Intervals agree with the published values of scipy and statsmodels.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::{self, Write};
use std::path::PathBuf;

use report::stats::{
    Interval, clean_cases_for, clopper_pearson, clopper_pearson_upper, wilson, zero_event_upper,
};
use serde_json::Value;

/// The oracle's file, or `None` where it is absent and may be.
fn oracle() -> Option<Value> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("BENCH_SHARED").map_or(root, PathBuf::from);
    let path = shared.join("oracles/stats.json");
    if let Ok(text) = std::fs::read_to_string(&path) {
        return Some(serde_json::from_str(&text).unwrap());
    }
    let required = std::env::var("BENCH_REQUIRE_DATA").is_ok_and(|value| value == "1");
    assert!(!required, "{} is required and absent", path.display());
    // Past the harness, which keeps what passing tests print.
    let path = path.display();
    let _ = writeln!(io::stderr(), "SKIPPED: {path} is absent (BENCH_SHARED names its folder)");
    None
}

/// The cases of a family, at least as many as its README says.
fn cases(oracle: &Value, family: &str, least: usize) -> Vec<Value> {
    let cases = oracle.pointer(&format!("/{family}/cases")).or_else(|| oracle.get(family));
    let cases = cases.and_then(Value::as_array).unwrap().clone();
    assert!(cases.len() >= least, "{family} has {} cases", cases.len());
    cases
}

/// The oracle's tolerance, from its README.
fn close(got: Option<f64>, case: &Value, field: &str) {
    let expected = case[field].as_f64();
    let agree = match (got, expected) {
        (Some(got), Some(expected)) => {
            (got - expected).abs() <= f64::max(1e-9 * expected.abs(), 1e-11)
        }
        (None, None) => true,
        _ => false,
    };
    assert!(agree, "{field} is {got:?} and not {expected:?} in {case}");
}

fn whole(case: &Value, field: &str) -> u64 {
    case[field].as_u64().unwrap()
}

#[test]
fn two_sided_intervals_agree_with_the_oracle() {
    type Function = fn(u64, u64, f64) -> Option<Interval>;
    let Some(oracle) = oracle() else { return };
    let functions: [(&str, Function); 2] =
        [("wilson_interval", wilson), ("clopper_pearson", clopper_pearson)];
    for (family, interval) in functions {
        for case in cases(&oracle, family, 57) {
            let confidence = case["confidence"].as_f64().unwrap();
            let got = interval(whole(&case, "successes"), whole(&case, "n"), confidence);
            close(got.map(|got| got.low), &case, "lower");
            close(got.map(|got| got.high), &case, "upper");
        }
    }
}

#[test]
fn one_sided_limits_agree_with_the_oracle() {
    let Some(oracle) = oracle() else { return };
    for case in cases(&oracle, "clopper_pearson_one_sided_upper", 38) {
        let confidence = case["confidence"].as_f64().unwrap();
        let (k, n) = (whole(&case, "successes"), whole(&case, "n"));
        close(clopper_pearson_upper(k, n, confidence), &case, "upper");
    }
    for case in cases(&oracle, "rule_of_three", 30) {
        let (n, confidence) = (whole(&case, "n"), case["confidence"].as_f64().unwrap());
        close(zero_event_upper(n, confidence), &case, "exact_one_sided_upper");
        let two_sided = clopper_pearson(0, n, confidence).map(|interval| interval.high);
        close(two_sided, &case, "clopper_pearson_two_sided_upper");
    }
    for case in cases(&oracle, "rule_of_three/sample_size_for_bound", 10) {
        let (bound, confidence) = (case["p0"].as_f64().unwrap(), case["confidence"].as_f64());
        let expected = Some(whole(&case, "n"));
        assert_eq!(clean_cases_for(bound, confidence.unwrap()), expected, "{case}");
    }
}

#[test]
fn what_is_not_defined_has_no_value() {
    let undefined = [(0, 0, 0.95), (2, 1, 0.95), (0, 1, 0.0), (0, 1, 1.0), (0, 1, f64::NAN)];
    for (k, n, confidence) in undefined {
        assert_eq!(wilson(k, n, confidence), None);
        assert_eq!(clopper_pearson(k, n, confidence), None);
        assert_eq!(clopper_pearson_upper(k, n, confidence), None);
    }
    assert_eq!(zero_event_upper(0, 0.95), None);
    for (bound, confidence) in [(0.0, 0.95), (1.0, 0.95), (f64::NAN, 0.95), (0.1, 1.0)] {
        assert_eq!(clean_cases_for(bound, confidence), None);
    }
}

#[test]
fn limits_hold_the_rate_and_exact_ones_meet_their_definition() {
    use statrs::function::beta::beta_reg;
    for n in [1_u64, 2, 7, 100, 10_000, 1_000_000] {
        for k in [0, 1, n / 3, n / 2, n - 1, n] {
            let rate = k as f64 / n as f64;
            for interval in [wilson(k, n, 0.95), clopper_pearson(k, n, 0.95)] {
                let Interval { low, high } = interval.unwrap();
                assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0, "{k}/{n}");
            }
            let high = clopper_pearson(k, n, 0.95).unwrap().high;
            if k < n {
                // The chance of k or fewer events at the upper limit is α/2.
                let chance = 1.0 - beta_reg(k as f64 + 1.0, (n - k) as f64, high);
                assert!((chance - 0.025).abs() < 1e-8, "{k}/{n}: {chance}");
            }
        }
    }
}
