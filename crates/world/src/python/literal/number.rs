//! Python's number literals.

use serde_json::Value;

use crate::python::repr;

/// The most decimal digits of an integer that Python converts.
const MOST_DIGITS: usize = 4300;

/// A real number as written, with its sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Real {
    /// An integer that 64 bits hold.
    Whole(i128),
    /// A float, or an integer that 64 bits do not hold.
    Float(f64),
}

impl Real {
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Whole(number) => Self::Whole(-number),
            Self::Float(number) => Self::Float(-number),
        }
    }

    pub(super) fn as_f64(self) -> f64 {
        match self {
            Self::Whole(number) => number as f64,
            Self::Float(number) => number,
        }
    }

    /// The JSON value: an integer of 64 bits, else a float, else `null`.
    pub(super) fn value(self) -> Value {
        if let Self::Whole(number) = self {
            if let Ok(number) = u64::try_from(number) {
                return number.into();
            }
            if let Ok(number) = i64::try_from(number) {
                return number.into();
            }
        }
        serde_json::Number::from_f64(self.as_f64()).map_or(Value::Null, Value::Number)
    }
}

/// A number literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Real(Real),
    Imaginary(f64),
}

/// Reads the number at the start of `text`, and its length in bytes. `None` where it is malformed
/// or runs into a word.
pub(super) fn read(text: &str) -> Option<(Number, usize)> {
    let mut scanner = Scanner { bytes: text.as_bytes(), at: 0 };
    let number = scanner.number()?;
    match scanner.peek() {
        Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii() => None,
        _ => Some((number, scanner.at)),
    }
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Reads digits of the base with single `_` between them into `out`, at least one.
    fn digits(&mut self, base: u32, out: &mut String) -> Option<()> {
        loop {
            let start = self.at;
            while self.peek().is_some_and(|byte| char::from(byte).is_digit(base)) {
                out.push(char::from(self.bytes[self.at]));
                self.at += 1;
            }
            if self.at == start {
                return None;
            }
            if self.peek() != Some(b'_') {
                return Some(());
            }
            self.at += 1;
        }
    }

    fn number(&mut self) -> Option<Number> {
        if let [b'0', base, ..] = self.bytes {
            let base = match base {
                b'x' | b'X' => 16,
                b'o' | b'O' => 8,
                b'b' | b'B' => 2,
                _ => return self.decimal(),
            };
            self.at = 2 + usize::from(self.bytes.get(2) == Some(&b'_'));
            let mut digits = String::new();
            self.digits(base, &mut digits)?;
            return Some(Number::Real(integer(&digits, base)));
        }
        self.decimal()
    }

    fn decimal(&mut self) -> Option<Number> {
        let mut digits = String::new();
        if self.peek() != Some(b'.') {
            self.digits(10, &mut digits)?;
        }
        let whole = digits.len();
        let mut is_float = false;
        if self.peek() == Some(b'.') {
            is_float = true;
            self.at += 1;
            digits.push('.');
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                self.digits(10, &mut digits)?;
            } else if whole == 0 {
                return None;
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            is_float = true;
            self.at += 1;
            digits.push('e');
            if let Some(sign @ (b'+' | b'-')) = self.peek() {
                self.at += 1;
                digits.push(char::from(sign));
            }
            self.digits(10, &mut digits)?;
        }
        if matches!(self.peek(), Some(b'j' | b'J')) {
            self.at += 1;
            return digits.parse().ok().map(Number::Imaginary);
        }
        if is_float {
            return digits.parse().ok().map(|number| Number::Real(Real::Float(number)));
        }
        let significant = digits.trim_start_matches('0');
        if digits.starts_with('0') && !significant.is_empty() || significant.len() > MOST_DIGITS {
            return None;
        }
        Some(Number::Real(integer(&digits, 10)))
    }
}

/// The integer of those digits.
fn integer(digits: &str, base: u32) -> Real {
    if let Ok(number) = u64::from_str_radix(digits, base) {
        return Real::Whole(number.into());
    }
    if base == 10 {
        return Real::Float(digits.parse().unwrap_or(f64::INFINITY));
    }
    let add =
        |sum: f64, digit: char| sum * f64::from(base) + digit.to_digit(base).map_or(0.0, f64::from);
    Real::Float(digits.chars().fold(0.0, add))
}

/// `repr` of a complex number: the parts without `.0`, the real one left out where it is 0.
pub(super) fn complex(real: f64, imaginary: f64) -> String {
    let part = |number: f64| {
        let text = repr::float(number);
        text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
    };
    if real == 0.0 && real.is_sign_positive() {
        return format!("{}j", part(imaginary));
    }
    let plus = if imaginary.is_sign_positive() { "+" } else { "" };
    format!("({}{plus}{}j)", part(real), part(imaginary))
}
