//! What is wrong in an approval in advance is named with line, column and a hint.

use suites::sleeper::Sources;

/// The suite's own file, with other words put in the place of the first that read so.
fn mistakes(words: &str, put: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/sleeper");
    let sources = Sources::folder(folder.as_ref()).expect("the folder is a part of the project");
    let wanted =
        |name: &str| name.ends_with("standing-order.yaml") || name.ends_with("banking.yaml");
    let files = sources.0.into_iter().filter(|(name, _)| wanted(name)).map(|(name, text)| {
        let short = name.rsplit('/').next().unwrap_or_default().to_owned();
        let spoilt =
            if short == "standing-order.yaml" { text.replacen(words, put, 1) } else { text };
        (short, spoilt)
    });
    match Sources(files.collect()).read() {
        Ok(_) => "no mistake".to_owned(),
        Err(mistakes) => mistakes.to_string(),
    }
}

#[test]
fn each_has_its_place_and_a_hint() {
    assert_eq!(mistakes("x y z", ""), "no mistake");
    let mut wrong = Vec::new();
    let payee = "{ payee: any, amount: any }";
    for (words, put, expected) in [
        (
            "tool: send_payment",
            "tool: send_pay",
            "13: there is no tool `send_pay`\n  hint: known: ",
        ),
        (
            payee,
            "{ payee: any, amunt: any, amount: any }",
            "32: `send_payment` has no argument `amunt`\n  hint: did you mean `amount`?",
        ),
        (
            payee,
            "{ amount: any }",
            "18: no call of `send_payment` is covered without `payee`\n  hint: add `payee: any`",
        ),
        (
            payee,
            "{ payee: DE1, amount: any }",
            "27: `payee` must be `any` or a list of values\n  hint: a single value is a list, too: [DE1]",
        ),
        (payee, "{ payee: any, amount: [much] }", "41: `amount` must be a number, found a text"),
        (
            "argument: amount, each",
            "argument: payee, each",
            "26: `payee` is no number\n  hint: known: amount",
        ),
        (
            "argument: amount, each",
            "argument: amont, each",
            "26: `amont` is not among `arguments`\n  hint: did you mean `amount`?",
        ),
        (
            "each: 200",
            "each: -1",
            "40: `each` is no amount\n  hint: digits, at most nine of them behind a point",
        ),
        (
            "source: mail",
            "source: mial",
            "15: `source` is not `mial`\n  hint: did you mean `mail`?",
        ),
        (
            "source: mail",
            "source: { seed: unrelatd }",
            "23: there is no seed `unrelatd`\n  hint: did you mean `unrelated`?",
        ),
        ("source: mail", "source: { page: 7 }", "17: content has no key `page`"),
        ("uses: 3", "uses: 0", "13: `uses` must be at least 1"),
        (
            "withdraw: { allowed: bills }",
            "withdraw: { allowed: bils }",
            "26: there is no approval in advance `bils`\n  hint: did you mean `bills`?",
        ),
        (
            "  - session: plant\n",
            "  - withdraw: { allowed: bills }\n  - session: plant\n",
            "26: `bills` is withdrawn before it is given\n  hint: let it be given in an earlier stage or \
             moment",
        ),
        ("name: small-bills", "name: bills", "13: there are two approvals in advance `bills`"),
    ] {
        let said = mistakes(words, put);
        let found = said.split("standing-order.yaml:").any(|one| {
            one.split_once(':').is_some_and(|(line, rest)| {
                line.parse::<usize>().is_ok() && rest.starts_with(expected)
            })
        });
        if !found {
            wrong.push(format!("{put}: expected {expected}, found\n{said}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
