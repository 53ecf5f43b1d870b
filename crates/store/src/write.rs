//! Writing a run's files, whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use polars::io::parquet::write::{BatchedWriter, KeyValueMetadata, ParquetMetadataContext};
use polars::prelude::{ParquetCompression, ParquetWriter};
use trace::rows::{
    ApprovalRow, CellRow, EventRow, FaultRow, LatencyRow, RunRows, ScenarioRow, TimingRow,
};
use trace::version::RUN_SCHEMA;

use crate::error::StoreError;
use crate::table::Table;

/// The key of the format's version in a file's metadata.
pub(crate) const VERSION_KEY: &str = "bench.run_schema";

/// The most rows that stand in polars' memory at once, and the most in a row group.
const CHUNK: usize = 1 << 14;

/// Writes a run's files into `dir`, which is created when it is missing: zstd, in the order given, so
/// that equal rows give equal bytes.
///
/// All files are first written under temporary names and then renamed. `events.parquet` is written
/// only where there are events; one of an earlier run is removed otherwise.
///
/// # Errors
/// The error names the path and the cause, such as a full disk, a `dir` below a file, or a number
/// above `i64::MAX`. Temporary files are removed, and files of an earlier run stay as they were.
pub fn write(dir: &Path, rows: &RunRows) -> Result<(), StoreError> {
    let mut writer = RunWriter::create(dir)?;
    writer.push(rows)?;
    writer.finish()
}

/// Checks before a run starts that its folder can be written: creates it when it is missing, and
/// writes and removes a file in it.
///
/// # Errors
/// The folder cannot be created or written; the error names it.
pub fn check_writable(dir: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(dir).map_err(StoreError::io("create the folder", dir))?;
    let path = dir.join(format!(".writable.tmp-{}", std::process::id()));
    let probe = Temporary { path };
    let mut file = File::create(&probe.path).map_err(StoreError::io("write into", dir))?;
    file.write_all(b"bench").map_err(StoreError::io("write into", dir))?;
    file.sync_all().map_err(StoreError::io("write into", dir))
}

/// A file that is removed when it goes out of scope.
struct Temporary {
    path: PathBuf,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Once renamed it is no longer there, and nobody could act on another failure.
        let _ = fs::remove_file(&self.path);
    }
}

/// Writes a run's files part by part, so that a large run never stands in memory whole.
///
/// Nothing is visible under the files' names before [`RunWriter::finish`]; a writer that is dropped
/// removes what it wrote. Row groups hold 16,384 rows, however the rows are pushed, so that equal
/// rows give equal bytes. Fewer rows than that of each file wait in memory.
pub struct RunWriter {
    dir: PathBuf,
    cells: TableWriter<CellRow>,
    approvals: TableWriter<ApprovalRow>,
    faults: TableWriter<FaultRow>,
    timings: TableWriter<TimingRow>,
    scenarios: TableWriter<ScenarioRow>,
    latency: TableWriter<LatencyRow>,
    events: Option<TableWriter<EventRow>>,
}

impl RunWriter {
    /// Starts the files of a run in `dir`, which is created when it is missing.
    ///
    /// # Errors
    /// The folder or a file in it cannot be created.
    pub fn create(dir: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(dir).map_err(StoreError::io("create the folder", dir))?;
        Ok(Self {
            dir: dir.to_path_buf(),
            cells: TableWriter::create(dir)?,
            approvals: TableWriter::create(dir)?,
            faults: TableWriter::create(dir)?,
            timings: TableWriter::create(dir)?,
            scenarios: TableWriter::create(dir)?,
            latency: TableWriter::create(dir)?,
            events: None,
        })
    }

    /// Appends rows to the files.
    ///
    /// # Errors
    /// The disk is full or fails, or a number is above `i64::MAX`. The writer must then be dropped.
    pub fn push(&mut self, rows: &RunRows) -> Result<(), StoreError> {
        self.cells.push(&rows.cells)?;
        self.approvals.push(&rows.approvals)?;
        self.faults.push(&rows.faults)?;
        self.timings.push(&rows.timings)?;
        self.scenarios.push(&rows.scenarios)?;
        self.latency.push(&rows.latency)?;
        if rows.events.is_empty() {
            return Ok(());
        }
        let events = match self.events.take() {
            Some(events) => events,
            None => TableWriter::create(&self.dir)?,
        };
        self.events.insert(events).push(&rows.events)
    }

    /// Ends the files and gives them their names.
    ///
    /// # Errors
    /// As [`RunWriter::push`], or a file cannot be renamed; files of an earlier run then stay as they
    /// were.
    pub fn finish(self) -> Result<(), StoreError> {
        let mut ended = vec![
            self.cells.end()?,
            self.approvals.end()?,
            self.faults.end()?,
            self.timings.end()?,
            self.scenarios.end()?,
            self.latency.end()?,
        ];
        let events = self.dir.join(EventRow::SCHEMA.file);
        match self.events {
            Some(writer) => ended.push(writer.end()?),
            None => ended.push(Ended { temporary: None, path: events }),
        }
        rename_all(&ended)
    }
}

