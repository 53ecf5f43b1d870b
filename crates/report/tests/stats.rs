//! What the statistics promise for any numbers.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use report::stats::agreement::{cohens_kappa, rogan_gladen};
use report::stats::bootstrap::{SplitMix, bootstrap, cluster_bootstrap, exact_bootstrap};
use report::stats::cluster::{clustered_mean, two_way_variance};
use report::stats::difference::{Paired, Phi, newcombe_independent, paired_difference};
use report::stats::fisher::fisher;
use report::stats::mcnemar::mcnemar;
use report::stats::multiple::{Adjustment, adjust};
use report::stats::non_inferiority::{Judgement, Policy, Verdict};
use report::stats::permutation::{sign_flip, sign_flip_sampled};
use report::stats::power::mcnemar_cases;
use report::stats::proportion::{clopper_pearson_one_sided, wilson_weighted};
use report::stats::quantile::{inverse_cdf, quantile_interval, quantile_ranks, sorted, type7};
use report::stats::ranks::{
    cliffs_delta, cliffs_delta_counted, hodges_lehmann, kolmogorov_smirnov, mann_whitney,
};
use report::stats::repeats::{pass_at_k, pass_hat_k, repeated_mean};
use report::stats::{
    Interval, clean_cases_for, clopper_pearson, clopper_pearson_upper, jeffreys, wilson,
    zero_event_upper,
};

#[test]
fn what_is_not_defined_has_no_value() {
    let undefined = [(0, 0, 0.95), (2, 1, 0.95), (0, 1, 0.0), (0, 1, 1.0), (0, 1, f64::NAN)];
    for (k, n, confidence) in undefined {
        assert_eq!(wilson(k, n, confidence), None);
        assert_eq!(clopper_pearson(k, n, confidence), None);
        assert_eq!(clopper_pearson_upper(k, n, confidence), None);
        assert_eq!(jeffreys(k, n, confidence), None);
        assert_eq!(newcombe_independent(k, n, 1, 2, confidence), None);
    }
    assert_eq!(zero_event_upper(0, 0.95), None);
    assert_eq!(Paired::default().newcombe(Phi::Plain, 0.95), None);
    assert_eq!(Paired::new(1, 1, 1, 1).newcombe(Phi::Plain, 1.0), None);
    for (bound, confidence) in [(0.0, 0.95), (1.0, 0.95), (f64::NAN, 0.95), (0.1, 1.0)] {
        assert_eq!(clean_cases_for(bound, confidence), None);
    }
    assert_eq!(fisher(1, 0, 0, 1), None);
    assert_eq!(paired_difference(&[1.0], &[0.0]), None);
    assert_eq!(clustered_mean::<u8>(&[], &[]), None);
    assert_eq!(clustered_mean(&[1.0, 2.0], &[0]), None);
    assert_eq!(clustered_mean(&[1.0, 2.0], &[0, 0]).unwrap().cr1, None);
    assert_eq!(two_way_variance(&[f64::NAN], &[0], &[0]), None);
    assert_eq!(bootstrap(&[1.0], 0, 1), None);
    assert_eq!(bootstrap(&[2.0, 2.0], 9, 1).unwrap().bca(0.95).map(|bca| bca.bias), Some(0.0));
    assert_eq!(exact_bootstrap(&[0.0; 11]), None);
    assert_eq!(sign_flip(&[]), None);
    assert_eq!(adjust(&[0.5, f64::NAN], Adjustment::Holm), None);
    assert_eq!(adjust(&[], Adjustment::Holm), Some(Vec::new()));
    assert_eq!(type7(&[], 0.5), None);
    assert_eq!(inverse_cdf(&[1.0], 1.5), None);
    assert_eq!(mann_whitney(&[1.0], &[1.0]).unwrap().asymptotic, None);
    assert_eq!(hodges_lehmann(&[], &[1.0]), None);
    assert_eq!(pass_at_k(4, 1, 0), None);
    assert_eq!(pass_hat_k(4, 1, 5), None);
    assert_eq!(repeated_mean(&[vec![1.0], vec![]]), None);
    assert_eq!(cohens_kappa(&[[3, 0], [0, 0]]), None);
    assert_eq!(rogan_gladen(0.1, 0.5, 0.5), None);
    assert_eq!(mcnemar_cases(0.1, 0.1, 0.05, 0.8), None);
}

