//! Files that appear whole or not at all.

use std::fs;
use std::path::Path;

use crate::exit;
use crate::failure::Failure;

/// Writes a file under a temporary name and gives it its own when it is whole.
///
/// # Errors
/// The file cannot be written; nothing is left behind then, and an earlier one stays as it was.
pub(crate) fn write_whole(path: &Path, bytes: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Failure> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let Some(name) = name else {
        let message = format!("`{}` is no file's name", path.display());
        return Err(Failure::new(exit::INVALID, message).hint("name a file"));
    };
    let hidden = path.with_file_name(format!(".{name}.tmp-{}", std::process::id()));
    let written = fs::write(&hidden, bytes).and_then(|()| fs::rename(&hidden, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&hidden);
        let message = format!("failed to write `{}`: {error}", path.display());
        Failure::new(exit::UNWRITTEN, message).hint("does its folder exist, and is there room?")
    })
}
