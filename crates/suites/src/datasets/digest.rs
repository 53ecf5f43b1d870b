//! SHA-256 over files, compared with what a manifest says.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::error::WrongDigest;

/// The SHA-256 of `bytes`, in 64 hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").expect("a string takes whatever is written to it");
    }
    text
}

/// What a file must be: its SHA-256 and its size in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected<'a> {
    pub(super) what: &'static str,
    pub(super) sha256: &'a str,
    pub(super) bytes: u64,
}

impl Expected<'_> {
    /// Compares the content of `path` with what it must be.
    pub(super) fn check(self, path: &Path, content: &[u8]) -> Result<(), WrongDigest> {
        let got = sha256(content);
        if got == self.sha256 {
            return Ok(());
        }
        Err(WrongDigest {
            what: self.what,
            path: path.to_owned(),
            expected: self.sha256.to_owned(),
            expected_bytes: self.bytes,
            got,
            got_bytes: content.len() as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standard() {
        // FIPS 180-2, appendix B.1, and the empty message.
        let cases: [(&[u8], &str); 2] = [
            (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(sha256(bytes), expected);
        }
    }
}
