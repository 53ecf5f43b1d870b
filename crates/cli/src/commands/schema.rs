//! `bench schema`: the JSON schemas of the forms that others write or read.

use clap::{Args, ValueEnum};
use schemars::generate::SchemaSettings;
use schemars::{Schema, schema_for};
use suites::agentdojo::conform::GoldenRow;
use suites::sleeper::{scenario_schema, world_schema};
use trace::trajectory::Trajectory;

use crate::failure::Failure;
use crate::{Done, exit};

/// Print the JSON schema of a form.
#[derive(Args)]
#[command(after_help = "Examples:\n  bench schema trajectory > trajectory.schema.json")]
pub(crate) struct Arguments {
    /// The form.
    name: Form,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// A recorded episode: a line of what `bench import` writes.
    Trajectory,
    /// A row that upstream's own code has judged: a line of what `bench conform agentdojo` reads.
    GoldenRow,
    /// A scenario file.
    Scenario,
    /// A world file.
    World,
    /// The lines between this program and an external defense, `--defense exec:COMMAND`.
    ExecDefense,
}

/// Prints the schema.
pub(crate) fn run(arguments: &Arguments) -> Done {
    let schema: Schema = match arguments.name {
        Form::Scenario => return print(serde_json::to_string_pretty(&scenario_schema())),
        Form::World => return print(serde_json::to_string_pretty(&world_schema())),
        // What is written has every field, null or not.
        Form::Trajectory => {
            let settings = SchemaSettings::default().for_serialize();
            settings.into_generator().into_root_schema_for::<Trajectory>()
        }
        Form::GoldenRow => schema_for!(GoldenRow),
        Form::ExecDefense => {
            println!("{}", defenses::exec::SCHEMA.trim_end());
            return Ok(exit::OK);
        }
    };
    print(serde_json::to_string_pretty(&schema))
}

fn print(text: serde_json::Result<String>) -> Done {
    println!("{}", text.map_err(|error| Failure::new(exit::INTERNAL, error))?);
    Ok(exit::OK)
}
