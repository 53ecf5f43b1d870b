//! The data set whole: what the nine files hold, checked against each other.

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::datasets::Files;

use super::data::{self, AttackerCase, TestCase, ToolEntry, Toolkit, UserCase};
use super::error::DataError;
use super::rebuild::{Harm, Setting, file_text, prefix_of, test_cases};

/// The data set, read and fitted together.
#[derive(Debug)]
pub struct Dataset {
    /// The user cases, in upstream's order.
    pub users: Vec<UserCase>,
    /// The attacker cases of direct harm.
    pub direct: Vec<AttackerCase>,
    /// The attacker cases of data stealing.
    pub stealing: Vec<AttackerCase>,
    /// All tools by their full name (toolkit and name), in upstream's order.
    pub tools: IndexMap<String, ToolEntry>,
    /// Simulated replies of the attacks' first tools, by `(tool,arguments)`, in upstream's order.
    pub simulated: IndexMap<String, String>,
    /// What stands before an instruction in the enhanced setting.
    pub prefix: String,
    /// The test cases by kind and setting.
    cases: HashMap<(Harm, Setting), Vec<TestCase>>,
    /// The rows of the test cases by user instruction and tool response.
    rows: HashMap<(Harm, Setting), HashMap<(String, String), usize>>,
}

impl Dataset {
    /// Reads the files' bytes and rebuilds the test cases.
    ///
    /// # Errors
    /// A record does not have the expected form, or the files do not fit together.
    pub fn read(files: &Files) -> Result<Self, DataError> {
        let users: Vec<UserCase> = lines(files, "user_cases.jsonl")?;
        let direct: Vec<AttackerCase> = lines(files, "attacker_cases_dh.jsonl")?;
        let stealing: Vec<AttackerCase> = lines(files, "attacker_cases_ds.jsonl")?;
        let enhanced: Vec<TestCase> = document(files, "test_cases_dh_enhanced.json")?;
        let prefix = enhanced.first().and_then(prefix_of).map(str::to_owned).ok_or_else(|| {
            DataError::Content {
                file: "test_cases_dh_enhanced.json".to_owned(),
                message: "the first case does not hold its own instruction".to_owned(),
            }
        })?;
        let mut cases = HashMap::new();
        let mut rows = HashMap::new();
        for harm in Harm::ALL {
            let attackers = if *harm == Harm::Direct { &direct } else { &stealing };
            for setting in Setting::ALL {
                let before = if *setting == Setting::Enhanced { prefix.as_str() } else { "" };
                let built = test_cases(&users, attackers, before)?;
                rows.insert((*harm, *setting), by_response(&built));
                cases.insert((*harm, *setting), built);
            }
        }
        let tools = tools(document(files, "tools.json")?);
        let simulated = document(files, "attacker_simulated_responses.json")?;
        let data = Self { users, direct, stealing, tools, simulated, prefix, cases, rows };
        data.check_tools()?;
        Ok(data)
    }

    /// Every tool that a case names is described.
    fn check_tools(&self) -> Result<(), DataError> {
        let named = self.attackers().flat_map(|(_, _, attacker)| &attacker.tools);
        for tool in named.chain(self.users.iter().map(|user| &user.tool)) {
            if !self.tools.contains_key(tool) {
                return Err(DataError::Content {
                    file: "tools.json".to_owned(),
                    message: format!("tool `{tool}` of a case is not described"),
                });
            }
        }
        Ok(())
    }

    /// The attacker cases of a kind.
    pub fn attackers_of(&self, harm: Harm) -> &[AttackerCase] {
        match harm {
            Harm::Direct => &self.direct,
            Harm::Stealing => &self.stealing,
        }
    }

    /// All attacker cases with their kind and number.
    pub fn attackers(&self) -> impl Iterator<Item = (Harm, usize, &AttackerCase)> {
        let of = |harm| self.attackers_of(harm).iter().enumerate().map(move |(n, a)| (harm, n, a));
        Harm::ALL.iter().flat_map(move |harm| of(*harm))
    }

    /// The test cases of a kind and setting, in upstream's order.
    pub fn cases(&self, harm: Harm, setting: Setting) -> &[TestCase] {
        self.cases.get(&(harm, setting)).map_or(&[], Vec::as_slice)
    }

    /// The row of a test case by its user instruction and tool response: upstream's own key.
    pub fn find(&self, harm: Harm, setting: Setting, key: (&str, &str)) -> Option<usize> {
        let rows = self.rows.get(&(harm, setting))?;
        rows.get(&(key.0.to_owned(), key.1.to_owned())).copied()
    }

    /// The numbers of the attacker case and the user case behind a row.
    pub fn origin(&self, row: usize) -> (usize, usize) {
        (row / self.users.len(), row % self.users.len())
    }

    /// The names of upstream's four files of test cases, each with its text as rebuilt here.
    pub fn rebuilt(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for harm in Harm::ALL {
            for setting in Setting::ALL {
                let name = format!("test_cases_{harm}_{setting}.json");
                files.push((name, file_text(self.cases(*harm, *setting))));
            }
        }
        files
    }
}

fn lines<T: for<'de> serde::Deserialize<'de>>(
    files: &Files,
    name: &str,
) -> Result<Vec<T>, DataError> {
    data::lines(name, files.bytes(name))
}

fn document<T: for<'de> serde::Deserialize<'de>>(
    files: &Files,
    name: &str,
) -> Result<T, DataError> {
    data::document(name, files.bytes(name))
}

fn by_response(cases: &[TestCase]) -> HashMap<(String, String), usize> {
    let key = |case: &TestCase| (case.user_instruction.clone(), case.response.clone());
    cases.iter().enumerate().map(|(row, case)| (key(case), row)).collect()
}

fn tools(toolkits: Vec<Toolkit>) -> IndexMap<String, ToolEntry> {
    let mut tools = IndexMap::new();
    for toolkit in toolkits {
        for tool in toolkit.tools {
            tools.insert(format!("{}{}", toolkit.toolkit, tool.name), tool);
        }
    }
    tools
}
