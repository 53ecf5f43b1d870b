//! The value that `PyYAML` 6.0.4 reads from the text between the quotes of `"…"`.
//!
//! Escapes are replaced, lines are folded (one break is a blank, *n* breaks are *n* - 1 line feeds),
//! blanks around a break are dropped, and a break after a backslash is dropped with what follows it
//! on that line's margin.

/// Why the text cannot stand between double quotes. Positions are bytes from the text's start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FoldingError {
    /// A character that the reader refuses anywhere in a document.
    #[error("failed to read: {found:?} at byte {at} is not allowed in YAML")]
    Unprintable {
        /// Where it is.
        at: usize,
        /// The character.
        found: char,
    },
    /// A quote without a backslash, which ends the scalar early.
    #[error("failed to read: the quote at byte {at} is not escaped")]
    Quote {
        /// Where it is.
        at: usize,
    },
    /// A backslash before a character that means nothing.
    #[error("failed to read: unknown escape character {found:?} at byte {at}")]
    UnknownEscape {
        /// Where the character after the backslash is.
        at: usize,
        /// The character after the backslash.
        found: char,
    },
    /// Fewer hexadecimal digits than `\x`, `\u` or `\U` needs.
    #[error("failed to read: the escape at byte {at} needs {wanted} hexadecimal digits")]
    HexDigits {
        /// Where the first digit should be.
        at: usize,
        /// How many digits it needs.
        wanted: usize,
    },
    /// An escape of a surrogate, or of a number that is no code point. Python refuses the second
    /// here and the first when the text is validated later.
    #[error("failed to read: the escape at byte {at} is no character: {code:#x}")]
    NoCharacter {
        /// Where the first digit is.
        at: usize,
        /// The number.
        code: u32,
    },
    /// `---` or `...` at the start of a line, alone or before a blank.
    #[error("failed to read: document marker at byte {at}")]
    Marker {
        /// Where it is.
        at: usize,
    },
    /// A backslash at the end, which escapes the closing quote.
    #[error("failed to read: the backslash at byte {at} escapes the closing quote")]
    Unfinished {
        /// Where it is.
        at: usize,
    },
}

/// Reads the text between the double quotes of a flow scalar.
///
/// # Errors
///
/// Fails where `PyYAML` cannot load the document for the text's sake, and on escaped surrogates
/// (`\ud800`), which Python's texts can hold and Rust's cannot.
pub fn double_quoted(raw: &str) -> Result<String, FoldingError> {
    let is_simple = |byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    let all_simple = raw.bytes().fold(true, |all, byte| all & is_simple(byte));
    let refused = || raw.char_indices().find(|&(_, found)| !is_readable(found));
    if let Some((at, found)) = if all_simple { None } else { refused() } {
        return Err(FoldingError::Unprintable { at, found });
    }
    let is_simple = all_simple && !raw.contains('\r');
    let mut scanner = Scanner { raw, at: 0, is_simple, out: String::with_capacity(raw.len()) };
    while scanner.at < raw.len() {
        scanner.line()?;
        scanner.fold()?;
    }
    Ok(scanner.out)
}

