//! `scale`: how a run's memory and speed change with its number of cells.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::Context as _;

/// The cells of the runs that are compared, the smaller one first.
const CELLS: [u64; 2] = [10_000, 1_000_000];

/// What is run, over and over: every scenario of `AgentDojo` without a defense and under the MMU.
const RUN: &[&str] = &["run", "--quiet", "--suite", "agentdojo", "--defense", "none,mmu"];

/// Builds the command and runs it with about so many cells as `words` say, or as [`CELLS`] says.
///
/// # Errors
/// A word is no number, or the command cannot be built or run.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    let cells: Vec<u64> = match words {
        [] => CELLS.to_vec(),
        words => words.iter().map(|word| number(word)).collect::<anyhow::Result<_>>()?,
    };
    let bench = built()?;
    let once = measured(&bench, 1)?;
    println!("{:>10} {:>10} {:>10} {:>10}", "cells", "seconds", "cells/s", "peak MiB");
    for cells in cells {
        let epochs = cells.div_ceil(once.cells.max(1));
        let Measured { cells, took, peak_kib } = measured(&bench, epochs)?;
        let (seconds, peak) = (took.as_secs_f64(), peak_kib / 1024);
        println!("{cells:>10} {seconds:>10.1} {:>10.0} {peak:>10}", cells as f64 / seconds);
    }
    Ok(())
}

fn number(word: &str) -> anyhow::Result<u64> {
    word.parse().with_context(|| format!("`{word}` is no number of cells"))
}

/// The command in the release profile, beside this one.
fn built() -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["build", "--release", "--bin", "bench", "--locked"];
    let status = Command::new(cargo).args(arguments).status().context("failed to run cargo")?;
    anyhow::ensure!(status.success(), "the command cannot be built");
    let own = std::env::current_exe()?;
    let target = own.ancestors().nth(2).context("this command lies in no target folder")?;
    Ok(target.join("release/bench"))
}

/// What a run came to.
struct Measured {
    cells: u64,
    took: Duration,
    /// The most memory that was resident at once, in KiB.
    peak_kib: u64,
}

/// Runs every cell so many times, into a folder that is removed.
fn measured(bench: &Path, epochs: u64) -> anyhow::Result<Measured> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("run");
    let start = Instant::now();
    let mut child = Command::new(bench)
        .args(RUN)
        .args(["--format", "json", "--epochs", &epochs.to_string(), "--out"])
        .arg(&out)
        .stdout(std::process::Stdio::null())
        .spawn()
        .context("failed to run the command")?;
    let peak_kib = peak_of(&mut child)?;
    let took = start.elapsed();
    let manifest = std::fs::read_to_string(out.join("manifest.json"))?;
    let manifest: serde_json::Value = serde_json::from_str(&manifest)?;
    let cells = manifest["cells"]["done"].as_u64().context("the manifest counts no cells")?;
    Ok(Measured { cells, took, peak_kib })
}

/// Waits for the command and gives its peak of resident memory, as the kernel says it, read until the
/// end; 0 where there is no `/proc`.
fn peak_of(child: &mut Child) -> anyhow::Result<u64> {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(now.unwrap_or(0));
        if let Some(ended) = child.try_wait()? {
            anyhow::ensure!(ended.success(), "the run ended with {ended}");
            return Ok(peak);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
