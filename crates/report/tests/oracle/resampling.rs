//! Clusters, repeats, and the bootstrap.

use report::stats::bootstrap::{
    Bootstrap, bootstrap, bootstrap_of_indices, cluster_bootstrap, exact_bootstrap, minstd_indices,
};
use report::stats::cluster::{clustered_mean, two_way_variance};
use report::stats::distribution::t_quantile;
use report::stats::repeats::repeated_mean;
use serde_json::Value;

use crate::book::{Book, number, numbers, whole, words};

pub(crate) fn check(book: &mut Book) {
    clusters(book);
    repeats(book);
    enumerated(book);
    indexed(book);
    sampled(book);
}

fn clusters(book: &mut Book) {
    for case in book.cases("cluster_robust_se", 6) {
        let got = clustered_mean(&numbers(&case, "y"), &words(&case, "cluster")).unwrap();
        book.same(got.n as u64, whole(&case, "n"), &case);
        book.same(got.clusters as u64, whole(&case, "clusters"), &case);
        book.close(Some(got.mean), &case, "mean");
        book.close(got.sem, &case, "sem_iid");
        book.close(got.miller, &case, "miller_eq4_literal");
        book.close(Some(got.cr0), &case, "cr0_no_correction");
        book.close(got.cr1, &case, "cr1_G_over_Gminus1_inspect_ai");
        book.close(got.design_effect(), &case, "design_effect_cr1");
        let t = t_quantile(0.975, (got.clusters - 1) as f64);
        book.close(t, &case, "t_crit_975_df_Gminus1");
        for (kind, interval) in [("t", got.t_interval(0.95)), ("z", got.z_interval(0.95))] {
            book.close(interval.map(|it| it.low), &case, &format!("ci95_{kind}_lower"));
            book.close(interval.map(|it| it.high), &case, &format!("ci95_{kind}_upper"));
        }
    }
    for case in book.cases("cluster_robust_se/two_way_user_by_injection_cr0", 1) {
        let (user, injection) = (words(&case, "user"), words(&case, "injection"));
        let got = two_way_variance(&numbers(&case, "y"), &user, &injection);
        book.close(got, &case, "variance");
        book.close(got.map(f64::sqrt), &case, "se");
    }
}

fn repeats(book: &mut Book) {
    for case in book.cases("repeats/variance_components", 1) {
        let rows = case["scores"].as_array().unwrap();
        let scores: Vec<Vec<f64>> =
            rows.iter().map(|row| numbers(&serde_json::json!({ "row": row }), "row")).collect();
        let got = repeated_mean(&scores).unwrap();
        book.close(Some(got.mean), &case, "mean");
        book.close(got.sem, &case, "sem_over_scenario_means");
        let flat = scores.concat();
        let scenario: Vec<usize> =
            scores.iter().enumerate().flat_map(|(at, row)| vec![at; row.len()]).collect();
        let clustered = clustered_mean(&flat, &scenario).unwrap();
        book.close(clustered.cr1, &case, "cluster_cr1_by_scenario");
        book.close(clustered.sem, &case, "naive_iid_sem_wrong");
    }
}

fn enumerated(book: &mut Book) {
    for case in book.cases("bootstrap/exact_enumeration", 3) {
        let got = exact_bootstrap(&numbers(&case, "differences")).unwrap();
        book.all_close(&got.support, &case, "support");
        let expected = numbers(&case, "count");
        let counts: Vec<f64> = got.count.iter().map(|count| *count as f64).collect();
        book.same(counts, expected, &case);
        book.same(got.total, whole(&case, "total"), &case);
        book.close(Some(got.mean()), &case, "boot_mean");
        book.close(Some(got.standard_error()), &case, "boot_se");
        book.close(Some(got.standard_error()), &case, "analytic_se");
        book.close(Some(got.at_most(0.0)), &case, "p_le_zero");
        for p in ["0.025", "0.975"] {
            let field = format!("quantile_{p}_inverse_cdf");
            book.close(got.quantile(p.parse().unwrap()), &case, &field);
        }
    }
}

fn indexed(book: &mut Book) {
    for case in book.cases("bootstrap/fixed_indices", 1) {
        let differences = numbers(&case, "differences");
        let rows = case["indices"].as_array().unwrap();
        let row = |row: &Value| -> Vec<usize> {
            let indices = row.as_array().unwrap().iter();
            indices.map(|index| usize::try_from(index.as_u64().unwrap()).unwrap()).collect()
        };
        let indices: Vec<Vec<usize>> = rows.iter().map(row).collect();
        let drawn = minstd_indices(differences.len(), indices.len(), 12_345).unwrap();
        book.same(&drawn, &indices, &case);
        let got = bootstrap_of_indices(&differences, &indices).unwrap();
        book.all_close(&got.replicates, &case, "replicate_means");
        book.close(Some(got.observed), &case, "observed");
        book.close(got.standard_error(), &case, "boot_se_ddof1");
        let percentile = got.percentile(0.95).unwrap();
        book.all_close(&[percentile.low, percentile.high], &case, "percentile_95_linear_type7");
        let bca = got.bca(0.95).unwrap();
        book.close(Some(bca.bias), &case, "bca.z0_ties_half");
        book.close(Some(bca.acceleration), &case, "bca.acceleration");
        book.close(Some(bca.low_share), &case, "bca.alpha1");
        book.close(Some(bca.high_share), &case, "bca.alpha2");
        book.close(Some(bca.interval.low), &case, "bca.lower_linear_type7");
        book.close(Some(bca.interval.high), &case, "bca.upper_linear_type7");
    }
}

fn sampled(book: &mut Book) {
    for case in book.cases("bootstrap/large_B_reference", 1) {
        let differences = numbers(&case, "differences");
        let resamples = usize::try_from(whole(&case, "B")).unwrap() / 10;
        let got = bootstrap(&differences, resamples, 7).unwrap();
        let tolerance = number(&case, "tolerance_abs");
        let percentile = got.percentile(0.95).unwrap();
        book.within(Some(percentile.low), &case, "lower", |_| tolerance);
        book.within(Some(percentile.high), &case, "upper", |_| tolerance);
        near(book, &got, &case);
    }
    for case in book.cases("bootstrap/cluster_bootstrap_equal_clusters", 1) {
        let means = numbers(&case, "cluster_means");
        // Nine cases a cluster, as in the grid that the means are of.
        let values: Vec<f64> = means.iter().flat_map(|mean| [*mean; 9]).collect();
        let clusters: Vec<usize> = (0..values.len()).map(|case| case / 9).collect();
        let cr0 = clustered_mean(&values, &clusters).unwrap().cr0;
        book.close(Some(cr0), &case, "cr0_check");
        near(book, &cluster_bootstrap(&values, &clusters, 20_000, 7).unwrap(), &case);
    }
}

/// The standard error nears the analytic one: 20,000 resamples have an error of half a percent.
fn near(book: &mut Book, got: &Bootstrap, case: &Value) {
    book.within(got.standard_error(), case, "analytic_se", |expected| 0.02 * expected);
}
