//! A Python that is a shell script, a wheel and a bundle that are a word each.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::datasets::digest::sha256;
use crate::datasets::error::PullError;
use crate::datasets::install::Recipe;
use crate::datasets::manifest::{self, Manifest};
use crate::datasets::places::Places;
use crate::datasets::pull::{Options, Pulled, pull_of};
use crate::datasets::python::Search;
use crate::datasets::venv::upstream_venv_of;

pub(super) const WHEEL: &str = "agentdojo-0.1.35-py3-none-any.whl";

/// What the made-up Python does, a shell command a task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Behaviour {
    pub(super) version: &'static str,
    pub(super) venv: &'static str,
    pub(super) download: &'static str,
    pub(super) install: &'static str,
    pub(super) export: &'static str,
}

/// All goes well.
pub(super) const WELL: Behaviour = Behaviour {
    version: r#"echo "3.11 $0""#,
    venv: r#"mkdir -p "$3/bin" && cp "$0" "$3/bin/python""#,
    download: r#"printf wheel > "${10}/agentdojo-0.1.35-py3-none-any.whl""#,
    install: "true",
    export: r#"printf bundle > "$7""#,
};

/// A folder with a made-up Python, and a cache.
pub(super) struct Fake {
    folder: TempDir,
    pub(super) places: Places,
    pub(super) manifest: Manifest,
}

impl Fake {
    pub(super) fn new(behaviour: Behaviour) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut manifest = manifest::agentdojo().clone();
        manifest.source.sha256 = sha256(b"wheel");
        manifest.source.bytes = 5;
        manifest.bundle.sha256 = sha256(b"bundle");
        manifest.bundle.bytes = 6;
        let places = Places { datasets: None, cache: folder.path().join("cache") };
        let fake = Self { folder, places, manifest };
        fake.behave(behaviour);
        fake
    }

    /// Replaces the made-up Python. Another process writes it: one that is written here might be
    /// busy when it is run, because a neighbour test forked meanwhile.
    pub(super) fn behave(&self, behaviour: Behaviour) {
        let Behaviour { version, venv, download, install, export } = behaviour;
        let script = format!(
            "#!/bin/sh\ncase \"$1 $2\" in\n\"-c import\"*) {version} ;;\n\"-c \"*) true ;;\n\
             \"-m venv\") {venv} ;;\n\"-m pip\") case \" $* \" in *\" download \"*) {download} ;; \
             *) {install} ;; esac ;;\n*) {export} ;;\nesac\n"
        );
        let mut child = Command::new("sh")
            .args(["-c", r#"cat > "$0.new" && chmod +x "$0.new" && mv "$0.new" "$0""#])
            .arg(self.path("python3"))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(super) fn recipe(&self) -> Recipe<'_> {
        Recipe {
            manifest: &self.manifest,
            requirements: "agentdojo==0.1.35\n",
            scripts: &[("export.py", "")],
        }
    }

    fn search(&self) -> Search {
        Search { named: Some(self.path("python3")), path: None }
    }

    pub(super) fn pull(&self, options: &Options) -> Result<Pulled, PullError> {
        pull_of(self.recipe(), &self.search(), &self.places, options, &mut |_| {})
    }

    pub(super) fn upstream_venv(&self) -> Result<PathBuf, PullError> {
        upstream_venv_of(self.recipe(), &self.search(), &self.places, &mut |_| {})
    }

    /// The bundle's place in the cache.
    pub(super) fn cached(&self) -> PathBuf {
        self.places.cached(&self.manifest)
    }

    /// Every file in the cache, relative to it, in order, without locks.
    pub(super) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        walk(&self.places.cache, &mut found);
        let is_lock = |path: &Path| path.extension() == Some("lock".as_ref());
        let mut names: Vec<String> = found
            .iter()
            .filter(|path| !is_lock(path))
            .map(|path| path.strip_prefix(&self.places.cache).unwrap().display().to_string())
            .collect();
        names.sort();
        names
    }
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, found);
        } else {
            found.push(path);
        }
    }
}
