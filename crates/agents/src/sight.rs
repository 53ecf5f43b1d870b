//! What stands in a text that an agent has seen.

use std::ops::Range;

use memchr::memmem;
use serde_json::Value;

/// Whether a value of a call stands in the text, as a reader would find it.
///
/// A text stands there as a whole, not as a part of a longer word; blanks count as one, since a dump
/// folds long lines. A number stands there in any usual form: `50`, `50.0`, `1,050.00`. `null`, a
/// switch, and an empty text need no source.
pub fn shows(text: &str, value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) => true,
        Value::String(wanted) => shows_text(&std::iter::once(text), wanted),
        Value::Number(wanted) => {
            wanted.as_f64().is_some_and(|wanted| numbers(text).any(|number| number == wanted))
        }
        Value::Array(_) | Value::Object(_) => false,
    }
}

/// Whether every leaf of the argument stands in one of the texts.
pub fn all_shown<'t>(texts: &(impl Iterator<Item = &'t str> + Clone), value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(|item| all_shown(texts, item)),
        Value::Object(fields) => fields.values().all(|field| all_shown(texts, field)),
        Value::Null | Value::Bool(_) => true,
        Value::String(wanted) => shows_text(texts, wanted),
        Value::Number(_) => texts.clone().any(|text| shows(text, value)),
    }
}

/// Whether a text stands in one of the others: as it is in any of them, before it is looked for
/// rendered in all.
fn shows_text<'t>(texts: &(impl Iterator<Item = &'t str> + Clone), wanted: &str) -> bool {
    if wanted.is_empty() {
        return texts.clone().next().is_some();
    }
    let finder = memmem::Finder::new(wanted);
    let stands = |text: &str| {
        let mut from = 0;
        while let Some(found) = finder.find(&text.as_bytes()[from..]) {
            let start = from + found;
            if is_whole(text, start..start + wanted.len()) {
                return true;
            }
            from = start + text[start..].chars().next().map_or(1, char::len_utf8);
        }
        false
    };
    // A payload's or a dump's folding may have changed the blanks within the value.
    let is_rendered = |text: &str| find_rendered(text, wanted).is_some();
    texts.clone().any(stands)
        || (wanted.contains(char::is_whitespace) && texts.clone().any(is_rendered))
}

/// Whether no letter or digit goes on at either end.
fn is_whole(text: &str, range: Range<usize>) -> bool {
    let inside = &text[range.clone()];
    let joins = |left: Option<char>, right: Option<char>| {
        left.is_some_and(char::is_alphanumeric) && right.is_some_and(char::is_alphanumeric)
    };
    !joins(text[..range.start].chars().next_back(), inside.chars().next())
        && !joins(inside.chars().next_back(), text[range.end..].chars().next())
}

/// The numbers in a text, read with `,` as a separator of thousands.
fn numbers(text: &str) -> impl Iterator<Item = f64> + '_ {
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'-');
    text.as_bytes()
        .split(move |byte| !is_part(*byte))
        .filter(|run| run.iter().any(u8::is_ascii_digit))
        .filter_map(|run| std::str::from_utf8(run).ok())
        .map(|run| run.trim_matches(|c| matches!(c, '.' | ',')))
        .filter_map(|run| match run.parse() {
            Ok(number) => Some(number),
            Err(_) => run.replace(',', "").parse().ok(),
        })
}

/// Where a text stands in a message that renders it: as it is, or in a YAML dump that has folded
/// and quoted it. Blanks count as one, and `''`, `\"`, `\n`, `\xE9` and the like as what they mean.
pub fn find_rendered(message: &str, wanted: &str) -> Option<Range<usize>> {
    let wanted = wanted.trim();
    let first = wanted.chars().next()?;
    // Two apostrophes are one within single quotes, and two elsewhere.
    let is_ambiguous = wanted.contains("''");
    let mut starts = Starts::new(message, wanted);
    let mut from = 0;
    while let Some(start) = starts.next(from) {
        let here = &message[start..];
        let mut end = rendered_end(here, wanted, true);
        if end.is_none() && is_ambiguous {
            end = rendered_end(here, wanted, false);
        }
        if let Some(end) = end {
            return Some(start..start + end);
        }
        from = start + first.len_utf8();
    }
    None
}

/// Where a rendering of a text may start in a message.
///
/// The word that the text begins with stands there as it is, or as far as a backslash, which begins
/// every escape and every fold.
struct Starts<'m> {
    message: &'m [u8],
    word: &'m [u8],
    finder: memmem::Finder<'m>,
    /// Where the whole word stands next; the message's length where it does not.
    whole: Option<usize>,
}

