//! What the tests of several crates share: data that may be absent, and saying so aloud.

pub mod flips;
pub mod golden;

use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use suites::agentdojo::{AgentDojo, VERSION};
use suites::datasets::{Options, Places, load_bytes, pull, upstream_venv};

/// Says on standard error, past the test harness's capture, that a test was skipped.
///
/// # Panics
/// Where `BENCH_REQUIRE_DATA=1` asks for the data: a skip is then a failure.
pub fn skip(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
    let required = std::env::var_os("BENCH_REQUIRE_DATA").is_some_and(|set| set == "1");
    assert!(!required, "{why}");
}

/// A path below the reference data beside the project; `None` says that the test is skipped.
pub fn shared(path: &str) -> Option<std::path::PathBuf> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
    let found = std::path::Path::new(root).join(path);
    if found.exists() {
        return Some(found);
    }
    skip(&format!("`../shared/{path}` is not here"));
    None
}

/// `AgentDojo`'s bundle, fetched once where it is not here; `None` says that the test is skipped.
pub fn bundle() -> Option<Vec<u8>> {
    static BUNDLE: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
    let load = || {
        let places = Places::from_env().map_err(|error| error.to_string())?;
        if load_bytes(&places).is_err() {
            pull(&places, &Options::default(), &mut |_| {}).map_err(|error| error.to_string())?;
        }
        load_bytes(&places).map_err(|error| error.to_string())
    };
    match BUNDLE.get_or_init(load) {
        Ok(bytes) => Some(bytes.clone()),
        Err(why) => {
            skip(&format!("no AgentDojo bundle: {why}"));
            None
        }
    }
}

/// `AgentDojo` in its default version; `None` says that the test is skipped.
///
/// # Panics
/// The bundle is here and cannot be used.
pub fn agentdojo() -> Option<AgentDojo> {
    let bytes = bundle()?;
    Some(AgentDojo::load(&bytes, VERSION).expect("the pinned bundle can be used"))
}

/// What one of the scripts in `scripts/` prints, run by upstream's Python; `None` says that the test is
/// skipped.
///
/// # Panics
/// The script fails.
pub fn upstream_script(name: &str, args: &[&str]) -> Option<String> {
    let python = Places::from_env()
        .map_err(|error| error.to_string())
        .and_then(|places| upstream_venv(&places, &mut |_| {}).map_err(|error| error.to_string()));
    let python = match python {
        Ok(python) => python,
        Err(why) => {
            skip(&format!("no upstream Python: {why}"));
            return None;
        }
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts").join(name);
    let output = Command::new(python).arg(script).args(args).output();
    let output = output.expect("the interpreter was just found");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {errors}");
    Some(String::from_utf8(output.stdout).expect("scripts print UTF-8"))
}
