//! The data set as upstream has it, and upstream's verdicts on what real models put out.

use suites::datasets::{Files, injecagent, load_folder};
use suites::injecagent::InjecAgent;
use suites::injecagent::conform::{Report, conform};
use suites::injecagent::dataset::Dataset;
use suites::injecagent::rebuild::{Harm, Setting};
use suites::injecagent::recorded::{Recording, read_folder};
use suites::suite::Suite as _;

/// The files, and the data set read from them; `None` says that the test is skipped.
fn data() -> Option<(Files, Dataset)> {
    let folder = testkit::shared("datasets/injecagent")?;
    let files = load_folder(injecagent(), &folder).expect("the pinned files are whole");
    let data = Dataset::read(&files).expect("the pinned files fit together");
    Some((files, data))
}

fn recorded(data: &Dataset) -> Option<Vec<Recording>> {
    let folder = testkit::shared("datasets/injecagent/recorded")?;
    Some(read_folder(&folder, data).expect("the recordings are readable"))
}

#[test]
fn the_test_cases_come_out_byte_for_byte() {
    let Some((files, data)) = data() else { return };
    let rebuilt = data.rebuilt();
    assert_eq!(rebuilt.len(), 4);
    for (name, text) in rebuilt {
        assert!(text.as_bytes() == files.bytes(&name), "{name} differs");
    }
    assert_eq!(data.prefix.len(), 96);
    for (harm, cases, broken) in [(Harm::Direct, 510, 0), (Harm::Stealing, 544, 34)] {
        for setting in Setting::ALL {
            let all = data.cases(harm, *setting);
            assert_eq!(all.len(), cases);
            let no_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_err();
            let found = all.iter().filter(|case| no_json(&case.response)).count();
            assert_eq!(found, broken, "responses of {harm} {setting} that are no JSON");
        }
    }
}

#[test]
fn every_recorded_verdict_and_reason_agrees() {
    let Some((_, data)) = data() else { return };
    let Some(recordings) = recorded(&data) else { return };
    let report = conform(&data, &recordings);
    for mismatch in report.mismatches.iter().take(20) {
        eprintln!("{mismatch}");
    }
    assert_eq!((report.first, report.second), (8_432, 1_750));
    assert_eq!(report.agree, 10_182);
    assert!(report.mismatches.is_empty());
    let sent: u32 = report.scores.iter().map(|one| one.beyond.sent).sum();
    let there: u32 = report.scores.iter().map(|one| one.beyond.to_attacker).sum();
    assert_eq!((sent, there), (1_604, 1_504), "second steps, and those that reach the attacker");
    scores_are_the_published_ones(&report);
}

