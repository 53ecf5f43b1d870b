//! The suite's files, in the binary.

use super::Sources;

/// A file of `scenarios/sleeper`.
macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../scenarios/sleeper/", $name)))
    };
}

/// Every file of the suite, by its name in `scenarios/sleeper`.
pub(crate) const FILES: &[(&str, &str)] = &[
    file!("delayed-yes.yaml"),
    file!("false-precedent.yaml"),
    file!("forged-invoice.yaml"),
    file!("forged-tags.yaml"),
    file!("image-beacon.yaml"),
    file!("memory-trap.yaml"),
    file!("night-job.yaml"),
    file!("old-transcript.yaml"),
    file!("prefilled-link.yaml"),
    file!("record-41-confirm.yaml"),
    file!("record-41-listing.yaml"),
    file!("record-41-neither.yaml"),
    file!("shared-shelf.yaml"),
    file!("standing-order.yaml"),
    file!("taken-back.yaml"),
    file!("two-notes.yaml"),
    file!("worlds/banking.yaml"),
    file!("worlds/coding.yaml"),
    file!("worlds/home.yaml"),
    file!("worlds/office.yaml"),
];

/// The files as sources.
pub(super) fn sources() -> Sources {
    let named = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    Sources(FILES.iter().map(named).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_file_of_the_folder_is_in_the_binary() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/sleeper");
        let found = Sources::folder(&folder).unwrap();
        let relative =
            |name: &str| Path::new(name).strip_prefix(&folder).unwrap().display().to_string();
        let mut found: Vec<(String, String)> =
            found.0.into_iter().map(|(name, text)| (relative(&name), text)).collect();
        found.sort();
        assert_eq!(sources().0, found);
    }
}
