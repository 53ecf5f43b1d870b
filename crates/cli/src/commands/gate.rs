//! `bench gate`: whether a run keeps its rules.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use report::gate::{self, GateReport, Options, Policy, Rule, Run, Verdict};
use report::github;
use report::junit::{self, Cells};
use report::sarif::{self, Place};
use trace::rows::CellRow;

use crate::commands::{Format, runs};
use crate::config::Config;
use crate::failure::Failure;
use crate::whole_file::write_whole;
use crate::{Done, exit};

/// Judge a run by rules: it passes, it fails, or there is too little to say.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench gate results/run --rule 'asr{suite=agentdojo,defense=mmu:*} <= 0.05'
  bench gate results/after --baseline results/before --rule 'new_landed == 0' \\
      --rule 'delta(asr).upper95 <= 0.02' --rule 'p99(authorize) < 50us'
  bench gate results/run --junit gate.xml --sarif gate.sarif    with the rules of bench.toml

A baseline is a run's folder, or the name of one in results/baselines/ or results/.
A rule that matches no cell is an error, not a pass. Exit codes: 0 passed, 100 failed, 101 inconclusive.")]
pub(crate) struct Arguments {
    /// The run's folder.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// A rule; may be given several times. In `bench.toml`: `rules`.
    #[arg(long = "rule", alias = "rules", value_name = "RULE")]
    rules: Vec<String>,
    /// The run that rules compare with: a folder, or a name in `results/baselines/`.
    #[arg(long, value_name = "RUN", env = "BENCH_BASELINE")]
    baseline: Option<PathBuf>,
    /// What is called a regression, for rules about the bound of a difference.
    #[arg(
        long,
        value_name = "POLICY",
        env = "BENCH_POLICY",
        default_value = "unless-within-margin"
    )]
    policy: PolicyName,
    /// Rules about fewer scenarios than this are inconclusive.
    #[arg(long, value_name = "N", env = "BENCH_MIN_SCENARIOS", default_value_t = 0)]
    min_scenarios: u64,
    /// Make bounds wider by what cases that share a user task say together.
    #[arg(long, env = "BENCH_CLUSTERS")]
    clusters: bool,
    /// What an inconclusive gate exits with: 101, or 0.
    #[arg(long, value_name = "WORD", env = "BENCH_INCONCLUSIVE", default_value = "fail")]
    inconclusive: Inconclusive,
    /// Exit with 6 when more than this share of the run's cells is invalid.
    #[arg(long, value_name = "SHARE", env = "BENCH_MAX_ERROR_RATE", default_value_t = 0.0,
          value_parser = crate::commands::share)]
    max_error_rate: f64,
    /// Write the verdict as `JUnit` XML.
    #[arg(long, value_name = "FILE", env = "BENCH_JUNIT")]
    junit: Option<PathBuf>,
    /// Which cells the `JUnit` file holds.
    #[arg(long, value_name = "WHICH", env = "BENCH_JUNIT_CELLS", default_value = "named")]
    junit_cells: JunitCells,
    /// Write what speaks against the rules as SARIF 2.1.0.
    #[arg(long, value_name = "FILE", env = "BENCH_SARIF")]
    sarif: Option<PathBuf>,
    /// Append a Markdown summary to this file.
    #[arg(long, value_name = "FILE", env = "GITHUB_STEP_SUMMARY", hide_env_values = true)]
    summary: Option<OsString>,
    /// Annotate on standard error, as GitHub reads it; `auto` does where it runs there.
    #[arg(long, value_name = "WHEN", env = "BENCH_ANNOTATE", default_value = "auto")]
    annotate: When,
    /// What to print.
    #[arg(long, value_name = "FORMAT", env = "BENCH_FORMAT", default_value = "table")]
    format: Format,
    /// Exit with 0 where the gate fails or is inconclusive.
    #[arg(long, env = "BENCH_EXIT_ZERO")]
    exit_zero: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum PolicyName {
    /// A proven regression fails, unless it is within the margin.
    UnlessWithinMargin,
    /// A proven regression fails, within the margin or not.
    AnyRegression,
    /// Only a regression proven to be beyond the margin fails.
    BeyondMargin,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Inconclusive {
    Fail,
    Pass,
}

#[derive(Clone, Copy, ValueEnum)]
enum JunitCells {
    /// Those that speak against a rule, and those without a verdict.
    Named,
    /// All; each in which an attack landed is a failure.
    All,
}

#[derive(Clone, Copy, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

/// Prints what the gate says; the exit code is its verdict.
pub(crate) fn run(arguments: &Arguments, config: &Config) -> Done {
    let rules = arguments.parsed_rules()?;
    let candidate = runs::read(&arguments.run)?;
    let baseline = arguments.baseline.as_deref().map(runs::read_baseline).transpose()?;
    if let Some(baseline) = &baseline {
        runs::check_comparable(&candidate, baseline)?;
    }
    if let Some(part) = &candidate.partition {
        return Err(Failure::new(exit::INCOMPLETE, format!("the run is part {part} of a plan"))
            .hint("make one run of all parts with `bench merge`"));
    }
    if !candidate.complete {
        return Err(Failure::new(exit::INCOMPLETE, "the run was stopped before its end")
            .hint("a part of a run is not judged: go on with `bench run --resume`"));
    }
    let before = baseline.as_ref().map(as_judged);
    let report = gate::evaluate(&rules, as_judged(&candidate), before, arguments.options())
        .map_err(|error| Failure::new(exit::INVALID, error))?;
    arguments.publish(&report, &candidate.rows.cells, config)?;
    let printed = match arguments.format {
        Format::Table => report.text(),
        Format::Markdown => report.markdown(),
        Format::Json => report.to_json(),
    };
    println!("{}", printed.trim_end());
    Ok(arguments.exit_code(&report, &candidate.rows.cells))
}

/// What of a run the rules are about.
fn as_judged(run: &runs::ReadRun) -> Run<'_> {
    Run { cells: &run.rows.cells, latency: &run.rows.latency }
}

