//! Token boundaries: where a value may begin and end in a text.
//!
//! A value is found only where it stands as a token of its own: `a@b.co` is not in `aa@b.com`, and
//! `new_password` is in `... to new_password.`. What is doubtful is no boundary, since a value that
//! is not found can only cause an ask.

/// How many characters of closing punctuation a boundary looks through.
const LOOKAHEAD: usize = 8;

/// What a character is to the tokeniser.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Part of a word: letters, digits, `_`, and whatever is not known to be anything else.
    Word,
    /// White space.
    Space,
    /// Ends a token on either side.
    Break,
    /// An apostrophe or single quote.
    Quote,
    /// Punctuation that may join what stands on its two sides.
    Glue,
}

pub(crate) fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => Class::Word,
        '\'' | '‘' | '’' | '‚' | '‛' => Class::Quote,
        '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '–' | '—' | '―' | '…' | '•' | '‣' | '¿'
        | '¡' | '、' | '。' | '「' | '」' | '『' | '』' | '【' | '】' | '《' | '》' | '〈'
        | '〉' | '，' | '；' | '：' | '！' | '？' | '（' | '）' => Class::Break,
        '‐' | '‑' | '\u{a2}'..='\u{a7}' | '\u{20a0}'..='\u{20cf}' => Class::Glue,
        _ if c.is_whitespace() => Class::Space,
        _ if c.is_ascii() => Class::Glue,
        _ => Class::Word,
    }
}

/// The character that ends just before `at`, which is a character boundary.
pub(crate) fn before(text: &str, at: usize) -> Option<char> {
    match at.checked_sub(1).map(|last| text.as_bytes()[last]) {
        None => None,
        Some(byte) if byte.is_ascii() => Some(char::from(byte)),
        Some(_) => text[..at].chars().next_back(),
    }
}

/// The character that begins at `at`, which is a character boundary.
pub(crate) fn after(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at) {
        None => None,
        Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
        Some(_) => text[at..].chars().next(),
    }
}

fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| class(c) == Class::Word)
}

fn is_digit(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_digit())
}

/// Whether a token may begin at `at`.
pub(crate) fn begins(text: &str, at: usize) -> bool {
    let Some(c) = before(text, at) else { return true };
    let earlier = || before(text, at - c.len_utf8());
    match c {
        ' ' | '\n' | '(' | '[' | '{' | '<' | '>' | '"' | '`' | '|' | ';' => true,
        ',' | '*' => !(is_digit(earlier()) && is_digit(after(text, at))),
        ':' => matches!(earlier(), Some('"' | '\'')),
        _ => match class(c) {
            Class::Space | Class::Break => true,
            Class::Quote => !is_word(earlier()),
            Class::Word | Class::Glue => false,
        },
    }
}

/// Whether a token may end at `at`. Sentence punctuation belongs to no token where the token ends
/// behind it.
pub(crate) fn ends(text: &str, at: usize) -> bool {
    let mut at = at;
    for _ in 0..LOOKAHEAD {
        let Some(c) = after(text, at) else { return true };
        let later = || after(text, at + c.len_utf8());
        match c {
            ' ' | '\n' | ')' | ']' | '}' | '<' | '>' | '"' | '`' | '|' | ';' => return true,
            ',' | '*' => return !(is_digit(before(text, at)) && is_digit(later())),
            '.' | ':' | '!' | '?' => at += 1,
            _ => {
                return match class(c) {
                    Class::Space | Class::Break => true,
                    Class::Quote => !is_word(later()),
                    Class::Word | Class::Glue => false,
                };
            }
        }
    }
    false
}

/// Calls `found(start, end)` for each maximal run of word characters.
pub(crate) fn for_each_word(text: &str, mut found: impl FnMut(usize, usize)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = word_end(text, at);
        if end == at {
            at += if bytes[at].is_ascii() { 1 } else { after(text, at).map_or(1, char::len_utf8) };
        } else {
            found(at, end);
            at = end;
        }
    }
}

fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        if IS_WORD[usize::from(byte)] {
            at += 1;
        } else if byte.is_ascii() {
            break;
        } else {
            match after(text, at) {
                Some(c) if class(c) == Class::Word => at += c.len_utf8(),
                _ => break,
            }
        }
    }
    at
}

/// Whether an ASCII byte is part of a word.
static IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        #[expect(clippy::cast_possible_truncation, reason = "the loop ends at 128")]
        let c = byte as u8;
        table[byte] = c.is_ascii_alphanumeric() || c == b'_';
        byte += 1;
    }
    table
};
