//! Manifests: what a data set is, where it comes from, and which digests it must have.

use std::sync::LazyLock;

use serde::Deserialize;

/// A data set's manifest, as it stands in `datasets/NAME.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The name that commands take.
    pub name: String,
    /// Upstream's version.
    pub version: String,
    /// Upstream's licence, as an SPDX expression.
    pub licence: String,
    /// Where upstream lives.
    pub homepage: String,
    /// What is fetched.
    pub source: Source,
    /// What is made of it.
    pub bundle: Bundle,
    /// Whom to cite.
    pub citation: Citation,
}

/// The package that a data set is exported from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The project's name in the Python package index.
    pub project: String,
    /// The wheel's file name.
    pub wheel: String,
    /// The wheel's SHA-256, in 64 hexadecimal digits.
    pub sha256: String,
    /// The wheel's size in bytes.
    pub bytes: u64,
}

/// The exported file that runs start from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// The version of the bundle's format.
    pub format: u32,
    /// The bundle's SHA-256 over its bytes, in 64 hexadecimal digits.
    pub sha256: String,
    /// The bundle's size in bytes.
    pub bytes: u64,
}

/// The paper behind a data set.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Citation {
    /// The paper's title.
    pub title: String,
    /// Its authors, in the paper's order.
    pub authors: Vec<String>,
    /// Where it appeared.
    pub venue: String,
    /// The year it appeared in.
    pub year: u16,
}

impl Manifest {
    /// `NAME-VERSION`, as folders are called that hold the data set.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// `PROJECT==VERSION`, as `pip` takes it.
    pub fn requirement(&self) -> String {
        format!("{}=={}", self.source.project, self.version)
    }
}

static AGENTDOJO: LazyLock<Manifest> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../../datasets/agentdojo.toml"))
        .expect("the embedded manifest is parsed by a test")
});

/// The manifest of `agentdojo`.
pub fn agentdojo() -> &'static Manifest {
    &AGENTDOJO
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_digest(text: &str) -> bool {
        text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    }

    #[test]
    fn the_embedded_manifest_is_complete() {
        let manifest = agentdojo();
        assert_eq!(manifest.folder(), "agentdojo-0.1.35");
        assert_eq!(manifest.requirement(), "agentdojo==0.1.35");
        assert_eq!(manifest.source.wheel, "agentdojo-0.1.35-py3-none-any.whl");
        for digest in [&manifest.source.sha256, &manifest.bundle.sha256] {
            assert!(is_digest(digest), "`{digest}` is no digest");
            assert!(digest.bytes().any(|b| b != b'0'), "`{digest}` is a placeholder");
        }
        assert!(manifest.bundle.bytes > 0);
    }

    #[test]
    fn a_misspelt_key_is_refused() {
        let text =
            include_str!("../../../../datasets/agentdojo.toml").replace("licence", "license");
        let error = toml::from_str::<Manifest>(&text).unwrap_err().to_string();
        assert!(error.contains("unknown field `license`"), "{error}");
    }
}
