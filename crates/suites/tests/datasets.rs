//! `AgentDojo`, pulled for real: with the machine's Python and pip as it is configured.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use suites::datasets::{self, Options, Places, State, manifest};

fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// Every file below `folder` but the locks that stay.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else if entry.path().extension() != Some("lock".as_ref()) {
            found.push(entry.path());
        }
    }
    found
}

/// The wheel, fetched by the machine's own pip.
fn wheel(folder: &Path) -> PathBuf {
    let status = std::process::Command::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest"])
        .arg(folder)
        .arg(manifest::agentdojo().requirement())
        .status()
        .expect("the machine has Python");
    assert!(status.success());
    folder.join(&manifest::agentdojo().source.wheel)
}

#[test]
fn agentdojo_is_pulled_from_the_index_and_from_a_wheel() {
    let folder = tempfile::tempdir().unwrap();
    for from in [None, Some(wheel(folder.path()))] {
        let cache = tempfile::tempdir().unwrap();
        let places = Places { datasets: None, cache: cache.path().to_owned() };
        let options = Options { from, ..Options::default() };
        assert_eq!(datasets::locate(&places).unwrap_err().exit_code(), 3);

        let pulled = datasets::pull(&places, &options, &mut |_| {}).unwrap();

        assert!(pulled.fresh);
        assert_eq!(files(cache.path()), [pulled.located.path.as_path()]);
        let bytes = datasets::load_bytes(&places).unwrap();
        assert_eq!(sha256(&bytes), manifest::agentdojo().bundle.sha256);
        assert_eq!(bytes.len() as u64, manifest::agentdojo().bundle.bytes);
        let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(json["format"], manifest::agentdojo().bundle.format);
        assert_eq!(json["package"]["version"], manifest::agentdojo().version);

        let again = datasets::pull(&places, &options, &mut |_| {}).unwrap();
        assert!(!again.fresh);
        assert_eq!(again.located, pulled.located);
        assert_eq!(datasets::verify(&places).unwrap(), pulled.located);
        assert!(matches!(datasets::list(&places)[0].state, State::Intact(_)));
    }
}
