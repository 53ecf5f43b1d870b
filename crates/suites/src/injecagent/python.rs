//! Python's `json.dumps`, for files that must come out byte for byte.

use std::fmt::Write as _;

/// `json.dumps(text)`: quoted, everything beyond ASCII escaped.
pub(super) fn dumps_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_dumped_as_python_dumps_them() {
        for (text, expected) in [
            ("a", "\"a\""),
            ("\"\\\n\t\u{7f}", r#""\"\\\n\t\u007f""#),
            ("\u{2019}\u{1f600}", r#""\u2019\ud83d\ude00""#),
        ] {
            assert_eq!(dumps_text(text), expected, "{text:?}");
        }
    }
}
