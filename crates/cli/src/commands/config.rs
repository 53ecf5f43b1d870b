//! `bench config`: what `bench.toml` sets, and whether it can be read.

use clap::{Args, Command, Subcommand};
use defenses::roster::Choice;
use report::gate::Rule;
use runner::filter::Filter;
use runner::owners::OwnerChoice;

use crate::config::{self, Config};
use crate::failure::Failure;
use crate::{Done, exit};

/// Show or check the options of `bench.toml`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bench config show --origin
  bench config check --config ci/bench.toml

The file is `bench.toml` or `.config/bench.toml`, here or in the nearest folder upward within the
repository; `--config ''` reads none. An option is taken from the command line, else from its
BENCH_* variable, else from the profile, else from the file, else it is built in.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print every option that is set, as a file that says the same.
    Show {
        /// Say behind each where it comes from.
        #[arg(long)]
        origin: bool,
    },
    /// Check the file: its keys, values, rules, filters and names.
    Check,
}

/// Prints the options, or says that the file is sound. `cli` is the command line without the file.
pub(crate) fn run(arguments: &Arguments, config: &Config, cli: &Command) -> Done {
    match arguments.action {
        Action::Show { origin } => {
            let variable = |name: &str| std::env::var(name).ok();
            print!("{}", config::show(config, cli, origin, &variable));
        }
        Action::Check => {
            let Some(file) = config.file() else {
                return Err(Failure::new(exit::INVALID, "there is no `bench.toml` here or upward")
                    .hint("write one, or give --config"));
            };
            check(config)?;
            let profile = config.profile().map(|name| format!(", profile {name}"));
            println!("{}{}: sound", file.display(), profile.unwrap_or_default());
        }
    }
    Ok(exit::OK)
}

/// What each value must be read as.
type Check = fn(&str) -> Result<(), String>;

/// The keys whose values are a language of their own, or names.
const CHECKS: &[(&str, &str, Check)] = &[
    ("gate", "rules", |text| as_text(Rule::parse(text))),
    ("run", "filter", |text| as_text(Filter::parse(text))),
    ("run", "defense", |text| as_text(Choice::parse(text))),
    ("run", "owner", |text| {
        OwnerChoice::parse(text).map(|_| ()).ok_or_else(|| format!("unknown owner `{text}`"))
    }),
];

fn as_text<T, E: std::fmt::Display>(read: Result<T, E>) -> Result<(), String> {
    read.map(|_| ()).map_err(|error| error.to_string())
}

fn check(config: &Config) -> Result<(), Failure> {
    for (section, key, check) in CHECKS {
        let Some((file, setting)) = config.file().zip(config.setting(section, key)) else {
            continue;
        };
        for (value, line) in &setting.values {
            check(value).map_err(|message| {
                let message = format!("{}:{line}: {section}.{key}: {message}", file.display());
                Failure::new(exit::INVALID, message).hint(format!("see `bench {section} --help`"))
            })?;
        }
    }
    Ok(())
}