#[test]
fn limits_hold_the_rate_and_exact_ones_meet_their_definition() {
    use report::stats::distribution::binomial_cdf;
    for n in [1_u64, 2, 7, 100, 10_000, 1_000_000] {
        for k in [0, 1, n / 3, n / 2, n - 1, n] {
            let rate = k as f64 / n as f64;
            for interval in [wilson(k, n, 0.95), clopper_pearson(k, n, 0.95)] {
                let Interval { low, high } = interval.unwrap();
                assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0, "{k}/{n}");
            }
            let high = clopper_pearson(k, n, 0.95).unwrap().high;
            if k < n {
                // The chance of k or fewer events at the upper limit is α/2: summed, where the
                // limit itself comes from the beta distribution.
                let chance = binomial_cdf(k, n, high).unwrap();
                assert!((chance - 0.025).abs() < 1e-9, "{k}/{n}: {chance}");
            }
        }
    }
}

#[test]
fn a_high_percentile_takes_as_many_samples_as_it_says() {
    for (q, least) in [(0.99, 368), (0.999, 3_688)] {
        assert_eq!(quantile_ranks(least - 1, q, 0.95), None);
        assert!(quantile_ranks(least, q, 0.95).is_some());
    }
}

#[test]
fn the_generator_is_splitmix64() {
    // The first outputs for this seed, as its authors' C program prints them.
    let mut random = SplitMix::new(1_234_567);
    let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
    assert_eq!([random.next_u64(), random.next_u64()], expected);
}

#[test]
fn a_policy_says_what_wins_where_a_regression_is_smaller_than_the_margin() {
    use Policy::{AnyRegression, BeyondMargin, UnlessWithinMargin};
    use Verdict::{Fail, Inconclusive, Pass};
    let cases = [
        (0.001, 0.005, 0.01, [Pass, Fail, Pass]),
        (0.001, 0.02, 0.01, [Fail, Fail, Inconclusive]),
        (0.02, 0.04, 0.01, [Fail, Fail, Fail]),
        (-0.01, 0.02, 0.01, [Inconclusive; 3]),
        (-0.01, 0.005, 0.01, [Pass; 3]),
        (-0.3, -0.2, -0.1, [Pass; 3]),
        (-0.3, 0.0, -0.1, [Inconclusive; 3]),
        (-0.05, 0.0, -0.1, [Fail; 3]),
    ];
    for (low, high, margin, expected) in cases {
        let judgement = Judgement::of(Interval { low, high }, margin);
        let got = [UnlessWithinMargin, AnyRegression, BeyondMargin].map(|by| judgement.verdict(by));
        assert_eq!(got, expected, "{low} to {high}, margin {margin}");
    }
}

#[test]
fn what_does_not_vary_has_no_error_whatever_its_rounding() {
    let same = clustered_mean(&[0.1; 7], &[0, 0, 1, 1, 2, 2, 2]).unwrap();
    assert_eq!((same.sem, same.cr0, same.cr1, same.miller), (Some(0.0), 0.0, Some(0.0), Some(0.0)));
    assert_eq!(same.design_effect(), None);
    let balanced =
        clustered_mean(&[0.0, -1.0, -1.0, 0.0, -1.0, -1.0], &[0, 0, 0, 1, 1, 1]).unwrap();
    assert_eq!((balanced.cr0, balanced.cr1), (0.0, Some(0.0)));
    assert!(balanced.sem > Some(0.2));
}

fn values(least: usize, most: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-100..100_i32).prop_map(|value| f64::from(value) / 4.0), least..most)
}

fn rate() -> impl Strategy<Value = (u64, u64)> {
    (1..3_000_u64).prop_flat_map(|n| (0..=n, Just(n)))
}

