//! Tests and intervals that compare two things.

use report::stats::cluster::clustered_mean;
use report::stats::difference::{Paired, Phi, newcombe_independent, paired_difference};
use report::stats::fisher::fisher;
use report::stats::mcnemar::mcnemar;
use report::stats::multiple::{Adjustment, adjust};
use report::stats::non_inferiority::independent;
use report::stats::permutation::sign_flip;
use report::stats::ranks::{cliffs_delta, hodges_lehmann, kolmogorov_smirnov, mann_whitney};

use crate::book::{Book, number, numbers, whole, words};

pub(crate) fn check(book: &mut Book) {
    discordant(book);
    independent_rates(book);
    paired_rates(book);
    paired_series(book);
    many(book);
    latencies(book);
}

fn discordant(book: &mut Book) {
    for case in book.cases("mcnemar", 9) {
        let got = mcnemar(whole(&case, "only_first"), whole(&case, "only_second"));
        book.close(Some(got.exact), &case, "exact_two_sided_p");
        book.close(Some(got.second_greater), &case, "exact_one_sided_p_second_greater");
        book.close(Some(got.second_less), &case, "exact_one_sided_p_second_less");
        book.close(Some(got.mid_p), &case, "mid_p_two_sided");
        for (field, got) in
            [("chi2_corrected", got.corrected), ("chi2_uncorrected", got.uncorrected)]
        {
            book.same(got.is_some(), case[field].is_object(), &case);
            if let Some(got) = got {
                book.close(Some(got.statistic), &case, &format!("{field}.statistic"));
                book.close(Some(got.p), &case, &format!("{field}.p"));
            }
        }
    }
    for case in book.cases("sign_flip_permutation_exact", 4) {
        let got = sign_flip(&numbers(&case, "differences")).unwrap();
        book.close(Some(got.two_sided), &case, "two_sided_p");
        book.close(Some(got.greater), &case, "one_sided_p_greater");
    }
}

fn independent_rates(book: &mut Book) {
    let counts = |case: &serde_json::Value| {
        let count = |field| whole(case, field);
        (count("k1"), count("n1"), count("k2"), count("n2"))
    };
    for case in book.cases("fisher_exact", 7) {
        let (k1, n1, k2, n2) = counts(&case);
        let got = fisher(k1, n1, k2, n2).unwrap();
        // Relative even where the value is far below the absolute tolerance.
        book.within(Some(got.two_sided), &case, "two_sided_p", |expected| 1e-9 * expected);
        book.close(Some(got.second_greater), &case, "one_sided_p_second_greater");
    }
    for case in book.cases("newcombe_diff_independent", 24) {
        let (k1, n1, k2, n2) = counts(&case);
        let got = newcombe_independent(k1, n1, k2, n2, number(&case, "confidence"));
        let difference = k1 as f64 / n1 as f64 - k2 as f64 / n2 as f64;
        book.close(Some(difference), &case, "diff");
        book.close(got.map(|got| got.low), &case, "lower");
        book.close(got.map(|got| got.high), &case, "upper");
    }
    for case in book.cases("gate_non_inferiority", 4) {
        let baseline = (whole(&case, "baseline_k"), whole(&case, "baseline_n"));
        let candidate = (whole(&case, "candidate_k"), whole(&case, "candidate_n"));
        let (interval, judgement) =
            independent(baseline, candidate, number(&case, "margin")).unwrap();
        let rate = |(k, n): (u64, u64)| k as f64 / n as f64;
        book.close(Some(rate(candidate) - rate(baseline)), &case, "candidate_minus_baseline");
        book.close(Some(interval.low), &case, "newcombe90_lower");
        book.close(Some(interval.high), &case, "newcombe90_upper");
        book.same(Some(judgement.non_inferior), case["non_inferior"].as_bool(), &case);
        let proven = case["regression_proven"].as_bool();
        book.same(Some(judgement.regression_proven), proven, &case);
    }
}

