//! `bench report`: runs as one page, with charts and their data.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use report::arms::NamedRun;
use report::html::{CELLS, Options, Part, report};
use serde_json::Value;

use crate::commands::runs::{self, ReadRun};
use crate::failure::Failure;
use crate::redact::Redactor;
use crate::whole_file::write_whole;
use crate::{Done, exit};

/// Make a page of one or several runs, with every chart and its data.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench report results/run
  bench report results/before results/after -o comparison.html
  bench report results/run --charts charts     # SVG, PNG and CSV of every chart, and .hgrm files

The page asks for nothing from anywhere and holds no script. It holds no date unless
SOURCE_DATE_EPOCH gives one, so that the same runs give the same bytes. Episodes are there for runs
that were made with --trace.")]
pub(crate) struct Arguments {
    /// The runs' folders.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The page.
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Also write every chart as SVG, PNG and CSV into this folder, and latencies as .hgrm.
    #[arg(long, value_name = "DIR")]
    charts: Option<PathBuf>,
    /// The gate's margin, as a share: the band in the chart of differences.
    #[arg(long, value_name = "SHARE", env = "BENCH_MARGIN", default_value_t = 0.02,
          value_parser = share)]
    margin: f64,
    /// Episodes to show at most.
    #[arg(long, value_name = "N", default_value_t = CELLS)]
    cells: usize,
    /// Say nothing on standard error.
    #[arg(short, long, env = "BENCH_QUIET")]
    quiet: bool,
}

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("expected 0 to 1".to_owned()) }
}

/// Writes the page, and the charts where they were asked for.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let redactor = Redactor::from_env();
    let options = Options {
        margin: arguments.margin,
        cells: arguments.cells,
        date: date()?,
        command: Some(arguments.command()),
    };
    let names = names(&arguments.runs);
    let mut read = Vec::new();
    for path in &arguments.runs {
        let run = runs::read(path)?;
        if let Some(first) = read.first() {
            runs::check_comparable(first, &run)?;
        }
        read.push(run);
    }
    let parts: Vec<Part<'_>> = names
        .iter()
        .zip(&read)
        .map(|(name, run)| Part { run: NamedRun { name, rows: &run.rows }, facts: facts(run) })
        .collect();
    let made = report(&parts, &options).map_err(|error| Failure::new(exit::INVALID, error))?;
    write(&arguments.output, redactor.text(&made.html).as_bytes())?;
    arguments.say(&format!("report: {}", arguments.output.display()));
    if let Some(dir) = &arguments.charts {
        let count = write_charts(dir, &made.charts, &parts, &redactor)?;
        arguments.say(&format!("charts: {count} files in {}", dir.display()));
    }
    Ok(exit::OK)
}

/// Writes a file whole; folders on the way are made.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| {
            let message = format!("failed to create the folder `{}`: {error}", folder.display());
            Failure::new(exit::UNWRITTEN, message)
        })?;
    }
    write_whole(path, bytes)
}

