//! Where scenario files come from: the binary itself, or a folder.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scenario::language::{Template, WorldFile, read_scenario, read_world, world_of};
use scenario::mistake::{Mistake, Mistakes};
use trace::ids::digest;

/// World and scenario files, by name and text, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources(pub Vec<(String, String)>);

/// A folder or file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", path.display())]
pub struct Unreadable {
    /// The folder or file.
    pub path: PathBuf,
    /// Why.
    pub cause: std::io::Error,
}

impl Sources {
    /// The files of a folder and of its `worlds` folder.
    ///
    /// # Errors
    /// A folder or a file that cannot be read.
    pub fn folder(folder: &Path) -> Result<Self, Unreadable> {
        let mut files = Vec::new();
        yaml_files(folder, &mut files)?;
        let worlds = folder.join("worlds");
        if worlds.is_dir() {
            yaml_files(&worlds, &mut files)?;
        }
        Self::files(&files)
    }

    /// These files.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn files(files: &[PathBuf]) -> Result<Self, Unreadable> {
        let mut sources = Vec::new();
        for path in files {
            let text = fs::read_to_string(path)
                .map_err(|cause| Unreadable { path: path.clone(), cause })?;
            sources.push((path.display().to_string(), text));
        }
        sources.sort();
        sources.dedup();
        Ok(Self(sources))
    }

    /// These files, and the worlds that lie beside them or in a `worlds` folder there.
    ///
    /// # Errors
    /// A folder or a file that cannot be read.
    pub fn with_worlds(files: &[PathBuf]) -> Result<Self, Unreadable> {
        let mut all = files.to_vec();
        for file in files {
            let folder = file.parent().filter(|parent| *parent != Path::new(""));
            let folder = folder.unwrap_or(Path::new("."));
            let mut beside = Vec::new();
            yaml_files(folder, &mut beside)?;
            let worlds = folder.join("worlds");
            if worlds.is_dir() {
                yaml_files(&worlds, &mut beside)?;
            }
            let known = |path: &PathBuf| all.iter().any(|one| same(one, path));
            let beside: Vec<PathBuf> = beside.into_iter().filter(|path| !known(path)).collect();
            for (name, text) in Self::files(&beside)?.0 {
                if world_of(&text).is_none() && text.lines().any(|line| line.starts_with("world:"))
                {
                    all.push(PathBuf::from(name));
                }
            }
        }
        Self::files(&all)
    }

    /// The digest of the files' names and texts.
    pub fn digest(&self) -> String {
        let mut all = String::new();
        for (name, text) in &self.0 {
            let name = Path::new(name).file_name().map(|name| name.to_string_lossy());
            let _ = writeln!(all, "{} {}", digest(text), name.unwrap_or_default());
        }
        digest(&all)
    }

    /// Reads all files: worlds, then scenarios.
    ///
    /// # Errors
    /// Everything that is wrong in them.
    pub fn read(&self) -> Result<Vec<Template>, Mistakes> {
        let mut mistakes: Vec<Mistake> = Vec::new();
        let mut worlds: Vec<Arc<WorldFile>> = Vec::new();
        let mut broken = false;
        let is_scenario = |text: &str| {
            world_of(text).is_some() || text.lines().any(|line| line.starts_with("scenario:"))
        };
        for (name, text) in self.0.iter().filter(|(_, text)| !is_scenario(text)) {
            match read_world(name, text) {
                Ok(world) => worlds.push(Arc::new(world)),
                Err(found) => {
                    broken = true;
                    mistakes.extend(found.0);
                }
            }
        }
        let mut templates: Vec<Template> = Vec::new();
        for (name, text) in self.0.iter().filter(|(_, text)| is_scenario(text)) {
            let world = world_of(text);
            let known = worlds.iter().any(|one| Some(&one.declaration.name) == world.as_ref());
            if broken && !known {
                // What is wrong is its world, which has been named.
                continue;
            }
            match read_scenario(name, text, &worlds) {
                Ok(template) => {
                    if templates.iter().any(|known| known.name == template.name) {
                        mistakes.push(Mistake {
                            file: name.clone(),
                            line: 1,
                            column: 1,
                            message: format!("there are two scenarios `{}`", template.name),
                            hint: None,
                        });
                    }
                    templates.push(template);
                }
                Err(found) => mistakes.extend(found.0),
            }
        }
        if mistakes.is_empty() { Ok(templates) } else { Err(Mistakes(mistakes)) }
    }
}

fn same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// Adds the YAML files of a folder.
fn yaml_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Unreadable> {
    let unreadable = |cause| Unreadable { path: folder.to_path_buf(), cause };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let is_yaml = path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
        if is_yaml && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}