/// Whether the reader lets the character pass.
fn is_readable(found: char) -> bool {
    matches!(found, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
}

fn is_blank(found: char) -> bool {
    found == ' ' || found == '\t'
}

fn is_break(found: char) -> bool {
    matches!(found, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The length of what stands before the next break, quote or backslash.
fn end_of_run(text: &str, is_simple: bool) -> usize {
    if is_simple {
        let found = memchr::memchr3(b'"', b'\\', b'\n', text.as_bytes());
        return found.unwrap_or(text.len());
    }
    let mut at = 0;
    loop {
        // 0xc2 and 0xe2 begin the breaks that are not ASCII.
        let is_candidate = |&byte: &u8| matches!(byte, b'"' | b'\\' | b'\n' | b'\r' | 0xc2 | 0xe2);
        let Some(found) = text.as_bytes()[at..].iter().position(is_candidate) else {
            return text.len();
        };
        at += found;
        match text[at..].chars().next() {
            Some(found) if !found.is_ascii() && !is_break(found) => at += found.len_utf8(),
            _ => return at,
        }
    }
}

struct Scanner<'a> {
    raw: &'a str,
    at: usize,
    /// Whether it is all ASCII, without carriage returns.
    is_simple: bool,
    out: String,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.raw[self.at..]
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(is_blank).len();
    }

    /// Reads words, blanks and escapes up to a break or the end, without blanks before a break.
    fn line(&mut self) -> Result<(), FoldingError> {
        loop {
            let rest = self.rest();
            let end = end_of_run(rest, self.is_simple);
            let run = &rest[..end];
            let next = rest[end..].chars().next();
            let is_last = next.is_some_and(is_break);
            self.out.push_str(if is_last { run.trim_end_matches(is_blank) } else { run });
            self.at += end;
            match next {
                Some('"') => return Err(FoldingError::Quote { at: self.at }),
                Some('\\') => self.escape()?,
                _ => return Ok(()),
            }
        }
    }

    fn escape(&mut self) -> Result<(), FoldingError> {
        let backslash = self.at;
        let at = backslash + 1;
        let Some(found) = self.raw[at..].chars().next() else {
            return Err(FoldingError::Unfinished { at: backslash });
        };
        self.at = at;
        if is_break(found) {
            self.line_break();
            return self.breaks().map(|breaks| self.out.push_str(&breaks));
        }
        self.at += found.len_utf8();
        let replacement = match found {
            '0' => '\0',
            'a' => '\x07',
            'b' => '\x08',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\x0b',
            'f' => '\x0c',
            'r' => '\r',
            'e' => '\x1b',
            ' ' | '"' | '\\' | '/' => found,
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' => self.code(2)?,
            'u' => self.code(4)?,
            'U' => self.code(8)?,
            _ => return Err(FoldingError::UnknownEscape { at, found }),
        };
        self.out.push(replacement);
        Ok(())
    }

    /// Reads a code point of `wanted` hexadecimal digits.
    fn code(&mut self, wanted: usize) -> Result<char, FoldingError> {
        let at = self.at;
        let digits = self
            .raw
            .get(at..at + wanted)
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let code = digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or(FoldingError::HexDigits { at, wanted })?;
        self.at += wanted;
        char::from_u32(code).ok_or(FoldingError::NoCharacter { at, code })
    }

    /// Reads a fold: the breaks in a row and the blanks after them.
    fn fold(&mut self) -> Result<(), FoldingError> {
        let Some(first) = self.line_break() else { return Ok(()) };
        let more = self.breaks()?;
        if first != '\n' {
            self.out.push(first);
        } else if more.is_empty() {
            self.out.push(' ');
        }
        self.out.push_str(&more);
        Ok(())
    }

    /// Reads the breaks after a first one, with the blanks before and between them.
    fn breaks(&mut self) -> Result<String, FoldingError> {
        let mut breaks = String::new();
        loop {
            let rest = self.rest();
            if rest.starts_with("---") || rest.starts_with("...") {
                let after = rest[3..].chars().next();
                if after.is_some_and(|found| is_blank(found) || is_break(found)) {
                    return Err(FoldingError::Marker { at: self.at });
                }
            }
            self.skip_blanks();
            match self.line_break() {
                Some(found) => breaks.push(found),
                None => return Ok(breaks),
            }
        }
    }

    /// Reads one break: what it stands for, if there is one.
    fn line_break(&mut self) -> Option<char> {
        let rest = self.rest();
        let found = rest.chars().next().filter(|&found| is_break(found))?;
        self.at += if rest.starts_with("\r\n") { 2 } else { found.len_utf8() };
        Some(if matches!(found, '\u{2028}' | '\u{2029}') { found } else { '\n' })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_fold_as_in_flow_scalars() {
        let cases = [
            ("a\nb", "a b"),
            ("a\n\n\nb", "a\n\nb"),
            ("a \t\n  b", "a b"),
            ("a\n", "a "),
            ("a\\\n  b", "ab"),
            ("a\\\n\n b", "a\nb"),
            ("a\\ \nb", "a  b"),
            ("a\r\nb\rc\u{85}d", "a b c d"),
            ("a\u{2028}b\n\u{2029}c", "a\u{2028}b\u{2029}c"),
            ("a\\tb\\x41\\u00e9\\U0001F600", "a\tbA\u{e9}\u{1f600}"),
            ("#: '%{}\tx", "#: '%{}\tx"),
            ("a\n---", "a ---"),
        ];
        for (raw, expected) in cases {
            assert_eq!(double_quoted(raw).as_deref(), Ok(expected), "{raw:?}");
        }
    }

    #[test]
    fn what_yaml_refuses_is_named_with_its_place() {
        let cases = [
            ("a\"b", FoldingError::Quote { at: 1 }),
            ("a\\q", FoldingError::UnknownEscape { at: 2, found: 'q' }),
            ("\\x4", FoldingError::HexDigits { at: 2, wanted: 2 }),
            ("\\ud800", FoldingError::NoCharacter { at: 2, code: 0xd800 }),
            ("a\n--- b", FoldingError::Marker { at: 2 }),
            ("a\\", FoldingError::Unfinished { at: 1 }),
            ("\"\u{1}", FoldingError::Unprintable { at: 1, found: '\u{1}' }),
        ];
        for (raw, expected) in cases {
            assert_eq!(double_quoted(raw), Err(expected), "{raw:?}");
        }
    }
}
