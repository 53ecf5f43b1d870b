//! `--partition`: which of a plan's jobs one machine does, where several share it.
//!
//! All jobs of a scenario stay together, so what they find out about it stands in one place.
//! `hash:I/N` goes by what decides a scenario, and stays as it is when others are added; `slice:I/N`
//! cuts the plan's order into even runs of scenarios.

use std::fmt;
use std::sync::Arc;

use trace::ids::CellId;

use crate::plan::Plan;

/// The most parts of a plan.
const PARTS_MAX: u64 = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Hash,
    Slice,
}

/// One part of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    by: By,
    /// From 1.
    index: u64,
    count: u64,
}

impl Partition {
    /// Reads `hash:I/N` or `slice:I/N`, with I from 1 to N.
    ///
    /// # Errors
    /// What was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expected = || "expected `hash:I/N` or `slice:I/N`, with I from 1 to N".to_owned();
        let (by, part) = text.split_once(':').ok_or_else(expected)?;
        let by = match by {
            "hash" => By::Hash,
            "slice" => By::Slice,
            _ => return Err(expected()),
        };
        let (index, count) = part.split_once('/').ok_or_else(expected)?;
        let index: u64 = index.parse().map_err(|_| expected())?;
        let count: u64 = count.parse().map_err(|_| expected())?;
        if count > PARTS_MAX {
            return Err(format!("expected at most {PARTS_MAX} parts"));
        }
        if !(1..=count).contains(&index) {
            return Err(expected());
        }
        Ok(Self { by, index, count })
    }

    /// Which of so many parts this is, from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// How many parts there are.
    pub fn count(self) -> u64 {
        self.count
    }

    /// The numbers of the plan's jobs in this part, in order.
    pub fn jobs(self, plan: &Plan) -> Vec<usize> {
        let mut scenario: u64 = 0;
        let mut scenarios = Vec::with_capacity(plan.jobs.len());
        for (at, job) in plan.jobs.iter().enumerate() {
            let same = at > 0 && Arc::ptr_eq(&plan.jobs[at - 1].scenario, &job.scenario);
            scenario += u64::from(at > 0 && !same);
            scenarios.push((scenario, &*job.digest));
        }
        let all = scenarios.last().map_or(0, |(last, _)| last + 1);
        let numbered = scenarios.into_iter().enumerate();
        numbered.filter(|(_, one)| self.has(*one, all)).map(|(at, _)| at).collect()
    }

    /// Whether a scenario is in this part, by its place among so many and its digest.
    fn has(self, (place, digest): (u64, &str), all: u64) -> bool {
        let part = match self.by {
            By::Hash => CellId::of(&[digest]).seed() % self.count,
            By::Slice => place * self.count / all.max(1),
        };
        part == self.index - 1
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = match self.by {
            By::Hash => "hash",
            By::Slice => "slice",
        };
        write!(out, "{by}:{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_is_in_exactly_one_part() {
        for (by, count) in
            [("hash", 1), ("hash", 3), ("hash", 7), ("slice", 1), ("slice", 4), ("slice", 50)]
        {
            let parts: Vec<Partition> = (1..=count)
                .map(|index| Partition::parse(&format!("{by}:{index}/{count}")).unwrap())
                .collect();
            for all in [1, 5, 40, 1_000] {
                let mut sizes = vec![0_u64; parts.len()];
                for place in 0..all {
                    let digest = format!("scenario {place}");
                    let homes: Vec<usize> = (0..parts.len())
                        .filter(|at| parts[*at].has((place, &digest), all))
                        .collect();
                    assert_eq!(homes.len(), 1, "{by} {count} {all} {place}");
                    sizes[homes[0]] += 1;
                }
                let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
                assert!(by == "hash" || most - least <= 1, "{by} {count} {all}: {sizes:?}");
            }
        }
    }

    #[test]
    fn a_part_reads_as_it_is_shown() {
        for text in ["hash:1/1", "slice:3/3", "hash:10000/10000"] {
            assert_eq!(Partition::parse(text).unwrap().to_string(), text);
        }
        for text in
            ["", "hash", "hash:0/3", "hash:4/3", "slice:1", "slice:a/b", "run:1/2", "hash:1/0"]
        {
            assert!(
                Partition::parse(text).unwrap_err().starts_with("expected `hash:I/N`"),
                "{text}"
            );
        }
        assert_eq!(Partition::parse("hash:1/10001").unwrap_err(), "expected at most 10000 parts");
    }
}
