//! Where data sets lie: a read-only place that is searched first, and the cache.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use super::error::NoCache;
use super::manifest::Manifest;

/// The file in a data set's folder that runs start from.
const BUNDLE: &str = "bundle.json";

/// The places that hold data sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// A read-only place, searched first (`BENCH_DATASETS`).
    pub datasets: Option<PathBuf>,
    /// The cache, where pulled data sets go (`BENCH_CACHE`).
    pub cache: PathBuf,
}

impl Places {
    /// The places that the environment names: `BENCH_DATASETS`, and the first of `BENCH_CACHE`,
    /// `$XDG_CACHE_HOME/bench` and `~/.cache/bench`. An empty variable counts as unset.
    ///
    /// # Errors
    ///
    /// [`NoCache`] if no variable names a cache and there is no home folder.
    pub fn from_env() -> Result<Self, NoCache> {
        Self::from_lookup(|name| env::var_os(name), env::home_dir())
    }

    fn from_lookup(
        var: impl Fn(&str) -> Option<OsString>,
        home: Option<PathBuf>,
    ) -> Result<Self, NoCache> {
        let path = |name| var(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = path("BENCH_CACHE")
            // A relative path here is to be ignored, says the XDG Base Directory Specification.
            .or_else(|| path("XDG_CACHE_HOME").filter(|p| p.is_absolute()).map(|p| p.join("bench")))
            .or_else(|| {
                home.filter(|p| !p.as_os_str().is_empty()).map(|p| p.join(".cache").join("bench"))
            })
            .ok_or(NoCache)?;
        Ok(Self { datasets: path("BENCH_DATASETS"), cache })
    }

    /// The folder in the cache that a data set is pulled to. Its name holds the bundle's digest, so
    /// that two versions of `bench` share a cache in peace.
    pub(super) fn home(&self, manifest: &Manifest) -> PathBuf {
        let digest = &manifest.bundle.sha256[..12];
        self.cache.join("datasets").join(format!("{}-{digest}", manifest.folder()))
    }

    /// The bundle's path in the cache.
    pub(super) fn cached(&self, manifest: &Manifest) -> PathBuf {
        self.home(manifest).join(BUNDLE)
    }

    /// The bundle's path in the read-only place, if there is one.
    pub(super) fn provided(&self, manifest: &Manifest) -> Option<PathBuf> {
        Some(self.datasets.as_ref()?.join(manifest.folder()).join(BUNDLE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Vars = [(&'static str, &'static str)];

    #[test]
    fn the_first_variable_that_is_set_names_the_cache() {
        let home = Some("/home/u");
        let cases: [(&Vars, Option<&str>, Option<&str>); 7] = [
            (&[("BENCH_CACHE", "/c"), ("XDG_CACHE_HOME", "/x")], home, Some("/c")),
            (&[("BENCH_CACHE", ""), ("XDG_CACHE_HOME", "/x")], home, Some("/x/bench")),
            (&[("XDG_CACHE_HOME", "relative")], home, Some("/home/u/.cache/bench")),
            (&[], home, Some("/home/u/.cache/bench")),
            (&[("BENCH_CACHE", "relative")], None, Some("relative")),
            (&[], Some(""), None),
            (&[], None, None),
        ];
        for (vars, home, expected) in cases {
            let lookup =
                |name: &str| vars.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v));
            let places = Places::from_lookup(lookup, home.map(PathBuf::from));
            assert_eq!(places.ok().map(|p| p.cache), expected.map(PathBuf::from), "{vars:?}");
        }
    }

    #[test]
    fn an_empty_read_only_place_is_none() {
        for (value, expected) in [("", None), ("/d", Some(PathBuf::from("/d")))] {
            let lookup = |name: &str| (name == "BENCH_DATASETS").then(|| OsString::from(value));
            let places = Places::from_lookup(lookup, Some("/home/u".into())).unwrap();
            assert_eq!(places.datasets, expected);
        }
    }
}
