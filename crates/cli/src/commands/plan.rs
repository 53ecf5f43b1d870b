//! `bench plan`: the cells of a run, their number and cost, before anything runs.

use std::path::PathBuf;

use clap::Args;

use crate::commands::run;
use crate::plan_file::{self, Cost};
use crate::whole_file::write_whole;
use crate::{Done, exit};

/// Say which cells a run would have and what they cost, and run nothing.
#[derive(Args)]
#[group(id = "plan-of-run")]
#[command(after_help = "\
Examples:
  bench plan --suite agentdojo --defense none,mmu
  bench plan --defense none,mmu -o plan.json && bench run --defense none,mmu --plan plan.json

It takes the options of `bench run`.")]
pub(crate) struct Arguments {
    /// Write the plan with every cell to this file; the same options give the same bytes.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    run: run::Arguments,
}

/// Prints the plan.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let request = arguments.run.request()?;
    let (plan, _) = arguments.run.planned(&request)?;
    if let Some(path) = &arguments.output {
        write_whole(path, &plan_file::text(&plan))?;
    }
    arguments.run.describe(&plan);
    let cost = Cost::of(&plan);
    let calls = cost.model_calls.map_or("unknown before".to_owned(), |calls| calls.to_string());
    let usd = cost.usd.map_or("unknown before".to_owned(), |usd| format!("{usd:.2}"));
    println!("episodes {}, model calls {calls}, US dollars {usd}", plan.episodes());
    Ok(exit::OK)
}
