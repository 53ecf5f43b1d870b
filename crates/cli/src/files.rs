//! Files that appear whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

use crate::exit;
use crate::failure::Failure;

/// Writes a file under a temporary name and then moves it into place; folders on the way are made.
///
/// # Errors
/// The file cannot be written; nothing is left behind then.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let unwritten = |error: io::Error| {
        Failure::new(exit::UNWRITTEN, format!("failed to write `{}`: {error}", path.display()))
    };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let Some(name) = name else {
        let message = format!("`{}` names no file", path.display());
        return Err(Failure::new(exit::INVALID, message).hint("give the file's name as well"));
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(unwritten)?;
    }
    let temporary = path.with_file_name(format!(".{name}.tmp-{}", std::process::id()));
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Nobody could act on another failure.
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(unwritten)
}
