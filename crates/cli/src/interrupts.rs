//! Ctrl-C or SIGTERM: once to stop and keep what is done, twice to stop at once.

use std::path::{Path, PathBuf};

use runner::dispatcher::Stop;
use tokio::runtime::Runtime;

use crate::exit;
use crate::failure::Failure;

/// Heeds interrupts for as long as it lives, also while results are written.
pub(crate) struct Interrupts {
    stop: Stop,
    /// Drives the task that waits for signals.
    _runtime: Runtime,
}

impl Interrupts {
    /// Begins to heed interrupts. The second one removes these folders, so that nothing half-written
    /// is left.
    ///
    /// # Errors
    /// No thread can be started.
    pub(crate) fn heed(folders: &[&Path]) -> Result<Self, Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| Failure::new(exit::INTERNAL, error))?;
        let stop = Stop::default();
        let folders = folders.iter().map(|folder| folder.to_path_buf()).collect();
        runtime.spawn(wait(stop.clone(), folders));
        Ok(Self { stop, _runtime: runtime })
    }

    /// What the run looks at.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }
}

async fn wait(stop: Stop, folders: Vec<PathBuf>) {
    if !asked_to_stop().await {
        return;
    }
    stop.request();
    eprintln!("interrupted: keeping what is done; once more to stop at once");
    if asked_to_stop().await {
        for folder in folders {
            let _ = std::fs::remove_dir_all(folder);
        }
        std::process::exit(i32::from(exit::INTERRUPTED));
    }
}

/// Waits for Ctrl-C, or for the signal by which schedulers end what they started; false where neither
/// can be heard.
#[cfg(unix)]
async fn asked_to_stop() -> bool {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut ended) = signal(SignalKind::terminate()) else {
        return tokio::signal::ctrl_c().await.is_ok();
    };
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted.is_ok(),
        _ = ended.recv() => true,
    }
}

#[cfg(not(unix))]
async fn asked_to_stop() -> bool {
    tokio::signal::ctrl_c().await.is_ok()
}
