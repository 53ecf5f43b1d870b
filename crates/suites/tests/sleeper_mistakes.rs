//! Each file of the suite, spoilt in several ways: every mistake is named with its line.

use suites::sleeper::Sources;

/// A way to spoil a file: the new text, and the line that must be named. `None` where the file has
/// nothing to spoil in this way.
type Spoil = fn(&str) -> Option<(String, usize)>;

/// Puts other lines in place of the first line that `fits`.
fn line(
    text: &str,
    fits: impl Fn(&str) -> bool,
    put: impl Fn(&str) -> Vec<String>,
) -> Option<(String, usize)> {
    let at = text.lines().position(fits)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let new = put(&lines[at]);
    lines.splice(at..=at, new);
    Some((lines.join("\n") + "\n", at + 1))
}

/// A key that must be there is gone: its map's place is named.
fn deleted_key(text: &str) -> Option<(String, usize)> {
    let (text, at) = line(text, |line| line.starts_with("      ceiling: "), |_| Vec::new())?;
    // The map begins with the line after `approve:`.
    let ahead: Vec<&str> = text.lines().take(at - 1).collect();
    let approve = ahead.iter().rposition(|line| line.trim() == "approve:")?;
    Some((text, approve + 2))
}

fn deleted_top_key(text: &str) -> Option<(String, usize)> {
    let (text, _) = line(text, |line| line.starts_with("world: "), |_| Vec::new())?;
    let first = text.lines().position(|line| !line.starts_with('#'))?;
    Some((text, first + 1))
}

fn wrong_state(text: &str) -> Option<(String, usize)> {
    // In a world's own file this is where the key is made.
    if !text.contains("\nscenario: ") {
        return None;
    }
    let state = text.lines().position(|line| line == "state:")?;
    let mut seen = 0;
    let at = text.lines().position(|line| {
        seen += 1;
        seen > state + 1 && line.starts_with("  ") && line.trim_end().ends_with(':')
    })?;
    let key = text.lines().nth(at)?.trim().trim_end_matches(':').to_owned();
    let wrong = format!("  {key}x:");
    let mut lines: Vec<&str> = text.lines().collect();
    lines[at] = &wrong;
    Some((lines.join("\n") + "\n", at + 1))
}

fn wrong_path(text: &str) -> Option<(String, usize)> {
    line(text, |line| line.contains("show: "), |line| vec![line.replace("show: ", "show: x")])
        .map(|(text, at)| (text.replace("show: x\"", "show: \"x"), at))
}

fn bad_name_in_condition(text: &str) -> Option<(String, usize)> {
    let spoil = |line: &str| vec![line.replacen("post.", "pots.", 1)];
    line(text, |line| line.starts_with("  landed: ") && line.contains("post."), spoil)
}

fn bad_field_in_condition(text: &str) -> Option<(String, usize)> {
    let spoil = |line: &str| {
        let at = line.rfind("post.").expect("the line was chosen for it") + "post.".len();
        vec![format!("{}q{}", &line[..at], &line[at..])]
    };
    line(text, |line| line.starts_with("  landed: ") && line.contains("post."), spoil)
}

fn duplicate_key(text: &str) -> Option<(String, usize)> {
    let twice = |line: &str| vec![line.to_owned(), line.to_owned()];
    line(text, |line| line.starts_with("world: "), twice).map(|(text, at)| (text, at + 1))
}

fn cut_condition(text: &str) -> Option<(String, usize)> {
    let plain = |line: &str| line.starts_with("  landed: post.");
    line(text, plain, |line| vec![format!("{line} # && true")])
}

fn unknown_tool(text: &str) -> Option<(String, usize)> {
    line(text, |line| line.trim().starts_with("- call: "), |line| vec![format!("{line}x")])
}

fn unknown_argument(text: &str) -> Option<(String, usize)> {
    let spoil = |line: &str| vec![line.replacen("with: { ", "with: { q", 1)];
    line(text, |line| line.trim().starts_with("with: { "), spoil)
}

fn unknown_axis(text: &str) -> Option<(String, usize)> {
    let spoil = |line: &str| vec![line.replacen("when: { kind:", "when: { kinds:", 1)];
    line(text, |line| line.contains("when: { kind:"), spoil)
}

fn dead_part(text: &str) -> Option<(String, usize)> {
    let stage =
        "  - when: { kind: attack, trigger: tool-call, transform: share, revocation: in-flight }";
    let dead = |line: &str| vec![line.to_owned(), stage.to_owned(), "    compact:".to_owned()];
    line(text, |line| line == "stages:", dead).map(|(text, at)| (text, at + 1))
}

/// Puts other words into the first line that holds these, of an approval in advance.
fn allowance(text: &str, words: &str, put: &str) -> Option<(String, usize)> {
    let is_approval = text.contains("\n  - allow:\n");
    line(text, |line| is_approval && line.contains(words), |line| vec![line.replace(words, put)])
}

