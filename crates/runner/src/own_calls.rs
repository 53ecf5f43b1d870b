//! Which calls of a recorded episode are the attack's own.

use defenses::roster::Choice;
use scenario::kind::Kind;
use suites::suite::Finished;

use crate::draw::Draw;
use crate::executor::{Course, Executor, Opened};
use crate::owners::{Mood, OwnerChoice};
use crate::plan::Job;
use crate::replay::Replay;

/// A recorded episode that is replayed again and again.
struct Replayed<'a> {
    job: &'a Job,
    replay: &'a Replay,
    opened: Opened,
}

impl Executor {
    /// The recorded calls that are the attack's own, by their numbers in the trajectory: those without
    /// which its check no longer holds (leave-one-out). Where these alone do not suffice, as when two
    /// calls each would do, the first ones that suffice together. Empty where the attack has not
    /// landed, or needs no call.
    pub(crate) async fn own_calls(&self, job: &Job, replay: &Replay, bare: &Course) -> Vec<usize> {
        let replayed = Replayed { job, replay, opened: bare.opened() };
        if job.scenario.kind != Kind::Attack || !self.lands(&replayed, bare, &[]) {
            return Vec::new();
        }
        let mut own = Vec::new();
        for call in &bare.asked {
            if !self.lands_without(&replayed, &[*call]).await {
                own.push(*call);
            }
        }
        // Where one of two calls suffices beside these, neither is missed alone.
        let others: Vec<usize> =
            bare.asked.iter().filter(|call| !own.contains(call)).copied().collect();
        if !own.is_empty() && self.lands_without(&replayed, &others).await {
            return own;
        }
        let mut left_out = Vec::new();
        for call in bare.asked.iter().rev() {
            left_out.push(*call);
            if !self.lands_without(&replayed, &left_out).await {
                left_out.pop();
            }
        }
        bare.asked.iter().filter(|call| !left_out.contains(call)).copied().collect()
    }

    async fn lands_without(&self, replayed: &Replayed<'_>, left_out: &[usize]) -> bool {
        let nobody = (OwnerChoice::Never, Mood { earlier: 0, draw: Draw::new(0) });
        let course =
            self.course(replayed.job, &replayed.opened, (Choice::None, nobody), left_out).await;
        course.is_ok_and(|course| self.lands(replayed, &course, left_out))
    }

    fn lands(&self, replayed: &Replayed<'_>, course: &Course, left_out: &[usize]) -> bool {
        let (pre, post) = (course.pre.lock(), course.post.lock());
        let ending = Finished {
            pre: pre.state(),
            post: post.state(),
            answer: &course.record.answer,
            requested: &replayed.replay.requested(left_out),
            memory: &[],
        };
        matches!(self.suite.landed(&replayed.job.scenario, &ending), Ok(Some(true)))
    }
}
