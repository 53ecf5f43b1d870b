//! `bench check`: read world and scenario files, and name every mistake.

use std::path::PathBuf;

use clap::Args;
use suites::sleeper::{Sources, Unreadable};

use crate::failure::Failure;
use crate::{Done, exit};

/// Read world and scenario files, and name every mistake.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench check scenarios/sleeper
  bench check mine/forged-invoice.yaml

A scenario's world is looked for among the files, beside them, and in a folder `worlds` there.
The language: docs/write-a-scenario.md")]
pub(crate) struct Arguments {
    /// Files, or folders of files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Checks the files. Mistakes are the result, and so go to standard output.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let unreadable = |error: Unreadable| Failure::new(exit::INVALID, error);
    let mut sources = Sources::default();
    for path in &arguments.files {
        let found = if path.is_dir() {
            Sources::folder(path)
        } else {
            Sources::with_worlds(std::slice::from_ref(path))
        };
        sources.0.extend(found.map_err(unreadable)?.0);
    }
    sources.0.sort();
    sources.0.dedup();
    if sources.0.is_empty() {
        let message = "there is no file that ends in `.yaml`";
        return Err(Failure::new(exit::INVALID, message));
    }
    match sources.read() {
        Ok(templates) => {
            let cases: usize = templates.iter().map(|template| template.cases.len()).sum();
            let (files, scenarios) = (sources.0.len(), templates.len());
            println!("{files} files, {scenarios} scenarios, {cases} cases: no mistakes");
            Ok(exit::OK)
        }
        Err(mistakes) => {
            println!("{mistakes}");
            let number = mistakes.0.len();
            println!("{number} mistake{}", if number == 1 { "" } else { "s" });
            Ok(exit::INVALID)
        }
    }
}
