//! A prompted agent's output as upstream reads it: words, then segments between the markers of `ReAct`.

/// The markers, in the order in which upstream lists them.
const MARKERS: &[(&str, Key)] = &[
    ("Thought:", Key::Thought),
    ("Action:", Key::Action),
    ("Action Input:", Key::ActionInput),
    ("Observation:", Key::Observation),
    ("Final Answer:", Key::FinalAnswer),
];

/// What a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// Text before the first marker.
    None,
    /// Behind `Thought:`.
    Thought,
    /// Behind `Action:`.
    Action,
    /// Behind `Action Input:`.
    ActionInput,
    /// Behind `Observation:`.
    Observation,
    /// Behind `Final Answer:`.
    FinalAnswer,
}

/// A marker and the text up to the next one, without blanks around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What it is.
    pub key: Key,
    /// Its text.
    pub text: String,
}

/// The text between the markers, in order. Text before the first marker counts only if there is any.
pub fn segments(text: &str) -> Vec<Segment> {
    let mut out = Vec::new();
    let mut key = Key::None;
    let mut rest = text;
    loop {
        let next = MARKERS
            .iter()
            .filter_map(|(marker, key)| Some((rest.find(marker)?, *marker, *key)))
            .min_by_key(|(at, _, _)| *at);
        let (value, following) = match next {
            Some((at, marker, next)) => (&rest[..at], Some((&rest[at + marker.len()..], next))),
            None => (rest, None),
        };
        let value = strip(value);
        if key != Key::None || !value.is_empty() {
            out.push(Segment { key, text: value.to_owned() });
        }
        match following {
            Some((behind, next)) => (rest, key) = (behind, next),
            None => return out,
        }
    }
}

/// The arguments within an action's input: `{}` for `N/A` and `None`, else the longest (the first of
/// equals) of the shortest runs from a `{` to the next `}`, so nested objects are cut short; `None`
/// where there is no such run.
pub fn arguments(input: &str) -> Option<&str> {
    if matches!(input, "N/A" | "None") {
        return Some("{}");
    }
    let mut best: Option<&str> = None;
    let mut rest = input;
    while let Some(start) = rest.find('{') {
        let Some(length) = rest[start..].find('}') else { break };
        let run = &rest[start..=start + length];
        if best.is_none_or(|best| run.chars().count() > best.chars().count()) {
            best = Some(run);
        }
        rest = &rest[start + length + 1..];
    }
    best
}

/// The words of a text, as Python's `str.split` finds them.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_blank).filter(|word| !word.is_empty())
}

fn strip(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// What Python takes for white space: Unicode's, and the four separators of ASCII.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_lie_between_markers() {
        let found = segments("Hm Thought: t Action: A Action Input: {} Final Answer:");
        let found: Vec<(Key, &str)> = found.iter().map(|one| (one.key, &*one.text)).collect();
        let expected = [
            (Key::None, "Hm"),
            (Key::Thought, "t"),
            (Key::Action, "A"),
            (Key::ActionInput, "{}"),
            (Key::FinalAnswer, ""),
        ];
        assert_eq!(found, expected);
        assert_eq!(segments(" Thought: t")[0].key, Key::Thought, "blanks are no segment");
        assert_eq!(segments("no marker")[0].key, Key::None);
    }

    #[test]
    fn arguments_are_the_longest_of_the_shortest_runs() {
        for (input, expected) in [
            ("None", Some("{}")),
            ("N/A", Some("{}")),
            ("x {\"a\": {\"b\": 1}} y", Some("{\"a\": {\"b\": 1}")),
            ("{a} {bb} {cc}", Some("{bb}")),
            ("{ never closed", None),
            ("nothing", None),
        ] {
            assert_eq!(arguments(input), expected, "{input}");
        }
    }
}
