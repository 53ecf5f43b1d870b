//! Python's `difflib.SequenceMatcher(None, a, b).ratio()`, the rule for popular elements included.

use std::collections::HashMap;

/// From so many elements on, those that make up more than one in a hundred are not looked for.
const POPULAR_FROM: usize = 200;

/// How alike two texts are, from 0 to 1.
pub fn ratio(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let total = a.len() + b.len();
    // Of equal texts the longest block lies at the same place in both, and grows to the whole.
    if a == b {
        return 1.0;
    }
    let places = places(&b);
    let of = |element| places.get(element).map_or(&[] as &[usize], Vec::as_slice);
    let matcher = Matcher { a: &a, b: &b, places: a.iter().map(of).collect() };
    2.0 * matcher.matches() as f64 / total as f64
}

/// Where each element stands in the second sequence, popular ones left out.
fn places(b: &[char]) -> HashMap<char, Vec<usize>> {
    let mut places: HashMap<char, Vec<usize>> = HashMap::new();
    for (at, element) in b.iter().enumerate() {
        places.entry(*element).or_default().push(at);
    }
    if b.len() >= POPULAR_FROM {
        let limit = b.len() / 100 + 1;
        places.retain(|_, found| found.len() <= limit);
    }
    places
}

struct Matcher<'s> {
    a: &'s [char],
    b: &'s [char],
    /// Where each element of the first sequence stands in the second.
    places: Vec<&'s [usize]>,
}

/// A part of both sequences: from and to in the first, from and to in the second.
type Window = (usize, usize, usize, usize);

impl Matcher<'_> {
    /// The elements of all matching blocks.
    fn matches(&self) -> usize {
        let mut sum = 0;
        let mut queue = vec![(0, self.a.len(), 0, self.b.len())];
        while let Some((a_from, a_to, b_from, b_to)) = queue.pop() {
            let (i, j, size) = self.longest((a_from, a_to, b_from, b_to));
            if size == 0 {
                continue;
            }
            sum += size;
            if a_from < i && b_from < j {
                queue.push((a_from, i, b_from, j));
            }
            if i + size < a_to && j + size < b_to {
                queue.push((i + size, a_to, j + size, b_to));
            }
        }
        sum
    }

    /// The longest block, the earliest in the first sequence and then in the second; it is made
    /// longer by popular elements beside it.
    fn longest(&self, (a_from, a_to, b_from, b_to): Window) -> (usize, usize, usize) {
        let (mut i, mut j, mut size) = (a_from, b_from, 0);
        // The length of the block that ends at each place of the second sequence, behind a zero, for
        // the last element of the first and the one before it.
        let (mut lengths, mut next) = (vec![0; b_to - b_from + 1], vec![0; b_to - b_from + 1]);
        let within = |places: &[usize]| {
            let start = places.partition_point(|place| *place < b_from);
            start..places.partition_point(|place| *place < b_to)
        };
        for at in a_from..a_to {
            let places = self.places[at];
            for place in &places[within(places)] {
                let place = place - b_from;
                let length = lengths[place] + 1;
                next[place + 1] = length;
                if length > size {
                    (i, j, size) = (at + 1 - length, b_from + place + 1 - length, length);
                }
            }
            if at > a_from {
                let before = self.places[at - 1];
                before[within(before)].iter().for_each(|place| lengths[place - b_from + 1] = 0);
            }
            std::mem::swap(&mut lengths, &mut next);
        }
        while i > a_from && j > b_from && self.a[i - 1] == self.b[j - 1] {
            (i, j, size) = (i - 1, j - 1, size + 1);
        }
        while i + size < a_to && j + size < b_to && self.a[i + size] == self.b[j + size] {
            size += 1;
        }
        (i, j, size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_pythons() {
        let long = "abcdefghij".repeat(25);
        let changed = long.replacen("cde", "xyz", 3);
        let cases = [
            ("", "", 1.0),
            (&long, &long, 1.0),
            ("abc", "", 0.0),
            ("abcd", "bcde", 0.75),
            ("qabxcd", "abycdf", 0.666_666_666_666_666_6),
            (
                "private Thread currentThread;",
                "private volatile Thread currentThread;",
                0.865_671_641_791_044_7,
            ),
            (&long, &changed, RATIO),
        ];
        for (a, b, expected) in cases {
            assert!((ratio(a, b) - expected).abs() < 1e-15, "{a} {b}");
        }
    }

    /// With every element popular, nothing is looked for, and blocks grow from the start alone.
    const RATIO: f64 = 0.008;
}