/// Values of [`values`] as (value, count) in ascending order, as histograms hold them.
fn counted(values: &[f64]) -> Vec<(u64, u64)> {
    let mut counts = std::collections::BTreeMap::new();
    for value in values {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 200")]
        let place = (value * 4.0 + 100.0) as u64;
        *counts.entry(place).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * (1.0 + left.abs().max(right.abs()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn intervals_of_a_rate_hold_it_grow_with_confidence_and_mirror((k, n) in rate()) {
        for interval in [wilson, clopper_pearson, jeffreys] {
            let (narrow, wide) = (interval(k, n, 0.9).unwrap(), interval(k, n, 0.99).unwrap());
            prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high);
            prop_assert!(0.0 <= wide.low && wide.high <= 1.0 && narrow.low < narrow.high);
            let other = interval(n - k, n, 0.9).unwrap();
            prop_assert!(near(other.low, 1.0 - narrow.high) && near(other.high, 1.0 - narrow.low));
            prop_assert!(narrow.contains(k as f64 / n as f64) || interval(k, n, 0.9) == jeffreys(k, n, 0.9));
        }
        let (events, cases) = (k as f64, n as f64);
        prop_assert_eq!(wilson_weighted(events, cases, 0.9), wilson(k, n, 0.9));
        let one_sided = clopper_pearson_one_sided(events, cases, 0.975).unwrap();
        let two_sided = clopper_pearson(k, n, 0.95).unwrap();
        prop_assert!(near(one_sided.low, two_sided.low) && near(one_sided.high, two_sided.high));
    }

    #[test]
    fn one_more_event_moves_the_limits_up((k, n) in rate()) {
        prop_assume!(k < n);
        for interval in [wilson, clopper_pearson, jeffreys] {
            let (less, more) = (interval(k, n, 0.95).unwrap(), interval(k + 1, n, 0.95).unwrap());
            prop_assert!(less.low <= more.low && less.high <= more.high);
        }
    }

    #[test]
    fn differences_change_their_sign_with_their_order((k1, n1) in rate(), (k2, n2) in rate()) {
        let there = newcombe_independent(k1, n1, k2, n2, 0.95).unwrap();
        let back = newcombe_independent(k2, n2, k1, n1, 0.95).unwrap().negated();
        prop_assert!(near(there.low, back.low) && near(there.high, back.high));
        prop_assert!(there.contains(k1 as f64 / n1 as f64 - k2 as f64 / n2 as f64));
        prop_assert!(there.low < there.high);
    }

    #[test]
    fn paired_rates_are_never_sure_and_change_sign(a in 0..80_u64, b in 0..80_u64, c in 0..80_u64, d in 0..80_u64) {
        prop_assume!(a + b + c + d > 0);
        let (there, back) = (Paired::new(a, b, c, d), Paired::new(a, c, b, d));
        for phi in [Phi::Plain, Phi::Corrected] {
            let interval = there.newcombe(phi, 0.95).unwrap();
            let mirrored = back.newcombe(phi, 0.95).unwrap().negated();
            prop_assert!(near(interval.low, mirrored.low) && near(interval.high, mirrored.high));
            prop_assert!(interval.contains(there.difference().unwrap()));
            prop_assert!(-1.0 - 1e-12 <= interval.low && interval.high <= 1.0 + 1e-12);
        }
        // Without a discordant case Wald claims certainty; the corrected interval never does.
        let interval = there.newcombe(Phi::Corrected, 0.95).unwrap();
        prop_assert!(interval.high - interval.low > 1e-6);
    }

    #[test]
    fn mcnemar_is_symmetric_and_the_sign_flip_of_ones(b in 0..60_u64, c in 0..60_u64, ties in 0..5_usize) {
        let (there, back) = (mcnemar(b, c), mcnemar(c, b));
        prop_assert_eq!(there.exact, back.exact);
        prop_assert_eq!(there.mid_p, back.mid_p);
        prop_assert!(there.mid_p <= there.exact);
        let counts = [usize::try_from(b).unwrap(), usize::try_from(c).unwrap()];
        let mut differences = vec![-1.0; counts[0]];
        differences.extend(vec![1.0; counts[1]]);
        differences.extend(vec![0.0; ties]);
        if !differences.is_empty() {
            let flips = sign_flip(&differences).unwrap();
            prop_assert!(near(flips.two_sided, there.exact));
            prop_assert!(near(flips.greater, there.second_greater));
        }
    }

    #[test]
    fn fishers_test_does_not_mind_the_order((k1, n1) in rate(), (k2, n2) in rate()) {
        let (there, back) = (fisher(k1, n1, k2, n2).unwrap(), fisher(k2, n2, k1, n1).unwrap());
        prop_assert!(near(there.two_sided, back.two_sided));
        prop_assert!(there.two_sided >= there.second_greater.min(back.second_greater) - 1e-12);
    }

    #[test]
    fn clustered_means_move_and_stretch_with_their_values(
        values in values(4, 60), shift in -9..9_i32, clusters in 2..9_usize,
    ) {
        let keys: Vec<usize> = (0..values.len()).map(|at| at % clusters).collect();
        let moved: Vec<f64> = values.iter().map(|value| f64::from(shift) - 3.0 * value).collect();
        let (one, other) = (clustered_mean(&values, &keys).unwrap(), clustered_mean(&moved, &keys).unwrap());
        prop_assert!(near(other.mean, f64::from(shift) - 3.0 * one.mean));
        prop_assert!(near(other.cr0, 3.0 * one.cr0) && near(other.cr1.unwrap(), 3.0 * one.cr1.unwrap()));
        prop_assert!(near(other.miller.unwrap(), 3.0 * one.miller.unwrap()));
        prop_assert!(one.t_interval(0.95).unwrap().contains(one.mean));
        // Clusters of one case each are no clusters.
        let alone: Vec<usize> = (0..values.len()).collect();
        let single = clustered_mean(&values, &alone).unwrap();
        prop_assert!(near(single.cr1.unwrap(), single.sem.unwrap()));
        // Both ways the same is one way.
        let variance = two_way_variance(&values, &keys, &keys).unwrap();
        prop_assert!(near(variance.sqrt(), one.cr0));
        // The order of cases does not matter.
        let (mut back, mut back_keys) = (values.clone(), keys.clone());
        back.reverse();
        back_keys.reverse();
        prop_assert!(near(clustered_mean(&back, &back_keys).unwrap().cr0, one.cr0));
    }

    #[test]
    fn bootstraps_repeat_and_move_with_their_values(values in values(3, 30), seed: u64) {
        let one = bootstrap(&values, 200, seed).unwrap();
        prop_assert_eq!(&one, &bootstrap(&values, 200, seed).unwrap());
        let moved: Vec<f64> = values.iter().map(|value| 2.0 * value + 1.0).collect();
        let other = bootstrap(&moved, 200, seed).unwrap();
        let (limits, expected) = (other.percentile(0.9).unwrap(), one.percentile(0.9).unwrap());
        prop_assert!(near(limits.low, 2.0 * expected.low + 1.0) && near(limits.high, 2.0 * expected.high + 1.0));
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(one.replicates.iter().all(|mean| (least - 1e-9..=most + 1e-9).contains(mean)));
        // One cluster a case is the plain bootstrap.
        let alone: Vec<usize> = (0..values.len()).collect();
        prop_assert_eq!(&one, &cluster_bootstrap(&values, &alone, 200, seed).unwrap());
    }

    #[test]
    fn the_whole_bootstrap_distribution_has_the_known_error(values in values(1, 6)) {
        let exact = exact_bootstrap(&values).unwrap();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        prop_assert!((exact.mean() - mean).abs() < 1e-9);
        prop_assert!((exact.standard_error() - (variance / n).sqrt()).abs() < 1e-9);
        prop_assert_eq!(exact.total, (values.len() as u64).pow(u32::try_from(values.len()).unwrap()));
        prop_assert_eq!(exact.at_most(f64::INFINITY), 1.0);
    }

    #[test]
    fn sampled_sign_flips_near_the_whole_test(values in values(4, 12), seed: u64) {
        let (exact, sampled) = (sign_flip(&values).unwrap(), sign_flip_sampled(&values, 4_000, seed).unwrap());
        prop_assert!((exact.two_sided - sampled.two_sided).abs() < 0.06);
        prop_assert!((exact.greater - sampled.greater).abs() < 0.06);
        prop_assert!(sampled.two_sided > 0.0);
    }

    #[test]
    fn adjusted_p_values_keep_order_and_strength(p in prop::collection::vec(0.0..=1.0_f64, 1..20)) {
        let by = |method| adjust(&p, method).unwrap();
        let (holm, bonferroni) = (by(Adjustment::Holm), by(Adjustment::Bonferroni));
        let (hochberg, bh) = (by(Adjustment::Hochberg), by(Adjustment::BenjaminiHochberg));
        let by_ = by(Adjustment::BenjaminiYekutieli);
        for at in 0..p.len() {
            prop_assert!(p[at] <= bh[at] && bh[at] <= hochberg[at] + 1e-15);
            prop_assert!(hochberg[at] <= holm[at] && holm[at] <= bonferroni[at] && bh[at] <= by_[at]);
            for other in 0..p.len() {
                prop_assert!(p[at] > p[other] || holm[at] <= holm[other]);
            }
        }
        let mut turned = p.clone();
        turned.reverse();
        let mut back = adjust(&turned, Adjustment::Holm).unwrap();
        back.reverse();
        prop_assert_eq!(back, holm);
    }

    #[test]
    fn quantiles_lie_among_the_values_and_rise(values in values(1, 60), low in 0.0..=1.0_f64, high in 0.0..=1.0_f64) {
        let values = sorted(&values).unwrap();
        let (low, high) = (low.min(high), low.max(high));
        for quantile in [type7, inverse_cdf] {
            let (below, above) = (quantile(&values, low).unwrap(), quantile(&values, high).unwrap());
            prop_assert!(values[0] <= below && below <= above && above <= values[values.len() - 1]);
        }
        let value = inverse_cdf(&values, high).unwrap();
        let share = values.iter().filter(|other| **other <= value).count() as f64 / values.len() as f64;
        prop_assert!(share >= high - 1e-12);
        if let Some(interval) = quantile_interval(&values, 0.5, 0.9) {
            prop_assert!(interval.contains(type7(&values, 0.5).unwrap()));
        }
    }

    #[test]
    fn ranks_see_the_order_and_nothing_else(a in values(1, 20), b in values(1, 20)) {
        let stretched = |values: &[f64]| values.iter().map(|value| value.powi(3) + 5.0).collect::<Vec<_>>();
        let (there, back) = (mann_whitney(&a, &b).unwrap(), mann_whitney(&b, &a).unwrap());
        prop_assert!(near(there.u_first + back.u_first, (a.len() * b.len()) as f64));
        prop_assert_eq!(there.exact.is_some(), back.exact.is_some());
        prop_assert_eq!(mann_whitney(&stretched(&a), &stretched(&b)).unwrap(), there);
        let distance = kolmogorov_smirnov(&a, &b).unwrap();
        prop_assert_eq!(kolmogorov_smirnov(&stretched(&a), &stretched(&b)).unwrap(), distance);
        let delta = cliffs_delta(&a, &b).unwrap();
        prop_assert!(near(delta, -cliffs_delta(&b, &a).unwrap()));
        prop_assert!(delta.abs() <= distance.statistic * 2.0 + 1e-12);
        prop_assert!(near(delta, cliffs_delta_counted(&counted(&a), &counted(&b)).unwrap()));
        let moved: Vec<f64> = a.iter().map(|value| value + 2.5).collect();
        prop_assert!(near(hodges_lehmann(&a, &moved).unwrap(), 2.5));
    }

    #[test]
    fn more_tries_break_through_more_often((successes, trials) in (2..30_u64).prop_flat_map(|n| (0..=n, Just(n)))) {
        for k in 1..trials {
            prop_assert!(pass_at_k(trials, successes, k) <= pass_at_k(trials, successes, k + 1));
            prop_assert!(pass_hat_k(trials, successes, k) >= pass_hat_k(trials, successes, k + 1));
        }
        prop_assert!(near(pass_at_k(trials, successes, 1).unwrap(), successes as f64 / trials as f64));
    }
}
