//! `bench show`: one cell's episode.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{Args, ValueEnum};
use report::show::{Episode, Found, Index, Length, find, text};
use serde_json::json;
use trace::rows::CellRow;

use crate::commands::runs;
use crate::failure::Failure;
use crate::redact::Redactor;
use crate::{Done, exit};

/// Show one cell's episode: its pages, calls, checks and faults, and who approved what.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench show 3fa9 --run results/run
  bench show banking/user_task_0/injection_task_1 --defense mmu:resources --owner never
  bench show banking/user_task_3 --full

CELL is the beginning of a cell's id, or a scenario's name. Where it fits several cells they are listed.
A benign control is found by its id, or with --kind.
The episode is there for runs that were made with --trace.")]
pub(crate) struct Arguments {
    /// The beginning of a cell's id, or a scenario's name.
    #[arg(value_name = "CELL")]
    cell: String,
    /// The run's folder; the newest in `results/` unless given.
    #[arg(long, value_name = "DIR", env = "BENCH_RUN")]
    run: Option<PathBuf>,
    /// Only cells of this defense.
    #[arg(long, value_name = "NAME")]
    defense: Option<String>,
    /// Only cells of this owner.
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Only cells of this kind, such as `benign-control`.
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Print pages whole, however long they are.
    #[arg(long)]
    full: bool,
    /// What to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Text that a person reads.
    Text,
    /// JSON, for machines.
    Json,
}

/// Cells that are listed at most.
const LISTED: usize = 40;

/// Prints the episode.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let dir = match &arguments.run {
        Some(dir) => dir.clone(),
        None => newest(Path::new("results"))?,
    };
    let run = runs::read(&dir)?;
    let fits =
        |wanted: &Option<String>, value: &str| wanted.as_deref().is_none_or(|one| one == value);
    let kept = |cell: &CellRow| {
        fits(&arguments.defense, &cell.defense)
            && fits(&arguments.owner, &cell.owner)
            && fits(&arguments.kind, &cell.kind)
    };
    let cell = match find(&run.rows.cells, &arguments.cell, kept) {
        Found::One(cell) => cell,
        Found::Several(cells) => return Err(ambiguous(&arguments.cell, &cells)),
        Found::Nothing => {
            let message = format!("no cell of `{}` fits `{}`", dir.display(), arguments.cell);
            return Err(Failure::new(exit::NOTHING, message).hint(
                "give the beginning of a cell_id, or a scenario as `bench list scenarios` names it",
            ));
        }
    };
    let redactor = Redactor::from_env();
    if arguments.format == Form::Json {
        print!("{}", redactor.text(&as_json(&run.rows, cell)));
        return Ok(exit::OK);
    }
    let index = Index::of(&run.rows);
    let length = if arguments.full { Length::Full } else { Length::Short };
    print!("{}", redactor.text(&text(&Episode::of(&index, cell), length)));
    Ok(exit::OK)
}

fn ambiguous(name: &str, cells: &[&CellRow]) -> Failure {
    let mut message = format!("`{name}` fits {} cells:", cells.len());
    for cell in cells.iter().take(LISTED) {
        let id = cell.cell_id.get(..12).unwrap_or(&cell.cell_id);
        let epoch =
            if cell.epoch > 0 { format!(" · epoch {}", cell.epoch) } else { String::new() };
        let (scenario, kind, agent) = (&cell.scenario, &cell.kind, &cell.agent);
        let words = format!(
            "{id}  {scenario} · {kind} · {agent} · {} · {}{epoch}",
            cell.defense, cell.owner
        );
        message.extend(["\n  ", report::visible::line(&words).as_str()]);
    }
    if cells.len() > LISTED {
        message.extend(["\n  … and ", &(cells.len() - LISTED).to_string(), " more"]);
    }
    Failure::new(exit::INVALID, message)
        .hint("give more of an id, or narrow it with --defense, --owner and --kind")
}

/// The cell with its rows in other files, as one object.
fn as_json(rows: &trace::rows::RunRows, cell: &CellRow) -> String {
    let events: Vec<serde_json::Value> = rows
        .events
        .iter()
        .filter(|row| row.cell_id == cell.cell_id)
        .map(|row| {
            serde_json::from_str(&row.detail)
                .unwrap_or_else(|_| serde_json::Value::from(row.detail.clone()))
        })
        .collect();
    let approvals: Vec<_> =
        rows.approvals.iter().filter(|row| row.cell_id == cell.cell_id).collect();
    let faults: Vec<_> = rows.faults.iter().filter(|row| row.cell_id == cell.cell_id).collect();
    let object = json!({
        "schema_version": trace::version::RUN_SCHEMA,
        "cell": cell,
        "events": events,
        "approvals": approvals,
        "faults": faults,
    });
    let mut text = serde_json::to_string_pretty(&object).expect("rows are plain data");
    text.push('\n');
    text
}

/// The run that was written last.
fn newest(results: &Path) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(results).into_iter().flatten().flatten();
    let runs = entries.filter_map(|entry| {
        let dir = entry.path();
        let written =
            fs::metadata(dir.join("manifest.json")).and_then(|file| file.modified()).ok()?;
        Some((written, dir))
    });
    let newest: Option<(SystemTime, PathBuf)> = runs.max();
    newest.map(|(_, dir)| dir).ok_or_else(|| {
        let message = format!("there is no run in `{}`", results.display());
        Failure::new(exit::INVALID, message).hint("give the run's folder with --run")
    })
}
