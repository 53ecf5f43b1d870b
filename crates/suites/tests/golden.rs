//! Golden rows: runs that upstream's own Python has judged, judged again by the port.
//!
//! The rows are made fresh by `scripts/agentdojo_oracle.py` with upstream's package. They hold
//! upstream's text, so they lie in the cache. `BENCH_GOLDEN_ROWS` and `BENCH_GOLDEN_SEED` choose how
//! many and which, `BENCH_GOLDEN_SUITES` of which suites; without the first there are 3,000 rows
//! where `CI` is set and 600 elsewhere. Each check needs five rows each way where there are enough
//! rows for that, one otherwise. `BENCH_GOLDEN_FILE` names rows that are already made;
//! `BENCH_GOLDEN_SHOWN` is how many mismatches are printed. This target has no test harness, so that
//! its last line is the one that counts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;
use suites::agentdojo::conform::{Conformance, conform};
use suites::datasets::{Options, Places, load_bytes, pull, upstream_venv};

/// Checks that upstream's own code answers one way only, whatever happens.
const ONE_WAY: &[&str] = &["banking/user_task_5", "banking/user_task_8"];

/// Suites of upstream's, in its order.
const SUITES: &str = "workspace,travel,banking,slack";

/// Rows in continuous integration.
const MANY_ROWS: u64 = 3000;

/// Rows elsewhere: enough for one row each way of every check.
const FEW_ROWS: u64 = 600;

/// Rows that each check needs each way, if there are `MANY_ROWS`.
const EACH_WAY: usize = 5;

/// Fields of what is expected that are changed in a copy, to see them named.
const FLIPS: usize = 100;

/// Mismatches that are printed, where nothing else is asked for.
const SHOWN: u64 = 20;

