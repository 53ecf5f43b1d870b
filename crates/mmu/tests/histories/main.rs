//! Two kernels, one history: the kernel and a naive one that shares no code with it are led through
//! generated histories of all operations, and must say the same after each, word for word:
//! descriptors, labels, decisions, faults, evidence and reports.
//!
//! `MMU_HISTORY_OPS` sets how many operations are run, `MMU_HISTORY_SEED` where the dice begin.

mod acts;
mod arm;
mod calls;
mod judged;
mod marks;
mod naive;
mod naive_store;
mod op;
mod real;
mod real_acts;
mod words;

use std::{collections::BTreeMap, env, ops::Range, thread};

use arm::Arm;
use naive::Naive;
use op::{Dice, Op, Pay};
use real::Real;

/// Prints past the test harness's capture: the counts belong to what a test run shows.
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($words)*);
    }};
}

/// How many operations a run has that sets no number.
const OPS: u64 = 1_000_000;
/// How long a history is.
const LENGTH: usize = 80;

/// Where the two kernels part: the step, and what each said.
fn parting(arm: Arm, history: &[Op]) -> Option<(usize, String, String)> {
    let (mut real, mut naive) = (Real::new(arm), Naive::new(arm));
    for (step, op) in history.iter().enumerate() {
        let (found, expected) = (real.run(*op), naive.run(*op));
        if found != expected {
            return Some((step, found, expected));
        }
    }
    None
}

/// The shortest history that still parts, leaving out one operation after the other.
fn shrunk(arm: Arm, mut history: Vec<Op>) -> Vec<Op> {
    loop {
        if let Some((step, ..)) = parting(arm, &history) {
            history.truncate(step + 1);
        }
        let shorter = (0..history.len()).rev().find_map(|left_out| {
            let mut shorter = history.clone();
            shorter.remove(left_out);
            parting(arm, &shorter).map(|_| shorter)
        });
        match shorter {
            Some(shorter) => history = shorter,
            None => return history,
        }
    }
}

fn agree(arm: Arm, history: &[Op]) {
    if parting(arm, history).is_none() {
        return;
    }
    let history = shrunk(arm, history.to_vec());
    let (step, found, expected) =
        parting(arm, &history).expect("it was shrunk as long as it parted");
    let lines: Vec<String> = history.iter().map(|op| format!("        Op::{op:?},")).collect();
    let lines = lines.join("\n");
    panic!(
        "the kernels part at step {step}:\n  the kernel: {found}\n  the naive one: {expected}\n\n\
         #[test]\nfn the_kernels_agree_on_this_history() {{\n    agree(Arm::{arm:?}, &[\n{lines}\n    ]);\n}}\n"
    );
}

fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn history(dice: &mut Dice) -> Vec<Op> {
    let mut history = vec![
        Op::Open { tenant: 0, task: 0, session: 0, attended: true },
        Op::Open { tenant: 0, task: 0, session: 1, attended: true },
        Op::Open { tenant: 1, task: 0, session: 0, attended: true },
    ];
    let mut last = None;
    while history.len() < LENGTH {
        let mut op = dice.op();
        if let Op::Authorize { at, pay } = op {
            last = Some((at, pay));
        }
        // Most answers and dispatches are of the call that was asked about last.
        let follows = !dice.next().is_multiple_of(4);
        if let (true, Some((asked, call))) = (follows, last) {
            match &mut op {
                Op::Approve { at, pay }
                | Op::Refuse { at, pay }
                | Op::WithdrawCall { at, pay }
                | Op::Dispatch { at, pay } => (*at, *pay) = (asked, call),
                _ => {}
            }
        }
        history.push(op);
    }
    history
}

/// One of so many histories is in each configuration that is not the default: half of all are.
const SHARE: u64 = 2 * (Arm::ALL.len() as u64 - 1);

/// The configuration of a history.
fn arm_of(number: u64) -> Arm {
    let turn = usize::try_from(number % SHARE).expect("it is small");
    Arm::ALL.get(turn + 1).copied().unwrap_or_default()
}

