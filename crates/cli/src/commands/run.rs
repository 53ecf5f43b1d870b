//! `bench run`: run a suite's cells and write what they came to.

mod prepare;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use runner::harness::HARNESSES;
use runner::partition::Partition;
use serde_json::json;
use suites::agentdojo;
use suites::sleeper;

use crate::carry_out::{Course, Results};
use crate::commands::{Format, merge, plan};
use crate::failure::Failure;
use crate::interrupts::Interrupts;
use crate::parts::Parts;
use crate::plan_file;
use crate::recordings::{self, PREFIX};
use crate::redact::Redactor;
use crate::run_dir::{self, About, RunDir};
use crate::wanted::{Earlier, Wanted};
use crate::{Done, exit};

use prepare::Prepared;

/// Run a suite's cells and write what they came to.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench run
  bench run --suite agentdojo
  bench run --suite mine/scenarios --defense none,mmu
  bench run --suite agentdojo --agent loyal --mmu off
  bench run --suite agentdojo --defense none,mmu:strict,ask-all,deny-all --owner never,gold
  bench run --suite agentdojo --filter 'world = banking and kind = attack' --limit 20 --trace

Filter:
  FIELD = WORD | FIELD != WORD | FIELD in [WORD, ...], joined by and, or, not, ( ).
  `*` in a word stands for any run of characters. Fields: suite, world, kind, scenario, user_task,
  injection_task, attack, agent, defense, owner, guarantee.")]
pub(crate) struct Arguments {
    /// The suite, with its version if not the default one: `NAME[@VERSION]`, or a folder of scenario
    /// files.
    #[arg(long, value_name = "SUITE", env = "BENCH_SUITE", default_value = sleeper::NAME)]
    suite: String,
    /// Which cells to keep.
    #[arg(long, value_name = "EXPR", env = "BENCH_FILTER")]
    filter: Option<String>,
    /// How injections are worded and placed, separated by commas.
    #[arg(
        long,
        value_name = "NAMES",
        env = "BENCH_ATTACK",
        value_delimiter = ',',
        default_value = agentdojo::ATTACKS[0].0
    )]
    attack: Vec<String>,
    /// The text that attack `manual` injects.
    #[arg(long, value_name = "FILE", env = "BENCH_ATTACK_TEXT")]
    attack_text: Option<PathBuf>,
    /// Who acts, separated by commas.
    #[arg(
        long,
        value_name = "NAMES",
        env = "BENCH_AGENT",
        value_delimiter = ',',
        default_value = "gullible"
    )]
    agent: Vec<String>,
    /// What guards, side by side, separated by commas: `NAME[:OPT[+OPT…]]`.
    #[arg(
        long,
        value_name = "NAMES",
        env = "BENCH_DEFENSE",
        value_delimiter = ',',
        conflicts_with = "mmu",
        default_value = "none,mmu"
    )]
    defense: Vec<String>,
    /// Short for `--defense mmu` or `--defense none`.
    #[arg(long, value_name = "on|off")]
    mmu: Option<Switch>,
    /// Whose scripts carry out the injection tasks for which upstream has none.
    #[arg(long, value_name = "WHOSE", env = "BENCH_SCRIPTS", default_value = "ours")]
    scripts: WhoseScripts,
    /// Who answers approval requests, separated by commas.
    #[arg(
        long,
        value_name = "NAMES",
        env = "BENCH_OWNER",
        value_delimiter = ',',
        default_value = "never"
    )]
    owner: Vec<String>,
    /// The loop that runs an agent against a world.
    #[arg(long, value_name = "NAME", env = "BENCH_HARNESS", default_value = "stateless",
          value_parser = PossibleValuesParser::new(HARNESSES.iter().map(|(name, _)| *name)))]
    harness: String,
    /// Sessions about something else between reading an injection and acting on it; the agent notes
    /// first what it is to do (`--harness paged`).
    #[arg(long, value_name = "N", env = "BENCH_DELAY", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=10_000))]
    delay: u32,
    /// How often each cell runs.
    #[arg(long, value_name = "N", env = "BENCH_EPOCHS", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// The seed of whatever is random.
    #[arg(long, value_name = "N", env = "BENCH_SEED", default_value_t = 0,
          value_parser = clap::value_parser!(u64).range(0..=i64::MAX.unsigned_abs()))]
    seed: u64,
    /// Keep only the first N scenarios that fit.
    #[arg(long, value_name = "N", env = "BENCH_LIMIT")]
    limit: Option<usize>,
    /// Cells at a time; one for each processor unless given.
    #[arg(short = 'j', long, value_name = "N", env = "BENCH_JOBS",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// The run's folder; unless given, one in `results/` with the plan's id that is not taken.
    #[arg(long, value_name = "DIR", env = "BENCH_OUT")]
    out: Option<PathBuf>,
    /// What to print.
    #[arg(long, value_name = "FORMAT", env = "BENCH_FORMAT", default_value = "table")]
    format: Format,
    /// Go on with a run that was killed or interrupted, in the same folder and with the same options.
    #[arg(long)]
    resume: bool,
    /// Do one part of the plan: `hash:I/N` or `slice:I/N`, with I from 1, or `auto` for what GitLab,
    /// `CircleCI` or Slurm say. `bench merge` makes one run of all parts.
    #[arg(long, value_name = "PART", value_parser = crate::auto_partition::read)]
    partition: Option<Partition>,
    /// Run only if the options make the same plan as this file of `bench plan`.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    plan: Option<PathBuf>,
    /// Seconds after which what is done is put aside for --resume.
    #[arg(long, value_name = "SECONDS", env = "BENCH_SAVE_EVERY", default_value_t = 5.0,
          value_parser = seconds)]
    save_every: f64,
    /// Keep every episode's events (`events.parquet`).
    #[arg(long, env = "BENCH_TRACE")]
    trace: bool,
    /// Say what would run, and run nothing.
    #[arg(long)]
    dry_run: bool,
    /// Never fetch a data set.
    #[arg(long, env = "BENCH_OFFLINE")]
    offline: bool,
    /// Exit with 6 when more than this share of cells is invalid.
    #[arg(long, value_name = "SHARE", env = "BENCH_MAX_ERROR_RATE", default_value_t = 0.0,
          value_parser = crate::commands::share)]
    max_error_rate: f64,
    /// Seconds that an external defense (`exec:COMMAND`) may take over one answer.
    #[arg(long, value_name = "SECONDS", env = "BENCH_EXEC_TIMEOUT", default_value_t = 10.0,
          value_parser = seconds)]
    exec_timeout: f64,
    /// No progress on standard error.
    #[arg(short, long, env = "BENCH_QUIET")]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
