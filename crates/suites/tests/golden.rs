//! Golden rows: runs that upstream's own Python has judged, in every version, judged again by the port.
//!
//! The rows are made fresh by `scripts/agentdojo_oracle.py` with upstream's package. They hold
//! upstream's text, so they lie in the cache. `BENCH_GOLDEN_ROWS` and `BENCH_GOLDEN_SEED` choose how
//! many and which, `BENCH_GOLDEN_SUITES` of which suites; without the first there are 3,000 rows
//! where `CI` is set and 600 elsewhere. Each check needs five rows each way where there are enough
//! rows for that, one otherwise. `BENCH_GOLDEN_FILE` names rows that are already made;
//! `BENCH_GOLDEN_SHOWN` is how many mismatches are printed. This target has no test harness, so that
//! its last line is the one that counts.

use std::path::PathBuf;
use std::process::ExitCode;

use suites::datasets::Places;
use testkit::flips;
use testkit::golden::{self, MANY_ROWS, Rows};

/// Rows outside of continuous integration: enough for one row each way of every check.
const FEW_ROWS: u64 = 600;

/// Mismatches that are printed, where nothing else is asked for.
const SHOWN: usize = 20;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            let required = std::env::var_os("BENCH_REQUIRE_DATA").is_some_and(|set| set == "1");
            println!("SKIPPED: golden rows were not judged: {why}");
            if required { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
    }
}

fn run() -> Result<bool, String> {
    let places = Places::from_env().map_err(|error| error.to_string())?;
    let default = if std::env::var_os("CI").is_some() { MANY_ROWS } else { FEW_ROWS };
    let rows = Rows {
        count: wanted("BENCH_GOLDEN_ROWS").unwrap_or(default),
        seed: wanted("BENCH_GOLDEN_SEED").unwrap_or(1),
        suites: std::env::var("BENCH_GOLDEN_SUITES").ok(),
        out: None,
    };
    let file = match std::env::var_os("BENCH_GOLDEN_FILE") {
        Some(file) => PathBuf::from(file),
        None => rows.make(&places)?,
    };
    let judged = golden::judge(&places, &file)?;
    flips::check(&places, &file, rows.seed)?;
    let shown = wanted("BENCH_GOLDEN_SHOWN").and_then(|shown| usize::try_from(shown).ok());
    Ok(golden::report(&judged, rows.count, shown.unwrap_or(SHOWN)))
}

/// The number in an environment variable.
fn wanted(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}
