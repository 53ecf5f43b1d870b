//! The properties, each with the attacks that it forbids, and what each ablation lets through.
#![allow(clippy::too_many_lines, reason = "tables of attacks, one after the other")]

mod calls;
mod crossings;
mod lab;
mod labels;
mod revocation;

use std::collections::BTreeSet;

use clawmmu::{Ablations, Config};
use lab::{Attack, Lab};

type Property = (&'static str, fn() -> Vec<Attack>);

/// Prints past the test harness's capture: the counts belong to what a test run shows.
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($words)*);
    }};
}

const PROPERTIES: [Property; 11] = [
    ("no-self-lift", labels::no_self_lift),
    ("model-is-evidence", labels::model_is_evidence),
    ("high-water", labels::high_water),
    ("no-write-up", labels::no_write_up),
    ("revoked-stays-revoked", revocation::revoked_stays_revoked),
    ("table-outside", crossings::table_outside),
    ("ids-never-reused", crossings::ids_never_reused),
    ("default-deny", crossings::default_deny),
    ("every-leaf", calls::every_leaf),
    ("checked-is-executed", calls::checked_is_executed),
    ("approval-fits", calls::approval_fits),
];

/// Which properties' checks an ablation skips.
const REMOVES: [(&str, &[&str]); 8] = [
    ("no-map", &["default-deny", "no-self-lift"]),
    ("no-derive", &["model-is-evidence"]),
    ("no-reload", &["revoked-stays-revoked"]),
    ("no-recheck", &["revoked-stays-revoked"]),
    ("table-inside", &["table-outside"]),
    ("no-accumulate", &["high-water"]),
    ("no-tool-storage", &["model-is-evidence", "revoked-stays-revoked", "default-deny"]),
    (
        "labels-as-text",
        // Nothing is checked when a call goes out: whatever the attack had to get past there.
        &[
            "label-is-not-text",
            "every-leaf",
            "checked-is-executed",
            "approval-fits",
            "revoked-stays-revoked",
            "table-outside",
            "model-is-evidence",
            "no-write-up",
            "no-self-lift",
        ],
    ),
];

fn all() -> impl Iterator<Item = Property> {
    PROPERTIES.into_iter().chain([("label-is-not-text", calls::label_is_not_text as fn() -> _)])
}

fn holds(name: &str) {
    let (_, attacks) = all().find(|(known, _)| *known == name).expect("it is in the table");
    let attacks = attacks();
    say!("{name}: {} attacks", attacks.len());
    for attack in attacks {
        assert!(!(attack.lands)(&mut Lab::new(Config::default())), "{name}: {}", attack.name);
    }
}

macro_rules! properties {
    ($($test:ident $name:literal)*) => {
        $(#[test]
        fn $test() {
            holds($name);
        })*
    };
}

properties! {
    no_self_lift "no-self-lift"
    model_is_evidence "model-is-evidence"
    high_water "high-water"
    no_write_up "no-write-up"
    revoked_stays_revoked "revoked-stays-revoked"
    table_outside "table-outside"
    ids_never_reused "ids-never-reused"
    default_deny "default-deny"
    every_leaf "every-leaf"
    checked_is_executed "checked-is-executed"
    approval_fits "approval-fits"
    label_is_not_text "label-is-not-text"
}

/// The attacks that land under a configuration, each with its property.
fn landing(config: Config) -> BTreeSet<(&'static str, &'static str)> {
    let attacks =
        all().flat_map(|(name, attacks)| attacks().into_iter().map(move |attack| (name, attack)));
    attacks
        .filter(|(_, attack)| (attack.lands)(&mut Lab::new(config)))
        .map(|(name, attack)| (name, attack.name))
        .collect()
}

#[test]
fn each_ablation_lets_through_what_it_removes_and_nothing_else() {
    for ((name, ablations), (known, removes)) in Ablations::ALONE.into_iter().zip(REMOVES) {
        assert_eq!(name, known);
        let landed = landing(Config { ablations, ..Config::default() });
        let expected: BTreeSet<_> = all()
            .flat_map(|(property, attacks)| {
                attacks().into_iter().map(move |attack| (property, attack))
            })
            .filter(|(_, attack)| attack.opened_by.contains(&name))
            .map(|(property, attack)| (property, attack.name))
            .collect();
        assert_eq!(landed, expected, "{name}");
        let opened: BTreeSet<&str> = landed.iter().map(|(property, _)| *property).collect();
        assert_eq!(opened, removes.iter().copied().collect(), "{name}");
        say!("{name}: {} attacks land, of {opened:?}", landed.len());
    }
}

#[test]
fn the_readme_says_how_many_attacks_each_property_has() {
    let readme = include_str!("../../README.md");
    for (name, attacks) in all() {
        let row = readme.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let cases = row.and_then(|row| row.rsplit('|').nth(1)).unwrap_or_default();
        assert!(cases.contains(&format!(" {} attacks", attacks().len())), "{name}: {cases}");
    }
}
