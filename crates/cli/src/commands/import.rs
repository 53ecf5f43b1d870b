//! `bench import`: recorded runs of other tools, as trajectories.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use suites::files;
use suites::import::Imported;
use suites::{agentdojo, injecagent};

use crate::failure::Failure;
use crate::{Done, exit, recordings};

/// Files that are no logs by their names are named up to this number; all are counted.
const PASSED_OVER_NAMED: usize = 5;

/// Read recorded runs of other tools into trajectories, one JSON object a line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench import agentdojo runs/ -o runs.jsonl.zst
  bench import injecagent recorded/ -o models.jsonl.zst
  bench run --suite agentdojo@v1.2 --agent recorded:runs.jsonl.zst --mmu off
  bench schema trajectory

Reads InjecAgent's recorded outputs in both of their layouts, AgentDojo's own logs (content as text or as blocks), the `conversations` form, and the explorer's
export; folders are walked in the order of names. A log that cannot be read is named and counted, the
others are kept, and the exit code is 3.")]
pub(crate) struct Arguments {
    /// The suite that was run.
    #[arg(value_parser = [agentdojo::NAME, injecagent::NAME])]
    suite: String,
    /// A log, a file of logs, or a folder of these.
    path: PathBuf,
    /// Where the trajectories go; compressed if the name ends in .zst. Standard output unless given.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Reads the logs and writes the trajectories.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let imported = recordings::read(&arguments.suite, &arguments.path)?;
    for malformed in &imported.malformed {
        eprintln!("error: {}: {}", malformed.site, malformed.why);
    }
    for (site, suite) in &imported.foreign {
        eprintln!("left out: {site}: suite `{suite}`");
    }
    for name in imported.passed_over.iter().take(PASSED_OVER_NAMED) {
        eprintln!("no log by its name: {name}");
    }
    if !imported.trajectories.is_empty() {
        write(arguments.output.as_deref(), &imported)?;
    }
    let (read, malformed) = (imported.trajectories.len(), imported.malformed.len());
    let (foreign, passed_over) = (imported.foreign.len(), imported.passed_over.len());
    eprintln!(
        "{read} trajectories, {malformed} malformed logs, {foreign} of other suites, {passed_over} \
         other files"
    );
    if malformed > 0 {
        let message = format!("{malformed} logs cannot be read");
        return Err(Failure::new(exit::INVALID, message).hint("the others were kept"));
    }
    Ok(if read == 0 { exit::NOTHING } else { exit::OK })
}

/// Writes the trajectories, a line each.
fn write(output: Option<&Path>, imported: &Imported) -> Result<(), Failure> {
    let lines = imported.trajectories.iter().map(|one| format!("{}\n", one.to_line()));
    let Some(path) = output else {
        let mut out = io::stdout().lock();
        for line in lines {
            match out.write_all(line.as_bytes()) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                other => other.map_err(|error| unwritten("standard output", &error))?,
            }
        }
        return Ok(());
    };
    let text: String = lines.collect();
    let packed = path.extension().is_some_and(|ending| ending == "zst");
    let bytes = if packed { files::pack(text.as_bytes()) } else { Ok(text.into_bytes()) };
    let written = bytes.and_then(|bytes| replace(path, &bytes));
    written.map_err(|error| unwritten(&path.display().to_string(), &error))
}

/// Writes a file whole or not at all: beside its place first, then moved there.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let staging = path.with_file_name(format!(".{name}.tmp-{}", std::process::id()));
    let written = File::create(&staging)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&staging, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&staging);
    }
    written
}

fn unwritten(place: &str, error: &io::Error) -> Failure {
    Failure::new(exit::UNWRITTEN, format!("failed to write `{place}`: {error}"))
        .hint("choose another file with -o")
}
