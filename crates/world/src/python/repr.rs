//! Python's `repr` of texts, numbers and JSON-like values.

use std::fmt::Write as _;

use serde_json::{Number, Value};

use super::printable;

/// `repr` of a float: the shortest digits that read back, `5.0`, `1e+16`, `1e-05`, `nan`, `-inf`.
pub fn float(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let is_positional = number == 0.0 || (1e-4..1e16).contains(&number.abs());
    if is_positional {
        let text = format!("{number:?}");
        if text.len() <= TIELESS {
            return text;
        }
    }
    let scientific = shortest(number);
    let (mantissa, exponent) =
        scientific.split_once('e').expect("this format always has an exponent");
    let exponent: i32 = exponent.parse().expect("this format's exponent is a small integer");
    if is_positional {
        return positional(mantissa, exponent);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

/// Up to so many digits no two decimals are equally near to a float.
const TIELESS: usize = 15;

/// The shortest decimal that reads back, in scientific notation. Of two equally near ones Python
/// takes that with the even last digit, Rust the greater one.
fn shortest(number: f64) -> String {
    let shortest = format!("{number:e}");
    let digits =
        shortest.bytes().take_while(|&byte| byte != b'e').filter(u8::is_ascii_digit).count();
    if digits <= TIELESS {
        return shortest;
    }
    let nearest = format!("{number:.*e}", digits - 1);
    if nearest.parse() == Ok(number) { nearest } else { shortest }
}

/// The mantissa `d.ddd` with its point moved by `exponent` places.
fn positional(mantissa: &str, exponent: i32) -> String {
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits = mantissa.replacen('.', "", 1);
    let places = exponent.unsigned_abs() as usize;
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat(places - 1));
    }
    let whole = places + 1;
    match digits.split_at_checked(whole) {
        Some((whole, fraction)) if !fraction.is_empty() => format!("{sign}{whole}.{fraction}"),
        _ => format!("{sign}{digits:0<whole$}.0"),
    }
}

/// `repr` of a text: in single quotes, or in double quotes if it holds `'` and no `"`.
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_text(&mut out, text);
    out
}

/// `repr` of a dictionary of texts, in the order given.
pub fn text_dict(entries: &[(&str, &str)]) -> String {
    let mut out = String::from("{");
    for (at, (key, value)) in entries.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        push_text(&mut out, key);
        out.push_str(": ");
        push_text(&mut out, value);
    }
    out.push('}');
    out
}

/// `repr` of a JSON-like value as Python holds it: `None`, `True`, `1.0`, `'a'`, `[…]`, `{…}`.
pub fn value(value: &Value) -> String {
    let mut out = String::new();
    push_value(&mut out, value);
    out
}

/// Python's name of a JSON-like value's type.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}

/// `repr` of a number of JSON's.
pub(super) fn number(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => self::float(float),
        _ => number.to_string(),
    }
}

fn push_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(number) => out.push_str(&self::number(number)),
        Value::String(text) => push_text(out, text),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                push_value(out, item);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (at, (key, field)) in fields.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                push_text(out, key);
                out.push_str(": ");
                push_value(out, field);
            }
            out.push('}');
        }
    }
}

fn push_text(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    let mut start = 0;
    let mut at = 0;
    let is_candidate =
        |byte: u8| !matches!(byte, b' '..=b'~') || matches!(byte, b'\'' | b'"' | b'\\');
    while let Some(found) = text.as_bytes()[at..].iter().position(|&byte| is_candidate(byte)) {
        at += found;
        let Some(found) = text[at..].chars().next() else { break };
        let next = at + found.len_utf8();
        if found == quote || found == '\\' || !printable::is_printable(found) {
            out.push_str(&text[start..at]);
            push_escape(out, found);
            start = next;
        }
        at = next;
    }
    out.push_str(&text[start..]);
    out.push(quote);
}

fn push_escape(out: &mut String, found: char) {
    let code = u32::from(found);
    let written = match found {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        '\'' | '"' | '\\' => write!(out, "\\{found}"),
        _ if code <= 0xff => write!(out, "\\x{code:02x}"),
        _ if code <= 0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
    written.expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn floats_read_as_in_python() {
        let cases = [
            (5.0, "5.0"),
            (-0.0, "-0.0"),
            (1e16, "1e+16"),
            (9_999_999_999_999_998.0, "9999999999999998.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e300, "1.5e+300"),
            (f64::from_bits(0x430f_8603_c33c_87ea), "1109134374572285.2"),
            (2.0_f64.powi(-25), "2.9802322387695312e-08"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (number, expected) in cases {
            assert_eq!(float(number), expected);
        }
    }

    #[test]
    fn texts_choose_their_quotes_and_escape_what_cannot_be_printed() {
        let cases = [
            ("a", "'a'"),
            ("O'X", "\"O'X\""),
            ("'\"", "'\\'\"'"),
            ("a\\\n\u{7f}", "'a\\\\\\n\\x7f'"),
            ("\u{e9}\u{a0}\u{200b}\u{1f600}\u{10ffff}", "'é\\xa0\\u200b😀\\U0010ffff'"),
        ];
        for (given, expected) in cases {
            assert_eq!(text(given), expected);
        }
    }

    #[test]
    fn values_nest() {
        let given = json!({"a": [null, true, 1, 1.0, "it's"], "b": {}});
        assert_eq!(value(&given), "{'a': [None, True, 1, 1.0, \"it's\"], 'b': {}}");
        assert_eq!(text_dict(&[("k", "v"), ("w", "\n")]), "{'k': 'v', 'w': '\\n'}");
    }
}
