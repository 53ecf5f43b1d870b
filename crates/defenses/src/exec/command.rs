//! The command of an external defense, as it is asked for and as it is shown.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use trace::ids::{digest, digest_of};

/// How long a child may take over one answer, unless another time is asked for.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// A command that starts a child.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Command {
    /// The program and its arguments.
    words: Vec<String>,
    /// How long it may take over one answer.
    within: Duration,
    /// The name in rows: a file's name and a digest, no path and no argument.
    shown: String,
}

/// A command that cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCommand {
    /// There is none.
    #[error("`exec:` needs a command, as in `exec:python3 guard.py`")]
    Empty,
    /// There is no such program.
    #[error("no program `{0}`, neither as a file nor in PATH")]
    NoProgram(String),
}

/// The commands of this process, so that a choice of a defense stays small and can be copied. There
/// are as many as were named on the command line.
static KNOWN: Mutex<Vec<&'static Command>> = Mutex::new(Vec::new());

impl Command {
    /// Reads a command: words between white space, no shell. Whatever needs more is a script.
    ///
    /// The digest is over the words and the contents of those that name files, so that another
    /// version of a script is another defense.
    ///
    /// # Errors
    /// There is no word, or the first one is no program.
    pub fn parse(text: &str, within: Option<Duration>) -> Result<&'static Self, BadCommand> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let program = words.first().ok_or(BadCommand::Empty)?;
        if find_program(program).is_none() {
            return Err(BadCommand::NoProgram(program.clone()));
        }
        let shown = shown(&words);
        let command = Self { words, within: within.unwrap_or(ANSWER_WITHIN), shown };
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.iter().find(|known| ***known == command) {
            return Ok(same);
        }
        let command: &'static Self = Box::leak(Box::new(command));
        known.push(command);
        Ok(command)
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    pub(super) fn within(&self) -> Duration {
        self.within
    }
}

impl fmt::Display for Command {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "exec:{}", self.shown)
    }
}

fn find_program(word: &str) -> Option<PathBuf> {
    if word.contains('/') {
        return Some(PathBuf::from(word)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(word)).find(|path| path.is_file())
}

/// The name of the last word that is a file, else of the program, and the digest.
fn shown(words: &[String]) -> String {
    let mut named = words[0].as_str();
    let mut parts = String::new();
    for word in words {
        parts.push_str(&digest(word));
        // A program of the system is known by its name: its bytes differ from machine to machine.
        let own = word.contains('/') || word != &words[0];
        if let Some(bytes) = own.then(|| fs::read(word).ok()).flatten() {
            named = word;
            parts.push_str(&digest_of(&bytes));
        }
    }
    let name = Path::new(named).file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    format!("{name}@{}", &digest(&parts)[..12])
}
