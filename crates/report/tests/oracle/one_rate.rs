//! Quantiles of distributions, intervals of one proportion, judges, and planning.

use report::stats::agreement::{cohens_kappa, rogan_gladen, rogan_gladen_raw};
use report::stats::distribution::{beta_quantile, normal_quantile, t_quantile};
use report::stats::power::{PairedPlan, mcnemar_cases};
use report::stats::proportion::{rule_of_three, zero_event_approximation};
use report::stats::quantile::{inverse_cdf, quantile_ranks, sorted, type7};
use report::stats::repeats::{pass_at_k, pass_hat_k};
use report::stats::{
    Interval, clean_cases_for, clopper_pearson, clopper_pearson_upper, jeffreys, wilson,
    zero_event_upper,
};

use crate::book::{Book, number, numbers, whole};

pub(crate) fn check(book: &mut Book) {
    distributions(book);
    two_sided(book);
    one_sided(book);
    judges(book);
    quantiles(book);
    tries(book);
    planning(book);
}

fn distributions(book: &mut Book) {
    for case in book.cases("normal_quantile", 6) {
        book.close(normal_quantile(number(&case, "p")), &case, "expected");
    }
    for case in book.cases("t_quantile", 18) {
        book.close(t_quantile(number(&case, "p"), number(&case, "df")), &case, "expected");
    }
    for case in book.cases("beta_quantile", 4) {
        let (a, b) = (number(&case, "a"), number(&case, "b"));
        book.close(beta_quantile(number(&case, "p"), a, b), &case, "expected");
    }
}

fn two_sided(book: &mut Book) {
    type Function = fn(u64, u64, f64) -> Option<Interval>;
    let functions: [(&'static str, usize, Function); 3] = [
        ("wilson_interval", 57, wilson),
        ("clopper_pearson", 57, clopper_pearson),
        ("jeffreys_interval", 19, jeffreys),
    ];
    for (family, least, interval) in functions {
        for case in book.cases(family, least) {
            let confidence = number(&case, "confidence");
            let got = interval(whole(&case, "successes"), whole(&case, "n"), confidence);
            book.close(got.map(|got| got.low), &case, "lower");
            book.close(got.map(|got| got.high), &case, "upper");
        }
    }
}

fn one_sided(book: &mut Book) {
    for case in book.cases("clopper_pearson_one_sided_upper", 38) {
        let (k, n) = (whole(&case, "successes"), whole(&case, "n"));
        book.close(clopper_pearson_upper(k, n, number(&case, "confidence")), &case, "upper");
    }
    for case in book.cases("rule_of_three", 30) {
        let (n, confidence) = (whole(&case, "n"), number(&case, "confidence"));
        book.close(zero_event_upper(n, confidence), &case, "exact_one_sided_upper");
        book.close(zero_event_approximation(n, confidence), &case, "approx_ln");
        let three = rule_of_three(n).filter(|_| confidence == 0.95);
        book.close(three, &case, "three_over_n");
        let two_sided = clopper_pearson(0, n, confidence).map(|interval| interval.high);
        book.close(two_sided, &case, "clopper_pearson_two_sided_upper");
    }
    for case in book.cases("rule_of_three/sample_size_for_bound", 10) {
        let got = clean_cases_for(number(&case, "p0"), number(&case, "confidence"));
        book.same(got, Some(whole(&case, "n")), &case);
    }
}

fn judges(book: &mut Book) {
    for case in book.cases("rogan_gladen", 4) {
        let observed = number(&case, "observed");
        let (sensitivity, specificity) =
            (number(&case, "sensitivity"), number(&case, "specificity"));
        let raw = rogan_gladen_raw(observed, sensitivity, specificity);
        book.close(raw, &case, "corrected_raw");
        let clamped = rogan_gladen(observed, sensitivity, specificity);
        book.close(clamped, &case, "corrected_clamped");
    }
    for case in book.cases("cohens_kappa", 1) {
        let count = |row: usize, column: usize| case["table"][row][column].as_u64().unwrap();
        let table = [[count(0, 0), count(0, 1)], [count(1, 0), count(1, 1)]];
        let got = cohens_kappa(&table).unwrap();
        book.close(Some(got.kappa), &case, "kappa");
        book.close(Some(got.standard_error), &case, "std_kappa");
    }
}

fn quantiles(book: &mut Book) {
    for case in book.cases("quantiles", 1) {
        let values = sorted(&numbers(&case, "values")).unwrap();
        for (field, quantile) in [
            ("type7_linear", type7 as fn(&[f64], f64) -> Option<f64>),
            ("inverse_cdf_type1", inverse_cdf),
        ] {
            let expected = case[field].as_object().unwrap();
            assert_eq!(expected.len(), 4);
            for q in expected.keys() {
                book.close(quantile(&values, q.parse().unwrap()), &case[field], q);
            }
        }
    }
    for case in book.cases("quantiles/quantile_ci_order_stat", 5) {
        let (q, confidence) = (number(&case, "q"), number(&case, "confidence"));
        let got = quantile_ranks(whole(&case, "n"), q, confidence);
        let expected = (whole(&case, "rank_lower"), whole(&case, "rank_upper"));
        book.same(got, Some(expected), &case);
    }
}

fn tries(book: &mut Book) {
    for case in book.cases("repeats", 24) {
        let (trials, successes) = (whole(&case, "trials"), whole(&case, "successes"));
        let k = whole(&case, "k");
        book.close(pass_hat_k(trials, successes, k), &case, "pass_hat_k");
        book.close(pass_at_k(trials, successes, k), &case, "pass_at_k");
    }
}

fn planning(book: &mut Book) {
    for case in book.cases("sample_size/paired_miller", 3) {
        let epochs = |field: &str| u32::try_from(whole(&case, field)).unwrap();
        let plan = PairedPlan {
            between: number(&case, "omega2"),
            within_first: number(&case, "sigma2_a"),
            within_second: number(&case, "sigma2_b"),
            epochs_first: epochs("k_a"),
            epochs_second: epochs("k_b"),
        };
        let (alpha, power) = (number(&case, "alpha"), number(&case, "power"));
        let got = plan.cases(number(&case, "delta"), alpha, power);
        book.close(got, &case, "n_real");
        book.close(got.map(f64::ceil), &case, "n");
    }
    for case in book.cases("sample_size/mcnemar_connor", 3) {
        let (alpha, power) = (number(&case, "alpha"), number(&case, "power"));
        let got = mcnemar_cases(number(&case, "p_b"), number(&case, "p_c"), alpha, power);
        book.close(got, &case, "n_real");
    }
}
