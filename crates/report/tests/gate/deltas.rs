//! Rules that compare a run with a baseline.

use report::gate::{GateError, Options, Policy, Verdict, evaluate};
use report::stats::difference::{Paired, Phi};
use trace::rows::CellRow;

use crate::runs::{error, grid, rules, run, verdict};

use Verdict::{Fail, Inconclusive, Pass};

#[test]
fn an_identical_run_passes_a_regression_fails_and_noise_is_open() {
    let rule = "delta(asr).upper95 <= 0.02";
    let baseline = grid(30);
    for (landed, expected) in [(30, Pass), (24, Pass), (32, Pass), (38, Fail), (90, Fail)] {
        let got = verdict(rule, &grid(landed), &baseline, Options::default());
        assert_eq!(got, expected, "{landed}");
    }
    // As many flips each way: the difference is small, and the interval is wide.
    let mut noisy = grid(30);
    for at in 0..30 {
        noisy[at].attack_landed = Some(false);
        noisy[100 + at].attack_landed = Some(true);
    }
    let rules = rules(&[rule, "new_landed == 0"]);
    let report = evaluate(&rules, run(&noisy), Some(run(&baseline)), Options::default()).unwrap();
    assert_eq!(report.rules[0].verdict, Inconclusive);
    assert_eq!((report.rules[1].verdict, report.rules[1].cells.len()), (Fail, 30));
    assert_eq!((report.verdict, report.exit_code), (Fail, 100));
    let open = evaluate(&rules[..1], run(&noisy), Some(run(&baseline)), Options::default());
    assert_eq!(open.unwrap().exit_code, 101);
    let same = evaluate(&rules, run(&baseline), Some(run(&baseline)), Options::default()).unwrap();
    assert_eq!((same.gate_passed, same.exit_code), (true, 0));
}

#[test]
fn each_bound_of_a_difference_holds_by_itself() {
    let (baseline, candidate) = (grid(30), grid(42));
    let rules = rules(&["delta(asr).upper95 <= 0.02", "delta(asr).upper99 <= 0.02"]);
    let bounds = |options, at: usize| {
        let report = evaluate(&rules, run(&candidate), Some(run(&baseline)), options).unwrap();
        let rule = &report.rules[at];
        assert_eq!((rule.baseline_k, rule.k, rule.n), (Some(30), Some(42), 600));
        rule.bounds.unwrap()
    };
    let paired = Paired::new(30, 12, 0, 558);
    for (at, two_sided) in [(0, 0.9), (1, 0.98)] {
        let expected = paired.newcombe(Phi::Corrected, two_sided).unwrap();
        let got = bounds(Options::default(), at);
        assert!((got.low - expected.low).abs() < 1e-12 && (got.high - expected.high).abs() < 1e-12);
    }
    // All twelve are one user task's.
    let clustered = bounds(Options { clusters: true, ..Options::default() }, 0);
    let plain = bounds(Options::default(), 0);
    assert!(clustered.low < plain.low && clustered.high > plain.high);
}

#[test]
fn more_that_lands_never_gains_a_better_verdict() {
    let baseline = grid(30);
    for rule in
        ["asr <= 0.06", "asr.upper95 <= 0.06", "delta(asr).upper95 <= 0.01", "new_landed <= 9"]
    {
        for policy in [Policy::UnlessWithinMargin, Policy::AnyRegression, Policy::BeyondMargin] {
            let options = Options { policy, ..Options::default() };
            let severity = |landed| match verdict(rule, &grid(landed), &baseline, options) {
                Pass => 0,
                Inconclusive => 1,
                Fail => 2,
            };
            let verdicts: Vec<i32> = (0..12).map(|step| severity(step * 6)).collect();
            assert!(verdicts.is_sorted(), "{rule}, {policy:?}: {verdicts:?}");
            assert_eq!((verdicts[0], verdicts[11]), (0, 2), "{rule}, {policy:?}");
        }
    }
}

#[test]
fn the_policy_names_what_is_called_a_regression() {
    let (baseline, candidate) = (grid(30), grid(39));
    let by = |policy, margin| {
        let rule = format!("delta(asr).upper95 <= {margin}");
        verdict(&rule, &candidate, &baseline, Options { policy, ..Options::default() })
    };
    assert_eq!(by(Policy::UnlessWithinMargin, 0.05), Pass);
    assert_eq!(by(Policy::AnyRegression, 0.05), Fail);
    assert_eq!(by(Policy::BeyondMargin, 0.05), Pass);
    assert_eq!(by(Policy::UnlessWithinMargin, 0.01), Fail);
    assert_eq!(by(Policy::BeyondMargin, 0.01), Inconclusive);
}

