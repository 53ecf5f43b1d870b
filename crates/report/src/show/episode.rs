//! What a run's rows say of one cell.

use std::collections::HashMap;

use trace::event::Event;
use trace::rows::{ApprovalRow, CellRow, EventRow, FaultRow, RunRows, ScenarioRow};

/// A cell and its course.
#[derive(Debug)]
pub struct Episode<'r> {
    /// The cell.
    pub cell: &'r CellRow,
    /// Its scenario, where the run lists it.
    pub scenario: Option<&'r ScenarioRow>,
    /// Its events in order; empty unless the run kept them (`--trace`).
    pub steps: Vec<Step<'r>>,
    /// Its faults.
    pub faults: Vec<&'r FaultRow>,
    /// Its approval requests.
    pub approvals: Vec<&'r ApprovalRow>,
}

/// An event, with what other files say of it.
#[derive(Debug)]
pub struct Step<'r> {
    /// The row as it is stored.
    pub row: &'r EventRow,
    /// The event; `None` where this version does not know it.
    pub event: Option<Event>,
    /// For a call about which the owner was asked: the request and the answer.
    pub approval: Option<&'r ApprovalRow>,
}

/// The rows of a run by cell.
pub struct Index<'r> {
    events: HashMap<&'r str, Vec<&'r EventRow>>,
    faults: HashMap<&'r str, Vec<&'r FaultRow>>,
    approvals: HashMap<&'r str, Vec<&'r ApprovalRow>>,
    scenarios: HashMap<(&'r str, &'r str), &'r ScenarioRow>,
}

impl<'r> Index<'r> {
    /// Sorts a run's rows by cell.
    pub fn of(rows: &'r RunRows) -> Self {
        fn by_cell<'r, T>(
            rows: &'r [T],
            id: impl Fn(&'r T) -> &'r str,
        ) -> HashMap<&'r str, Vec<&'r T>> {
            let mut out: HashMap<&str, Vec<&T>> = HashMap::new();
            for row in rows {
                out.entry(id(row)).or_default().push(row);
            }
            out
        }
        let scenario = |row: &'r ScenarioRow| ((row.suite.as_str(), row.scenario.as_str()), row);
        Self {
            events: by_cell(&rows.events, |row| &row.cell_id),
            faults: by_cell(&rows.faults, |row| &row.cell_id),
            approvals: by_cell(&rows.approvals, |row| &row.cell_id),
            scenarios: rows.scenarios.iter().map(scenario).collect(),
        }
    }

    /// Whether the cell's events were kept.
    pub fn is_traced(&self, cell: &CellRow) -> bool {
        self.events.contains_key(cell.cell_id.as_str())
    }
}

impl<'r> Episode<'r> {
    /// Gathers a cell's rows.
    pub fn of(index: &Index<'r>, cell: &'r CellRow) -> Self {
        fn sorted<T>(rows: Option<&Vec<T>>, seq: impl Fn(&T) -> u32) -> Vec<T>
        where
            T: Copy,
        {
            let mut rows = rows.cloned().unwrap_or_default();
            rows.sort_by_key(seq);
            rows
        }
        let id = cell.cell_id.as_str();
        let approvals = sorted(index.approvals.get(id), |row: &&ApprovalRow| row.seq);
        // Requests stand in the order of the calls that they were about.
        let mut requests = approvals.iter().copied().filter(|row| row.kind == "call");
        let events = sorted(index.events.get(id), |row: &&EventRow| row.seq);
        let step = |row: &'r EventRow| {
            let event: Option<Event> = serde_json::from_str(&row.detail).ok();
            let asked = matches!(event, Some(Event::Called { approval: Some(_), .. }));
            Step { row, event, approval: if asked { requests.next() } else { None } }
        };
        Self {
            cell,
            scenario: index.scenarios.get(&(cell.suite.as_str(), cell.scenario.as_str())).copied(),
            steps: events.into_iter().map(step).collect(),
            faults: sorted(index.faults.get(id), |row: &&FaultRow| row.seq),
            approvals: approvals.clone(),
        }
    }
}
