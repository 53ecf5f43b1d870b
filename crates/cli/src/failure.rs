//! Failures as a user reads them: what is wrong, and what to do about it.

use std::fmt::Display;
use std::process::ExitCode;

use runner::executor::RunError;
use runner::plan::PlanError;
use store::StoreError;
use suites::datasets::{LoadError, NoCache, PullError};
use suites::suite::SuiteError;
use suites::{agentdojo, injecagent};

use crate::exit;

/// A command that came to nothing.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The exit code.
    pub(crate) code: u8,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// A failure with a code and a message.
    pub(crate) fn new(code: u8, message: impl Display) -> Self {
        Self { code, message: message.to_string(), hint: None }
    }

    /// The same, with what to do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same, with another exit code.
    pub(crate) fn with_code(self, code: u8) -> Self {
        Self { code, ..self }
    }

    /// Says it on standard error and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        eprintln!("error: {}", self.message);
        if let Some(hint) = &self.hint {
            eprintln!("hint: {hint}");
        }
        ExitCode::from(self.code)
    }

    fn with(code: u8, message: impl Display, hint: Option<String>) -> Self {
        Self { code, message: message.to_string(), hint }
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::with(error.exit_code(), &error, error.hint())
    }
}

impl From<PullError> for Failure {
    fn from(error: PullError) -> Self {
        Self::with(error.exit_code(), &error, error.hint())
    }
}

impl From<NoCache> for Failure {
    fn from(error: NoCache) -> Self {
        Self::with(error.exit_code(), &error, error.hint())
    }
}

impl From<SuiteError> for Failure {
    fn from(error: SuiteError) -> Self {
        match error {
            SuiteError::AgentDojo(error) => error.into(),
            SuiteError::Sleeper(error) => Self::new(exit::INVALID, error),
            SuiteError::InjecAgent(error) => error.into(),
        }
    }
}

impl From<agentdojo::SuiteError> for Failure {
    fn from(error: agentdojo::SuiteError) -> Self {
        let hint = match &error {
            agentdojo::SuiteError::Version(_) => {
                Some(format!("known are {}", agentdojo::VERSIONS.join(", ")))
            }
            agentdojo::SuiteError::Attack(_) => Some("run `bench list attacks`".to_owned()),
            agentdojo::SuiteError::NoText => Some("give it one with --attack-text FILE".to_owned()),
            agentdojo::SuiteError::Template(_) => Some(
                "injected texts stand in double-quoted YAML: write `\\\"` for a quotation mark"
                    .to_owned(),
            ),
            _ => None,
        };
        Self::with(exit::INVALID, &error, hint)
    }
}

impl From<injecagent::SuiteError> for Failure {
    fn from(error: injecagent::SuiteError) -> Self {
        let hint = match &error {
            injecagent::SuiteError::Version(_) => Some("run `bench list suites`".to_owned()),
            injecagent::SuiteError::Attack(_) => Some("run `bench list attacks`".to_owned()),
            injecagent::SuiteError::Data(error) => error.hint(),
            _ => None,
        };
        Self::with(exit::INVALID, &error, hint)
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Suite(error) => error.into(),
            PlanError::Nothing => Self::new(exit::NOTHING, error)
                .hint("loosen --filter, or see `bench run --dry-run` without it"),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::new(exit::INVALID, error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::new(exit::UNWRITTEN, error)
    }
}
