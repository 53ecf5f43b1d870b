//! Tells the program which commit it was built from, where there is one.

use std::path::Path;
use std::process::Command;

fn main() {
    // Git writes a line here with every commit and checkout.
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.git/logs/HEAD");
    println!("cargo:rerun-if-changed=build.rs");
    if log.exists() {
        println!("cargo:rerun-if-changed={}", log.display());
    }
    let commit = Command::new("git").args(["rev-parse", "HEAD"]).output();
    if let Ok(output) = commit
        && output.status.success()
        && let Ok(commit) = String::from_utf8(output.stdout)
    {
        println!("cargo:rustc-env=BENCH_COMMIT={}", commit.trim());
    }
}
