//! Golden rows: runs that upstream's own Python has judged, judged again by the port.
//!
//! The rows are made fresh by `scripts/agentdojo_oracle.py` with upstream's package. They hold
//! upstream's text, so they lie in the cache. `BENCH_GOLDEN_ROWS` and `BENCH_GOLDEN_SEED` choose how
//! many and which, `BENCH_GOLDEN_SUITES` of which suites; without the first there are 3,000 rows
//! where `CI` is set and 600 elsewhere. Each check needs five rows each way where there are enough
//! rows for that, one otherwise. `BENCH_GOLDEN_FILE` names rows that are already made;
//! `BENCH_GOLDEN_SHOWN` is how many mismatches are printed. This target has no test harness, so that
//! its last line is the one that counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde::Deserialize;
use serde_json::Value;
use suites::agentdojo::{AgentDojo, VERSION};
use suites::datasets::{Options, Places, load_bytes, pull, upstream_venv};
use suites::suite::Finished;
use trace::call::ToolCall;
use world::arguments::{convert_string_lists, no_such_tool};
use world::python::coercion::error_shape;

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

/// Mismatches that are printed, where nothing else is asked for.
const SHOWN: u64 = 20;

#[derive(Deserialize)]
struct Row {
    suite: String,
    version: String,
    user_task: String,
    injection_task: Option<String>,
    injections: BTreeMap<String, String>,
    calls: Vec<ToolCall>,
    answer: String,
    expect: Expected,
}

#[derive(Deserialize)]
struct Expected {
    outputs: Vec<Output>,
    utility: Value,
    security: Value,
}

#[derive(Deserialize, PartialEq, Eq)]
struct Output {
    text: String,
    error: Option<String>,
}

/// What was counted over the rows.
#[derive(Default)]
struct Tally {
    rows: usize,
    agree: usize,
    outputs: usize,
    exceptions: usize,
    each_way: BTreeMap<String, [usize; 2]>,
    shown: Vec<String>,
}

