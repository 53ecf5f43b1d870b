//! Which style a text is written in: what the emitter's analysis and the implicit resolvers decide.

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
}

/// The style of a text.
pub(super) fn of(text: &str) -> Style {
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else {
        return Style::SingleQuoted;
    };
    let blank_at = |at: usize| bytes.get(at).is_none_or(|&byte| byte == b' ' || byte == b'\n');
    let mut plain = !matches!(first, b' ' | b'\n')
        && !matches!(last, b' ' | b'\n')
        && !text.starts_with("---")
        && !text.starts_with("...");
    plain &= match first {
        b'#' | b',' | b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
        | b'"' | b'%' | b'@' | b'`' => false,
        b'?' | b':' | b'-' => !blank_at(1),
        _ => true,
    };
    if !bytes.iter().fold(true, |all, &byte| all & matches!(byte, b' '..=b'~' | b'\n')) {
        return Style::DoubleQuoted;
    }
    for found in memchr::memchr3_iter(b'\n', b':', b'#', bytes) {
        let at = found + 1;
        let before = (at > 1).then(|| bytes[at - 2]);
        match bytes[at - 1] {
            b'\n' if before == Some(b' ') || bytes.get(at) == Some(&b' ') => {
                return Style::DoubleQuoted;
            }
            b'\n' => plain = false,
            b':' => plain &= !blank_at(at),
            _ => plain &= !matches!(before, Some(b' ' | b'\n')),
        }
    }
    if plain && !looks_like_something_else(text) { Style::Plain } else { Style::SingleQuoted }
}

/// Whether a key can stand before its colon. The emitter counts the tag `!!str` with the text.
pub(super) fn is_simple_key(key: &str) -> bool {
    !key.is_empty()
        && (key.len() < 123 || key.chars().count() < 123)
        && !key.contains(['\n', '\u{85}', '\u{2028}', '\u{2029}'])
}

/// Whether a plain text would be read as another type than a text.
fn looks_like_something_else(text: &str) -> bool {
    let bytes = text.as_bytes();
    match bytes.first() {
        None => true,
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O') => {
            is_word(text, &["yes", "no", "true", "false", "on", "off", "null"])
        }
        Some(b'~' | b'=') => text.len() == 1,
        Some(b'<') => text == "<<",
        Some(b'0'..=b'9' | b'-' | b'+' | b'.') => {
            is_int(bytes) || is_float(bytes) || is_timestamp(text)
        }
        _ => false,
    }
}

/// Whether the text is one of the words in lower case, in upper case or capitalised.
fn is_word(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
        && (text[1..].bytes().all(|byte| byte.is_ascii_lowercase())
            || text.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// The bytes after those that `accept`.
fn skip(bytes: &[u8], accept: impl Fn(u8) -> bool) -> &[u8] {
    let end = bytes.iter().position(|&byte| !accept(byte)).unwrap_or(bytes.len());
    &bytes[end..]
}

fn digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

fn digit_or_bar(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'_'
}

fn unsigned(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"-").or_else(|| bytes.strip_prefix(b"+")).unwrap_or(bytes)
}

/// What is left after one or more groups `:dd` of base 60; `None` if there is no group.
fn after_sexagesimal(mut bytes: &[u8]) -> Option<&[u8]> {
    let mut any = false;
    while let [b':', rest @ ..] = bytes {
        bytes = match rest {
            [b'0'..=b'5', b'0'..=b'9', after @ ..] | [b'0'..=b'9', after @ ..] => after,
            _ => return None,
        };
        any = true;
    }
    any.then_some(bytes)
}

/// The resolver of integers: binary, octal, decimal, hexadecimal, base 60.
fn is_int(bytes: &[u8]) -> bool {
    match unsigned(bytes) {
        [b'0'] => true,
        [b'0', b'b', rest @ ..] => {
            !rest.is_empty() && rest.iter().all(|byte| matches!(byte, b'0' | b'1' | b'_'))
        }
        [b'0', b'x', rest @ ..] => {
            !rest.is_empty() && rest.iter().all(|&byte| byte.is_ascii_hexdigit() || byte == b'_')
        }
        [b'0', rest @ ..] => rest.iter().all(|byte| matches!(byte, b'0'..=b'7' | b'_')),
        [b'1'..=b'9', rest @ ..] => {
            let rest = skip(rest, digit_or_bar);
            rest.is_empty() || after_sexagesimal(rest).is_some_and(<[u8]>::is_empty)
        }
        _ => false,
    }
}

/// The resolver of floats: decimals with a point, base 60 with a point, infinities, not-a-number.
fn is_float(bytes: &[u8]) -> bool {
    let body = unsigned(bytes);
    match body {
        b".inf" | b".Inf" | b".INF" => true,
        b".nan" | b".NaN" | b".NAN" => body.len() == bytes.len(),
        [b'.', b'0'..=b'9', rest @ ..] => {
            body.len() == bytes.len() && is_exponent(skip(rest, digit_or_bar))
        }
        [b'0'..=b'9', rest @ ..] => match skip(rest, digit_or_bar) {
            [b'.', rest @ ..] => is_exponent(skip(rest, digit_or_bar)),
            rest => match after_sexagesimal(rest) {
                Some([b'.', rest @ ..]) => skip(rest, digit_or_bar).is_empty(),
                _ => false,
            },
        },
        _ => false,
    }
}

/// Nothing, or an exponent whose sign is written.
fn is_exponent(bytes: &[u8]) -> bool {
    match bytes {
        [] => true,
        [b'e' | b'E', b'-' | b'+', rest @ ..] => {
            !rest.is_empty() && rest.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// The bytes after between `least` and `most` digits, as many as there are.
fn digits(bytes: &[u8], least: usize, most: usize) -> Option<&[u8]> {
    let count = bytes.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
    (count >= least).then(|| &bytes[count..])
}

/// The resolver of timestamps: a day, or a day and a time.
pub(super) fn is_timestamp(text: &str) -> bool {
    is_day_and_time(text.as_bytes()).is_some()
}

fn is_day_and_time(bytes: &[u8]) -> Option<()> {
    let month = digits(bytes, 4, 4)?.strip_prefix(b"-")?;
    let day = digits(month, 1, 2)?;
    let after = digits(day.strip_prefix(b"-")?, 1, 2)?;
    if after.is_empty() {
        return (bytes.len() == 10).then_some(());
    }
    let hour = match after {
        [b'T' | b't', rest @ ..] => rest,
        [b' ' | b'\t', ..] => skip(after, |byte| byte == b' ' || byte == b'\t'),
        _ => return None,
    };
    let minute = digits(hour, 1, 2)?.strip_prefix(b":")?;
    let second = digits(minute, 2, 2)?.strip_prefix(b":")?;
    let mut rest = digits(second, 2, 2)?;
    if let [b'.', fraction @ ..] = rest {
        rest = skip(fraction, digit);
    }
    if rest.is_empty() {
        return Some(());
    }
    match skip(rest, |byte| byte == b' ' || byte == b'\t') {
        b"Z" => Some(()),
        [b'-' | b'+', offset @ ..] => match digits(offset, 1, 2)? {
            [] => Some(()),
            [b':', minutes @ ..] => digits(minutes, 2, 2)?.is_empty().then_some(()),
            _ => None,
        },
        _ => None,
    }
}
