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

/// What one skipped step serves: the property, and why its attacks land without the step.
type Removes = &'static [(&'static str, &'static str)];

/// Which properties each ablation removes. Most steps serve one. Where a step serves more, the
/// surplus is inherent: one label carries several things, and the step makes or reads all of them.
const REMOVES: [(&str, Removes); 8] = [
    (
        "no-map",
        &[
            (
                "no-self-lift",
                "the channel says how much content is worth: a role lifts pasted text",
            ),
            ("default-deny", "the channel says whose words they are: a role has no tenant"),
        ],
    ),
    ("no-derive", &[("model-is-evidence", "derive is where a model's writes become Evidence")]),
    ("no-reload", &[("revoked-stays-revoked", "counters are compared as content comes back")]),
    ("no-recheck", &[("revoked-stays-revoked", "counters are read again as a call goes out")]),
    ("table-inside", &[("table-outside", "the table is what must not roll back")]),
    ("no-accumulate", &[("high-water", "the accumulated label is what evicting must not raise")]),
    (
        "no-tool-storage",
        // A resource keeps a whole descriptor, as memory does, and each of its parts is one
        // property's: the first two name files in so many words.
        &[
            ("model-is-evidence", "the resource keeps the writer's authority"),
            ("revoked-stays-revoked", "the resource keeps the origins of what was written"),
            ("default-deny", "the resource keeps the writer's tenant"),
        ],
    ),
    (
        "labels-as-text",
        // Nothing is checked as a call goes out. That is the last check of all, so every property
        // that says anything about calls goes with it: as far as its attacks end in a call.
        &[
            ("every-leaf", "no value is judged"),
            ("checked-is-executed", "nothing is judged, so nothing that was judged is sent"),
            ("approval-fits", "no approval is needed"),
            ("label-is-not-text", "text is all that labels are"),
            ("no-self-lift", "what a named value lifts is read nowhere else"),
            ("model-is-evidence", "a note that is Evidence drives a call all the same"),
            ("revoked-stays-revoked", "whether a holder is live is not read"),
            ("table-outside", "what a restore may not bring back is not asked for"),
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
        assert_eq!(opened, removes.iter().map(|(property, _)| *property).collect(), "{name}");
        say!("{name}: {} attacks land", landed.len());
        for (property, why) in removes {
            let of = all().find(|(known, _)| known == property).expect("it is a property").1;
            let here = landed.iter().filter(|(known, _)| known == property).count();
            say!("  {property}: {here} of {}, since {why}", of().len());
        }
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
