//! `bench merge`: one run of all parts of a plan.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use runner::partition::Partition;
use runner::plan::Plan;
use serde_json::{Value, json};
use store::{RunReader, RunWriter, StoreError};
use trace::rows::{RunRows, ScenarioRow};

use crate::carry_out::Results;
use crate::failure::Failure;
use crate::run_dir::RunDir;
use crate::{Done, exit};

/// The file of a part that says where its cells stand in the plan.
pub(crate) const ORDER: &str = "order.json";

/// Make one run of all parts of a plan.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench run --partition hash:1/2 --out parts/1
  bench run --partition hash:2/2 --out parts/2
  bench merge parts/1 parts/2 -o results/whole

The rows are those that one machine would have written, in that order; only measured times differ.
Parts that are missing, doubled, unfinished or of another plan are named, and nothing is written.")]
pub(crate) struct Arguments {
    /// The parts' folders.
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// The run's folder.
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    out: PathBuf,
}

/// Where the cells of these jobs stand in the plan: each job's number and how many cells it has.
pub(crate) fn order(plan: &Plan, jobs: &[usize]) -> String {
    let jobs: Vec<(usize, usize)> =
        jobs.iter().map(|job| (*job, plan.jobs[*job].cells.len())).collect();
    json!({ "plan_jobs": plan.jobs.len(), "jobs": jobs }).to_string()
}

/// A part as it was read.
struct Part {
    manifest: Value,
    partition: Partition,
    jobs: Vec<(usize, usize)>,
    plan_jobs: usize,
    reader: RunReader,
}

impl Part {
    fn read(dir: &Path) -> Result<Self, Failure> {
        let invalid = |what: &str, hint: &str| {
            Failure::new(exit::INVALID, format!("`{}` {what}", dir.display())).hint(hint)
        };
        let json = |name: &str| -> Option<Value> {
            serde_json::from_str(&fs::read_to_string(dir.join(name)).ok()?).ok()
        };
        let no_part = || invalid("is no part of a plan", "give folders of `bench run --partition`");
        let (manifest, order) = json("manifest.json").zip(json(ORDER)).ok_or_else(no_part)?;
        let partition = manifest["partition"].as_str().ok_or_else(no_part)?;
        let partition = Partition::parse(partition).map_err(|_| no_part())?;
        let jobs = serde_json::from_value(order["jobs"].clone()).map_err(|_| no_part())?;
        let plan_jobs = order["plan_jobs"].as_u64().and_then(|jobs| usize::try_from(jobs).ok());
        if manifest["jobs"]["done"] != manifest["jobs"]["planned"] {
            let failure = invalid("is not finished", "go on with `bench run --resume`");
            return Err(failure.with_code(exit::INCOMPLETE));
        }
        let reader = RunReader::open(dir).map_err(unreadable)?;
        Ok(Self { manifest, partition, jobs, plan_jobs: plan_jobs.ok_or_else(no_part)?, reader })
    }
}

/// Writes the run of all parts.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let dir = RunDir::prepare(&arguments.out, false)?;
    let mut parts: Vec<Part> =
        arguments.parts.iter().map(|dir| Part::read(dir)).collect::<Result<_, _>>()?;
    check(&parts)?;
    parts.sort_by_key(|part| part.jobs.first().copied());
    let manifest = manifest(&parts);
    let mut writer = dir.writer()?;
    let results = merged(parts, &mut writer)?;
    writer.finish()?;
    let run = arguments.out.file_name().map(|name| name.to_string_lossy().into_owned());
    let plan_id = manifest["plan_id"].as_str().unwrap_or_default().to_owned();
    let info = report::summary::RunInfo { run: run.unwrap_or_default(), plan_id };
    let internal = |error| Failure::new(exit::INTERNAL, error);
    let cells = results.cells.cells();
    let summary = report::summary::summarize(&cells, &results.latency, info).map_err(internal)?;
    let path = dir.publish(&results.cells, &summary, &manifest)?;
    let printed = report::table::table(&cells, &results.latency).map_err(internal)?;
    println!("{}", printed.trim_end());
    eprintln!("results: {}", path.display());
    Ok(exit::OK)
}

