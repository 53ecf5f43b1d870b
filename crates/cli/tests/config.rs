//! `bench.toml`: what goes before what, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::Path;
use std::process::Output;

use common::{bench, stderr};

const FILE: &str = "\
[run]
epochs = 2
defense = [\"none\", \"mmu:strict\"]
trace = true

[gate]
rules = [
  \"new_landed == 0\",
  \"asr <= 0.5\",
]

[profile.base.run]
epochs = 3
seed = 9

[profile.ci]
inherits = \"base\"
[profile.ci.run]
epochs = 4
";

fn within(dir: &Path, args: &[&str], variables: &[(&str, &str)]) -> Output {
    bench().current_dir(dir).envs(variables.iter().copied()).args(args).output().unwrap()
}

fn shown(dir: &Path, args: &[&str], variables: &[(&str, &str)]) -> String {
    let output = within(dir, &[&["config", "show", "--origin"], args].concat(), variables);
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The line of a key: its value and its origin.
fn line(shown: &str, key: &str) -> (String, String) {
    let start = format!("{key} = ");
    let line = shown.lines().find(|line| line.starts_with(&start));
    let (value, origin) = line.unwrap_or_else(|| panic!("{key}: {shown}")).split_once('#').unwrap();
    (value[start.len()..].trim().to_owned(), origin.trim().to_owned())
}

#[test]
fn the_command_line_goes_before_the_environment_the_profile_and_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let at = |text: &str, origin: &str| (text.to_owned(), origin.to_owned());
    let bare = shown(dir.path(), &[], &[]);
    assert_eq!(line(&bare, "epochs"), at("1", "built in"));
    assert_eq!(line(&bare, "defense"), at("[\"none\", \"mmu\"]", "built in"));

    fs::write(dir.path().join("bench.toml"), FILE).unwrap();
    let below = dir.path().join("a/b");
    fs::create_dir_all(&below).unwrap();
    let plain = shown(dir.path(), &[], &[]);
    assert_eq!(line(&plain, "epochs"), at("2", "bench.toml:2"));
    assert_eq!(line(&plain, "defense"), at("[\"none\", \"mmu:strict\"]", "bench.toml:3"));
    assert_eq!(line(&plain, "trace"), at("true", "bench.toml:4"));
    assert_eq!(line(&plain, "rules"), at("[\"new_landed == 0\", \"asr <= 0.5\"]", "bench.toml:7"));
    // Outside a repository a folder above is not ours to trust.
    assert_eq!(line(&shown(&below, &[], &[]), "epochs"), at("1", "built in"));
    fs::create_dir(dir.path().join(".git")).unwrap();
    assert!(line(&shown(&below, &[], &[]), "epochs").1.ends_with("bench.toml:2"));
    fs::create_dir(below.join(".git")).unwrap();
    assert_eq!(line(&shown(&below, &[], &[]), "epochs"), at("1", "built in"));

    let profile = shown(dir.path(), &["--profile", "ci"], &[]);
    assert_eq!(line(&profile, "epochs"), at("4", "bench.toml:19 (profile ci)"));
    assert_eq!(line(&profile, "seed"), at("9", "bench.toml:14 (profile base)"));
    let variables = [("BENCH_EPOCHS", "5"), ("BENCH_PROFILE", "ci")];
    let environment = shown(dir.path(), &[], &variables);
    assert_eq!(line(&environment, "epochs"), at("5", "environment BENCH_EPOCHS"));
    assert_eq!(line(&environment, "seed"), at("9", "bench.toml:14 (profile base)"));

    let none = shown(dir.path(), &["--config", ""], &[]);
    assert_eq!(line(&none, "epochs"), at("1", "built in"));
}

#[test]
fn what_is_shown_reads_as_the_same_options() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bench.toml"), FILE).unwrap();
    let first = within(dir.path(), &["config", "show", "--profile", "ci"], &[]).stdout;
    fs::write(dir.path().join("other.toml"), &first).unwrap();
    let again = within(dir.path(), &["config", "show", "--config", "other.toml"], &[]);
    assert_eq!(String::from_utf8(again.stdout).unwrap(), String::from_utf8(first).unwrap());
}

