//! Comparing runs and judging them by rules, on real runs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{run, run_into, stderr};

#[test]
fn a_gate_passes_fails_and_compares_with_a_baseline() {
    if testkit::bundle().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let filter = "world = banking and kind != benign-control";
    let (both, off, on) = (dir.path().join("both"), dir.path().join("off"), dir.path().join("on"));
    run_into(&both, &["--filter", filter, "--defense", "none,mmu"]);
    run_into(&off, &["--filter", filter, "--mmu", "off"]);
    run_into(&on, &["--filter", filter, "--mmu", "on"]);
    let (both, off, on) = (both.to_str().unwrap(), off.to_str().unwrap(), on.to_str().unwrap());
    for (args, code) in [
        (&["gate", on, "--rule", "asr <= 0.05"][..], 0),
        (&["gate", off, "--rule", "asr <= 0.05"], 100),
        (&["gate", off, "--rule", "asr <= 0.05", "--exit-zero"], 0),
        (&["gate", on, "--baseline", off, "--rule", "new_landed == 0"], 0),
        (&["gate", off, "--baseline", on, "--rule", "new_landed == 0"], 100),
        (&["gate", on, "--rule", "asr{world=mars} <= 0.05"], 3),
        (&["gate", on, "--rule", "asr <== 0.05"], 3),
        (&["gate", on, "--baseline", "nowhere", "--rule", "new_landed == 0"], 7),
        (&["gate", "nowhere", "--rule", "asr <= 0.05"], 3),
        (&["compare", off, on], 0),
        (&["compare", both, "--by", "defense"], 0),
        (&["compare", off], 2),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
        let silent = code == 0 || code == 100;
        assert_eq!(stderr(&output).is_empty(), silent, "{args:?}: {}", stderr(&output));
    }
    let printed = run(&["compare", off, on, "--format", "json"]).stdout;
    let printed: serde_json::Value = serde_json::from_slice(&printed).unwrap();
    assert_eq!(printed["newly_stopped"].as_array().unwrap().len(), 142);
    assert_eq!(printed["newly_landed"].as_array().unwrap().len(), 0);
}
