//! `bench list`: what a run can be made of.

use agents::roster::AGENTS;
use clap::{Args, ValueEnum};
use defenses::roster::DEFENSES;
use runner::owners::OWNERS;
use suites::datasets::{Places, load_bytes};
use suites::{agentdojo, injecagent};
use world::environment::Typed as _;

use crate::{Done, exit};

/// List what a run can be made of.
#[derive(Args)]
#[command(after_help = "Examples:\n  bench list defenses\n  bench list scenarios | grep banking")]
pub(crate) struct Arguments {
    /// What to list.
    what: What,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    Suites,
    Scenarios,
    Attacks,
    Agents,
    Defenses,
    Owners,
}

/// Prints a line an entry.
pub(crate) fn run(arguments: &Arguments) -> Done {
    match arguments.what {
        What::Suites => {
            let worlds = [
                world::workspace::Workspace::NAME,
                world::travel::Travel::NAME,
                world::banking::Banking::NAME,
                world::slack::Slack::NAME,
            ]
            .join(", ");
            let about = format!("AgentDojo {}, worlds {worlds}", agentdojo::VERSION);
            entry(agentdojo::NAME, &about);
            let about = "InjecAgent, 1,054 cases in each of two settings, and benign twins";
            entry(injecagent::NAME, about);
        }
        What::Scenarios => return scenarios(),
        What::Attacks => {
            let attacks = agentdojo::ATTACKS.iter().chain(injecagent::ATTACKS);
            attacks.for_each(|(name, about)| entry(name, about));
        }
        What::Agents => AGENTS.iter().for_each(|agent| entry(agent.name, agent.about)),
        What::Defenses => {
            for defense in DEFENSES {
                entry(defense.name, &format!("[{}] {}", defense.tier, defense.about));
                for (option, about) in defense.options {
                    entry(&format!("{}:{option}", defense.name), about);
                }
            }
        }
        What::Owners => OWNERS.iter().for_each(|(owner, about)| entry(&owner.to_string(), about)),
    }
    Ok(exit::OK)
}

fn entry(name: &str, about: &str) {
    println!("{name:<26} {about}");
}

fn scenarios() -> Done {
    let bytes = load_bytes(&Places::from_env()?)?;
    let suite = agentdojo::AgentDojo::load(&bytes, agentdojo::VERSION)?;
    for scenario in suite.scenarios()? {
        println!("{:<15} {}", scenario.kind.as_str(), scenario.id);
    }
    Ok(exit::OK)
}
