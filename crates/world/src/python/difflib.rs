//! Python's `difflib.SequenceMatcher(None, a, b).ratio()`, the rule for popular elements included.

use std::collections::HashMap;

/// From so many elements on, those that make up more than one in a hundred are not looked for.
const POPULAR_FROM: usize = 200;

/// How alike two texts are, from 0 to 1.
pub fn ratio(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let total = a.len() + b.len();
    if total == 0 {
        return 1.0;
    }
    let matcher = Matcher { a: &a, places: places(&b), b: &b };
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
    places: HashMap<char, Vec<usize>>,
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
        let mut lengths: HashMap<usize, usize> = HashMap::new();
        for at in a_from..a_to {
            let mut next = HashMap::new();
            for &place in self.places.get(&self.a[at]).map_or(&[] as &[usize], Vec::as_slice) {
                if place < b_from {
                    continue;
                }
                if place >= b_to {
                    break;
                }
                let before = place.checked_sub(1).and_then(|before| lengths.get(&before));
                let length = before.copied().unwrap_or(0) + 1;
                next.insert(place, length);
                if length > size {
                    (i, j, size) = (at + 1 - length, place + 1 - length, length);
                }
            }
            lengths = next;
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
