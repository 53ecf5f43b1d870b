//! `--suite NAME[@VERSION]`: from a name to a suite that can be run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use suites::agentdojo::{self, AgentDojo, Attack, Scripts};
use suites::datasets::{self, FilesOptions, LoadError, Options, Places, load_bytes, locate, pull};
use suites::injecagent::rebuild::Setting;
use suites::injecagent::{self, InjecAgent};
use suites::sleeper::{self, Sleeper, SleeperError};
use suites::suite::Suite;

use crate::exit;
use crate::failure::Failure;

/// How a suite is to be opened.
pub(crate) struct Wanted<'a> {
    /// `NAME[@VERSION]`.
    pub(crate) name: &'a str,
    /// The attacks.
    pub(crate) attacks: &'a [String],
    /// The file with the text of an attack that is written by hand.
    pub(crate) attack_text: Option<&'a Path>,
    /// Whose scripts carry out injection tasks for which upstream has none.
    pub(crate) scripts: Scripts,
    /// Never fetch a data set.
    pub(crate) offline: bool,
    /// Takes a plain line about what is being done.
    pub(crate) say: &'a dyn Fn(&str),
}

/// A suite that can be run.
pub(crate) struct Opened {
    pub(crate) suite: Arc<dyn Suite>,
    /// Where its data lie.
    pub(crate) data: PathBuf,
}

impl Wanted<'_> {
    /// Opens the suite; its data are fetched first where they are not here.
    ///
    /// # Errors
    /// No such suite, version or attack; data that are missing, wrong or cannot be fetched.
    pub(crate) fn open(&self) -> Result<Opened, Failure> {
        let (name, version) = match self.name.split_once('@') {
            Some((name, version)) => (name, Some(version)),
            None => (self.name, None),
        };
        match name {
            agentdojo::NAME => self.agentdojo(version.unwrap_or(agentdojo::VERSION)),
            sleeper::NAME if version.is_none_or(|version| version == sleeper::VERSION) => {
                let suite = Sleeper::embedded().map_err(|error| Self::files(&error))?;
                Ok(Opened { suite: Arc::new(suite), data: PathBuf::from(sleeper::NAME) })
            }
            injecagent::NAME | injecagent::MEMORY_NAME => {
                self.injecagent(name, version.unwrap_or(injecagent::VERSION))
            }
            _ if Path::new(self.name).is_dir() => {
                let folder = Path::new(self.name);
                let suite = Sleeper::folder(folder).map_err(|error| Self::files(&error))?;
                Ok(Opened { suite: Arc::new(suite), data: folder.to_path_buf() })
            }
            _ => Err(Failure::new(exit::INVALID, format!("unknown suite `{name}`"))
                .hint("run `bench list suites`, or name a folder of scenario files")),
        }
    }

    fn files(error: &SleeperError) -> Failure {
        Failure::new(exit::INVALID, error).hint("`bench check` names what is wrong in the files")
    }

    fn agentdojo(&self, version: &str) -> Result<Opened, Failure> {
        let text = self.attack_text.map(attack_text).transpose()?;
        let mut attacks: Vec<Attack> = Vec::with_capacity(self.attacks.len());
        for name in self.attacks {
            let attack = Attack::parse(name, text.as_deref())?;
            if !attacks.contains(&attack) {
                attacks.push(attack);
            }
        }
        if text.is_some() && !attacks.iter().any(|attack| attack.name() == agentdojo::MANUAL) {
            let message = format!("--attack-text is for attack `{}` alone", agentdojo::MANUAL);
            return Err(Failure::new(exit::INVALID, message).hint("add it to --attack"));
        }
        let places = Places::from_env()?;
        let bytes = self.bundle(&places)?;
        let located = locate(&places).map_err(LoadError::from)?;
        let suite = Arc::new(AgentDojo::load_under(&bytes, version, self.scripts, &attacks)?);
        Ok(Opened { suite, data: located.path })
    }

    /// `InjecAgent`, or its memory form, in the settings asked for; in both where no attack of its own
    /// was named.
    fn injecagent(&self, name: &str, version: &str) -> Result<Opened, Failure> {
        if version != injecagent::VERSION {
            return Err(injecagent::SuiteError::Version(version.to_owned()).into());
        }
        let mut settings = Vec::new();
        for name in self.attacks {
            match Setting::parse(name) {
                Some(setting) => settings.push(setting),
                // The command's default is an attack of `AgentDojo`'s.
                None if *name == agentdojo::ATTACKS[0].0 => settings.extend(Setting::ALL),
                None => return Err(injecagent::SuiteError::Attack(name.clone()).into()),
            }
        }
        let settings: Vec<Setting> =
            Setting::ALL.iter().copied().filter(|one| settings.contains(one)).collect();
        let places = Places::from_env()?;
        let set = datasets::injecagent();
        let files = match datasets::load_files(set, &places) {
            Err(LoadError::Missing(missing)) if !self.offline => {
                (self.say)(&format!("{missing}: fetching it once"));
                let options = FilesOptions::default();
                datasets::pull_files(set, &places, &options, &mut |line| (self.say)(line))?;
                datasets::load_files(set, &places)?
            }
            other => other?,
        };
        let located = datasets::locate_files(set, &places).map_err(LoadError::from)?;
        let suite = InjecAgent::load(&files, &settings)?;
        let in_memory = name == injecagent::MEMORY_NAME;
        let suite = Arc::new(if in_memory { suite.for_memory() } else { suite });
        Ok(Opened { suite, data: located.path })
    }

    /// The data set's bundle, fetched first where it is not here.
    fn bundle(&self, places: &Places) -> Result<Vec<u8>, Failure> {
        match load_bytes(places) {
            Err(LoadError::Missing(missing)) if !self.offline => {
                (self.say)(&format!("{missing}: fetching it once"));
                pull(places, &Options::default(), &mut |line| (self.say)(line))?;
                Ok(load_bytes(places)?)
            }
            other => Ok(other?),
        }
    }
}

/// The text of an attack that is written by hand, without the line break at the file's end.
fn attack_text(path: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::new(exit::INVALID, format!("{}: {error}", path.display()))
            .hint("--attack-text takes a file in UTF-8")
    })?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}