/// Every file of the charts, and the runs' latencies.
fn write_charts(
    dir: &Path,
    charts: &[report::chart::Chart],
    parts: &[Part<'_>],
    redactor: &Redactor,
) -> Result<usize, Failure> {
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    for chart in charts {
        let drawn = chart.files(&|text| redactor.text(text));
        all.extend(drawn.map_err(|error| Failure::new(exit::INTERNAL, error))?);
    }
    for part in parts {
        let found = report::hgrm::distributions(&part.run.rows.latency);
        for one in found.map_err(|error| Failure::new(exit::INVALID, error))? {
            let name = match parts {
                [_] => one.file_name(),
                _ => format!("{}-{}", part.run.name, one.file_name()),
            };
            all.push((name, one.text.into_bytes()));
        }
    }
    for (name, bytes) in &all {
        write(&dir.join(redactor.text(name)), bytes)?;
    }
    Ok(all.len())
}

impl Arguments {
    fn say(&self, line: &str) {
        if !self.quiet {
            eprintln!("{line}");
        }
    }

    /// The command that makes the page again; folders stand by their names.
    fn command(&self) -> String {
        let mut out = "bench report".to_owned();
        for name in names(&self.runs) {
            out.extend([" ", name.as_str()]);
        }
        if (self.margin - 0.02).abs() > f64::EPSILON {
            out.extend([" --margin ", &self.margin.to_string()]);
        }
        if self.cells != CELLS {
            out.extend([" --cells ", &self.cells.to_string()]);
        }
        out
    }
}

/// The folders' names, made different where two are the same.
fn names(paths: &[PathBuf]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for path in paths {
        let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
        let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| "run".to_owned());
        let again = (2..).map(|number| format!("{name}-{number}"));
        let mut free =
            std::iter::once(name.clone()).chain(again).filter(|one| !names.contains(one));
        names.push(free.next().expect("there is always one more number"));
    }
    names
}

/// What a manifest says, for people.
fn facts(run: &ReadRun) -> Vec<(String, String)> {
    let manifest = &run.manifest;
    let mut facts = Vec::new();
    let mut push = |name: &str, value: String| facts.push((name.to_owned(), value));
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    push("plan", text(&manifest["plan_id"]));
    if !run.complete {
        let (done, planned) = (&manifest["cells"]["done"], &manifest["cells"]["planned"]);
        push("incomplete", format!("{done} of {planned} cells"));
    }
    let mut tool = format!("bench {}", text(&manifest["tool"]["version"]));
    if let Some(commit) = manifest["tool"]["commit"].as_str() {
        tool.extend([", commit ", commit]);
    }
    push("made by", tool);
    for data in manifest["data"].as_array().into_iter().flatten() {
        let digest = text(&data["sha256"]);
        let digest = digest.get(..12).unwrap_or(&digest).to_owned();
        let (name, version) = (text(&data["name"]), text(&data["version"]));
        push("data", format!("{name} {version}, sha256 {digest}…"));
    }
    for (name, value) in manifest["configuration"].as_object().into_iter().flatten() {
        let shown = match value {
            Value::Null => continue,
            Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
            other => text(other),
        };
        push(name, shown);
    }
    for note in manifest["notes"].as_array().into_iter().flatten() {
        push("note", text(note));
    }
    facts
}

/// The day that `SOURCE_DATE_EPOCH` names.
fn date() -> Result<Option<String>, Failure> {
    let Some(text) = std::env::var_os("SOURCE_DATE_EPOCH").filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let invalid = || {
        Failure::new(exit::INVALID, "SOURCE_DATE_EPOCH is not a number of seconds")
            .hint("give whole seconds since 1970-01-01T00:00:00Z")
    };
    let seconds: i64 = text.to_str().and_then(|text| text.parse().ok()).ok_or_else(invalid)?;
    Ok(Some(day(seconds).ok_or_else(invalid)?))
}

/// The day (UTC) of a time in seconds since 1970 (Howard Hinnant's `civil_from_days`); `None` past the
/// year 9999.
fn day(seconds: i64) -> Option<String> {
    let days = seconds.div_euclid(86_400).checked_add(719_468)?;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    (0..=9999).contains(&year).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, Some("1970-01-01")),
            (951_782_399, Some("2000-02-28")),
            (951_782_400, Some("2000-02-29")),
            (1_796_040_000, Some("2026-11-30")),
            (-1, Some("1969-12-31")),
            (i64::MAX, None),
        ] {
            assert_eq!(day(seconds).as_deref(), expected, "{seconds}");
        }
    }

    #[test]
    fn runs_of_the_same_name_are_told_apart() {
        let paths = [PathBuf::from("nowhere/a"), PathBuf::from("elsewhere/a")];
        assert_eq!(names(&paths), ["a", "a-2"]);
    }
}
