//! Reading a run's rows one after the other, so that a long run never stands in memory whole.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use polars::prelude::{ParquetReader, SerReader};
use trace::rows::{
    ApprovalRow, CellRow, EventRow, FaultRow, LatencyRow, RunRows, ScenarioRow, TimingRow,
};

use crate::error::StoreError;
use crate::read::{opened, table};
use crate::table::Table;

/// How many rows are read at a time.
const CHUNK: usize = 1 << 14;

/// The rows of one file in their order, of which a part is in memory.
struct Rows<T> {
    path: PathBuf,
    /// Rows of the file that were read.
    read: usize,
    /// Rows of the file.
    all: usize,
    waiting: std::vec::IntoIter<T>,
}

impl<T: Table> Rows<T> {
    fn open(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join(T::SCHEMA.file);
        let mut reader = opened(&path)?;
        let all = reader.num_rows().map_err(|error| decode(&path, error.to_string()))?;
        Ok(Self { path, read: 0, all, waiting: Vec::new().into_iter() })
    }

    fn open_if_there(dir: &Path) -> Result<Self, StoreError> {
        match Self::open(dir) {
            Err(StoreError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
                let waiting = Vec::new().into_iter();
                Ok(Self { path: dir.join(T::SCHEMA.file), read: 0, all: 0, waiting })
            }
            other => other,
        }
    }

    /// Takes the rows from the front as long as they are `wanted`.
    fn take_while(
        &mut self,
        wanted: impl Fn(&T) -> bool,
        into: &mut Vec<T>,
    ) -> Result<(), StoreError> {
        loop {
            self.fill()?;
            match self.waiting.as_slice().first() {
                Some(row) if wanted(row) => into.extend(self.waiting.next()),
                _ => return Ok(()),
            }
        }
    }

    /// The next rows, as many as are at hand; empty at the end.
    fn chunk(&mut self) -> Result<Vec<T>, StoreError> {
        self.fill()?;
        Ok(std::mem::replace(&mut self.waiting, Vec::new().into_iter()).collect())
    }

    /// Reads on where no row is at hand.
    fn fill(&mut self) -> Result<(), StoreError> {
        if self.waiting.len() > 0 || self.read == self.all {
            return Ok(());
        }
        let length = CHUNK.min(self.all - self.read);
        let reader: ParquetReader<File> = opened(&self.path)?;
        let frame = reader
            .with_slice(Some((self.read, length)))
            .finish()
            .map_err(|error| decode(&self.path, error.to_string()))?;
        let rows = T::rows(&frame).map_err(|bad| decode(&self.path, bad.to_string()))?;
        self.read += length;
        self.waiting = rows.into_iter();
        Ok(())
    }
}

fn decode(path: &Path, reason: String) -> StoreError {
    StoreError::Decode { path: path.to_path_buf(), reason }
}

/// A run's files, to be read in their order.
pub struct RunReader {
    cells: Rows<CellRow>,
    approvals: Rows<ApprovalRow>,
    faults: Rows<FaultRow>,
    timings: Rows<TimingRow>,
    /// No rows where the file is absent.
    events: Rows<EventRow>,
    /// `scenarios.parquet`, whole: a row a scenario, whatever the number of cells.
    pub scenarios: Vec<ScenarioRow>,
    /// `latency.parquet`, whole.
    pub latency: Vec<LatencyRow>,
}

impl RunReader {
    /// Opens a run's files.
    ///
    /// # Errors
    /// A file is absent, unreadable, or of another version's format.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            cells: Rows::open(dir)?,
            approvals: Rows::open(dir)?,
            faults: Rows::open(dir)?,
            timings: Rows::open(dir)?,
            events: Rows::open_if_there(dir)?,
            scenarios: table(dir)?,
            latency: table(dir)?,
        })
    }

    /// Takes the next cell's row, and its rows of the other files; nothing where no cell is left.
    ///
    /// # Errors
    /// As [`RunReader::next_rows`].
    pub fn take_cell(&mut self, into: &mut RunRows) -> Result<(), StoreError> {
        self.cells.fill()?;
        let Some(cell) = self.cells.waiting.next() else { return Ok(()) };
        let id = cell.cell_id.as_str();
        self.approvals.take_while(|row| row.cell_id == id, &mut into.approvals)?;
        self.faults.take_while(|row| row.cell_id == id, &mut into.faults)?;
        self.timings.take_while(|row| row.cell_id == id, &mut into.timings)?;
        self.events.take_while(|row| row.cell_id == id, &mut into.events)?;
        into.cells.push(cell);
        Ok(())
    }

    /// The next rows of all files, each file's in its order; `None` at the end.
    ///
    /// # Errors
    /// A file cannot be read, lacks a column, or holds a value that its column does not allow.
    pub fn next_rows(&mut self) -> Result<Option<RunRows>, StoreError> {
        let rows = RunRows {
            cells: self.cells.chunk()?,
            approvals: self.approvals.chunk()?,
            faults: self.faults.chunk()?,
            timings: self.timings.chunk()?,
            scenarios: std::mem::take(&mut self.scenarios),
            latency: std::mem::take(&mut self.latency),
            events: self.events.chunk()?,
        };
        Ok((rows != RunRows::default()).then_some(rows))
    }
}