fn main() -> ExitCode {
    match run() {
        Ok(tally) => tally.report(),
        Err(why) => {
            let required = std::env::var_os("BENCH_REQUIRE_DATA").is_some_and(|set| set == "1");
            println!("SKIPPED: golden rows were not judged: {why}");
            if required { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
    }
}

fn run() -> Result<Tally, String> {
    let places = Places::from_env().map_err(|error| error.to_string())?;
    let mut say = |line: &str| println!("{line}");
    let bundle = if let Ok(bundle) = load_bytes(&places) {
        bundle
    } else {
        pull(&places, &Options::default(), &mut say).map_err(|error| error.to_string())?;
        load_bytes(&places).map_err(|error| error.to_string())?
    };
    let suite = AgentDojo::load(&bundle, VERSION).map_err(|error| error.to_string())?;
    let rows = if let Some(file) = std::env::var_os("BENCH_GOLDEN_FILE") {
        PathBuf::from(file)
    } else {
        let python = upstream_venv(&places, &mut say).map_err(|error| error.to_string())?;
        make_rows(&python, &places.cache)?
    };
    let text = std::fs::read_to_string(&rows).map_err(|error| error.to_string())?;
    let mut tally = Tally::default();
    for (number, line) in text.lines().enumerate() {
        let row: Row = serde_json::from_str(line)
            .map_err(|error| format!("{}:{}: {error}", rows.display(), number + 1))?;
        tally.judge(&suite, &row, number + 1);
    }
    Ok(tally)
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

impl Tally {
    fn judge(&mut self, suite: &AgentDojo, row: &Row, number: usize) {
        assert_eq!(row.version, VERSION, "row {number} is of another version");
        let injections = row.injections.clone().into_iter().collect();
        let opened = suite.open_with(&row.suite, &injections);
        let mut world = match opened {
            Ok(Some(world)) => world,
            Ok(None) => panic!("row {number}: no world `{}`", row.suite),
            Err(error) => panic!("row {number}: upstream loaded this environment: {error}"),
        };
        let pre = world.fork();
        let mut requested = Vec::new();
        for (call, expected) in row.calls.iter().zip(&row.expect.outputs) {
            let mut call = call.clone();
            let got = carry_out(&mut *world, &mut call);
            self.outputs += 1;
            if !same_output(&got, expected) {
                self.exceptions += 1;
                self.show(number, row, "output", &got.shown(), &expected.shown());
            }
            requested.push(call);
        }
        let injection = row.injection_task.as_deref();
        let scenario = suite.bare(&row.suite, &row.user_task, injection);
        let scenario = scenario.unwrap_or_else(|| panic!("row {number}: unknown task"));
        let ending = Finished {
            pre: pre.state(),
            post: world.state(),
            answer: &row.answer,
            requested: &requested,
            memory: &[],
        };
        let raised = |raised: scenario::check::Raised| serde_json::json!({ "raised": raised.0 });
        let utility = suite.utility(&scenario, &ending).map_or_else(raised, Value::from);
        let security = suite.landed(&scenario, &ending).map_or_else(raised, Value::from);
        let user = format!("{}/{}", row.suite, row.user_task);
        let utility_agrees = self.verdict(number, row, &user, &utility, &row.expect.utility);
        let security_agrees = match injection {
            None => true,
            Some(id) => {
                let task = format!("{}/{id}", row.suite);
                self.verdict(number, row, &task, &security, &row.expect.security)
            }
        };
        self.rows += 1;
        self.agree += usize::from(utility_agrees && security_agrees);
    }

    fn verdict(&mut self, number: usize, row: &Row, task: &str, got: &Value, want: &Value) -> bool {
        if let Some(answer) = want.as_bool() {
            self.each_way.entry(task.to_owned()).or_default()[usize::from(answer)] += 1;
        }
        if got != want {
            self.show(number, row, task, &got.to_string(), &want.to_string());
        }
        got == want
    }

    fn show(&mut self, number: usize, row: &Row, what: &str, got: &str, want: &str) {
        if (self.shown.len() as u64) < wanted("BENCH_GOLDEN_SHOWN").unwrap_or(SHOWN) {
            let task = format!("{}/{}", row.suite, row.user_task);
            self.shown.push(format!(
                "row {number} ({task}), {what}:\n  ours:     {got}\n  upstream: {want}"
            ));
        }
    }

    fn report(&self) -> ExitCode {
        for mismatch in &self.shown {
            println!("{mismatch}");
        }
        let mut good = self.agree == self.rows && self.exceptions * 100 < self.outputs;
        let each_way = if wanted_rows() >= MANY_ROWS { EACH_WAY } else { 1 };
        for (task, [no, yes]) in &self.each_way {
            if (*no < each_way || *yes < each_way) && !ONE_WAY.contains(&task.as_str()) {
                println!("check `{task}` has {yes} rows that hold and {no} that do not");
                good = false;
            }
        }
        println!("golden rows: {} checks, {} outputs compared", self.each_way.len(), self.outputs);
        println!(
            "golden rows: {} judged, {} verdicts agree, {} output exceptions",
            self.rows, self.agree, self.exceptions
        );
        if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// A call along upstream's path: no such tool, lists in texts, then the tool.
fn carry_out(world: &mut dyn world::Inspect, call: &mut ToolCall) -> Output {
    if let Some(error) = no_such_tool(world, call) {
        return Output { text: String::new(), error: Some(error) };
    }
    convert_string_lists(&mut call.args);
    match world.call(call) {
        Ok(reply) => Output { text: reply.text, error: None },
        Err(error) => Output { text: String::new(), error: Some(error.to_string()) },
    }
}

impl Output {
    fn shown(&self) -> String {
        match &self.error {
            Some(error) => format!("error {error:?}"),
            None => format!("{:?}", self.text),
        }
    }
}

/// Whether two outputs are the same. The text of a validation error holds the validator's version
/// and a cut piece of the input: its types and places are compared.
fn same_output(got: &Output, want: &Output) -> bool {
    match (&got.error, &want.error) {
        (Some(got), Some(want)) if want.starts_with("ValidationError") => {
            error_shape(got) == error_shape(want) && error_shape(want).is_some()
        }
        _ => got == want,
    }
}