fn main() -> ExitCode {
    match run() {
        Ok(conformance) => report(&conformance),
        Err(why) => {
            let required = std::env::var_os("BENCH_REQUIRE_DATA").is_some_and(|set| set == "1");
            println!("SKIPPED: golden rows were not judged: {why}");
            if required { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
    }
}

fn run() -> Result<Conformance, String> {
    let places = Places::from_env().map_err(|error| error.to_string())?;
    let mut say = |line: &str| println!("{line}");
    let bundle = if let Ok(bundle) = load_bytes(&places) {
        bundle
    } else {
        pull(&places, &Options::default(), &mut say).map_err(|error| error.to_string())?;
        load_bytes(&places).map_err(|error| error.to_string())?
    };
    let rows = if let Some(file) = std::env::var_os("BENCH_GOLDEN_FILE") {
        PathBuf::from(file)
    } else {
        let python = upstream_venv(&places, &mut say).map_err(|error| error.to_string())?;
        make_rows(&python, &places.cache)?
    };
    let text = std::fs::read_to_string(&rows).map_err(|error| error.to_string())?;
    let conformance = conform(&bundle, &text, 2).map_err(|error| error.to_string())?;
    let seed = wanted("BENCH_GOLDEN_SEED").unwrap_or(1);
    let (flipped, fields) = flip(&text, seed);
    let again = conform(&bundle, &flipped, 2).map_err(|error| error.to_string())?;
    let mut expected = named(&conformance);
    expected.extend(fields);
    assert_eq!(named(&again), expected, "exactly the flipped fields are named besides");
    println!("golden rows: {FLIPS} fields of a copy flipped, exactly those are named");
    Ok(conformance)
}

/// A field of a row: the row's number, from 1, and the field.
type Field = (usize, String);

/// Every field where ours and upstream's differ.
fn named(conformance: &Conformance) -> BTreeSet<Field> {
    let judged = conformance.judged();
    let named = judged.flat_map(|(number, judged)| {
        judged.mismatches.iter().map(move |mismatch| (number, mismatch.field.clone()))
    });
    named.collect()
}

/// A copy of the rows with `FLIPS` fields of what is expected changed, and which they are.
fn flip(text: &str, seed: u64) -> (String, BTreeSet<Field>) {
    let rows = text.lines().map(|line| serde_json::from_str(line).expect("rows are JSON"));
    let mut rows: Vec<Value> = rows.collect();
    let mut fields = BTreeSet::new();
    let mut state = seed;
    let mut draw = |bound: usize| {
        // Knuth's MMIX generator; its high bits are good enough to choose rows.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % bound
    };
    while fields.len() < FLIPS.min(rows.len()) {
        let at = draw(rows.len());
        let expect = &mut rows[at]["expect"];
        let outputs = expect["outputs"].as_array().map_or(0, Vec::len);
        let (field, pointer) = match draw(4) {
            0 => ("expect.utility".to_owned(), "/utility".to_owned()),
            1 if !expect["security"].is_null() => ("expect.security".into(), "/security".into()),
            2 if outputs > 0 => {
                let output = draw(outputs);
                (format!("expect.outputs[{output}].text"), format!("/outputs/{output}/text"))
            }
            3 if outputs > 0 => {
                let output = draw(outputs);
                (format!("expect.outputs[{output}].error"), format!("/outputs/{output}/error"))
            }
            _ => continue,
        };
        if fields.insert((at + 1, field)) {
            let value = expect.pointer_mut(&pointer).expect("the field is there");
            *value = match value.take() {
                Value::Bool(verdict) => (!verdict).into(),
                Value::String(text) if pointer.ends_with("text") => (text + " ").into(),
                Value::Null => "ValueError: flipped".into(),
                Value::String(_) => Value::Null,
                _ => true.into(),
            };
        }
    }
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    (lines.join("\n"), fields)
}

/// The number in an environment variable.
fn wanted(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// How many rows to make.
fn wanted_rows() -> u64 {
    let default = if std::env::var_os("CI").is_some() { MANY_ROWS } else { FEW_ROWS };
    wanted("BENCH_GOLDEN_ROWS").unwrap_or(default)
}

/// The suites to make rows of, separated by commas.
fn wanted_suites() -> String {
    std::env::var("BENCH_GOLDEN_SUITES").unwrap_or_else(|_| SUITES.to_owned())
}

/// Has upstream's Python judge fresh rows.
fn make_rows(python: &Path, cache: &Path) -> Result<PathBuf, String> {
    let (rows, seed) = (wanted_rows(), wanted("BENCH_GOLDEN_SEED").unwrap_or(1));
    let suites = wanted_suites();
    let folder = cache.join("golden");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let file = folder.join(format!("agentdojo-{}-{rows}-{seed}.jsonl", suites.replace(',', "-")));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/agentdojo_oracle.py");
    println!("golden rows: upstream's Python judges {rows} rows, seed {seed}");
    let output = Command::new(python)
        .arg(script)
        .args(["--suites", &suites, "--rows", &rows.to_string()])
        .args(["--seed", &seed.to_string(), "-o"])
        .arg(&file)
        .output()
        .map_err(|error| format!("{}: {error}", python.display()))?;
    if output.status.success() {
        return Ok(file);
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn report(conformance: &Conformance) -> ExitCode {
    for (number, unjudged) in conformance.unjudged() {
        println!("row {number}: {unjudged}");
    }
    let mismatches = conformance.judged().flat_map(|(number, judged)| {
        judged.mismatches.iter().map(move |mismatch| (number, mismatch))
    });
    let shown =
        usize::try_from(wanted("BENCH_GOLDEN_SHOWN").unwrap_or(SHOWN)).unwrap_or(usize::MAX);
    for (number, mismatch) in mismatches.take(shown) {
        println!(
            "row {number} ({}), {}:\n  ours:     {}\n  upstream: {}",
            mismatch.about, mismatch.field, mismatch.ours, mismatch.expected
        );
    }
    let (verdicts, texts, errors) =
        (conformance.verdicts(), conformance.texts(), conformance.errors());
    let exceptions = (texts.n - texts.k) + (errors.n - errors.k);
    let all_judged = conformance.unjudged().count() == 0;
    let mut good = all_judged && verdicts.k == verdicts.n && exceptions * 100 < texts.n;
    let each_way = if wanted_rows() >= MANY_ROWS { EACH_WAY } else { 1 };
    let checks = conformance.each_way();
    for (task, [no, yes]) in &checks {
        if (*no < each_way || *yes < each_way) && !ONE_WAY.contains(task) {
            println!("check `{task}` has {yes} rows that hold and {no} that do not");
            good = false;
        }
    }
    println!("golden rows: {} checks, {} outputs compared", checks.len(), texts.n);
    println!(
        "golden rows: {} judged, {} verdicts agree, {exceptions} output exceptions",
        verdicts.n, verdicts.k
    );
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