/// Setting, model, valid rate, then ASR-valid and ASR-all by DH, S1, S2, DS and total.
type Published = (&'static str, &'static str, &'static str, &'static str, &'static str);

const PUBLISHED: &[Published] = &[
    ("base", "gpt-4o", "91.1", "3.7 13.3 98.5 13.1 8.5", "3.3 12.1 98.5 11.9 7.8"),
    ("base", "gpt-4o-mini", "87.5", "8.3 25.9 100.0 25.8 17.4", "7.3 22.8 99.2 22.6 15.2"),
    (
        "base",
        "Mistral-Small-24B-Instruct-2501",
        "75.9",
        "57.5 69.3 91.1 61.2 59.2",
        "46.9 52.4 82.5 43.2 45.0",
    ),
    ("base", "Llama-3-70b-chat-hf", "75.6", "58.5 75.3 96.7 72.4 66.2", "40.4 62.9 94.2 59.2 50.1"),
    ("enhanced", "gpt-4o", "98.5", "2.4 5.4 93.1 5.0 3.8", "2.4 5.3 93.1 5.0 3.7"),
    ("enhanced", "gpt-4o-mini", "88.7", "10.3 32.7 98.7 32.0 21.6", "9.0 29.4 97.5 28.7 19.2"),
    (
        "enhanced",
        "Mistral-Small-24B-Instruct-2501",
        "78.0",
        "66.4 75.8 90.9 67.4 66.9",
        "54.7 59.9 83.1 49.8 52.2",
    ),
    (
        "enhanced",
        "Llama-3-70b-chat-hf",
        "82.0",
        "68.1 86.9 97.6 84.7 77.3",
        "51.6 76.8 96.9 74.4 63.4",
    ),
];

fn scores_are_the_published_ones(report: &Report) {
    for (setting, model, valid_rate, valid, all) in PUBLISHED {
        let mut scores = report.scores.iter();
        let found = scores.find(|one| one.setting.as_str() == *setting && one.model == *model);
        let counts = found.expect("the model was recorded").counts;
        let text = |rates: [suites::injecagent::score::Rate; 5]| {
            rates.map(|rate| rate.to_string()).join(" ")
        };
        assert_eq!(counts.valid_rate().to_string(), *valid_rate, "{setting} {model}");
        assert_eq!(text(counts.valid().columns()), *valid, "{setting} {model}");
        assert_eq!(text(counts.all().columns()), *all, "{setting} {model}");
    }
}

/// What is committed about the data set, in this project's own words.
const COMMITTED: &[(&str, &str)] = &[
    ("calls.yaml", include_str!("../../../scenarios/injecagent/calls.yaml")),
    ("fills.yaml", include_str!("../../../scenarios/injecagent/fills.yaml")),
    ("uses-direct-a-e.yaml", include_str!("../../../scenarios/injecagent/uses-direct-a-e.yaml")),
    ("uses-direct-f-z.yaml", include_str!("../../../scenarios/injecagent/uses-direct-f-z.yaml")),
    ("uses-data-a-f.yaml", include_str!("../../../scenarios/injecagent/uses-data-a-f.yaml")),
    ("uses-data-g-z.yaml", include_str!("../../../scenarios/injecagent/uses-data-g-z.yaml")),
];

#[test]
fn the_suite_is_whole_and_its_classes_are_the_committed_ones() {
    let Some((files, data)) = data() else { return };
    let suite = InjecAgent::load(&files, Setting::ALL).expect("all that is committed fits");
    let committed = include_str!("../../../scenarios/injecagent/guarantee.csv");
    assert!(suite.classes_file() == committed, "run `cargo run -p xtask -- classes injecagent`");
    assert_eq!(suite.tools.len(), 79);
    let scenarios = suite.scenarios().expect("every case has a class");
    let of = |setting: &str| {
        scenarios.iter().filter(|one| one.setting.as_deref() == Some(setting)).count()
    };
    assert_eq!(["base", "enhanced", "fill", "use"].map(of), [1_054, 1_054, 51, 124]);
    let digest = "3874682a2776a4e64ef57481a40c5c460fe8fc84e47bfd4acc23202e25327147";
    assert_eq!(suites::injecagent::digest(&data.prefix), digest, "the enhanced setting's prefix");
    let memory = suite.for_memory();
    assert_eq!(memory.name(), "injecagent-memory", "never under the name of upstream's measure");
}

#[test]
fn no_sentence_of_upstreams_is_committed() {
    let Some((_, data)) = data() else { return };
    let words = |text: &str| -> Vec<String> {
        let bare =
            text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let kept = bare.filter(|word| !word.is_empty());
        kept.map(str::to_lowercase).collect()
    };
    let mut runs = std::collections::HashSet::new();
    let attackers = data.attackers().flat_map(|(_, _, one)| [&one.instruction, &one.achievement]);
    let users = data.users.iter().flat_map(|one| [&one.instruction, &one.template, &one.thought]);
    let tools = data.tools.values().map(|tool| &tool.summary);
    for text in attackers.chain(users).chain(tools).chain(data.simulated.values()) {
        runs.extend(words(text).windows(6).map(<[String]>::to_vec));
    }
    assert!(runs.len() > 10_000, "{} runs", runs.len());
    for (name, text) in COMMITTED {
        let shared = words(text).windows(6).find(|run| runs.contains(*run)).map(<[String]>::to_vec);
        assert_eq!(shared, None, "{name}");
    }
}
