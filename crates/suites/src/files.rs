//! Reads files that may be compressed.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// What a Zstandard frame begins with.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The most bytes that a file may unpack to. A small file can claim to hold any amount.
pub const BYTES_MAX: u64 = 4 << 30;

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be opened, read or unpacked.
    #[error("failed to read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is larger than [`BYTES_MAX`] once it is unpacked.
    #[error("`{}` holds more than {BYTES_MAX} bytes", .0.display())]
    Large(PathBuf),
    /// The file is not a text in UTF-8.
    #[error("`{}` is no text: byte {at} is not UTF-8", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// The first byte that is wrong, from 0.
        at: usize,
    },
}

/// The bytes of a file, unpacked where they are a Zstandard frame, whatever the file's name.
///
/// # Errors
/// The file cannot be read or unpacked, or is too large.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let failed = |source| FileError::Read { path: path.to_path_buf(), source };
    let mut file = File::open(path).map_err(failed)?;
    let mut start = Vec::with_capacity(MAGIC.len());
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start).map_err(failed)?;
    let packed = start == MAGIC;
    let whole = io::Cursor::new(start).chain(file);
    let mut bytes = Vec::new();
    if packed {
        let unpacked = zstd::Decoder::new(whole).map_err(failed)?;
        unpacked.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        whole.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > BYTES_MAX {
        return Err(FileError::Large(path.to_path_buf()));
    }
    Ok(bytes)
}

/// The text of a file, unpacked where it is compressed.
///
/// # Errors
/// As [`read`], and where the file is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    String::from_utf8(read(path)?).map_err(|error| FileError::Text {
        path: path.to_path_buf(),
        at: error.utf8_error().valid_up_to(),
    })
}

/// The bytes as a Zstandard frame.
///
/// # Errors
/// They cannot be packed, which takes a lack of memory.
pub fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    zstd::encode_all(bytes, zstd::DEFAULT_COMPRESSION_LEVEL)
}

/// A file's name without its folders, and without the endings of JSON files and compressed ones.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut name = name.unwrap_or_default();
    for ending in [".zst", ".jsonl", ".json"] {
        if let Some(stem) = name.strip_suffix(ending) {
            name.truncate(stem.len());
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compressed_file_reads_as_the_plain_one() {
        let folder = tempfile::tempdir().unwrap();
        let (plain, packed) = (folder.path().join("a.jsonl"), folder.path().join("b.jsonl.zst"));
        std::fs::write(&plain, "a line\n").unwrap();
        std::fs::write(&packed, zstd::encode_all(&b"a line\n"[..], 3).unwrap()).unwrap();
        assert_eq!(read_text(&plain).unwrap(), "a line\n");
        assert_eq!(read_text(&packed).unwrap(), "a line\n");
        assert_eq!((stem(&plain), stem(&packed)), ("a".to_owned(), "b".to_owned()));
    }

    #[test]
    fn a_broken_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut.zst");
        let mut packed = zstd::encode_all(&b"a line\n"[..], 3).unwrap();
        packed.truncate(packed.len() - 4);
        std::fs::write(&path, packed).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("cut.zst"), "{error}");
        std::fs::write(&path, b"ok \xff").unwrap();
        assert!(read_text(&path).unwrap_err().to_string().contains("byte 3"));
        assert!(read(&folder.path().join("none")).is_err());
    }
}