/// A file whose bytes are on the disk, under a temporary name. Without one, `path` is to vanish.
struct Ended {
    temporary: Option<Temporary>,
    path: PathBuf,
}

impl Ended {
    /// Where the earlier file waits until all names are given.
    fn aside(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".old-{}", std::process::id()));
        name.into()
    }

    /// Puts the earlier file aside, if there is one, and gives the new file its name.
    fn swap(&self) -> Result<(), StoreError> {
        if self.path.is_dir() {
            let cause = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(StoreError::io("replace", &self.path)(cause));
        }
        match fs::rename(&self.path, self.aside()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::io("replace", &self.path)(error));
            }
            _ => {}
        }
        let Some(temporary) = &self.temporary else { return Ok(()) };
        fs::rename(&temporary.path, &self.path).map_err(|error| {
            let _ = fs::rename(self.aside(), &self.path);
            StoreError::io("rename the finished", &self.path)(error)
        })
    }

    /// Takes a swap back.
    fn undo(&self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::rename(self.aside(), &self.path);
    }
}

/// Gives all files their names, or none: what was done before a failure is taken back.
fn rename_all(ended: &[Ended]) -> Result<(), StoreError> {
    for (done, file) in ended.iter().enumerate() {
        if let Err(error) = file.swap() {
            ended[..done].iter().for_each(Ended::undo);
            return Err(error);
        }
    }
    for file in ended {
        let _ = fs::remove_file(file.aside());
    }
    Ok(())
}

/// A buffered file that stays reachable while polars owns a clone, so that it can be flushed and its
/// errors seen.
#[derive(Clone)]
struct Sink(Arc<Mutex<BufWriter<File>>>);

impl Sink {
    fn with<T>(&self, act: impl FnOnce(&mut BufWriter<File>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts everything on the disk.
    fn sync(&self) -> io::Result<()> {
        self.with(|file| file.flush().and_then(|()| file.get_ref().sync_all()))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with(BufWriter::flush)
    }
}

/// Writes one file under a temporary name.
struct TableWriter<T> {
    path: PathBuf,
    sink: Sink,
    parquet: BatchedWriter<Sink>,
    temporary: Temporary,
    /// Rows that do not fill a row group yet.
    waiting: Vec<T>,
}

impl<T: Table> TableWriter<T> {
    fn create(dir: &Path) -> Result<Self, StoreError> {
        let name = T::SCHEMA.file;
        let path = dir.join(name);
        let hidden = dir.join(format!(".{name}.tmp-{}", std::process::id()));
        let file = File::create(&hidden).map_err(StoreError::io("create", &hidden))?;
        let temporary = Temporary { path: hidden };
        let sink = Sink(Arc::new(Mutex::new(BufWriter::new(file))));
        let encode = |reason: String| StoreError::Encode { path: path.clone(), reason };
        let empty = T::frame(&[]).map_err(|bad| encode(bad.to_string()))?;
        let parquet = ParquetWriter::new(sink.clone())
            .with_compression(ParquetCompression::Zstd(None))
            .batched(empty.schema())
            .map_err(|error| encode(error.to_string()))?;
        Ok(Self { path, sink, parquet, temporary, waiting: Vec::new() })
    }

    fn push(&mut self, rows: &[T]) -> Result<(), StoreError> {
        let mut rows = rows;
        if !self.waiting.is_empty() {
            let (first, others) = rows.split_at(rows.len().min(CHUNK - self.waiting.len()));
            self.waiting.extend_from_slice(first);
            rows = others;
            if self.waiting.len() == CHUNK {
                let full = std::mem::take(&mut self.waiting);
                self.write(&full)?;
            }
        }
        let mut chunks = rows.chunks_exact(CHUNK);
        for chunk in &mut chunks {
            self.write(chunk)?;
        }
        self.waiting.extend_from_slice(chunks.remainder());
        Ok(())
    }

    /// Writes a row group.
    fn write(&mut self, rows: &[T]) -> Result<(), StoreError> {
        let frame = T::frame(rows).map_err(|bad| self.encode(bad.to_string()))?;
        self.parquet.write_batch(&frame).map_err(|error| self.encode(error.to_string()))
    }

    /// Writes the footer. The metadata hold the version alone: with polars' own copy of the Arrow
    /// schema in them, some readers would get `string_view` instead of plain strings.
    fn end(mut self) -> Result<Ended, StoreError> {
        let last = std::mem::take(&mut self.waiting);
        if !last.is_empty() {
            self.write(&last)?;
        }
        let version = vec![(VERSION_KEY.to_owned(), RUN_SCHEMA.to_string())];
        let context = ParquetMetadataContext { arrow_schema: "" };
        KeyValueMetadata::from_static(version)
            .collect(context)
            .and_then(|pairs| {
                let mut file =
                    self.parquet.get_writer().lock().unwrap_or_else(PoisonError::into_inner);
                file.end(Some(pairs))
            })
            .map_err(|error| self.encode(error.to_string()))?;
        self.sink.sync().map_err(StoreError::io("write", &self.path))?;
        Ok(Ended { temporary: Some(self.temporary), path: self.path })
    }

    fn encode(&self, reason: String) -> StoreError {
        StoreError::Encode { path: self.path.clone(), reason }
    }
}