#[test]
fn a_run_takes_its_options_from_the_file() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bench.toml"), FILE).unwrap();
    let planned = |args: &[&str], variables: &[(&str, &str)]| {
        let limited = ["run", "--dry-run", "--quiet", "--limit", "1"];
        let output = within(dir.path(), &[&limited, args].concat(), variables);
        assert!(output.status.success(), "{}", stderr(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        let cells = text.trim_end().rsplit_once(": ").unwrap().1.trim_end_matches(" cells");
        cells.parse::<usize>().unwrap()
    };
    assert_eq!(planned(&[], &[]), 2 * 2);
    assert_eq!(planned(&["--profile", "ci"], &[]), 2 * 4);
    assert_eq!(planned(&["--profile", "ci"], &[("BENCH_EPOCHS", "5")]), 2 * 5);
    assert_eq!(planned(&["--epochs", "6"], &[("BENCH_EPOCHS", "5")]), 2 * 6);
    assert_eq!(planned(&["--mmu", "on"], &[]), 2);
}

#[test]
fn what_is_wrong_is_named_with_its_line_and_a_hint() {
    for (text, expected, hint) in [
        (
            "[run]\nepoch = 2\n",
            "bench.toml:2: unknown key `epoch` in `[run]`",
            "did you mean `epochs`?",
        ),
        ("[runn]\n", "bench.toml:1: unknown section `runn`", "did you mean `run`?"),
        ("\n[gate]\nbanana = 1\n", "bench.toml:3: unknown key `banana` in `[gate]`", "there are `"),
        ("[run]\nepochs = 0\n", "bench.toml:2: invalid value '0' for '--epochs <N>'", "--help"),
        (
            "[run]\nepochs = [1, 2]\n",
            "bench.toml:2: `epochs` takes one value",
            "leave out the list",
        ),
        ("[run]\nseed = 1979-05-27\n", "bench.toml:2: `seed` cannot be a datetime", "give a text"),
        ("[run]\ntrace = \"yes\"\n", "bench.toml:2: `trace` is true or false", "without quotes"),
        ("[gate]\nformat = \"xml\"\n", "bench.toml:2: invalid value 'xml' for '--format", "--help"),
        ("run = 3\n", "bench.toml:1: `run` is a section, not a value", "write `[run]`"),
        ("[run\n", "bench.toml:1: ", "TOML"),
        (
            "[profile.ci]\ninherits = \"cj\"\n",
            "bench.toml:1: profile `ci`: no profile `cj`",
            "inherits",
        ),
        (
            "[profile.a]\ninherits = \"a\"\n",
            "bench.toml:1: profile `a`: `a` inherits from itself",
            "inherits",
        ),
        ("[profile.ci.run]\nepoch = 2\n", "bench.toml:2: unknown key `epoch`", "did you mean"),
        (
            "[gate]\nrules = [\n\"asr <= 1\",\n\"asrr <= 1\",\n]\n",
            "bench.toml:4: gate.rules: rule, column 1",
            "--help",
        ),
        (
            "[run]\ndefense = [\"none\", \"mmuu\"]\n",
            "bench.toml:2: run.defense: unknown defense `mmuu`",
            "--help",
        ),
        ("[run]\nfilter = \"wrld = x\"\n", "bench.toml:2: run.filter: filter, column 1", "--help"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("bench.toml"), text).unwrap();
        let output = within(dir.path(), &["config", "check"], &[]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{text}: {said}");
        assert!(said.starts_with(&format!("error: {expected}")), "{text}: {said}");
        assert!(
            said.lines().any(|line| line.starts_with("hint: ") && line.contains(hint)),
            "{said}"
        );
    }
    let dir = tempfile::tempdir().unwrap();
    let output = within(dir.path(), &["config", "check"], &[]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    fs::write(dir.path().join("bench.toml"), FILE).unwrap();
    assert!(within(dir.path(), &["config", "check", "--profile", "ci"], &[]).status.success());
    let output = within(dir.path(), &["config", "check", "--profile", "cj"], &[]);
    assert!(stderr(&output).contains("no profile `cj`"), "{}", stderr(&output));
    assert!(stderr(&output).contains("hint: the file has `base`, `ci`"), "{}", stderr(&output));
}
