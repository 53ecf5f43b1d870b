//! `--partition auto`: which part of a plan this is, from what a CI server or a scheduler says.

use runner::partition::Partition;

/// Where a number is, and how many there are, with what the first one's number is.
struct Source {
    name: &'static str,
    index: &'static str,
    count: &'static str,
    /// The variable of the first number, where that is set; else the first number.
    first: (Option<&'static str>, u64),
}

/// GitLab sets its index only under `parallel:`, so a job that is not is no part of anything.
const SOURCES: &[Source] = &[
    Source { name: "GitLab", index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: (None, 1) },
    Source {
        name: "CircleCI",
        index: "CIRCLE_NODE_INDEX",
        count: "CIRCLE_NODE_TOTAL",
        first: (None, 0),
    },
    Source {
        name: "Slurm",
        index: "SLURM_ARRAY_TASK_ID",
        count: "SLURM_ARRAY_TASK_COUNT",
        first: (Some("SLURM_ARRAY_TASK_MIN"), 0),
    },
];

/// Reads `--partition`: `hash:I/N`, `slice:I/N`, or `auto`, which is `hash` by the environment.
///
/// # Errors
/// What was expected; with `auto`, that the environment says nothing: a job that forgot its number
/// would otherwise run everything.
pub(crate) fn read(text: &str) -> Result<Partition, String> {
    if text == "auto" {
        return from(&|name| std::env::var(name).ok());
    }
    Partition::parse(text).map_err(|error| format!("{error}; or `auto`"))
}

fn from(variable: &dyn Fn(&str) -> Option<String>) -> Result<Partition, String> {
    for source in SOURCES {
        let Some(index) = variable(source.index) else { continue };
        let wrong =
            || format!("{} and {} of {} make no part", source.index, source.count, source.name);
        let number = |text: String| text.trim().parse::<u64>().map_err(|_| wrong());
        let count = number(variable(source.count).ok_or_else(wrong)?)?;
        let first = match source.first.0.and_then(variable) {
            Some(first) => number(first)?,
            None => source.first.1,
        };
        let place = number(index)?.checked_sub(first).ok_or_else(wrong)?;
        return Partition::parse(&format!("hash:{}/{count}", place + 1)).map_err(|_| wrong());
    }
    let names: Vec<&str> = SOURCES.iter().map(|source| source.index).collect();
    Err(format!("`auto` needs one of {} in the environment", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(variables: &[(&str, &str)]) -> Result<String, String> {
        let found = |name: &str| {
            let variable = variables.iter().find(|(known, _)| *known == name);
            variable.map(|(_, value)| (*value).to_owned())
        };
        from(&found).map(|partition| partition.to_string())
    }

    #[test]
    fn each_scheduler_counts_in_its_own_way() {
        for (variables, expected) in [
            (&[("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "3")][..], "hash:1/3"),
            (&[("CIRCLE_NODE_INDEX", "0"), ("CIRCLE_NODE_TOTAL", "3")], "hash:1/3"),
            (&[("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_TASK_COUNT", "3")], "hash:3/3"),
            (
                &[
                    ("SLURM_ARRAY_TASK_ID", "5"),
                    ("SLURM_ARRAY_TASK_COUNT", "2"),
                    ("SLURM_ARRAY_TASK_MIN", "4"),
                ],
                "hash:2/2",
            ),
        ] {
            assert_eq!(part(variables).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn what_says_nothing_or_nonsense_is_never_the_whole() {
        for variables in [
            &[][..],
            &[("CI_NODE_TOTAL", "1")],
            &[("CI_NODE_INDEX", "1")],
            &[("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "3")],
            &[("CI_NODE_INDEX", "4"), ("CI_NODE_TOTAL", "3")],
            &[("CIRCLE_NODE_INDEX", "one"), ("CIRCLE_NODE_TOTAL", "3")],
            // Numbers with gaps (an array's step) are not parts.
            &[("SLURM_ARRAY_TASK_ID", "8"), ("SLURM_ARRAY_TASK_COUNT", "3")],
        ] {
            assert!(part(variables).is_err(), "{variables:?}");
        }
    }
}