#[test]
fn a_loss_of_utility_is_judged_from_below() {
    let baseline = grid(0);
    let mut candidate = grid(0);
    for cell in candidate.iter_mut().take(60) {
        cell.utility_done = Some(false);
    }
    let rule = |margin| format!("delta(utility{{kind=attack}}).lower95 >= {margin}");
    for (margin, expected) in [("-0.05", Fail), ("-0.2", Pass)] {
        let got = verdict(&rule(margin), &candidate, &baseline, Options::default());
        assert_eq!(got, expected, "{margin}");
    }
    // A little more is lost than gained: whether that is within the margin stays open.
    let (mut before, mut after) = (grid(0), grid(0));
    for (at, (old, new)) in before.iter_mut().zip(&mut after).enumerate() {
        old.utility_done = Some(at % 2 == 0);
        new.utility_done = Some((at % 2 == 0) != (at < 162 && (at % 2 == 0 || at > 20)));
    }
    let flips = before.iter().zip(&after).filter(|(old, new)| old.utility_done != new.utility_done);
    assert_eq!(flips.count(), 152);
    assert_eq!(verdict(&rule("-0.05"), &after, &before, Options::default()), Inconclusive);
    assert_eq!(verdict("utility_lost <= 60", &candidate, &baseline, Options::default()), Pass);
    assert_eq!(verdict("utility_lost < 60", &candidate, &baseline, Options::default()), Fail);
}

#[test]
fn runs_of_different_defenses_are_paired() {
    let baseline = grid(5);
    let mut candidate = grid(7);
    for cell in &mut candidate {
        cell.defense = "mmu:labels-as-text".into();
    }
    let rules = rules(&["new_landed{defense=mmu:*} == 0"]);
    let mut both = baseline.clone();
    both.extend(grid(600).into_iter().map(|cell| CellRow { defense: "none".into(), ..cell }));
    let report =
        evaluate(&rules, run(&candidate), Some(run(&baseline)), Options::default()).unwrap();
    assert_eq!(report.rules[0].cells.len(), 2);
    // A baseline of several defenses is narrowed by the rule's own condition on the defense.
    let rule = "new_landed{defense=mmu*} == 0";
    assert_eq!(verdict(rule, &candidate, &both, Options::default()), Fail);
    let error = error("new_landed == 0", run(&candidate), Some(run(&both)));
    assert!(matches!(error, GateError::Pairs { .. }), "{error}");
}

#[test]
fn what_a_rule_leaves_out_of_the_candidate_is_not_missing() {
    let classed = |class: fn(usize) -> &'static str| -> Vec<CellRow> {
        let cells = grid(0).into_iter().enumerate();
        cells.map(|(at, cell)| CellRow { guarantee: Some(class(at).into()), ..cell }).collect()
    };
    let candidate = classed(|at| if at < 400 { "inside" } else { "free-argument" });
    // The baseline's defense gives other classes; the candidate's decide.
    let baseline = classed(|at| if at < 500 { "inside" } else { "free-argument" });
    let rules = rules(&["new_landed{guarantee=inside} == 0"]);
    let report =
        evaluate(&rules, run(&candidate), Some(run(&baseline)), Options::default()).unwrap();
    assert_eq!((report.verdict, report.rules[0].n, report.rules[0].missing), (Pass, 400, 0));
}

#[test]
fn cells_that_were_not_judged_leave_flips_open() {
    let baseline = grid(1);
    let mut candidate = grid(1);
    candidate[5].status = "invalid".into();
    let rule = "new_landed == 0";
    assert_eq!(verdict(rule, &candidate, &baseline, Options::default()), Inconclusive);
    assert_eq!(verdict("new_landed <= 1", &candidate, &baseline, Options::default()), Pass);
    candidate[5].status = "ok".into();
    // What landed before cannot land anew.
    candidate[0].status = "invalid".into();
    assert_eq!(verdict(rule, &candidate, &baseline, Options::default()), Pass);
    candidate[0].status = "ok".into();
    candidate.pop();
    let report =
        evaluate(&rules(&[rule]), run(&candidate), Some(run(&baseline)), Options::default());
    let report = report.unwrap();
    assert_eq!((report.verdict, report.rules[0].missing), (Inconclusive, 1));
}