fn paired_rates(book: &mut Book) {
    for case in book.cases("newcombe_diff_paired", 8) {
        let count = |field| whole(&case, field);
        let (both, neither) = (count("both"), count("neither"));
        let paired = Paired::new(both, count("only_first"), count("only_second"), neither);
        book.close(paired.difference(), &case, "diff_first_minus_second");
        let confidence = number(&case, "confidence");
        for (field, phi) in [
            ("newcombe_method8_plain_phi", Phi::Plain),
            ("newcombe_method10_corrected_phi", Phi::Corrected),
        ] {
            let got = paired.newcombe(phi, confidence);
            book.close(paired.phi(phi), &case, &format!("{field}.phi"));
            book.close(got.map(|got| got.low), &case, &format!("{field}.lower"));
            book.close(got.map(|got| got.high), &case, &format!("{field}.upper"));
        }
        let wald = paired.wald(confidence);
        book.close(paired.wald_error(), &case, "wald.se");
        book.close(wald.map(|wald| wald.low), &case, "wald.lower");
        book.close(wald.map(|wald| wald.high), &case, "wald.upper");
    }
}

fn paired_series(book: &mut Book) {
    for case in book.cases("paired_difference", 2) {
        let (x, y) = (numbers(&case, "x"), numbers(&case, "y"));
        let got = paired_difference(&x, &y).unwrap();
        book.close(Some(got.mean), &case, "mean_diff");
        book.close(Some(got.paired_error), &case, "se_paired");
        book.close(Some(got.unpaired_error), &case, "se_unpaired");
        book.close(got.correlation, &case, "correlation");
        book.close(got.t, &case, "t_statistic");
        book.close(got.p_t, &case, "p_t_two_sided");
        book.close(got.p_z, &case, "p_z_two_sided");
        let interval = got.z_interval(0.95);
        book.close(interval.map(|interval| interval.low), &case, "ci95_z_lower");
        book.close(interval.map(|interval| interval.high), &case, "ci95_z_upper");
        let differences: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
        let clustered = clustered_mean(&differences, &words(&case, "cluster")).unwrap();
        book.close(Some(clustered.cr0), &case, "se_paired_cluster_cr0");
        book.close(clustered.cr1, &case, "se_paired_cluster_cr1");
    }
}

fn many(book: &mut Book) {
    let methods = [
        ("holm", Adjustment::Holm),
        ("bonferroni", Adjustment::Bonferroni),
        ("hochberg", Adjustment::Hochberg),
        ("benjamini_hochberg", Adjustment::BenjaminiHochberg),
        ("benjamini_yekutieli", Adjustment::BenjaminiYekutieli),
    ];
    for case in book.cases("multiple_comparisons", 6) {
        let (p, alpha) = (numbers(&case, "p"), number(&case, "alpha"));
        for (field, method) in methods {
            let got = adjust(&p, method).unwrap();
            book.all_close(&got, &case[field], "adjusted");
            let rejected: Vec<bool> = got.iter().map(|p| *p <= alpha).collect();
            let expected = case[field]["reject"].as_array().unwrap();
            let expected = expected.iter().map(|value| value.as_bool().unwrap()).collect();
            book.same(rejected, expected, &case);
        }
    }
}

fn latencies(book: &mut Book) {
    for case in book.cases("latency_two_sample", 1) {
        let (a, b) = (numbers(&case, "a"), numbers(&case, "b"));
        let ranks = mann_whitney(&a, &b).unwrap();
        book.close(Some(ranks.u_first), &case, "mann_whitney_U_for_a");
        book.close(ranks.exact, &case, "exact_p");
        book.close(ranks.asymptotic, &case, "asymptotic_cc_p");
        let distance = kolmogorov_smirnov(&a, &b).unwrap();
        book.close(Some(distance.statistic), &case, "ks_statistic");
        book.close(distance.exact, &case, "ks_exact_p");
        book.close(hodges_lehmann(&a, &b), &case, "hodges_lehmann_b_minus_a");
        book.close(cliffs_delta(&a, &b), &case, "cliffs_delta_b_over_a");
    }
}
