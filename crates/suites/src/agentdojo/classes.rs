//! The text of the committed file of classes, made anew from the suite.

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
                    let _ = write!(out, "{0}/{1},{0}/{2}", world.world, user.id, injection.id);
                    for profile in Profile::ALL {
                        let _ = write!(out, ",{}", case.class(*profile));
                    }
                    out.push('\n');
                }
            }
        }
        Ok(out)
    }
}
