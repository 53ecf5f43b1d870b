//! `bench list`: what a run can be made of.

use agents::roster::AGENTS;
use clap::{Args, ValueEnum};
use defenses::roster::DEFENSES;
use runner::owners::OWNERS;
use suites::agentdojo::{self, Scripts};
use suites::injecagent;
use suites::sleeper;
use suites::suite::Counts;
use world::environment::Typed as _;

use crate::open_suite::Wanted;
use crate::recordings::PREFIX;
use crate::{Done, exit};

/// List what a run can be made of.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench list defenses
  bench list scenarios | grep banking
  bench list scenarios --suite agentdojo@v1.1 --count")]
pub(crate) struct Arguments {
    /// What to list.
    what: What,
    /// Whose scenarios, and of which version: `NAME[@VERSION]`.
    #[arg(long, value_name = "SUITE", env = "BENCH_SUITE", default_value = agentdojo::NAME)]
    suite: String,
    /// Only say how many user tasks, injection tasks and pairs of them there are.
    #[arg(long)]
    count: bool,
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
            let about =
                "attacks that enter memory in one session and fire in a later one (default)";
            entry(sleeper::NAME, about);
            let worlds = [
                world::workspace::Workspace::NAME,
                world::travel::Travel::NAME,
                world::banking::Banking::NAME,
                world::slack::Slack::NAME,
            ]
            .join(", ");
            for version in agentdojo::VERSIONS {
                let name = format!("{}@{version}", agentdojo::NAME);
                let default = if *version == agentdojo::VERSION { " (default)" } else { "" };
                entry(&name, &format!("AgentDojo {version}{default}, worlds {worlds}"));
            }
            let name = format!("{}@{}", injecagent::NAME, injecagent::VERSION);
            entry(&name, "InjecAgent, 1,054 cases in each of two settings, and benign twins");
            let about =
                "the same, each reply stored in one session and recalled in a later one: ours";
            entry(injecagent::MEMORY_NAME, about);
        }
        What::Scenarios => return scenarios(arguments),
        What::Attacks => {
            let attacks = agentdojo::ATTACKS.iter().chain(injecagent::ATTACKS);
            attacks.for_each(|(name, about)| entry(name, about));
        }
        What::Agents => {
            for agent in AGENTS {
                entry(agent.name, agent.about);
            }
            entry(&format!("{PREFIX}PATH"), "does what a real model did once, as its log says");
        }
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
    println!("{name:<40} {about}");
}

fn scenarios(arguments: &Arguments) -> Done {
    let wanted = Wanted {
        name: &arguments.suite,
        attacks: &[agentdojo::ATTACKS[0].0.to_owned()],
        attack_text: None,
        scripts: Scripts::default(),
        offline: true,
        say: &|line| eprintln!("{line}"),
    };
    let scenarios = wanted.open()?.suite.scenarios()?;
    if arguments.count {
        println!("{}", Counts::of(&scenarios));
        return Ok(exit::OK);
    }
    for scenario in scenarios {
        println!("{:<15} {}", scenario.kind.as_str(), scenario.id);
    }
    Ok(exit::OK)
}
