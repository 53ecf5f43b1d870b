//! The journal: what is done, kept until the run's files stand.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use trace::rows::{ApprovalRow, CellRow, EventRow, FaultRow, TimingRow};
use trace::version::RUN_SCHEMA;

use crate::error::StoreError;

/// A finished cell with everything it left: one line of the journal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finished {
    /// The cell.
    pub cell: CellRow,
    /// Its approvals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<ApprovalRow>,
    /// Its faults.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultRow>,
    /// Its time.
    pub timing: TimingRow,
    /// Its events, with `--trace`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventRow>,
}

/// The first line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    run_schema: u32,
}

/// The journal of a run: finished cells as JSON lines in `.journal.jsonl`, in the order they finished.
///
/// Each append is one write to the system, so a killed process loses no finished cell. It is not
/// forced to the disk each time: after a power failure the last lines may be missing or torn.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// The journal's name in the run's folder.
    pub const FILE: &'static str = ".journal.jsonl";

    /// Opens the journal of the run in `dir` to append to it, and gives the cells that it holds. The
    /// folder and the journal are created when they are missing; a torn last line is cut off.
    ///
    /// # Errors
    /// As [`Journal::read`], or the journal cannot be written.
    pub fn open(dir: &Path) -> Result<(Self, Vec<Finished>), StoreError> {
        fs::create_dir_all(dir).map_err(StoreError::io("create the folder", dir))?;
        let path = dir.join(Self::FILE);
        let mut cells = Vec::new();
        let whole = scan(&path, |cell| cells.push(cell))?;
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(StoreError::io("open", &path))?;
        file.set_len(whole).map_err(StoreError::io("shorten", &path))?;
        let mut journal = Self { path, file };
        if whole == 0 {
            journal.line(&Header { run_schema: RUN_SCHEMA })?;
        }
        Ok((journal, cells))
    }

    /// The finished cells in the journal of `dir`, none where there is no journal. A torn last line
    /// is left out.
    ///
    /// # Errors
    /// The journal cannot be read, is of another version, or a line before its last is damaged.
    pub fn read(dir: &Path) -> Result<Vec<Finished>, StoreError> {
        let mut cells = Vec::new();
        scan(&dir.join(Self::FILE), |cell| cells.push(cell))?;
        Ok(cells)
    }

    /// Appends a finished cell.
    ///
    /// # Errors
    /// The disk is full or fails.
    pub fn append(&mut self, cell: &Finished) -> Result<(), StoreError> {
        self.line(cell)
    }

    /// Removes the journal: the run's files stand.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn finish(self) -> Result<(), StoreError> {
        drop(self.file);
        fs::remove_file(&self.path).map_err(StoreError::io("remove", &self.path))
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), StoreError> {
        let mut line = serde_json::to_vec(value)
            .map_err(|error| StoreError::io("write", &self.path)(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(StoreError::io("write", &self.path))
    }
}

/// Hands over each whole line's cell, and returns how many bytes are whole.
fn scan(path: &Path, mut take: impl FnMut(Finished)) -> Result<u64, StoreError> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        file => file.map_err(StoreError::io("open", path))?,
    };
    let mut lines = BufReader::new(file);
    let (mut whole, mut number) = (0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = lines.read_until(b'\n', &mut line).map_err(StoreError::io("read", path))?;
        if length == 0 {
            return Ok(whole);
        }
        number += 1;
        let parsed: Result<(), String> =
            if number == 1 { header(path, &line)? } else { cell(&line, &mut take) };
        let mut last = || lines.fill_buf().map(<[u8]>::is_empty);
        match parsed {
            Ok(()) if line.ends_with(b"\n") => whole += length as u64,
            Err(reason) if !last().map_err(StoreError::io("read", path))? => {
                return Err(StoreError::Journal { path: path.into(), line: number, reason });
            }
            _ => return Ok(whole),
        }
    }
}

/// Reads the first line: an error outside for another version, inside for a line that is no header.
fn header(path: &Path, line: &[u8]) -> Result<Result<(), String>, StoreError> {
    match serde_json::from_slice::<Header>(line) {
        Ok(Header { run_schema: RUN_SCHEMA }) => Ok(Ok(())),
        Ok(Header { run_schema: other }) => Err(StoreError::Version {
            path: path.into(),
            found: other.to_string(),
            expected: RUN_SCHEMA,
        }),
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// Reads a cell's line. A line without its end is torn even where it parses.
fn cell(line: &[u8], take: &mut impl FnMut(Finished)) -> Result<(), String> {
    if !line.ends_with(b"\n") {
        return Err("its end is missing".to_owned());
    }
    serde_json::from_slice(line).map(take).map_err(|error| error.to_string())
}