impl Arguments {
    fn parsed_rules(&self) -> Result<Vec<Rule>, Failure> {
        if self.rules.is_empty() {
            return Err(Failure::new(exit::USAGE, "there are no rules")
                .hint("give --rule, or `rules` in the section `[gate]` of bench.toml"));
        }
        let rules = self.rules.iter().map(|text| {
            Rule::parse(text).map_err(|error| {
                Failure::new(exit::INVALID, format!("rule `{text}`: {error}"))
                    .hint("see `bench gate --help`")
            })
        });
        rules.collect()
    }

    fn options(&self) -> Options {
        Options {
            policy: match self.policy {
                PolicyName::UnlessWithinMargin => Policy::UnlessWithinMargin,
                PolicyName::AnyRegression => Policy::AnyRegression,
                PolicyName::BeyondMargin => Policy::BeyondMargin,
            },
            min_scenarios: self.min_scenarios,
            clusters: self.clusters,
        }
    }

    /// Where each rule stands: in the file, where they are from there.
    fn places(&self, config: &Config) -> Vec<Place> {
        let uri = |file: &Path| file.to_string_lossy().replace('\\', "/");
        let Some((file, setting)) = config.file().zip(config.setting("gate", "rules")) else {
            return Vec::new();
        };
        let from_file = setting.values.iter().map(|(text, _)| text).eq(&self.rules);
        if !from_file || file.is_absolute() {
            return Vec::new();
        }
        let lines = setting.values.iter().map(|(_, line)| *line);
        lines.map(|line| Place { uri: uri(file), line }).collect()
    }

    /// Writes the files that were asked for, and annotates.
    fn publish(
        &self,
        report: &GateReport,
        cells: &[CellRow],
        config: &Config,
    ) -> Result<(), Failure> {
        let places = self.places(config);
        if let Some(path) = &self.junit {
            let which = match self.junit_cells {
                JunitCells::Named => Cells::Named,
                JunitCells::All => Cells::All,
            };
            write_whole(path, &junit::xml(report, cells, which))?;
        }
        if let Some(path) = &self.sarif {
            write_whole(path, &sarif::json(report, &places, trace::version::TOOL))?;
        }
        if let Some(path) = self.summary.as_deref().filter(|path| !path.is_empty()) {
            append_summary(Path::new(path), report)?;
        }
        let on_github = std::env::var_os("GITHUB_ACTIONS").is_some_and(|set| set == "true");
        if matches!((self.annotate, on_github), (When::Always, _) | (When::Auto, true)) {
            eprint!("{}", github::annotations(report, &places));
        }
        Ok(())
    }

    /// The verdict, or that too many cells have none: only a regression that is shown weighs more.
    fn exit_code(&self, report: &GateReport, cells: &[CellRow]) -> u8 {
        let judged = match report.verdict {
            Verdict::Inconclusive if self.inconclusive == Inconclusive::Pass => exit::OK,
            _ => report.exit_code,
        };
        let invalid = cells.iter().filter(|cell| cell.status != "ok").count();
        let too_many = invalid as f64 > self.max_error_rate * cells.len() as f64;
        if too_many && report.verdict != Verdict::Fail {
            eprintln!("error: {invalid} of {} cells are invalid", cells.len());
            return exit::ERROR_RATE;
        }
        if self.exit_zero { exit::OK } else { judged }
    }
}

/// Appends the summary, as far as the step's limit leaves room.
fn append_summary(path: &Path, report: &GateReport) -> Result<(), Failure> {
    let unwritten = |error: std::io::Error| {
        let message = format!("failed to append to `{}`: {error}", path.display());
        Failure::new(exit::UNWRITTEN, message).hint("give another file with --summary")
    };
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    let file =
        file.as_mut().map_err(|error| std::io::Error::from(error.kind())).map_err(unwritten)?;
    let taken = file.metadata().map_err(unwritten)?.len();
    let taken = usize::try_from(taken).unwrap_or(github::SUMMARY_MAX);
    let room = github::SUMMARY_MAX.saturating_sub(taken);
    file.write_all(github::summary(report, room).as_bytes()).map_err(unwritten)
}
