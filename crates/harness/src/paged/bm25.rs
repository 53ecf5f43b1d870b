//! BM25 over short texts: plain, deterministic, and without any model.

use std::collections::HashMap;

/// How soon a repeated word stops to count.
const K1: f64 = 1.2;
/// How much a long text is held against itself.
const B: f64 = 0.75;

/// Words that say nothing of what a text is about.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by",
    "can", "could", "did", "do", "does", "for", "from", "get", "had", "has", "have", "he", "her",
    "his", "how", "i", "if", "in", "into", "is", "it", "its", "me", "more", "my", "no", "not",
    "of", "on", "or", "our", "out", "please", "she", "should", "so", "some", "than", "that", "the",
    "their", "them", "then", "there", "they", "this", "to", "up", "was", "we", "were", "what",
    "when", "where", "which", "who", "will", "with", "would", "you", "your",
];

/// The words of a text that count, in order: lower case, cut at whatever is no letter or digit,
/// without stop words, a plural's `s` taken off.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).filter_map(|word| {
        let mut word = word.to_lowercase();
        if STOP_WORDS.binary_search(&word.as_str()).is_ok() {
            return None;
        }
        if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") {
            word.pop();
        }
        Some(word)
    })
}

/// An index of texts by their words.
#[derive(Clone, Debug, Default)]
pub struct Bm25 {
    /// For each word, the texts that hold it and how often, in the order in which they came.
    postings: HashMap<String, Vec<(u32, u32)>>,
    /// How many words each text has.
    lengths: HashMap<u32, u32>,
    total: u64,
}

impl Bm25 {
    /// Takes a text in, under a number that no other has.
    pub fn add(&mut self, number: u32, text: &str) {
        let mut length = 0;
        for word in words(text) {
            length += 1;
            let postings = self.postings.entry(word).or_default();
            match postings.last_mut() {
                Some((last, count)) if *last == number => *count += 1,
                _ => postings.push((number, 1)),
            }
        }
        self.lengths.insert(number, length);
        self.total += u64::from(length);
    }

    /// Takes a text out again.
    pub fn remove(&mut self, number: u32, text: &str) {
        let Some(length) = self.lengths.remove(&number) else { return };
        self.total -= u64::from(length);
        for word in words(text) {
            if let Some(postings) = self.postings.get_mut(&word) {
                postings.retain(|(known, _)| *known != number);
                if postings.is_empty() {
                    self.postings.remove(&word);
                }
            }
        }
    }

    /// The texts that hold a word, in the order in which they came.
    pub fn holding(&self, word: &str) -> impl Iterator<Item = u32> + '_ {
        self.postings.get(word).into_iter().flatten().map(|(number, _)| *number)
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The texts that share a word with the query, with their scores, in the order in which they
    /// came.
    pub fn scores(&self, query: &str) -> Vec<(u32, f64)> {
        let texts = self.lengths.len() as f64;
        let average = (self.total as f64 / texts.max(1.0)).max(1.0);
        let mut asked: Vec<String> = words(query).collect();
        asked.sort_unstable();
        asked.dedup();
        let mut scores: HashMap<u32, f64> = HashMap::new();
        for word in &asked {
            let Some(postings) = self.postings.get(word) else { continue };
            let holding = postings.len() as f64;
            let rarity = ((texts - holding + 0.5) / (holding + 0.5)).ln_1p();
            for (number, count) in postings {
                let length = f64::from(self.lengths.get(number).copied().unwrap_or_default());
                let count = f64::from(*count);
                let weight = count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / average));
                *scores.entry(*number).or_default() += rarity * weight;
            }
        }
        let mut scores: Vec<(u32, f64)> = scores.into_iter().collect();
        scores.sort_unstable_by_key(|(number, _)| *number);
        scores
    }
}

/// Sorts by score, the best first; of equals, the older first.
pub fn rank(scores: &mut [(u32, f64)]) {
    scores.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(texts: &[&str]) -> Bm25 {
        let mut index = Bm25::default();
        for (number, text) in (0..).zip(texts) {
            index.add(number, text);
        }
        index
    }

    fn best(index: &Bm25, query: &str) -> Vec<u32> {
        let mut scores = index.scores(query);
        rank(&mut scores);
        scores.into_iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn stop_words_are_sorted_so_that_they_are_found() {
        assert!(STOP_WORDS.is_sorted());
        assert_eq!(words("The invoices, of the GLASS!").collect::<Vec<_>>(), ["invoice", "glass"]);
    }

    #[test]
    fn rare_and_frequent_words_count_more_and_ties_go_to_the_older() {
        let index =
            index(&["rent is paid monthly", "rent rent rent", "the dentist", "rent is paid"]);
        assert_eq!(best(&index, "what is the rent?"), [1, 3, 0]);
        assert_eq!(best(&index, "dentist rent"), [2, 1, 3, 0]);
        assert!(best(&index, "weather").is_empty());
        let twins = self::index(&["same words", "same words"]);
        assert_eq!(best(&twins, "words"), [0, 1]);
    }

    #[test]
    fn the_score_is_the_formula_s() {
        let index = index(&["alpha beta", "beta gamma delta epsilon"]);
        let scores = index.scores("alpha");
        // idf = ln(1 + (2 - 1 + 0.5) / (1 + 0.5)), tf part with length 2 of an average of 3.
        let expected = 2f64.ln() * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * 2.0 / 3.0));
        assert_eq!(scores.len(), 1);
        assert!((scores[0].1 - expected).abs() < 1e-12, "{scores:?}");
    }

    #[test]
    fn what_was_removed_is_as_if_it_had_never_been_there() {
        let texts = ["rent is due", "rent paid", "a garden"];
        let mut index = index(&texts);
        index.add(9, "rent of the garden");
        index.remove(9, "rent of the garden");
        assert_eq!(index.scores("rent garden"), self::index(&texts).scores("rent garden"));
        assert_eq!(index.len(), 3);
    }
}
