//! What developers run: `cargo run -p xtask -- COMMAND`.
//!
//! `classes` writes the file of guarantee classes, `values` lists the values of scripts that stand in
//! nothing the agent sees. Neither imports the kernel that the classes are about.

mod values;

use std::process::ExitCode;

use anyhow::Context as _;
use suites::agentdojo::{AgentDojo, VERSION};
use suites::datasets::{self, Places, load_bytes, load_files};
use suites::injecagent::rebuild::Setting;
use suites::injecagent::{self, InjecAgent};

const USAGE: &str = "usage: cargo run -p xtask -- classes [injecagent]|values";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let command = std::env::args().nth(1).context(USAGE)?;
    if std::env::args().nth(2).as_deref() == Some(injecagent::NAME) {
        anyhow::ensure!(command == "classes", USAGE);
        let files = load_files(datasets::injecagent(), &Places::from_env()?)
            .context("the InjecAgent files are not there")?;
        print!("{}", InjecAgent::load(&files, Setting::ALL)?.classes_file());
        return Ok(());
    }
    let bytes = load_bytes(&Places::from_env()?).context("the AgentDojo bundle is not there")?;
    let suite = AgentDojo::load(&bytes, VERSION)?;
    let text = match command.as_str() {
        "classes" => suite.classes_file()?,
        "values" => values::list(&suite)?,
        _ => anyhow::bail!(USAGE),
    };
    print!("{text}");
    Ok(())
}