enum WhoseScripts {
    /// This project's own where upstream's ground truth is empty.
    Ours,
    /// Upstream's alone: an injection task with an empty ground truth does nothing.
    Upstream,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (0.001..=3600.0).contains(&number) {
        Ok(number)
    } else {
        Err("expected 0.001 to 3600".to_owned())
    }
}

/// Runs the cells, writes the run's folder, prints the results.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let prepared = arguments.prepared()?;
    let plan = &prepared.plan;
    if arguments.dry_run {
        plan::describe(plan);
        prepared.notes().for_each(|note| arguments.say(note));
        return Ok(exit::OK);
    }
    if let Some(path) = &arguments.plan {
        plan_file::check(path, plan)?;
    }
    let jobs = match arguments.partition {
        Some(partition) => partition.jobs(plan),
        None => (0..plan.jobs.len()).collect(),
    };
    if jobs.is_empty() {
        return Err(Failure::new(exit::NOTHING, "no scenario is in this part of the plan")
            .hint("take fewer parts"));
    }
    let wanted = Wanted {
        plan,
        partition: arguments.partition,
        trace: arguments.trace,
        resume: arguments.resume,
    };
    let target = arguments.out.clone().unwrap_or_else(|| wanted.default_folder());
    let earlier = wanted.earlier(&target)?;
    if matches!(earlier, Earlier::Complete) {
        arguments.say(&format!("`{}` is complete: nothing is left to do", target.display()));
        return Ok(exit::OK);
    }
    let first = match earlier {
        Earlier::Jobs(jobs) => Some((target.clone(), jobs)),
        _ => None,
    };
    if arguments.resume {
        run_dir::remove_half_written(&target);
    }
    let dir = RunDir::prepare(&target, first.is_some())?;
    let mut parts = Parts::open(&target, wanted.identity(), arguments.resume, first)?;
    // What an earlier process had done stays whatever happens to this one.
    let own = if arguments.resume { dir.staging() } else { parts.dir() };
    let interrupts = Interrupts::heed(&[dir.staging(), own])?;
    for note in prepared.notes() {
        arguments.say(note);
    }
    if parts.jobs_done() > 0 {
        let (done, all) = (parts.jobs_done(), jobs.len());
        arguments
            .say(&format!("resuming: {done} of {all} jobs are done, in {} parts", parts.len()));
    }
    let course = Course {
        plan,
        jobs: &jobs,
        workers: arguments.workers(),
        trace: arguments.trace,
        quiet: arguments.quiet,
        save_every: Duration::from_secs_f64(arguments.save_every),
        clock_ns: harness::timing::clock_floor(),
    };
    let rest = course.run(&mut parts, interrupts.stop())?;
    let jobs_done = parts.jobs_done() + rest.jobs_done;
    let results = course.write(&parts, rest, dir.writer()?)?;
    let about = About {
        plan,
        data: &prepared.data,
        jobs: &jobs,
        jobs_done,
        cells_done: results.cells.len(),
        partition: arguments.partition,
        configuration: arguments.configuration(&prepared),
        clock_ns: course.clock_ns,
    };
    if arguments.partition.is_some() {
        dir.add(merge::ORDER, &merge::order(plan, &jobs))?;
    }
    let done = arguments.publish(&about, &prepared.about, dir, &results)?;
    parts.remove();
    Ok(done)
}

