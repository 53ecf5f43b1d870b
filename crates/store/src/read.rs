//! Reading a run's files.

use std::fs::File;
use std::io;
use std::path::Path;

use polars::prelude::{ParquetReader, SerReader};
use trace::rows::RunRows;
use trace::version::RUN_SCHEMA;

use crate::error::StoreError;
use crate::table::Table;
use crate::write::VERSION_KEY;

/// Reads a run's files from `dir`, exactly as they were written and in that order.
///
/// `events.parquet` may be absent, since it is written with `--trace` only.
///
/// # Errors
/// A file is absent, unreadable, of another version's format, lacks a column, or holds a value that
/// its column does not allow.
pub fn read(dir: &Path) -> Result<RunRows, StoreError> {
    Ok(RunRows {
        cells: table(dir)?,
        approvals: table(dir)?,
        faults: table(dir)?,
        timings: table(dir)?,
        scenarios: table(dir)?,
        latency: table(dir)?,
        events: match table(dir) {
            Err(StoreError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
                Vec::new()
            }
            events => events?,
        },
    })
}

/// The rows of one file.
pub(crate) fn table<T: Table>(dir: &Path) -> Result<Vec<T>, StoreError> {
    let path = dir.join(T::SCHEMA.file);
    let decode = |reason: String| StoreError::Decode { path: path.clone(), reason };
    let frame = opened(&path)?.finish().map_err(|error| decode(error.to_string()))?;
    T::rows(&frame).map_err(|bad| decode(bad.to_string()))
}

/// A file of this version's format.
pub(crate) fn opened(path: &Path) -> Result<ParquetReader<File>, StoreError> {
    let file = File::open(path).map_err(StoreError::io("open", path))?;
    let mut reader = ParquetReader::new(file);
    let metadata = reader.get_metadata().map_err(|error| StoreError::Decode {
        path: path.to_path_buf(),
        reason: error.to_string(),
    })?;
    let pairs = metadata.key_value_metadata().as_deref().unwrap_or_default();
    let version = pairs.iter().find(|pair| pair.key == VERSION_KEY);
    // A file that another tool rewrote may have lost its metadata; its columns are checked when it is read.
    if let Some(found) = version.and_then(|pair| pair.value.clone())
        && found != RUN_SCHEMA.to_string()
    {
        let path = path.to_path_buf();
        return Err(StoreError::Version { path, found, expected: RUN_SCHEMA });
    }
    Ok(reader)
}
