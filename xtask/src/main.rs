//! What developers run: `cargo xtask COMMAND`.
//!
//! `classes` writes the file of guarantee classes, `classes earlier` that of the earlier versions where
//! they differ, `classes injecagent` that of InjecAgent, and `values [VERSION]` lists the values of scripts that stand in nothing the agent sees.
//! `golden` has upstream's Python make and judge any number of rows, and judges them with the port.
//! `scale` runs ten thousand cells and a million, and prints how fast, and in how much memory.
//! None imports the kernel that the classes are about.

mod golden;
mod scale;
mod values;

use std::process::ExitCode;

use anyhow::Context as _;
use suites::agentdojo::{AgentDojo, VERSION, VERSIONS, earlier_classes_file};
use suites::datasets::{self, Places, load_bytes, load_files};
use suites::injecagent::InjecAgent;
use suites::injecagent::rebuild::Setting;

const USAGE: &str = "\
usage: cargo xtask classes [earlier | injecagent]
       cargo xtask values [VERSION]
       cargo xtask scale [CELLS…]
       cargo xtask golden [--rows N] [--seed S] [--suites A,…] [--out FILE]";

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
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let bytes = || load_bytes(&Places::from_env()?).context("the AgentDojo bundle is not there");
    let suite = |version: &str| anyhow::Ok(AgentDojo::load(&bytes()?, version)?);
    let text = match words[..] {
        ["scale", ..] => return scale::run(&words[1..]),
        ["golden", ..] => return golden::run(&words[1..]),
        ["classes"] => suite(VERSION)?.classes_file()?,
        ["classes", "earlier"] => {
            let suites = VERSIONS.iter().map(|version| suite(version));
            earlier_classes_file(&suites.collect::<anyhow::Result<Vec<_>>>()?)?
        }
        ["classes", "injecagent"] => {
            let files = load_files(datasets::injecagent(), &Places::from_env()?)
                .context("the InjecAgent files are not there")?;
            InjecAgent::load(&files, Setting::ALL)?.classes_file()
        }
        ["values"] => values::list(&suite(VERSION)?)?,
        ["values", version] => values::list(&suite(version)?)?,
        _ => anyhow::bail!(USAGE),
    };
    print!("{text}");
    Ok(())
}
