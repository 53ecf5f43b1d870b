//! `recorded:PATH`: replays what a real model did once.
//!
//! The agent asks for the recorded calls in their order, whatever it sees: the world answers, and the
//! defense judges each call, so what is measured is the defense on a real course of calls. Where the
//! view leaves the recorded course, the rest is no evidence of what the model would have done: the
//! runner marks such cells as diverged.

use async_trait::async_trait;
use harness::agent::{Act, Agent, Invalid, View};
use harness::episode::ROUNDS_MAX;
use trace::trajectory::{RecordedCall, Trajectory};

/// An agent that follows a trajectory.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The calls that are left, a round each, with their numbers in the trajectory.
    rounds: std::vec::IntoIter<Vec<(usize, RecordedCall)>>,
    answer: String,
    asked: Vec<usize>,
}

impl Recorded {
    /// An agent that does what was recorded.
    pub fn new(trajectory: &Trajectory) -> Self {
        Self::without(trajectory, &[])
    }

    /// The same without the calls of these numbers, counted from 0 over the trajectory.
    pub fn without(trajectory: &Trajectory, left_out: &[usize]) -> Self {
        let mut number = 0..;
        let mut rounds: Vec<Vec<(usize, RecordedCall)>> = Vec::new();
        for step in &trajectory.steps {
            let calls = step.calls.iter().zip(&mut number);
            let kept = calls.filter(|(call, at)| call.reply.is_some() && !left_out.contains(at));
            let kept: Vec<_> = kept.map(|(call, at)| (at, call.clone())).collect();
            if !kept.is_empty() {
                rounds.push(kept);
            }
        }
        // The rounds of a session are bounded here and were not there. What is asked for does not
        // depend on replies, so that the last round may ask for all that is left.
        let most = usize::try_from(ROUNDS_MAX).unwrap_or(usize::MAX);
        let left: Vec<_> = rounds.drain(most.min(rounds.len())..).flatten().collect();
        if let Some(last) = rounds.last_mut() {
            last.extend(left);
        }
        Self {
            rounds: rounds.into_iter(),
            answer: trajectory.answer.clone().unwrap_or_default(),
            asked: Vec::new(),
        }
    }

    /// The calls that it asked for, in order, by their numbers in the trajectory.
    pub fn asked(&self) -> &[usize] {
        &self.asked
    }

    fn act(&mut self, has_tool: &dyn Fn(&str) -> bool) -> Act {
        for round in self.rounds.by_ref() {
            let asked = round.into_iter().filter(|(_, call)| was_carried_out(call, has_tool));
            let round: Vec<_> = asked.collect();
            if !round.is_empty() {
                self.asked.extend(round.iter().map(|(at, _)| at));
                return Act::Call(round.iter().map(|(_, call)| call.to_call()).collect());
            }
        }
        Act::Answer(self.answer.clone())
    }
}

#[async_trait]
impl Agent for Recorded {
    async fn turn(&mut self, view: View<'_>) -> Result<Act, Invalid> {
        Ok(self.act(&|name| view.tools.iter().any(|tool| tool.name == name)))
    }
}

/// Whether the log's tool executor looked at the call. One that refused a tool by name may have had
/// fewer tools than the world has here: the call was never carried out, and is not now.
fn was_carried_out(call: &RecordedCall, has_tool: &dyn Fn(&str) -> bool) -> bool {
    let error = call.reply.as_ref().and_then(|reply| reply.error.as_deref()).unwrap_or_default();
    let by_name = error.starts_with("Invalid tool ") || error.starts_with("Empty function name ");
    !(by_name && has_tool(&call.function))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::trajectory::{Logged, Provenance, RecordedReply, RecordedStep};

    fn call(function: &str, error: Option<&str>) -> RecordedCall {
        let reply = RecordedReply { text: String::new(), error: error.map(str::to_owned) };
        RecordedCall {
            function: function.to_owned(),
            args: serde_json::Map::new(),
            reply: Some(reply),
        }
    }

    fn trajectory(steps: Vec<Vec<RecordedCall>>) -> Trajectory {
        Trajectory {
            format: trace::version::TRAJECTORY,
            set: "s".to_owned(),
            suite: "agentdojo".to_owned(),
            version: None,
            world: "banking".to_owned(),
            user_task: "user_task_0".to_owned(),
            injection_task: None,
            attack: None,
            setting: None,
            injections: None,
            model: "m".to_owned(),
            epoch: 0,
            steps: steps.into_iter().map(|calls| RecordedStep { text: None, calls }).collect(),
            answer: Some("done".to_owned()),
            logged: Logged::default(),
            provenance: Provenance {
                form: "native".to_owned(),
                file: "a.json".to_owned(),
                line: None,
                origin: None,
                sha256: String::new(),
            },
        }
    }

    /// What the agent asks for, round by round, and the numbers of the calls.
    fn course(mut agent: Recorded, tool: &str) -> (Vec<Vec<String>>, Vec<usize>) {
        let mut rounds = Vec::new();
        while let Act::Call(calls) = agent.act(&|name| name == tool) {
            rounds.push(calls.into_iter().map(|call| call.function).collect());
        }
        assert_eq!(agent.act(&|name| name == tool), Act::Answer("done".to_owned()));
        (rounds, agent.asked)
    }

    #[test]
    fn the_calls_come_in_order_and_one_may_be_left_out() {
        let recorded = trajectory(vec![
            vec![call("a", None), call("b", None)],
            Vec::new(),
            vec![call("c", Some("ValueError: no"))],
        ]);
        let (rounds, asked) = course(Recorded::new(&recorded), "");
        assert_eq!(rounds, [vec!["a", "b"], vec!["c"]]);
        assert_eq!(asked, [0, 1, 2]);
        let (rounds, asked) = course(Recorded::without(&recorded, &[2]), "");
        assert_eq!(rounds, [vec!["a", "b"]]);
        assert_eq!(asked, [0, 1]);
    }

    #[test]
    fn a_call_that_nobody_carried_out_is_not_asked_for() {
        let refused = "Invalid tool b provided.";
        let unanswered = RecordedCall { reply: None, ..call("d", None) };
        let recorded = trajectory(vec![
            vec![call("a", None), call("b", Some(refused)), call("c", Some(refused))],
            vec![unanswered],
        ]);
        let (rounds, asked) = course(Recorded::new(&recorded), "b");
        assert_eq!(rounds, [["a", "c"]], "`b` is known here, `c` is known nowhere");
        assert_eq!(asked, [0, 2]);
    }

    #[test]
    fn more_rounds_than_a_session_has_are_asked_for_in_the_last() {
        let steps = (0..20).map(|number| vec![call(&number.to_string(), None)]).collect();
        let (rounds, asked) = course(Recorded::new(&trajectory(steps)), "");
        assert_eq!(rounds.len(), 15);
        assert_eq!(rounds[14], ["14", "15", "16", "17", "18", "19"]);
        assert_eq!(asked.len(), 20);
    }
}
