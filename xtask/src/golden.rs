//! `golden`: upstream's Python makes and judges any number of rows, and the port judges them again.

use std::path::PathBuf;

use anyhow::Context as _;
use suites::datasets::Places;
use testkit::golden::{self, Rows};

/// Mismatches that are printed.
const SHOWN: usize = 50;

/// Makes the rows that `words` ask for and judges them.
///
/// # Errors
/// An option is not known, the rows cannot be made, or a verdict is another than upstream's.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    let mut rows = Rows { count: golden::MANY_ROWS, seed: seed()?, suites: None, out: None };
    for option in words.chunks(2) {
        match *option {
            ["--rows", count] => rows.count = number(count)?,
            ["--seed", seed] => rows.seed = number(seed)?,
            ["--suites", suites] => rows.suites = Some(suites.to_owned()),
            ["--out", file] => rows.out = Some(PathBuf::from(file)),
            _ => anyhow::bail!(super::USAGE),
        }
    }
    let places = Places::from_env()?;
    let file = rows.make(&places).map_err(anyhow::Error::msg)?;
    println!("golden rows: {}", file.display());
    let judged = golden::judge(&places, &file).map_err(anyhow::Error::msg)?;
    let good = golden::report(&judged, rows.count, SHOWN);
    anyhow::ensure!(good, "the port and upstream differ, or rows are missing (seed {})", rows.seed);
    Ok(())
}

fn number(word: &str) -> anyhow::Result<u64> {
    word.parse().with_context(|| format!("`{word}` is no number"))
}

/// A seed that was not used before; it is printed, so that the rows can be made again.
fn seed() -> anyhow::Result<u64> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    Ok(now.as_secs())
}