impl<'m> Starts<'m> {
    fn new(message: &'m str, wanted: &'m str) -> Self {
        let is_word = |c: char| !c.is_whitespace() && !matches!(c, '\\' | '\'');
        let first = wanted.chars().next().map_or(0, char::len_utf8);
        let length = wanted.find(|c| !is_word(c)).unwrap_or(wanted.len()).max(first);
        let word = &wanted.as_bytes()[..length];
        let finder = memmem::Finder::new(word);
        Self { message: message.as_bytes(), word, finder, whole: None }
    }

    /// The first start at or behind `from`, which only ever grows.
    fn next(&mut self, from: usize) -> Option<usize> {
        let whole = if let Some(whole) = self.whole.filter(|whole| *whole >= from) {
            whole
        } else {
            let found = self.finder.find(self.message.get(from..)?);
            found.map_or(self.message.len(), |found| from + found)
        };
        self.whole = Some(whole);
        let broken = memchr::memchr_iter(b'\\', &self.message[from..whole]);
        let broken = broken.map(|at| from + at).find_map(|at| {
            let first = from.max((at + 1).saturating_sub(self.word.len()));
            (first..at).find(|start| self.word.starts_with(&self.message[*start..at]))
        });
        broken.or((whole < self.message.len()).then_some(whole))
    }
}

/// The length of the rendering of `wanted` that `message` begins with; `doubled` says that apostrophes
/// are doubled in it.
fn rendered_end(message: &str, wanted: &str, doubled: bool) -> Option<usize> {
    let (mut at, mut read) = (0, 0);
    loop {
        let same = plain_length(&message.as_bytes()[at..], &wanted.as_bytes()[read..]);
        at += same;
        read += same;
        let mut chars = wanted[read..].chars();
        let Some(next) = chars.next() else { return Some(at) };
        if next.is_whitespace() {
            let rest = chars.as_str().trim_start_matches(char::is_whitespace);
            read = wanted.len() - rest.len();
            at += blank_length(&message[at..])?;
            continue;
        }
        // A fold may stand where the text has no blank.
        while let Some(fold) = fold_length(&message[at..]) {
            at += fold;
        }
        let (shown, length) = read_char(&message[at..], doubled)?;
        if shown != next {
            return None;
        }
        at += length;
        read += next.len_utf8();
    }
}

/// How far both are the same ASCII that stands for itself in every rendering: neither backslash nor
/// apostrophe, nor blanks but single spaces between such characters.
fn plain_length(message: &[u8], wanted: &[u8]) -> usize {
    let is_plain = |at: Option<&u8>| at.is_some_and(|byte| is_plain(*byte));
    let mut at = 0;
    loop {
        at += plain_blocks(&message[at..], &wanted[at..]);
        // What ended the blocks may be a space at a block's end, so they may go on later.
        for _ in 0..BLOCK {
            let (Some(shown), Some(next)) = (message.get(at), wanted.get(at)) else { return at };
            let behind = (message.get(at + 1), wanted.get(at + 1));
            let is_space = *next == b' ' && is_plain(behind.0) && is_plain(behind.1);
            if shown != next || !(is_plain(Some(next)) || is_space) {
                return at;
            }
            at += 1;
        }
    }
}

const BLOCK: usize = 32;

fn is_plain(byte: u8) -> bool {
    matches!(byte, b'!'..=b'&' | b'('..=b'[' | b']'..=b'~')
}

/// The same in whole blocks, which are looked at without a branch a byte. None of them ends with a
/// space, since what follows it is not looked at.
fn plain_blocks(message: &[u8], wanted: &[u8]) -> usize {
    let blocks = message.chunks_exact(BLOCK).zip(wanted.chunks_exact(BLOCK));
    let fits = |(shown, next): &(&[u8], &[u8])| {
        let bytes = shown.iter().zip(*next);
        let other = bytes.fold(0, |any, (shown, next)| {
            any | u8::from(shown != next)
                | u8::from(!matches!(*next, b' '..=b'&' | b'('..=b'[' | b']'..=b'~'))
        });
        let spaces = next.iter().zip(&next[1..]);
        let doubled = spaces
            .fold(0, |any, (one, next)| any | (u8::from(*one == b' ') & u8::from(*next == b' ')));
        other | doubled == 0 && next[BLOCK - 1] != b' '
    };
    BLOCK * blocks.take_while(fits).count()
}

/// The length of the blanks here, written out or escaped; `None` where there is none.
fn blank_length(message: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &message[at..];
        let length = if let Some(fold) = fold_length(rest) {
            fold
        } else if rest.starts_with("\\n") || rest.starts_with("\\t") || rest.starts_with("\\ ") {
            2
        } else if let Some(blank) = rest.chars().next().filter(|c| c.is_whitespace()) {
            blank.len_utf8()
        } else {
            return (at > 0).then_some(at);
        };
        at += length;
    }
}

