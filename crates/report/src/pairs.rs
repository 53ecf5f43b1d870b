//! `pairs.csv`: a line a pair of a user task and an injection task, with every verdict, so that anyone
//! can join it with another tool's.

use std::collections::HashMap;

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

/// The lines of `pairs.csv`, gathered as cells come: a verdict is two bits, so that a cell takes two
/// bytes, and what lines share beside their epochs is held once.
#[derive(Default)]
pub struct Pairs {
    /// Defenses with owners, in the order in which they came.
    arms: Vec<Arm>,
    /// What stands before and behind the epochs of lines.
    places: Vec<(String, &'static str)>,
    by_place: HashMap<(String, &'static str), u32>,
    /// The place and the epoch of each line, in order.
    lines: Vec<(u32, u32)>,
    by_line: HashMap<(u32, u32), usize>,
}

/// A defense with an owner.
struct Arm {
    defense: String,
    owner: String,
    /// The verdicts by line, as [`packed`]; [`ABSENT`] where there is no such cell.
    verdicts: Vec<u16>,
}

const ABSENT: u16 = u16::MAX;
const INVALID: u16 = ABSENT - 1;

impl Pairs {
    /// Adds a cell; one without an attack has no line.
    pub fn add(&mut self, cell: &CellRow) {
        if !is_attack(cell) {
            return;
        }
        let of = |arm: &Arm| arm.defense == cell.defense && arm.owner == cell.owner;
        let arm = self.arms.iter().position(of).unwrap_or_else(|| {
            let (defense, owner) = (cell.defense.clone(), cell.owner.clone());
            self.arms.push(Arm { defense, owner, verdicts: Vec::new() });
            self.arms.len() - 1
        });
        let line = self.line(cell);
        let verdicts = &mut self.arms[arm].verdicts;
        if verdicts.len() <= line {
            verdicts.resize(line + 1, ABSENT);
        }
        verdicts[line] = packed(cell);
    }

    /// The number of a cell's line.
    fn line(&mut self, cell: &CellRow) -> usize {
        let place = place(cell);
        let number = if let Some(number) = self.by_place.get(&place) {
            *number
        } else {
            let number = u32::try_from(self.places.len()).expect("places are kept in memory");
            self.places.push(place.clone());
            self.by_place.insert(place, number);
            number
        };
        let line = (number, cell.epoch);
        *self.by_line.entry(line).or_insert_with(|| {
            self.lines.push(line);
            self.lines.len() - 1
        })
    }

    /// The file's lines, the header first, lines and columns in the order of the cells; none without
    /// attack cells.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let header = (!self.lines.is_empty()).then(|| self.header());
        header.into_iter().chain((0..self.lines.len()).map(|line| self.text(line)))
    }

    fn header(&self) -> String {
        let mut text = String::from(KEYS);
        for Arm { defense, owner, .. } in &self.arms {
            for (verdict, _) in VERDICTS {
                text.push(',');
                text.push_str(&field(&format!("{defense}|{owner}|{verdict}")));
            }
        }
        text
    }

    fn text(&self, line: usize) -> String {
        let (place, epoch) = self.lines[line];
        let (before, exposed) = &self.places[place as usize];
        let mut text = format!("{before},{epoch},{exposed}");
        for arm in &self.arms {
            let verdicts = arm.verdicts.get(line).copied().unwrap_or(ABSENT);
            for at in 0..VERDICTS.len() {
                text.push(',');
                text.push_str(shown(verdicts, at));
            }
        }
        text
    }
}

/// What stands before a line's epoch and behind it.
fn place(cell: &CellRow) -> (String, &'static str) {
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
    ];
    (fields.map(field).join(","), exposed)
}

/// A cell's verdicts, two bits each: none, no, yes.
fn packed(cell: &CellRow) -> u16 {
    if cell.status != "ok" {
        return INVALID;
    }
    let bits = |verdict: &Verdict| match verdict(cell) {
        None => 0,
        Some(false) => 1,
        Some(true) => 2,
    };
    VERDICTS.iter().rev().fold(0, |packed, (_, verdict)| packed << 2 | bits(verdict))
}

fn shown(verdicts: u16, at: usize) -> &'static str {
    match verdicts {
        ABSENT => "",
        INVALID => "invalid",
        _ => ["", "0", "1"][usize::from(verdicts >> (2 * at) & 3)],
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
        let mut pairs = Pairs::default();
        assert_eq!(pairs.lines().count(), 0);
        for cell in &cells {
            pairs.add(cell);
        }
        let lines: Vec<String> = pairs.lines().collect();
        assert!(lines[0].ends_with(
            "none|never|utility,mmu|never|landed,mmu|never|partial,\
            mmu|never|landed_upstream,mmu|never|delivered,mmu|never|utility"
        ));
        assert_eq!(lines[1], "s,1,w,\"u,1\",i,a,h,g,0,1,1,,,,,0,,,,");
        assert_eq!(lines[2], "s,1,w,u2,i,a,h,g,0,1,invalid,invalid,invalid,invalid,invalid,,,,,");
    }
}
