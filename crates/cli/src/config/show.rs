//! The effective options, as a file that says the same.

use std::fmt::Write as _;

use clap::{Arg, Command};

use super::known::{self, SECTIONS, Section};
use super::{Config, Origin};

/// An option's effective values, and where they come from.
fn effective<'c>(
    config: &'c Config,
    section: &Section,
    arg: &Arg,
    variable: &dyn Fn(&str) -> Option<String>,
) -> (Vec<String>, Origin<'c>) {
    let name = arg.get_env().map(|name| name.to_string_lossy().into_owned());
    if let Some((name, value)) = name.and_then(|name| Some((name.clone(), variable(&name)?))) {
        let values = match arg.get_value_delimiter() {
            Some(mark) => value.split(mark).map(str::to_owned).collect(),
            None => vec![value],
        };
        return (values, Origin::Variable(name));
    }
    let key = known::key_of(arg).unwrap_or_default();
    if let (Some(setting), Some(file)) = (config.setting(section.name, key), config.file()) {
        let values = setting.values.iter().map(|(value, _)| value.clone()).collect();
        return (values, Origin::File(file, setting));
    }
    let built_in = arg.get_default_values().iter().map(|it| it.to_string_lossy().into_owned());
    let built_in = match arg.get_value_delimiter() {
        Some(mark) => {
            built_in.flat_map(|it| it.split(mark).map(str::to_owned).collect::<Vec<_>>()).collect()
        }
        None => built_in.collect(),
    };
    (built_in, Origin::BuiltIn)
}

/// The options of all sections as TOML, with the origin of each behind it where that is asked for.
/// `cli` is the command line without the file's defaults. Options that are not set are left out.
pub(crate) fn show(
    config: &Config,
    cli: &Command,
    origins: bool,
    variable: &dyn Fn(&str) -> Option<String>,
) -> String {
    let mut text = String::new();
    for section in SECTIONS {
        let options = known::options(cli, section);
        if options.is_empty() {
            continue;
        }
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}[{}]", section.name);
        for arg in options {
            let (values, origin) = effective(config, section, arg, variable);
            let Some(value) = written(arg, &values) else { continue };
            let line = format!("{} = {value}", known::key_of(arg).unwrap_or_default());
            let _ = if origins {
                writeln!(text, "{line:<48} # {origin}")
            } else {
                writeln!(text, "{line}")
            };
        }
    }
    text
}

/// Values as TOML; `None` where there is none.
fn written(arg: &Arg, values: &[String]) -> Option<String> {
    if known::is_switch(arg) {
        let on = values.first().is_some_and(|value| value != "false" && value != "0");
        return Some(on.to_string());
    }
    if known::takes_several(arg) && !values.is_empty() {
        let quoted: Vec<String> = values.iter().map(|value| quote(value)).collect();
        return Some(format!("[{}]", quoted.join(", ")));
    }
    let value = values.first()?;
    let number = value.parse::<f64>().is_ok_and(f64::is_finite)
        && value.starts_with(|c: char| c.is_ascii_digit());
    Some(if number { value.clone() } else { quote(value) })
}

/// A basic string of TOML.
fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
