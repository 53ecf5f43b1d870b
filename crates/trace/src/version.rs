//! Versions of the formats that lie on disk.

/// Version of `summary.json` and `manifest.json`.
pub const SUMMARY_SCHEMA: u32 = 1;

/// Version of the Parquet files of a run.
pub const RUN_SCHEMA: u32 = 1;

/// Version of the `AgentDojo` bundle that `bench datasets pull agentdojo` writes.
pub const AGENTDOJO_BUNDLE: u32 = 1;

/// Version of golden rows.
pub const GOLDEN_ROWS: u32 = 1;

/// Version of the judges: raised when a change to a check, or to what is counted, may change a
/// verdict, so that runs from before and after are not compared.
pub const SCORERS: u32 = 1;

/// Version of recorded trajectories.
pub const TRAJECTORY: u32 = 1;

/// Version of this tool.
pub const TOOL: &str = env!("CARGO_PKG_VERSION");
