//! The texts of the committed files of classes, made anew from the suite.

use std::fmt::Write as _;

use scenario::classify::Case;
use scenario::guarantee::HEADER;
use trace::profile::Profile;
use world::template::Injections;

use super::suite::{AgentDojo, SuiteError};

impl AgentDojo {
    /// What `scenarios/agentdojo/v1.2.2/guarantee.csv` must hold.
    ///
    /// # Errors
    /// A world cannot be opened.
    pub fn classes_file(&self) -> Result<String, SuiteError> {
        let mut out = format!("{HEADER}\n");
        for line in self.classes()? {
            let _ = writeln!(out, "{},{}", line.case, line.classes);
        }
        Ok(out)
    }

    fn classes(&self) -> Result<Vec<Line>, SuiteError> {
        let mut lines = Vec::new();
        for world in &self.worlds {
            let Some(live) = self.open_with(world.world, &Injections::new())? else { continue };
            for user in &world.user_tasks {
                for injection in &world.injection_tasks {
                    let case = Case {
                        prompt: &user.text,
                        goal: &injection.text,
                        calls: &injection.calls,
                        tools: live.tools(),
                    };
                    let classes = Profile::ALL.iter().map(|profile| case.class(*profile).as_str());
                    let classes = classes.collect::<Vec<_>>().join(",");
                    let case = format!("{0}/{1},{0}/{2}", world.world, user.id, injection.id);
                    lines.push(Line { case, classes });
                }
            }
        }
        Ok(lines)
    }
}

/// A case, and its classes by profile.
struct Line {
    case: String,
    classes: String,
}

/// What `scenarios/agentdojo/earlier/guarantee.csv` must hold: for each case the classes that it has
/// until a version and not in the next one. The suites are all versions, the oldest first.
///
/// # Errors
/// A world cannot be opened.
pub fn earlier_classes_file(suites: &[AgentDojo]) -> Result<String, SuiteError> {
    let mut out = format!("until,{HEADER}\n");
    let versions = suites.iter().map(|suite| Ok((&suite.version, suite.classes()?)));
    let versions = versions.collect::<Result<Vec<_>, SuiteError>>()?;
    let Some((_, latest)) = versions.last() else { return Ok(out) };
    for line in latest {
        let mut next = &line.classes;
        for (version, lines) in versions.iter().rev().skip(1) {
            let Some(older) = lines.iter().find(|one| one.case == line.case) else { continue };
            if older.classes != *next {
                let _ = writeln!(out, "{version},{},{}", line.case, older.classes);
                next = &older.classes;
            }
        }
    }
    Ok(out)
}
