//! Recorded outputs of models, in the two forms they come in.
//!
//! The **slim** form is `{base,enhanced}/MODEL/{dh,ds}.jsonl[.zst]`: `i`, `output`, `eval`,
//! `invalid_reason`, and for data stealing `s1_params`, `s1_thought`, `s1_response`, `output2`,
//! `eval2`, `invalid_reason2`. The **repository's** form is `{BASE,ENHANCED}/MODEL/test_cases_*.json`:
//! JSON lines in spite of the name, with the case's own fields, `output`, `eval`, and
//! `output Step 2`, `eval Step 2`, `invalid_reason  Step 2` (two blanks).

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::files;

use super::data::utf8;
use super::dataset::Dataset;
use super::error::DataError;
use super::rebuild::{Harm, Setting};

/// What a model put out in one step, and how upstream judged it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The output; `None` where the model gave none.
    pub output: Option<String>,
    /// `succ`, `unsucc` or `invalid`.
    pub eval: String,
    /// Why it is invalid, where the recording says so.
    pub reason: Option<String>,
}

/// The first step of data stealing as upstream handed it on to the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Between {
    /// The arguments, as text.
    pub parameters: String,
    /// The thought.
    pub thought: String,
    /// What the tool answered.
    pub response: String,
}

/// One recorded case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line in its file, from 1.
    pub line: usize,
    /// The row of the matching test-case file, from 0.
    pub case: usize,
    /// The first step.
    pub first: Step,
    /// What lies between the steps, where the recording says so.
    pub between: Option<Between>,
    /// The second step, where there is one.
    pub second: Option<Step>,
}

/// The recorded cases of one model, setting and kind of harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The file, relative to the folder that was read.
    pub file: String,
    /// The model, as the folder is called.
    pub model: String,
    /// The setting.
    pub setting: Setting,
    /// The kind of harm.
    pub harm: Harm,
    /// The rows, in the file's order.
    pub rows: Vec<Row>,
    /// SHA-256 of the file, unpacked.
    pub digest: String,
}

/// A file of recordings that was found and not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    path: PathBuf,
    file: String,
    model: String,
    setting: Setting,
    harm: Harm,
    slim: bool,
}

/// Reads every recording below a folder, in a fixed order: settings, then models by name, then kinds.
///
/// # Errors
/// No recording, a file that cannot be read, or a row that is none.
pub fn read_folder(folder: &Path, data: &Dataset) -> Result<Vec<Recording>, DataError> {
    let found = find(folder)?;
    if found.is_empty() {
        return Err(DataError::NoRecordings { path: folder.to_owned() });
    }
    found.iter().map(|one| read_file(one, data)).collect()
}

/// The recordings below a folder; `results` of the repository may be given by the repository's root.
fn find(folder: &Path) -> Result<Vec<Found>, DataError> {
    let mut all = Vec::new();
    for (name, path) in entries(folder)? {
        if name == "results" && path.is_dir() {
            let below = find(&path)?;
            let inside = below.into_iter();
            all.extend(inside.map(|one| Found { file: format!("results/{}", one.file), ..one }));
        }
        let Some(setting) = Setting::parse(&name).filter(|_| path.is_dir()) else { continue };
        for (model, path) in entries(&path)?.into_iter().filter(|(_, path)| path.is_dir()) {
            for (file, path) in entries(&path)? {
                let Some((harm, slim)) = kind_of(&file) else { continue };
                let file = format!("{name}/{model}/{file}");
                all.push(Found { path, file, model: model.clone(), setting, harm, slim });
            }
        }
    }
    all.sort_by(|one, other| {
        let key = |found: &Found| (found.setting, found.model.clone(), found.harm);
        key(one).cmp(&key(other)).then_with(|| one.file.cmp(&other.file))
    });
    Ok(all)
}

/// The kind of harm and whether the form is the slim one, by a file's name. Upstream's own test cases
/// only: the fork's variants (`_test`, `_tool`, `_tech`) are other data sets.
fn kind_of(file: &str) -> Option<(Harm, bool)> {
    let stem = file.strip_suffix(".zst").unwrap_or(file);
    if let Some(stem) = stem.strip_suffix(".jsonl") {
        return Harm::parse(stem).map(|harm| (harm, true));
    }
    let stem = stem.strip_suffix(".json")?.strip_prefix("test_cases_")?;
    let (harm, rest) = stem.split_once('_').unwrap_or((stem, ""));
    let known = rest.is_empty() || Setting::parse(rest).is_some();
    Harm::parse(harm).filter(|_| known).map(|harm| (harm, false))
}

