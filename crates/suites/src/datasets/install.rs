//! Upstream's package, checked and installed in a virtual environment of its own.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::Progress;
use super::digest::Expected;
use super::error::PullError;
use super::manifest::{self, Manifest};
use super::python::{self, Python};
use super::scratch::Scratch;

/// Everything that a pull needs, embedded in the binary.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recipe<'a> {
    pub(super) manifest: &'a Manifest,
    /// The packages to install, each pinned by version and hash.
    pub(super) requirements: &'a str,
    /// The exporter first, then the modules that it imports: file name and content.
    pub(super) scripts: &'a [(&'a str, &'a str)],
}

/// The recipe of `agentdojo`.
pub(super) fn agentdojo() -> Recipe<'static> {
    Recipe {
        manifest: manifest::agentdojo(),
        requirements: include_str!("../../../../scripts/agentdojo-requirements.txt"),
        scripts: &[
            ("export_agentdojo.py", include_str!("../../../../scripts/export_agentdojo.py")),
            ("agentdojo_files.py", include_str!("../../../../scripts/agentdojo_files.py")),
            ("agentdojo_stubs.py", include_str!("../../../../scripts/agentdojo_stubs.py")),
            ("agentdojo_values.py", include_str!("../../../../scripts/agentdojo_values.py")),
        ],
    }
}

/// One installation: what, with which Python, from where.
#[derive(Debug)]
pub(super) struct Installation<'a> {
    pub(super) recipe: Recipe<'a>,
    pub(super) python: &'a Python,
    /// A wheel, or a folder that holds it, instead of the package index.
    pub(super) from: Option<&'a Path>,
    /// Where wheels and lists lie meanwhile.
    pub(super) scratch: &'a Scratch,
}

impl Installation<'_> {
    /// Makes the virtual environment `venv` with upstream's package in it, and returns its
    /// interpreter. The wheel's digest is checked before anything of it runs.
    pub(super) fn run(&self, venv: &Path, progress: Progress<'_>) -> Result<PathBuf, PullError> {
        progress("making a virtual environment");
        python::run(&self.python.program, ["-m".as_ref(), "venv".as_ref(), venv.as_os_str()])
            .map_err(|failure| {
                let python = self.python.program.clone();
                failure.into_error(venv, |tail| PullError::NoVenv { python, tail })
            })?;
        let interpreter = python::interpreter(venv);
        let wheels = self.scratch.folder("wheels")?;
        let wheel = match self.from {
            Some(from) => self.copy_wheel(from, &wheels, progress)?,
            None => self.download_wheel(&interpreter, &wheels, progress)?,
        };
        self.check_wheel(&wheel, progress)?;
        self.install(&interpreter, &wheels, progress)?;
        Ok(interpreter)
    }

    fn copy_wheel(
        &self,
        from: &Path,
        wheels: &Path,
        progress: Progress<'_>,
    ) -> Result<PathBuf, PullError> {
        let name = &self.recipe.manifest.source.wheel;
        let source = if from.is_dir() { from.join(name) } else { from.to_owned() };
        progress(&format!("copying `{}`", source.display()));
        let target = wheels.join(name);
        match fs::copy(&source, &target) {
            Ok(_) => Ok(target),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(PullError::NoWheel { path: source })
            }
            Err(error) => Err(PullError::write(target, error)),
        }
    }

    fn download_wheel(
        &self,
        interpreter: &Path,
        wheels: &Path,
        progress: Progress<'_>,
    ) -> Result<PathBuf, PullError> {
        let requirement = self.recipe.manifest.requirement();
        progress(&format!("downloading {requirement} with pip"));
        let args = ["download", "--no-deps", "--only-binary", ":all:", "--dest"];
        let task = format!("download `{requirement}`");
        let rest = [wheels.as_os_str().to_owned(), requirement.into()];
        self.pip(interpreter, &task, args, rest)?;
        let wheel = wheels.join(&self.recipe.manifest.source.wheel);
        if wheel.exists() {
            return Ok(wheel);
        }
        let tail = format!("it fetched no `{}`", self.recipe.manifest.source.wheel);
        Err(PullError::Pip { task, tail })
    }

    fn check_wheel(&self, wheel: &Path, progress: Progress<'_>) -> Result<(), PullError> {
        progress("checking the wheel's digest");
        let content = fs::read(wheel).map_err(|source| PullError::write(wheel, source))?;
        let source = &self.recipe.manifest.source;
        // The copy in the temporary folder is gone when a message about it is read.
        let shown = match self.from {
            Some(from) if !from.is_dir() => from.to_owned(),
            from => from.unwrap_or(Path::new("")).join(&source.wheel),
        };
        Expected { what: "wheel", sha256: &source.sha256, bytes: source.bytes }
            .check(&shown, &content)?;
        Ok(())
    }

    fn install(
        &self,
        interpreter: &Path,
        wheels: &Path,
        progress: Progress<'_>,
    ) -> Result<(), PullError> {
        progress("installing the pinned packages with pip");
        let list = self.scratch.path().join("requirements.txt");
        fs::write(&list, self.recipe.requirements)
            .map_err(|source| PullError::write(&list, source))?;
        let args =
            ["install", "--no-compile", "--no-deps", "--require-hashes", "--only-binary", ":all:"];
        let mut rest: Vec<OsString> = vec!["--find-links".into(), wheels.into()];
        if let Some(folder) = self.from.filter(|from| from.is_dir()) {
            rest.extend(["--find-links".into(), folder.into()]);
        }
        rest.extend(["--requirement".into(), list.into()]);
        self.pip(interpreter, "install the pinned packages", args, rest)
    }

    /// Runs pip as it is configured here: no index is named.
    fn pip<const N: usize>(
        &self,
        interpreter: &Path,
        task: &str,
        args: [&str; N],
        rest: impl IntoIterator<Item = OsString>,
    ) -> Result<(), PullError> {
        let fixed = ["-m", "pip", "--no-input", "--disable-pip-version-check"];
        let args = fixed.iter().chain(&args).map(OsString::from).chain(rest);
        python::run(interpreter, args).map_err(|failure| {
            let task = task.to_owned();
            failure.into_error(self.scratch.path(), |tail| PullError::Pip { task, tail })
        })
    }
}
