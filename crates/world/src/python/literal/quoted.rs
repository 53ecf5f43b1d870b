//! Python's text and bytes literals.

use serde_json::Value;

/// What a literal holds.
pub(super) enum Text {
    Text(String),
    Bytes(Vec<u8>),
}

impl Text {
    /// Joins the literal that stands next to this one. Texts and bytes do not mix.
    pub(super) fn join(&mut self, next: Self) -> Option<()> {
        match (self, next) {
            (Self::Text(before), Self::Text(next)) => before.push_str(&next),
            (Self::Bytes(before), Self::Bytes(next)) => before.extend(next),
            _ => return None,
        }
        Some(())
    }

    pub(super) fn into_value(self) -> Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
        }
    }
}

/// The prefix of the literal at the start of `text`: its length, whether raw, whether bytes.
fn prefix(text: &str) -> Option<(usize, bool, bool)> {
    let length = text.find(['\'', '"'])?;
    let (raw, bytes) = match text.get(..length.min(3))?.to_ascii_lowercase().as_str() {
        "" | "u" => (false, false),
        "r" => (true, false),
        "b" => (false, true),
        "rb" | "br" => (true, true),
        _ => return None,
    };
    Some((length, raw, bytes))
}

/// Whether a text or bytes literal, with or without a prefix, begins here.
pub(super) fn begins(text: &str) -> bool {
    prefix(text).is_some()
}

/// Reads the literal at the start of `text`, and its length in bytes.
pub(super) fn read(text: &str) -> Option<(Text, usize)> {
    let (start, raw, is_bytes) = prefix(text)?;
    let quote = &text[start..=start];
    let triple = quote.repeat(3);
    let close = if text[start..].starts_with(&triple) { triple.as_str() } else { quote };
    let start = start + close.len();
    let body = &text[start..];
    let mut at = 0;
    while !body[at..].starts_with(close) {
        let mut characters = body[at..].chars();
        let mut found = characters.next()?;
        at += found.len_utf8();
        if found == '\\' {
            found = characters.next()?;
            at += found.len_utf8();
        } else if found == '\n' && close.len() == 1 {
            return None;
        }
        if is_bytes && !found.is_ascii() {
            return None;
        }
    }
    let length = start + at + close.len();
    let body = &body[..at];
    let text = match (raw, is_bytes) {
        (true, true) => Text::Bytes(body.into()),
        (true, false) => Text::Text(body.to_owned()),
        (false, _) => unescaped(body, is_bytes)?,
    };
    Some((text, length))
}

/// Replaces the escapes. Unknown ones stay as they are, malformed ones are refused.
fn unescaped(body: &str, is_bytes: bool) -> Option<Text> {
    let mut text = String::with_capacity(body.len());
    let mut bytes = Vec::new();
    let mut rest = body;
    while let Some(found) = rest.find('\\') {
        text.push_str(&rest[..found]);
        bytes.extend_from_slice(&rest.as_bytes()[..found]);
        rest = &rest[found + 1..];
        let (code, length) = escape(rest, is_bytes)?;
        rest = &rest[length..];
        if let Some(code) = code {
            text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            bytes.push(u8::try_from(code & 0xff).expect("the mask leaves one byte"));
        } else if length == 0 {
            text.push('\\');
            bytes.push(b'\\');
        }
    }
    text.push_str(rest);
    bytes.extend_from_slice(rest.as_bytes());
    Some(if is_bytes { Text::Bytes(bytes) } else { Text::Text(text) })
}

/// What the escape after a backslash stands for (`None` for nothing) and its length; length 0 where
/// the backslash stands for itself.
fn escape(rest: &str, is_bytes: bool) -> Option<(Option<u32>, usize)> {
    let simple = |code: u32| Some((Some(code), 1));
    let first = rest.chars().next()?;
    match first {
        '\n' => Some((None, 1)),
        '\\' | '\'' | '"' => simple(first.into()),
        'a' => simple(7),
        'b' => simple(8),
        't' => simple(9),
        'n' => simple(10),
        'v' => simple(11),
        'f' => simple(12),
        'r' => simple(13),
        '0'..='7' => {
            let digits =
                rest.bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            Some((u32::from_str_radix(&rest[..digits], 8).ok(), digits))
        }
        'x' => hexadecimal(rest, 2),
        'u' if !is_bytes => hexadecimal(rest, 4),
        'U' if !is_bytes => hexadecimal(rest, 8),
        'N' if !is_bytes => None,
        _ => Some((None, 0)),
    }
}

fn hexadecimal(rest: &str, digits: usize) -> Option<(Option<u32>, usize)> {
    let digits =
        rest.get(1..=digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let code = u32::from_str_radix(digits, 16).ok().filter(|&code| code <= 0x0010_ffff)?;
    Some((Some(code), 1 + digits.len()))
}
