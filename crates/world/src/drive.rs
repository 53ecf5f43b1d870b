//! The cloud drive: files, and with whom they are shared.
//!
//! Upstream: `CloudDriveFile` of `default_suites/v1/tools/types.py`, and
//! `default_suites/v1/tools/cloud_drive_client.py`. The tools are in `drive_tools.rs`.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::Deserialize;
use trace::call::ToolError;

use crate::clock::Clock;
use crate::environment::Texts;
use crate::mail::next_id;
use crate::python::datetime::DateTime;
use crate::python::yaml::Node;
use crate::shared::{Record, Shared, Shown};

/// A cloud drive.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CloudDrive {
    /// The owner's address.
    pub account_email: String,
    /// The files by id. A deleted one is gone.
    pub files: Shared<IndexMap<String, Record<File>>>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Its id.
    #[serde(rename = "id_")]
    pub id: String,
    /// Its name.
    pub filename: String,
    /// What it holds.
    pub content: String,
    /// The address of its owner.
    pub owner: String,
    /// When it was made or appended to. Sharing leaves it as it is.
    pub last_modified: DateTime,
    /// Who may do what, by address; addresses are not checked.
    pub shared_with: IndexMap<String, Permission>,
    /// The characters of its content.
    pub size: usize,
}

/// What somebody may do with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Read it.
    R,
    /// Read and write it.
    Rw,
}

impl Permission {
    /// The word in calls and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::R => "r",
            Self::Rw => "rw",
        }
    }

    /// The permission of that word.
    pub(crate) fn parse(word: &str) -> Self {
        if word == "rw" { Self::Rw } else { Self::R }
    }
}

impl File {
    /// Keys in the order that a dump sorts them into.
    pub(crate) fn node(&self) -> Node<'_> {
        let shared = self.shared_with.iter();
        let shared = shared.map(|(address, permission)| {
            (Cow::Borrowed(address.as_str()), Node::from(permission.as_str()))
        });
        let size = i64::try_from(self.size).unwrap_or(i64::MAX);
        let modified = Node::DateTime { text: self.last_modified.to_string().into(), identity: 0 };
        Node::Map(vec![
            (Cow::Borrowed("content"), Node::from(self.content.as_str())),
            (Cow::Borrowed("filename"), Node::from(self.filename.as_str())),
            (Cow::Borrowed("id_"), Node::from(self.id.as_str())),
            (Cow::Borrowed("last_modified"), modified),
            (Cow::Borrowed("owner"), Node::from(self.owner.as_str())),
            (Cow::Borrowed("shared_with"), Node::Map(shared.collect())),
            (Cow::Borrowed("size"), Node::Int(size)),
        ])
    }

    /// Counts its characters again.
    pub(crate) fn measure(&mut self) {
        self.size = self.content.chars().count();
    }
}

impl Shown for File {
    fn alone(&self) -> Option<Node<'_>> {
        Some(self.node())
    }

    fn searched(&self) -> [&str; 2] {
        [&self.filename, &self.content]
    }
}

/// There is no file of that id.
pub(crate) fn no_file(id: &str) -> ToolError {
    ToolError::value(format!("File with ID '{id}' not found."))
}

impl CloudDrive {
    /// The id that the next file gets.
    pub fn next_id(&self) -> String {
        next_id(self.files.keys())
    }

    /// Makes a file of the owner's.
    pub(crate) fn create(
        &mut self,
        filename: &str,
        content: &str,
        clock: &mut Clock,
    ) -> &Record<File> {
        let mut file = File {
            id: self.next_id(),
            filename: filename.to_owned(),
            content: content.to_owned(),
            owner: self.account_email.clone(),
            last_modified: clock.now(),
            shared_with: IndexMap::new(),
            size: 0,
        };
        file.measure();
        let (at, _) = self.files.change().insert_full(file.id.clone(), Record::new(file));
        &self.files[at]
    }

    /// A file of the drive, to be changed.
    ///
    /// # Errors
    /// There is no such file.
    pub(crate) fn change(&mut self, id: &str) -> Result<&mut File, ToolError> {
        if !self.files.contains_key(id) {
            return Err(no_file(id));
        }
        self.files.change().get_mut(id).map(Record::change).ok_or_else(|| no_file(id))
    }

    /// Comes to the texts that may hold an injection. One changes the size of its file.
    pub(crate) fn visit_texts(&mut self, texts: &mut Texts<'_>) {
        if !texts.enters(2 * self.files.len()) {
            return;
        }
        for file in self.files.change().values_mut() {
            if texts.enters(2) {
                let file = file.change();
                texts.text(&mut file.filename);
                texts.text(&mut file.content);
                file.measure();
            }
        }
    }
}
