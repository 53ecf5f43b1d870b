//! `bench import injecagent`: recorded outputs as trajectories.

use std::fs;
use std::path::Path;

use suites::injecagent::dataset::Dataset;
use suites::injecagent::import::trajectories;
use suites::injecagent::recorded::read_folder;

use super::conform_injecagent::{files, unusable};
use crate::failure::Failure;
use crate::{Done, exit};

/// Reads every recorded output below `path`, and writes a trajectory a line.
pub(crate) fn run(path: &Path, data: Option<&Path>, output: Option<&Path>) -> Done {
    let data = Dataset::read(&files(data)?).map_err(unusable)?;
    let recordings = read_folder(path, &data).map_err(unusable)?;
    let all = trajectories(&data, &recordings).map_err(unusable)?;
    let lines: Vec<String> = all.iter().map(|one| one.to_line() + "\n").collect();
    let text = lines.concat();
    let Some(output) = output else {
        print!("{text}");
        return Ok(exit::OK);
    };
    write_whole(output, &text)?;
    eprintln!("{}: {} trajectories of {} files", output.display(), all.len(), recordings.len());
    Ok(exit::OK)
}

/// Writes a file under another name first, so that it appears whole or not at all.
fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    fs::write(&part, text).and_then(|()| fs::rename(&part, path)).map_err(|error| {
        let _ = fs::remove_file(&part);
        Failure::new(exit::UNWRITTEN, format!("failed to write `{}`: {error}", path.display()))
    })
}