/// Refuses what is not all parts of one plan, each once.
fn check(parts: &[Part]) -> Result<(), Failure> {
    let first = &parts[0];
    let differ = |one: &Part, key: &str| one.manifest[key] != first.manifest[key];
    for key in ["plan_id", "schema_version", "scorers", "configuration"] {
        if let Some(part) = parts.iter().find(|part| differ(part, key)) {
            let message = format!("part {} is of another run: its {key} differs", part.partition);
            return Err(Failure::new(exit::NOT_COMPARABLE, message)
                .hint("merge parts that were made with the same options and data"));
        }
    }
    let count = first.partition.count();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for part in parts {
        *times.entry(part.partition.to_string()).or_default() += 1;
    }
    let by = first.partition.to_string();
    let by = by.split(':').next().unwrap_or_default();
    let wanted: Vec<String> = (1..=count).map(|index| format!("{by}:{index}/{count}")).collect();
    let doubled = times.iter().find(|(_, times)| **times > 1).map(|(part, _)| part);
    if let Some(part) = doubled {
        return Err(Failure::new(exit::INVALID, format!("part {part} is there more than once"))
            .hint("give each part once"));
    }
    if let Some(part) = times.keys().find(|part| !wanted.contains(part)) {
        let message = format!("part {part} is not one of {by}:1/{count} to {by}:{count}/{count}");
        return Err(Failure::new(exit::INVALID, message).hint("merge parts of one kind"));
    }
    let missing: Vec<&String> = wanted.iter().filter(|part| !times.contains_key(*part)).collect();
    if let Some(part) = missing.first() {
        let message =
            format!("{} of {count} parts are missing, the first is {part}", missing.len());
        return Err(Failure::new(exit::INCOMPLETE, message).hint("run it, or give its folder, too"));
    }
    let mut jobs: Vec<usize> =
        parts.iter().flat_map(|part| &part.jobs).map(|(job, _)| *job).collect();
    jobs.sort_unstable();
    if jobs.iter().copied().ne(0..first.plan_jobs) {
        return Err(Failure::new(exit::INVALID, "the parts do not cover their plan")
            .hint("their `order.json` was changed: run them again"));
    }
    Ok(())
}

/// The manifest of the whole.
fn manifest(parts: &[Part]) -> Value {
    let mut manifest = parts[0].manifest.clone();
    let sum = |key: &str, of: &str| -> u64 {
        parts.iter().filter_map(|part| part.manifest[key][of].as_u64()).sum()
    };
    for key in ["cells", "jobs"] {
        manifest[key] = json!({ "planned": sum(key, "planned"), "done": sum(key, "done") });
    }
    let clocks = parts.iter().filter_map(|part| part.manifest["clock_ns"].as_u64());
    manifest["clock_ns"] = clocks.max().into();
    manifest["partition"] = Value::Null;
    manifest["merged_from"] = parts.len().into();
    manifest["complete"] = true.into();
    manifest
}

fn unreadable(error: StoreError) -> Failure {
    Failure::new(exit::INVALID, error)
}

/// So many cells' rows are written at once.
const AT_ONCE: usize = 1 << 12;

/// Writes the rows in the plan's order; gives what is held of them.
fn merged(mut parts: Vec<Part>, writer: &mut RunWriter) -> Result<Results, Failure> {
    let mut results = Results::default();
    let (mut scenarios, mut latency) = (Vec::new(), Vec::new());
    let mut turns: Vec<(usize, usize, usize)> = Vec::new();
    for (at, part) in parts.iter_mut().enumerate() {
        turns.extend(part.jobs.drain(..).map(|(job, cells)| (job, at, cells)));
        latency.append(&mut part.reader.latency);
        add_scenarios(&mut scenarios, std::mem::take(&mut part.reader.scenarios));
    }
    turns.sort_unstable();
    let mut rows = RunRows::default();
    for (_, at, count) in turns {
        let reader = &mut parts[at].reader;
        for _ in 0..count {
            reader.take_cell(&mut rows).map_err(unreadable)?;
        }
        if rows.cells.len() >= AT_ONCE {
            writer.push(&rows)?;
            results.take(std::mem::take(&mut rows))?;
        }
    }
    writer.push(&rows)?;
    results.take(rows)?;
    results.take(RunRows { latency, ..RunRows::default() })?;
    let latency = results.latency.clone();
    writer.push(&RunRows { scenarios, latency, ..RunRows::default() })?;
    Ok(results)
}

/// Every part lists the whole plan's scenarios; where a payload showed is known to the one that ran
/// them, and the first job's sight of it counts.
fn add_scenarios(whole: &mut Vec<ScenarioRow>, rows: Vec<ScenarioRow>) {
    if whole.is_empty() {
        *whole = rows;
        return;
    }
    for (known, row) in whole.iter_mut().zip(rows) {
        if known.exposed_message.is_none() {
            *known = row;
        }
    }
}