#[test]
fn the_kernels_agree_on_generated_histories() {
    let wanted = number("MMU_HISTORY_OPS", OPS).div_ceil(LENGTH as u64);
    let seed = number("MMU_HISTORY_SEED", 1);
    let run = |numbers: Range<u64>| {
        for number in numbers {
            let mut dice = Dice(seed.wrapping_mul(1 << 40).wrapping_add(number));
            agree(arm_of(number), &history(&mut dice));
        }
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| run(wanted / 2..wanted));
        run(0..wanted / 2);
        other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
    say!("{} operations in {wanted} histories: the kernels agree", wanted * LENGTH as u64);
    for arm in Arm::ALL {
        let histories = (0..wanted).filter(|number| arm_of(*number) == arm).count();
        say!("  {arm:?}: {} operations", histories * LENGTH);
    }
}

/// A configuration that never answers otherwise than the default is not tested at all.
#[test]
fn generated_histories_tell_each_configuration_from_the_default() {
    for arm in Arm::ALL.into_iter().skip(1) {
        let histories = 200;
        let differ = (0..histories).filter(|number| {
            let (mut one, mut other) = (Real::new(Arm::Default), Real::new(arm));
            let history = history(&mut Dice(*number));
            history.into_iter().any(|op| one.run(op) != other.run(op))
        });
        let differ = differ.count();
        say!("{arm:?} answers otherwise than the default in {differ} of {histories} histories");
        assert!(differ >= 10, "{arm:?}: {differ}");
    }
}

/// What answers are made of.
const ANSWERS: [&str; 36] = [
    "allow false",
    "allow true None",
    "allow true Some",
    "ask ",
    "refused ",
    "refused-before",
    "approval-void",
    "not-approved",
    "revoked",
    "low-authority",
    "fabricated",
    "unlisted",
    "repeated",
    "absence-unsafe",
    "trigger",
    "unknown-tool",
    "other-tenant",
    "out-of-scope",
    "empty-scope",
    "unknown-page",
    "claim-exceeds",
    "write-up",
    "other-bytes",
    "not-typed",
    "unknown-approval",
    "accepted",
    "withdrawn",
    "widens true",
    "widens false",
    "may",
    "done",
    "sent",
    "executed [(",
    "flying [1",
    "as policy",
    "as guidance",
];

/// The generator must reach what it is there for: each kind of answer, often enough.
#[test]
fn generated_histories_reach_every_answer() {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for number in 0..1_500 {
        let mut real = Real::new(Arm::Default);
        for op in history(&mut Dice(number)) {
            let answer = real.run(op);
            for known in ANSWERS {
                *seen.entry(known).or_default() += u32::from(answer.contains(known));
            }
        }
    }
    for answer in ANSWERS {
        assert!(seen[answer] >= 10, "{answer}: {}", seen[answer]);
    }
}

/// A history that parts must be found, shrunk and printed: the shrinker is tested on a kernel that
/// forgets a revocation.
#[test]
fn shrinking_keeps_what_parts() {
    let pay = Pay { to: 0, second: 8, amount: 4, odd: 0, cited: 255 };
    let history = [
        Op::Open { tenant: 0, task: 0, session: 0, attended: true },
        Op::Map { at: 0, source: 0, page: 255, scope: 0, words: 1 },
        Op::Revoke { page: 0 },
        Op::Authorize { at: 0, pay },
    ];
    let mut real = Real::new(Arm::Default);
    let answers: Vec<String> = history.iter().map(|op| real.run(*op)).collect();
    assert!(answers[3].starts_with("ask revoked"), "{answers:?}");
    let mut forgetful = Real::new(Arm::Default);
    let without = history.iter().filter(|op| !matches!(op, Op::Revoke { .. }));
    let last = without.map(|op| forgetful.run(*op)).last();
    assert!(last.is_some_and(|last| last.starts_with("allow")));
    let arm = Arm::Default;
    assert_eq!(parting(arm, &history), None);
    assert_eq!(shrunk(arm, history.to_vec()), history, "nothing parts, so nothing is left out");
}
