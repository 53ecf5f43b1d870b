//! `bench run`: run a suite's cells and write what they came to.

use std::path::PathBuf;
use std::sync::Arc;

use agents::roster::Character;
use clap::{Args, ValueEnum};
use defenses::roster::Choice;
use runner::dispatcher::{self, Gathered};
use runner::executor::Executor;
use runner::filter::{FIELDS, Filter};
use runner::harness::HarnessChoice;
use runner::owners::OwnerChoice;
use runner::plan::{Plan, Request};
use serde_json::json;
use suites::agentdojo::{self, Scripts};
use suites::sleeper;
use trace::rows::RunRows;

use crate::commands::Format;
use crate::failure::Failure;
use crate::interrupts::Interrupts;
use crate::open_suite::{Opened, Wanted};
use crate::progress::Progress;
use crate::run_dir::{About, RunDir};
use crate::{Done, exit};

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
          value_parser = ["stateless", "paged"])]
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
          value_parser = share)]
    max_error_rate: f64,
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

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("expected 0 to 1".to_owned()) }
}

/// Runs the cells, writes the run's folder, prints the results.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let request = arguments.request()?;
    let opened = arguments.suite()?;
    let plan = Arc::new(Plan::new(opened.suite, &request)?);
    if arguments.dry_run {
        return Ok(arguments.describe(&plan));
    }
    let target = arguments.out.clone().unwrap_or_else(|| default_folder(&plan));
    let dir = RunDir::prepare(&target)?;
    let interrupts = Interrupts::heed(dir.staging())?;
    for note in &plan.notes {
        arguments.say(note);
    }
    let gathered = arguments.execute(&plan, &interrupts)?;
    let clock_ns = harness::timing::clock_floor();
    let about = About {
        plan: &plan,
        data: &opened.data,
        cells_done: gathered.rows.cells.len(),
        configuration: arguments.configuration(),
        clock_ns,
    };
    let manifest = about.manifest();
    let rows = complete_rows(&plan, gathered, clock_ns);
    arguments.publish(&plan, dir, &rows, &manifest)
}

/// A folder of its own for a run of the plan, beside those of earlier runs of it.
fn default_folder(plan: &Plan) -> PathBuf {
    let name = format!("{}-{}", plan.suite.name(), &plan.id.to_string()[..12]);
    let results = PathBuf::from("results");
    let again = (2..).map(|run| results.join(format!("{name}-{run}")));
    let mut folders = std::iter::once(results.join(&name)).chain(again);
    folders.find(|folder| !folder.exists()).expect("there is always one more number")
}

fn complete_rows(plan: &Plan, gathered: Gathered, clock_ns: u64) -> RunRows {
    let scenarios = dispatcher::scenario_rows(plan, &gathered);
    let latency =
        dispatcher::latency_rows(&gathered.latencies, &|defense, hook, outcome, found| {
            store::latency_row(plan.suite.name(), defense, hook, outcome, found, clock_ns)
        });
    RunRows { scenarios, latency, ..gathered.rows }
}

impl Arguments {
    fn say(&self, line: &str) {
        if !self.quiet {
            eprintln!("{line}");
        }
    }

    fn suite(&self) -> Result<Opened, Failure> {
        let scripts = match self.scripts {
            WhoseScripts::Ours => Scripts::Ours,
            WhoseScripts::Upstream => Scripts::Upstream,
        };
        let wanted = Wanted {
            name: &self.suite,
            attacks: &self.attack,
            attack_text: self.attack_text.as_deref(),
            scripts,
            offline: self.offline,
            say: &|line| self.say(line),
        };
        wanted.open()
    }

    fn request(&self) -> Result<Request, Failure> {
        let invalid = |message: String, hint: &str| Failure::new(exit::INVALID, message).hint(hint);
        let agents = self.agent.iter().map(|name| {
            let unknown = || invalid(format!("unknown agent `{name}`"), "run `bench list agents`");
            Character::parse(name).ok_or_else(unknown)
        });
        let owners = self.owner.iter().map(|name| {
            let unknown = || invalid(format!("unknown owner `{name}`"), "run `bench list owners`");
            OwnerChoice::parse(name).ok_or_else(unknown)
        });
        let defenses = self.defense_names().into_iter().map(|name| {
            Choice::parse(name)
                .map_err(|error| invalid(error.to_string(), "run `bench list defenses`"))
        });
        let filter = self.filter.as_deref().map(Filter::parse).transpose().map_err(|error| {
            invalid(error.to_string(), &format!("fields are {}", FIELDS.join(", ")))
        })?;
        let harness = HarnessChoice::parse(&self.harness, self.delay)
            .filter(|harness| self.delay == 0 || harness.has_memory())
            .ok_or_else(|| {
                let message = format!("harness `{}` has no memory to bridge a delay", self.harness);
                invalid(message, "add `--harness paged`")
            })?;
        Ok(Request {
            harness,
            agents: once_each(agents.collect::<Result<_, _>>()?),
            defenses: once_each(defenses.collect::<Result<_, _>>()?),
            owners: once_each(owners.collect::<Result<_, _>>()?),
            filter,
            limit: self.limit,
            epochs: self.epochs,
            seed: self.seed,
        })
    }

