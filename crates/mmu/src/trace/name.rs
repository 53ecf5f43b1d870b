//! Names: NFKC, case-folded, white space collapsed.

use unicode_normalization::UnicodeNormalization;

use super::text;

/// The longest run of white space that counts as one space in an ASCII text.
const MAX_SPACE: usize = 64;

/// The folded form of a text: NFKC and case folding, and every run of white space one space.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for chunk in text.split_inclusive(char::is_whitespace) {
        if chunk.is_ascii() {
            chunk.chars().for_each(|c| push(&mut folded, c.to_ascii_lowercase()));
        } else {
            let composed: String = chunk.nfkc().collect();
            caseless::default_case_fold_str(&composed).nfkc().for_each(|c| push(&mut folded, c));
        }
    }
    folded
}

fn push(folded: &mut String, c: char) {
    if !c.is_whitespace() {
        folded.push(c);
    } else if !folded.ends_with(' ') {
        folded.push(' ');
    }
}

/// Whether the folded name stands in a folded text at `at`.
pub(crate) fn is_at_folded(text: &str, at: usize, name: &str) -> bool {
    let end = at + name.len();
    text.get(at..end) == Some(name) && begins(text, at) && ends(text, end)
}

/// Whether the folded name stands in an ASCII text where its byte `anchor` stands at `at`.
pub(crate) fn is_at_ascii(text: &str, at: usize, name: &str, anchor: usize) -> bool {
    let (bytes, name) = (text.as_bytes(), name.as_bytes());
    let Some(start) = backward(bytes, at, &name[..anchor]) else { return false };
    let Some(end) = forward(bytes, at, &name[anchor..]) else { return false };
    begins(text, start) && ends(text, end)
}

fn is_space(byte: u8) -> bool {
    char::from(byte).is_whitespace()
}

fn forward(text: &[u8], mut at: usize, name: &[u8]) -> Option<usize> {
    for &expected in name {
        if expected == b' ' {
            let run =
                text[at..].iter().take(MAX_SPACE + 1).take_while(|byte| is_space(**byte)).count();
            (1..=MAX_SPACE).contains(&run).then_some(())?;
            at += run;
        } else {
            (text.get(at)?.to_ascii_lowercase() == expected).then_some(())?;
            at += 1;
        }
    }
    Some(at)
}

fn backward(text: &[u8], mut at: usize, name: &[u8]) -> Option<usize> {
    for &expected in name.iter().rev() {
        if expected == b' ' {
            let before = text[..at].iter().rev();
            let run = before.take(MAX_SPACE + 1).take_while(|byte| is_space(**byte)).count();
            (1..=MAX_SPACE).contains(&run).then_some(())?;
            at -= run;
        } else {
            at = at.checked_sub(1)?;
            (text[at].to_ascii_lowercase() == expected).then_some(())?;
        }
    }
    Some(at)
}

/// A name may stand behind `#` or `@`, as channels and users are written.
fn begins(text: &str, at: usize) -> bool {
    text::begins(text, at)
        || (matches!(text::before(text, at), Some('#' | '@')) && text::begins(text, at - 1))
}

/// A name may be followed by a possessive.
fn ends(text: &str, at: usize) -> bool {
    text::ends(text, at)
        || ["'s", "’s"].into_iter().any(|possessive| {
            text[at..].starts_with(possessive) && text::ends(text, at + possessive.len())
        })
}