impl Arguments {
    pub(crate) fn say(&self, line: &str) {
        if !self.quiet {
            eprintln!("{line}");
        }
    }

    fn workers(&self) -> usize {
        self.jobs.map_or_else(super::processors, usize::from)
    }

    /// What was asked for, for the manifest.
    fn configuration(&self, prepared: &Prepared) -> serde_json::Value {
        let scripted = self.agent.iter().filter(|name| !name.starts_with(PREFIX));
        let defenses = prepared.request.defenses.iter().map(ToString::to_string);
        json!({
            "suite": self.suite,
            "filter": self.filter,
            "attack": self.attack,
            "attack_text": self.attack_text,
            "scripts": match self.scripts {
                WhoseScripts::Ours => "ours",
                WhoseScripts::Upstream => "upstream",
            },
            "agent": scripted.chain(&prepared.recorded).collect::<Vec<_>>(),
            // As in the rows: a command of one's own may hold paths and keys.
            "defense": defenses.collect::<Vec<_>>(),
            "owner": self.owner,
            "harness": self.harness,
            "delay": self.delay,
            "epochs": self.epochs,
            "seed": self.seed,
            "limit": self.limit,
            "trace": self.trace,
        })
    }

    /// Writes the run's folder and prints the results; the exit code says how the run ended.
    fn publish(
        &self,
        about: &About<'_>,
        recorded: &[String],
        dir: RunDir,
        results: &Results,
    ) -> Done {
        let Results { cells: folded, latency } = results;
        let cells = folded.cells();
        let run = dir.target().file_name().map(|name| name.to_string_lossy().into_owned());
        let plan_id = about.plan.id.to_string();
        let info = report::summary::RunInfo { run: run.unwrap_or_default(), plan_id };
        let summary = report::summary::summarize(&cells, latency, info);
        let summary = summary.map_err(|error| Failure::new(exit::INTERNAL, error))?;
        let mut manifest = about.manifest();
        Redactor::from_env().json(&mut manifest);
        let path = dir.publish(folded, &summary, &manifest)?;
        let printed = match self.format {
            Format::Table => report::table::table(&cells, latency),
            Format::Markdown => report::table::markdown(&cells, latency),
            Format::Json => Ok(summary.to_json()),
        };
        println!("{}", printed.map_err(|error| Failure::new(exit::INTERNAL, error))?.trim_end());
        if !matches!(self.format, Format::Json) {
            recordings::print(recorded, &cells);
        }
        self.say(&format!("results: {}", path.display()));
        if about.jobs_done < about.jobs.len() {
            let (done, all) = (cells.len(), about.cells_planned());
            self.say(&format!(
                "stopped: {done} of {all} cells are done and kept; --resume goes on"
            ));
            return Ok(exit::INCOMPLETE);
        }
        let invalid = folded.invalid();
        if invalid as f64 > self.max_error_rate * cells.len() as f64 {
            eprintln!("error: {invalid} of {} cells are invalid", cells.len());
            return Ok(exit::ERROR_RATE);
        }
        Ok(if recordings::agree(&cells) { exit::OK } else { exit::FAILED })
    }
}
