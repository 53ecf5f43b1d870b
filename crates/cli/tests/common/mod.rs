//! Running the real program.
#![allow(dead_code, reason = "each test target uses some of it")]

use std::path::Path;
use std::process::{Command, Output};

use suites::datasets::Places;

/// The program, with none of the caller's own settings but where data sets lie.
pub(crate) fn bench() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
    for (name, _) in std::env::vars_os() {
        let ours = name.to_string_lossy().starts_with("BENCH_");
        if ours && name != "BENCH_DATASETS" && name != "BENCH_CACHE" {
            command.env_remove(name);
        }
    }
    // Tests of what GitHub sees set these themselves.
    command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
    // Most tests are of `AgentDojo`; the suite of a bare run has tests of its own.
    command.env("CI", "true").env("BENCH_SUITE", "agentdojo");
    command
}

/// Runs it with these arguments.
pub(crate) fn run(args: &[&str]) -> Output {
    bench().args(args).output().expect("the program starts")
}

/// Runs a suite into a folder and reads what it wrote.
pub(crate) fn run_into(out: &Path, args: &[&str]) -> trace::rows::RunRows {
    let output = bench()
        .args(["run", "--suite", "agentdojo", "--quiet", "--out"])
        .arg(out)
        .args(args)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", stderr(&output));
    store::read(out).expect("the run's folder is readable")
}

/// What a run said on standard error.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Where data sets lie.
pub(crate) fn places() -> Places {
    Places::from_env().expect("there is a cache")
}