    fn defense_names(&self) -> Vec<&str> {
        match self.mmu {
            Some(Switch::On) => vec!["mmu"],
            Some(Switch::Off) => vec!["none"],
            None => self.defense.iter().map(String::as_str).collect(),
        }
    }

    /// What would run.
    fn describe(&self, plan: &Plan) -> u8 {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for job in &plan.jobs {
            for cell in &job.cells {
                let (world, kind) = (&job.scenario.world, job.scenario.kind);
                let group = format!(
                    "{world:<10} {kind:<15} {:<24} {:<24} {}",
                    job.agent.to_string(),
                    cell.defense.to_string(),
                    cell.owner
                );
                match counts.iter_mut().find(|(known, _)| *known == group) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((group, 1)),
                }
            }
        }
        println!(
            "{:<10} {:<15} {:<24} {:<24} {:<8} cells",
            "world", "kind", "agent", "defense", "owner"
        );
        for (group, count) in counts {
            println!("{group:<84} {count:>5}");
        }
        println!("plan {}: {} cells", plan.id, plan.cells());
        plan.notes.iter().for_each(|note| self.say(note));
        exit::OK
    }

    fn execute(&self, plan: &Arc<Plan>, interrupts: &Interrupts) -> Result<Gathered, Failure> {
        let mut executor = Executor::new(plan, self.trace)?;
        let workers = self.jobs.map_or_else(
            || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            usize::from,
        );
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(workers)
            .enable_all()
            .build()
            .map_err(|error| Failure::new(exit::INTERNAL, error))?;
        let mut progress = Progress::new(plan.cells(), self.quiet);
        let gathered = runtime.block_on(async {
            executor.learn_requests(plan).await?;
            let executor = Arc::new(executor);
            let (plan, stop) = (Arc::clone(plan), interrupts.stop());
            dispatcher::run(plan, executor, workers, stop, |cells| progress.done(cells)).await
        })?;
        progress.finish();
        Ok(gathered)
    }

    /// What was asked for, for the manifest.
    fn configuration(&self) -> serde_json::Value {
        json!({
            "suite": self.suite,
            "filter": self.filter,
            "attack": self.attack,
            "attack_text": self.attack_text,
            "scripts": match self.scripts {
                WhoseScripts::Ours => "ours",
                WhoseScripts::Upstream => "upstream",
            },
            "agent": self.agent,
            "defense": self.defense_names(),
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
        plan: &Plan,
        dir: RunDir,
        rows: &RunRows,
        manifest: &serde_json::Value,
    ) -> Done {
        let run = dir.target().file_name().map(|name| name.to_string_lossy().into_owned());
        let info =
            report::summary::RunInfo { run: run.unwrap_or_default(), plan_id: plan.id.to_string() };
        let summary = report::summary::summarize(&rows.cells, &rows.latency, info);
        let summary = summary.map_err(|error| Failure::new(exit::INTERNAL, error))?;
        let path = dir.write(rows, &summary, manifest)?;
        let printed = match self.format {
            Format::Table => report::table::table(&rows.cells, &rows.latency),
            Format::Markdown => report::table::markdown(&rows.cells, &rows.latency),
            Format::Json => Ok(summary.to_json()),
        };
        println!("{}", printed.map_err(|error| Failure::new(exit::INTERNAL, error))?.trim_end());
        self.say(&format!("results: {}", path.display()));
        if rows.cells.len() < plan.cells() {
            let (done, all) = (rows.cells.len(), plan.cells());
            self.say(&format!("stopped: {done} of {all} cells are done and kept"));
            return Ok(exit::INCOMPLETE);
        }
        let invalid = rows.cells.iter().filter(|cell| cell.status != "ok").count();
        if invalid as f64 > self.max_error_rate * rows.cells.len() as f64 {
            eprintln!("error: {invalid} of {} cells are invalid", rows.cells.len());
            return Ok(exit::ERROR_RATE);
        }
        Ok(exit::OK)
    }
}

/// The entries without repetition, in order.
fn once_each<T: PartialEq>(entries: Vec<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(entries.len());
    for entry in entries {
        if !kept.contains(&entry) {
            kept.push(entry);
        }
    }
    kept
}
