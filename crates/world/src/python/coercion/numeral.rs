//! How texts become numbers in `pydantic`'s lax mode.

/// The most digits an integer may have, as in Python itself.
const MOST_DIGITS: usize = 4300;

/// An integer read from a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Integer {
    /// One of 64 bits.
    Small(i64),
    /// The digits of a larger one, with its sign.
    Large(String),
}

/// Why a text is no integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotInteger {
    /// It does not read as one.
    Malformed,
    /// It has too many digits.
    TooLong,
}

/// Reads an integer: blanks around it, a sign, `_` between digits, leading zeros and a fraction of
/// zeros are let pass.
pub(super) fn integer(text: &str) -> Result<Integer, NotInteger> {
    let digits = clean(text.trim()).ok_or(NotInteger::Malformed)?;
    let unsigned = digits.strip_prefix('-').unwrap_or(&digits);
    let has_leading_zero = unsigned.len() > 1 && unsigned.starts_with('0');
    let all_digits = unsigned.bytes().all(|byte| byte.is_ascii_digit());
    if unsigned.is_empty() || has_leading_zero || !all_digits {
        return Err(NotInteger::Malformed);
    }
    if unsigned.len() > MOST_DIGITS {
        return Err(NotInteger::TooLong);
    }
    Ok(digits.parse().map_or(Integer::Large(digits), Integer::Small))
}

/// The text without `+`, leading zeros, `_` and a fraction of zeros.
fn clean(text: &str) -> Option<String> {
    let text = match text.strip_prefix('+') {
        Some(after) if after.starts_with('-') => return None,
        Some(after) => after,
        None => text,
    };
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |after| ("-", after));
    let mut text = without_leading_zeros(text)?;
    if let Some((whole, fraction)) = text.split_once('.') {
        if fraction.is_empty() || !fraction.bytes().all(|byte| byte == b'0') {
            return None;
        }
        text = whole;
    }
    if text.starts_with('_') || text.ends_with('_') || text.contains("__") {
        return None;
    }
    Some(format!("{sign}{}", text.replace('_', "")))
}

/// The text from its first other digit on, or from its last zero.
///
/// Whatever number of `_` may stand among the zeros, and a `-` may follow them: `0-1` is -1.
fn without_leading_zeros(text: &str) -> Option<&str> {
    if text.starts_with(|first: char| matches!(first, '1'..='9')) {
        return Some(text);
    }
    let rest = text.strip_prefix('0')?.trim_start_matches(['0', '_']);
    let at = text.len() - rest.len();
    match rest.chars().next() {
        Some('1'..='9' | '-') => Some(rest),
        // The last zero is kept.
        Some('.') | None => Some(&text[at - 1..]),
        Some(_) => None,
    }
}

/// Reads a float: decimals, exponents, `inf`, `infinity` and `nan` in any case and with a sign;
/// either blanks around it or single `_` inside are let pass, but not both.
pub(super) fn float(text: &str) -> Option<f64> {
    if !text.contains('_') {
        return text.trim().parse().ok();
    }
    if text.starts_with('_') || text.ends_with('_') || text.contains("__") {
        return None;
    }
    text.replace('_', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_read_as_in_pydantic() {
        use Integer::{Large, Small};
        let cases = [
            ("2", Ok(Small(2))),
            (" +2.00 ", Ok(Small(2))),
            ("-007", Ok(Small(-7))),
            ("1_000", Ok(Small(1000))),
            ("0_0.0", Ok(Small(0))),
            ("9223372036854775808", Ok(Large("9223372036854775808".to_owned()))),
            ("0__2", Ok(Small(2))),
            ("0-_1.0", Ok(Small(-1))),
            ("0-00", Err(NotInteger::Malformed)),
            ("-0-1", Err(NotInteger::Malformed)),
            ("1__0", Err(NotInteger::Malformed)),
            ("2.", Err(NotInteger::Malformed)),
            ("2.5", Err(NotInteger::Malformed)),
            ("1e3", Err(NotInteger::Malformed)),
            ("+-3", Err(NotInteger::Malformed)),
            ("", Err(NotInteger::Malformed)),
        ];
        for (text, expected) in cases {
            assert_eq!(integer(text), expected, "{text:?}");
        }
        assert_eq!(integer(&"1".repeat(4301)), Err(NotInteger::TooLong));
    }

    #[test]
    fn floats_read_as_in_pydantic() {
        let cases = [
            (" 5.50 ", Some(5.5)),
            ("1_0.5", Some(10.5)),
            ("+_1", Some(1.0)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("1e400", Some(f64::INFINITY)),
            ("0x10", None),
            ("1,5", None),
            ("_1", None),
            (" 0_1", None),
        ];
        for (text, expected) in cases {
            assert_eq!(float(text), expected, "{text:?}");
        }
    }
}
