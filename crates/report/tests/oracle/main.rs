//! The statistics agree with values that scipy and statsmodels have computed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::needless_pass_by_value, reason = "comparisons take what they compare")]

mod book;
mod comparisons;
mod one_rate;
mod resampling;

use std::io::{self, Write};

use book::Book;

#[test]
fn every_family_agrees_with_the_oracle() {
    let Some(mut book) = Book::open() else { return };
    one_rate::check(&mut book);
    comparisons::check(&mut book);
    resampling::check(&mut book);
    let report = book.account();
    // Past the harness, which keeps what passing tests print.
    let _ = writeln!(io::stderr(), "{report}");
}