/// A folder's entries by name, in order.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, DataError> {
    let unreadable = |source| DataError::Unreadable { path: folder.to_owned(), source };
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        all.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    all.sort();
    Ok(all)
}

fn read_file(found: &Found, data: &Dataset) -> Result<Recording, DataError> {
    let bytes = files::read(&found.path).map_err(DataError::File)?;
    let rows = rows(found, &bytes, data)?;
    Ok(Recording {
        file: found.file.clone(),
        model: found.model.clone(),
        setting: found.setting,
        harm: found.harm,
        rows,
        digest: crate::datasets::sha256(&bytes),
    })
}

fn rows(found: &Found, bytes: &[u8], data: &Dataset) -> Result<Vec<Row>, DataError> {
    let mut rows: Vec<Row> = Vec::new();
    let mut seen = HashSet::new();
    for (at, line) in utf8(&found.file, bytes)?.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let wrong =
            |message: String| DataError::Record { file: found.file.clone(), line: at + 1, message };
        let row = if found.slim {
            let slim: Slim = serde_json::from_str(line).map_err(|e| wrong(e.to_string()))?;
            slim.row(at + 1)
        } else {
            let full: Full = serde_json::from_str(line).map_err(|e| wrong(e.to_string()))?;
            let key = (full.user_instruction.as_str(), full.tool_response.as_str());
            let case = data.find(found.harm, found.setting, key);
            full.row(at + 1, case.ok_or_else(|| wrong("the case is not upstream's".to_owned()))?)
        };
        let cases = data.cases(found.harm, found.setting).len();
        if row.case >= cases {
            return Err(wrong(format!("there is no case {}: the last is {}", row.case, cases - 1)));
        }
        if !seen.insert(row.case) {
            return Err(wrong(format!("case {} stands here twice", row.case)));
        }
        let evals = [Some(&row.first), row.second.as_ref()];
        for step in evals.into_iter().flatten() {
            if !matches!(step.eval.as_str(), "succ" | "unsucc" | "invalid") {
                return Err(wrong(format!("unknown verdict `{}`", step.eval)));
            }
        }
        rows.push(row);
    }
    Ok(rows)
}

#[derive(Deserialize)]
struct Slim {
    i: usize,
    output: Option<String>,
    eval: String,
    invalid_reason: Option<String>,
    s1_params: Option<String>,
    s1_thought: Option<String>,
    s1_response: Option<String>,
    output2: Option<String>,
    eval2: Option<String>,
    invalid_reason2: Option<String>,
}

impl Slim {
    fn row(self, line: usize) -> Row {
        let between = match (self.s1_params, self.s1_response) {
            (Some(parameters), Some(response)) => {
                Some(Between { parameters, thought: self.s1_thought.unwrap_or_default(), response })
            }
            _ => None,
        };
        let (output, reason) = (self.output2, self.invalid_reason2);
        Row {
            line,
            case: self.i,
            first: Step { output: self.output, eval: self.eval, reason: self.invalid_reason },
            between,
            second: self.eval2.map(|eval| Step { output, eval, reason }),
        }
    }
}

#[derive(Deserialize)]
struct Full {
    #[serde(rename = "User Instruction")]
    user_instruction: String,
    #[serde(rename = "Tool Response")]
    tool_response: String,
    output: Option<String>,
    eval: String,
    #[serde(default)]
    invalid_reason: Option<String>,
    #[serde(default, rename = "output Step 2")]
    output2: Option<String>,
    #[serde(default, rename = "eval Step 2")]
    eval2: Option<String>,
    #[serde(default, rename = "invalid_reason  Step 2")]
    reason2: Option<String>,
}

impl Full {
    fn row(self, line: usize, case: usize) -> Row {
        let (output, reason) = (self.output2, self.reason2);
        // Upstream writes an empty text where there is no second step.
        let eval2 = self.eval2.filter(|eval| !eval.is_empty());
        Row {
            line,
            case,
            first: Step { output: self.output, eval: self.eval, reason: self.invalid_reason },
            between: None,
            second: eval2.map(|eval| Step { output, eval, reason }),
        }
    }
}
