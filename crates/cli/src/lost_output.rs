//! What happens when standard output takes nothing more.
//!
//! `println!` panics then. A reader that has seen enough, as `head` has, is no mistake of this
//! program's, and a full disk is no panic.

use std::panic::{self, PanicHookInfo};
use std::process;

use crate::exit;

/// What a panic of `println!` begins with.
const PRINTING: &str = "failed printing to stdout: ";

/// From now on the program ends plainly when it cannot print. Results are in their place by then:
/// they are written before they are printed.
pub(crate) fn heed() {
    let otherwise = panic::take_hook();
    panic::set_hook(Box::new(move |info| match reason(info) {
        Some(reason) if reason.contains("Broken pipe") => process::exit(exit::UNREAD.into()),
        Some(reason) => {
            eprintln!("error: failed to print the results: {reason}");
            process::exit(exit::UNWRITTEN.into());
        }
        None => otherwise(info),
    }));
}

fn reason<'a>(info: &'a PanicHookInfo<'_>) -> Option<&'a str> {
    info.payload_as_str()?.strip_prefix(PRINTING)
}
