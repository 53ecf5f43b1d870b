//! Ids that decide a cell, and how they are made.

use std::fmt;

/// A hash of everything that decides a cell, or of the same without the defense.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellId([u8; 16]);

impl CellId {
    /// The id of a cell, from its parts in order. Parts are framed by their length, so that no two
    /// lists of parts run together.
    pub fn of(parts: &[&str]) -> Self {
        Self::of_each(parts)
    }

    /// The same of parts that are made one after the other.
    pub fn of_each(parts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            let part = part.as_ref();
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let mut id = [0; 16];
        id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self(id)
    }

    /// A number drawn from the id: the seed of whatever is random in the cell.
    pub fn seed(self) -> u64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.0[..8]);
        u64::from_le_bytes(bytes)
    }
}

impl fmt::Display for CellId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
        let text: String =
            self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect();
        out.write_str(&text)
    }
}

impl fmt::Debug for CellId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// The digest of a text, as 64 hexadecimal digits (BLAKE3).
pub fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// The digest of bytes, as 64 hexadecimal digits (BLAKE3).
pub fn digest_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_never_run_together() {
        assert_ne!(CellId::of(&["ab", "c"]), CellId::of(&["a", "bc"]));
        assert_eq!(CellId::of(&["ab", "c"]), CellId::of(&["ab", "c"]));
    }
}
