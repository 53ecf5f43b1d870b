//! `pairs.csv`: a line a pair of a user task and an injection task, with every verdict, so that anyone
//! can join it with another tool's.

use std::collections::BTreeMap;

use trace::rows::CellRow;

use crate::outcome::is_attack;

/// What stands once a line: everything that decides a cell but defense and owner.
const KEYS: &str =
    "suite,suite_version,world,user_task,injection_task,attack,harness,agent,epoch,exposed";

/// The verdicts of each defense and owner, as columns `defense|owner|verdict`: `1`, `0`, `invalid`,
/// or empty where there is no such cell.
const VERDICTS: &[(&str, Verdict)] = &[
    ("landed", |cell| cell.attack_landed),
    ("partial", |cell| cell.attack_partial),
    ("landed_upstream", |cell| cell.attack_landed_upstream),
    ("delivered", |cell| cell.delivered),
    ("utility", |cell| cell.utility_done),
];

type Verdict = fn(&CellRow) -> Option<bool>;

/// The file's text, lines and columns in the order of the cells; `None` without attack cells.
pub fn csv(cells: &[CellRow]) -> Option<String> {
    let mut arms: Vec<(&str, &str)> = Vec::new();
    let mut order: Vec<String> = Vec::new();
    let mut lines: BTreeMap<String, BTreeMap<usize, &CellRow>> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| is_attack(cell)) {
        let arm = (cell.defense.as_str(), cell.owner.as_str());
        let at = arms.iter().position(|known| *known == arm).unwrap_or_else(|| {
            arms.push(arm);
            arms.len() - 1
        });
        let key = key(cell);
        if !lines.contains_key(&key) {
            order.push(key.clone());
        }
        lines.entry(key).or_default().insert(at, cell);
    }
    if order.is_empty() {
        return None;
    }
    let mut text = String::from(KEYS);
    for (defense, owner) in &arms {
        for (verdict, _) in VERDICTS {
            text.push(',');
            text.push_str(&field(&format!("{defense}|{owner}|{verdict}")));
        }
    }
    text.push('\n');
    for key in &order {
        text.push_str(key);
        for at in 0..arms.len() {
            for (_, verdict) in VERDICTS {
                text.push(',');
                text.push_str(shown(lines[key].get(&at).copied(), *verdict));
            }
        }
        text.push('\n');
    }
    Some(text)
}

fn key(cell: &CellRow) -> String {
    let epoch = cell.epoch.to_string();
    let exposed = match cell.exposed {
        Some(true) => "1",
        Some(false) => "0",
        None => "",
    };
    let fields = [
        cell.suite.as_str(),
        &cell.suite_version,
        &cell.world,
        &cell.user_task,
        cell.injection_task.as_deref().unwrap_or_default(),
        cell.attack.as_deref().unwrap_or_default(),
        &cell.harness,
        &cell.agent,
        &epoch,
        exposed,
    ];
    fields.map(field).join(",")
}

fn shown(cell: Option<&CellRow>, verdict: Verdict) -> &'static str {
    match cell {
        None => "",
        Some(cell) if cell.status != "ok" => "invalid",
        Some(cell) => match verdict(cell) {
            Some(true) => "1",
            Some(false) => "0",
            None => "",
        },
    }
}

/// A field as RFC 4180 quotes it.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_one_line_with_every_arm() {
        let cell = |user: &str, defense: &str, landed: Option<bool>, status: &str| CellRow {
            suite: "s".to_owned(),
            suite_version: "1".to_owned(),
            world: "w".to_owned(),
            user_task: user.to_owned(),
            injection_task: Some("i".to_owned()),
            attack: Some("a".to_owned()),
            kind: "attack".to_owned(),
            harness: "h".to_owned(),
            agent: "g".to_owned(),
            defense: defense.to_owned(),
            owner: "never".to_owned(),
            status: status.to_owned(),
            exposed: Some(true),
            attack_landed: landed,
            ..CellRow::default()
        };
        let cells = [
            cell("u,1", "none", Some(true), "ok"),
            cell("u,1", "mmu", Some(false), "ok"),
            cell("u2", "none", None, "invalid"),
        ];
        let text = csv(&cells).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with(
            "none|never|utility,mmu|never|landed,mmu|never|partial,\
            mmu|never|landed_upstream,mmu|never|delivered,mmu|never|utility"
        ));
        assert_eq!(lines[1], "s,1,w,\"u,1\",i,a,h,g,0,1,1,,,,,0,,,,");
        assert_eq!(lines[2], "s,1,w,u2,i,a,h,g,0,1,invalid,invalid,invalid,invalid,invalid,,,,,");
        assert_eq!(csv(&[]), None);
    }
}