/// The length of a line's break within a double-quoted scalar: a backslash, the break, the indent,
/// and a backslash again where the next line begins with a blank.
fn fold_length(message: &str) -> Option<usize> {
    let rest = message.strip_prefix("\\\n")?;
    let indent = rest.len() - rest.trim_start_matches(' ').len();
    Some(2 + indent)
}

/// The character that stands here, and how long it is written.
fn read_char(message: &str, doubled: bool) -> Option<(char, usize)> {
    let mut chars = message.chars();
    let first = chars.next()?;
    if doubled && first == '\'' && message.starts_with("''") {
        return Some(('\'', 2));
    }
    if first != '\\' {
        return Some((first, first.len_utf8()));
    }
    let kind = chars.next()?;
    let digits = match kind {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        '"' | '\\' | '/' => return Some((kind, 2)),
        _ => return Some((first, 1)),
    };
    let code = message.get(2..2 + digits)?;
    let code = u32::from_str_radix(code, 16).ok()?;
    Some((char::from_u32(code)?, 2 + digits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_stands_in_a_text_as_a_whole() {
        for (text, value, expected) in [
            ("pay GB29 now", json!("GB29"), true),
            ("pay GB291 now", json!("GB29"), false),
            ("change it to new_word.", json!("new_word"), true),
            ("the price is 1,050.00 today", json!(1050), true),
            ("the price is 50.", json!(50.0), true),
            ("room 150", json!(50), false),
            ("a long\n  name", json!("a long name"), true),
            ("anything", json!(true), true),
            ("anything", json!(""), true),
        ] {
            assert_eq!(shows(text, &value), expected, "{value} in {text:?}");
        }
    }

    #[test]
    fn a_dumped_text_is_found_with_its_range() {
        let wanted = "<A>\nit's \u{e9} \"x\"\n</A>";
        for (message, expected) in [
            ("- subject: <A> it's \u{e9} \"x\" </A>", Some("<A> it's \u{e9} \"x\" </A>")),
            (
                "b: '<A>\n\n  it''s \u{e9} \"x\"\n\n  </A>'",
                Some("<A>\n\n  it''s \u{e9} \"x\"\n\n  </A>"),
            ),
            (r#"b: "<A>\nit's \xE9 \"x\"\n</A>""#, Some(r#"<A>\nit's \xE9 \"x\"\n</A>"#)),
            (
                "b: \"<A>\\nit's \\\n    \\xE9 \\\"x\\\"\\n</A>\"",
                Some("<A>\\nit's \\\n    \\xE9 \\\"x\\\"\\n</A>"),
            ),
            ("<A> it's", None),
        ] {
            let found = find_rendered(message, wanted).map(|range| &message[range]);
            assert_eq!(found, expected, "{message:?}");
        }
    }

    /// Every text of up to three characters, looked for in every message of up to five.
    #[test]
    fn no_start_of_a_rendering_is_passed_over() {
        let texts = |alphabet: &[&str], longest: usize| {
            let mut texts = vec![String::new()];
            for from in 0..longest {
                let longer = texts.iter().filter(|text| text.chars().count() == from);
                let longer =
                    longer.flat_map(|text| alphabet.iter().map(move |c| format!("{text}{c}")));
                texts.extend(longer.collect::<Vec<_>>());
            }
            texts
        };
        let messages = texts(&["a", "b", "\\", "\n", "'"], 5);
        for wanted in texts(&["a", "b", "'", "\\"], 3) {
            let every_start = |message: &String| {
                let first = wanted.chars().next()?;
                message.match_indices(first).find_map(|(start, _)| {
                    let doubled = rendered_end(&message[start..], &wanted, true);
                    let end = match doubled {
                        None if wanted.contains("''") => {
                            rendered_end(&message[start..], &wanted, false)
                        }
                        end => end,
                    };
                    end.map(|end| start..start + end)
                })
            };
            for message in &messages {
                let found = find_rendered(message, &wanted);
                assert_eq!(found, every_start(message), "{wanted:?} in {message:?}");
            }
        }
    }

    #[test]
    fn two_apostrophes_are_found_in_every_style() {
        for message in ["a: {'q': ''}", "a: '{''q'': ''''}'", "a: \"{'q': ''}\""] {
            assert!(find_rendered(message, "{'q': ''}").is_some(), "{message}");
        }
        assert!(find_rendered("a: '{''q'': ''}'", "{'q': ''}").is_none());
    }
}
