//! `bench plan`: the cells of a run, their number and cost, before anything runs.

use std::path::PathBuf;

use clap::Args;
use runner::plan::Plan;

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
    let prepared = arguments.run.prepared()?;
    let plan = &*prepared.plan;
    if let Some(path) = &arguments.output {
        write_whole(path, &plan_file::text(plan))?;
    }
    describe(plan);
    prepared.notes().for_each(|note| arguments.run.say(note));
    let cost = Cost::of(plan);
    let calls = cost.model_calls.map_or("unknown before".to_owned(), |calls| calls.to_string());
    let usd = cost.usd.map_or("unknown before".to_owned(), |usd| format!("{usd:.2}"));
    println!("episodes {}, model calls {calls}, US dollars {usd}", plan.episodes());
    Ok(exit::OK)
}

/// Prints how many cells there are of each kind.
pub(crate) fn describe(plan: &Plan) {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for job in &plan.jobs {
        for cell in &job.cells {
            let (world, kind) = (&job.scenario.world, job.scenario.kind);
            let group = format!(
                "{world:<10} {kind:<15} {:<24} {:<24} {}",
                job.agent.to_string(),
                cell.defense.to_string(),
                cell.owner
            );
            match counts.iter_mut().find(|(known, _)| *known == group) {
                Some((_, count)) => *count += 1,
                None => counts.push((group, 1)),
            }
        }
    }
    println!(
        "{:<10} {:<15} {:<24} {:<24} {:<8} cells",
        "world", "kind", "agent", "defense", "owner"
    );
    for (group, count) in counts {
        println!("{group:<84} {count:>5}");
    }
    println!("plan {}: {} cells", plan.id, plan.cells());
}
