//! `bench conform injecagent`: recorded outputs judged by the port, and upstream's scores of them.

use std::path::Path;

use suites::datasets::{self, Files, Places, load_files, load_folder};
use suites::injecagent::conform::{Report, Scored, conform};
use suites::injecagent::dataset::Dataset;
use suites::injecagent::error::DataError;
use suites::injecagent::recorded::read_folder;
use suites::injecagent::score::Counts;

use crate::failure::Failure;
use crate::{Done, exit};

/// Judges every recorded output below `rows`; the data set comes from `data`, or from where data sets
/// lie. The last line says how many verdicts agree.
pub(crate) fn run(rows: &Path, data: Option<&Path>) -> Done {
    let files = files(data)?;
    let data = Dataset::read(&files).map_err(unusable)?;
    for (name, text) in data.rebuilt() {
        if text.as_bytes() != files.bytes(&name) {
            return Err(Failure::new(exit::INTERNAL, format!("`{name}` is rebuilt otherwise")));
        }
    }
    let recordings = read_folder(rows, &data).map_err(unusable)?;
    let report = conform(&data, &recordings);
    for recording in &recordings {
        let all = data.cases(recording.harm, recording.setting).len();
        if recording.rows.len() < all {
            eprintln!("note: {}: {} of {all} cases", recording.file, recording.rows.len());
        }
    }
    print(&report);
    let whole = report.agree == report.verdicts();
    Ok(if whole { exit::OK } else { exit::FAILED })
}

/// The data set's files, each the pinned one.
pub(crate) fn files(data: Option<&Path>) -> Result<Files, Failure> {
    let set = datasets::injecagent();
    Ok(match data {
        Some(folder) => load_folder(set, folder)?,
        None => load_files(set, &Places::from_env()?)?,
    })
}

/// Data or recordings that cannot be used.
pub(crate) fn unusable(error: DataError) -> Failure {
    let hint = error.hint();
    let failure = Failure::new(exit::INVALID, error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

fn print(report: &Report) {
    println!("ASR-valid and ASR-all as upstream scores them, in percent\n");
    let head = [
        "setting", "model", "cases", "valid", "DH", "S1", "S2", "DS", "Total", "DH", "S1", "S2",
        "DS", "Total",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(report.scores.iter().map(scores));
    grid(&rows);
    println!("\nCounts (succ/unsucc/invalid), and what upstream does not score\n");
    let head = ["setting", "model", "dh", "S1", "S2", "attempted", "to the attacker"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(report.scores.iter().map(counts));
    grid(&rows);
    println!("\nASR-valid (ASR-all) in total, by type of attack and by how free the field is\n");
    grid(&slices(&report.scores));
    println!(
        "\nAttempted: the attack's (first) tool is asked for before an observation that the model \
         wrote itself, whatever the verdict.\nTo the attacker: second steps that succeeded and name \
         the attacker's address, of all that succeeded.\n"
    );
    for mismatch in &report.mismatches {
        println!("{mismatch}");
    }
    println!("step 1: {} verdicts, step 2: {}", report.first, report.second);
    println!("verdicts: {} of {} agree", report.agree, report.verdicts());
}

fn scores(one: &Scored) -> Vec<String> {
    let counts = &one.counts;
    let mut row = vec![one.setting.to_string(), one.model.clone(), counts.n().to_string()];
    row.push(counts.valid_rate().to_string());
    let rates = counts.valid().columns().into_iter().chain(counts.all().columns());
    row.extend(rates.map(|rate| rate.to_string()));
    row
}

fn counts(one: &Scored) -> Vec<String> {
    let Counts { dh, s1, s2 } = one.counts;
    vec![
        one.setting.to_string(),
        one.model.clone(),
        dh.to_string(),
        s1.to_string(),
        s2.to_string(),
        one.beyond.attempted.to_string(),
        format!("{} of {}", one.beyond.to_attacker, one.beyond.sent),
    ]
}

fn slices(scores: &[Scored]) -> Vec<Vec<String>> {
    let mut head = vec!["setting".to_owned(), "model".to_owned()];
    let types = scores.first().map(|one| one.by_type.as_slice()).unwrap_or_default();
    head.extend(types.iter().map(|(name, _)| name.clone()));
    head.extend(["High".to_owned(), "Low".to_owned()]);
    let mut rows = vec![head];
    for one in scores {
        let mut row = vec![one.setting.to_string(), one.model.clone()];
        let counts = one.by_type.iter().map(|(_, counts)| counts).chain(&one.by_level);
        row.extend(counts.map(|one| format!("{} ({})", one.valid().total, one.all().total)));
        rows.push(row);
    }
    rows
}

/// Rows in columns: the first two to the left, the others to the right.
fn grid(rows: &[Vec<String>]) {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, width))| match at {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        println!("{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}
