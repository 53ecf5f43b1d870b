//! The text of the committed file of classes, made anew from the suite.

use std::fmt::Write as _;

use scenario::classify::Case;
use scenario::guarantee::HEADER;
use trace::call::ToolCall;
use trace::profile::Profile;

use super::NAME;
use super::scripts::attack_id;
use super::suite::InjecAgent;

impl InjecAgent {
    /// What `scenarios/injecagent/guarantee.csv` must hold.
    pub fn classes_file(&self) -> String {
        let mut out = format!("{HEADER}\n");
        for (harm, number, attacker) in self.data.attackers() {
            let attack = attack_id(harm, number);
            let calls: Vec<ToolCall> =
                self.calls.of(&attack).iter().map(|step| step.call.clone()).collect();
            for (at, user) in self.data.users.iter().enumerate() {
                let case = Case {
                    prompt: &user.instruction,
                    goal: &attacker.instruction,
                    calls: &calls,
                    tools: &self.tools,
                };
                let classes = Profile::ALL.iter().map(|one| case.class(*one).to_string());
                let classes = classes.collect::<Vec<_>>().join(",");
                let _ = writeln!(out, "{NAME}/user_{at:02},{NAME}/{attack},{classes}");
            }
        }
        out
    }
}
