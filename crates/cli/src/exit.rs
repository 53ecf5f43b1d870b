//! Exit codes, each with one meaning.

/// The run finished. Attacks that land are a result, not a failure.
pub(crate) const OK: u8 = 0;
/// Something is wrong with this program.
pub(crate) const INTERNAL: u8 = 1;
/// The words of the command do not go together.
pub(crate) const USAGE: u8 = 2;
/// A data set, a configuration or an output folder cannot be used.
pub(crate) const INVALID: u8 = 3;
/// No cell is left to run.
pub(crate) const NOTHING: u8 = 4;
/// The run was stopped before its end; what was done is kept.
pub(crate) const INCOMPLETE: u8 = 5;
/// More cells were invalid than `--max-error-rate` allows.
pub(crate) const ERROR_RATE: u8 = 6;
/// A baseline is missing, or was made from other data.
pub(crate) const NOT_COMPARABLE: u8 = 7;
/// Results could not be written; nothing half-written is left.
pub(crate) const UNWRITTEN: u8 = 8;
/// A verdict is not what it must be.
pub(crate) const FAILED: u8 = 100;
/// Interrupted a second time: stopped at once, nothing written.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whoever read the output went away, as `head` does; what a signal for it would give.
pub(crate) const UNREAD: u8 = 141;

/// The table for `--help`. Code 2 is also clap's; 101 is the gate's.
pub(crate) const HELP: &str = "\
Exit codes:
    0  finished (attacks that land are a result, not a failure)
    1  internal error
    2  wrong usage
    3  a data set, the configuration or the output folder cannot be used
    4  nothing selected
    5  stopped before the end; what was done is kept
    6  more invalid cells than --max-error-rate allows
    7  a baseline is missing, or was made from other data
    8  results could not be written; nothing half-written is left
  100  the gate failed, or a verdict is not upstream's
  101  the gate is inconclusive
  130  interrupted twice: stopped at once, nothing written
  141  the reader of the output went away";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_every_code() {
        for code in [
            OK,
            INTERNAL,
            USAGE,
            INVALID,
            NOTHING,
            INCOMPLETE,
            ERROR_RATE,
            NOT_COMPARABLE,
            UNWRITTEN,
            FAILED,
            INTERRUPTED,
            UNREAD,
        ] {
            let listed = HELP.lines().any(|line| {
                line.split_whitespace().next().and_then(|word| word.parse().ok()) == Some(code)
            });
            assert!(listed, "code {code} is not in the help");
        }
    }
}