/// Ways to spoil an approval in advance, which few files have.
const ALLOWANCES: &[(&str, Spoil)] = &[
    ("a tool that there is not", |text| allowance(text, "tool: send_payment", "tool: send_pay")),
    ("an argument that the tool has not", |text| {
        allowance(text, "arguments: { payee: any,", "arguments: { paye: any,")
    }),
    ("an argument that a call must have is gone", |text| {
        allowance(text, "arguments: { payee: any,", "arguments: {")
    }),
    ("a value that is no list", |text| {
        allowance(text, "arguments: { payee: any,", "arguments: { payee: all,")
    }),
    ("a limit of what is no number", |text| {
        allowance(text, "limit: { argument: amount,", "limit: { argument: payee,")
    }),
    ("a limit of what is not covered", |text| {
        allowance(text, "limit: { argument: amount,", "limit: { argument: note,")
    }),
    ("a limit that is no amount", |text| allowance(text, "each: 200,", "each: 2e2,")),
    ("half a limit", |text| allowance(text, " total: 1500 }", " }")),
    ("a channel that there is not", |text| allowance(text, "source: mail", "source: mails")),
    ("a channel by which nothing comes in", |text| {
        allowance(text, "source: mail", "source: memory")
    }),
    ("content that there is not", |text| {
        allowance(text, "source: mail", "source: { delivery: letter }")
    }),
    ("no use at all", |text| allowance(text, "uses: 3", "uses: 0")),
    ("an end that is no number", |text| allowance(text, "expires: 7776000", "expires: never")),
    ("a key that there is not", |text| allowance(text, "      uses: 3", "      use: 3")),
    ("a name for two", |text| {
        let (text, _) = allowance(text, "name: small-bills", "name: bills")?;
        let at = text.lines().position(|line| line == "      name: bills")?;
        let second = text.lines().skip(at + 1).position(|line| line == "      name: bills")?;
        Some((text, at + second + 2))
    }),
    ("a withdrawal of what there is not", |text| {
        allowance(text, "withdraw: { allowed: bills }", "withdraw: { allowed: bill }")
    }),
    ("a withdrawal before it is given", |text| {
        let early =
            |line: &str| vec![line.to_owned(), "  - withdraw: { allowed: bills }".to_owned()];
        let is_approval = text.contains("\n  - allow:\n");
        let (text, at) = line(text, |line| is_approval && line == "stages:", early)?;
        Some((text, at + 1))
    }),
];

const SPOILS: &[(&str, Spoil)] = &[
    ("a part that no row has", dead_part),
    ("a key of an approval is gone", deleted_key),
    ("a key at the top is gone", deleted_top_key),
    ("the state has no such key", wrong_state),
    ("the state has no such path", wrong_path),
    ("a condition's name", bad_name_in_condition),
    ("a condition's field", bad_field_in_condition),
    ("a key twice", duplicate_key),
    ("a condition cut by a comment", cut_condition),
    ("a tool that there is not", unknown_tool),
    ("an argument that there is not", unknown_argument),
    ("an axis that there is not", unknown_axis),
];

fn files() -> Sources {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/sleeper");
    Sources::folder(folder.as_ref()).expect("the folder is a part of the project")
}

#[test]
fn every_file_is_read_without_a_mistake() {
    assert_eq!(files().read().unwrap().len(), 16);
}

#[test]
fn every_way_to_spoil_a_file_is_named_with_its_line() {
    for ((what, _), count) in SPOILS.iter().zip(spoil_all(SPOILS)) {
        assert!(count >= 4, "`{what}` fits {count} files only");
    }
    for ((what, _), count) in ALLOWANCES.iter().zip(spoil_all(ALLOWANCES)) {
        assert!(count >= 1, "`{what}` fits no file");
    }
}

/// Spoils each file in each way, and expects the mistake at its line. How many files each way fits.
fn spoil_all(spoils: &[(&str, Spoil)]) -> Vec<usize> {
    let sources = files();
    let is_world = |name: &str| name.contains("worlds");
    let worlds: Vec<(String, String)> =
        sources.0.iter().filter(|(name, _)| is_world(name)).cloned().collect();
    let mut fits: Vec<usize> = vec![0; spoils.len()];
    for (name, text) in &sources.0 {
        for (number, (what, spoil)) in spoils.iter().enumerate() {
            let Some((text, line)) = spoil(text) else { continue };
            let others = worlds.iter().filter(|(other, _)| other != name).cloned();
            let changed = Sources(others.chain([(name.clone(), text)]).collect());
            let read = changed.read().map(|_| ());
            let mistakes = read.expect_err(&format!("{name}: {what}"));
            let named = mistakes.0.iter().any(|one| one.file == *name && one.line == line);
            assert!(named, "{name}: {what}: line {line}, found\n{mistakes}");
            assert!(mistakes.0.iter().all(|one| one.file == *name), "{name}: {what}:\n{mistakes}");
            fits[number] += 1;
        }
    }
    fits
}
