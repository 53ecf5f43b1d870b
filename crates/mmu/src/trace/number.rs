//! Numbers and amounts: equal where their decimal values are.

use super::text;

/// The most digits a number may have to be traced.
const MAX_DIGITS: usize = 36;
/// The greatest exponent, either way, that a number as sent may carry.
const MAX_EXPONENT: i32 = 30;

/// A decimal value in canonical form: no sign of zero, no leading or trailing zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    digits: [u8; MAX_DIGITS],
    /// How many digits there are.
    length: u8,
    /// How many of them stand behind the point; negative: zeros to add before it.
    fraction: i8,
    negative: bool,
}

impl Decimal {
    /// A number as a call sends it: a sign, grouped or plain digits, a fraction, an exponent.
    pub(crate) fn sent(text: &str) -> Option<Self> {
        let (negative, unsigned) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
            Some(at) => (&unsigned[..at], unsigned[at + 1..].parse::<i32>().ok()?),
            None => (unsigned, 0),
        };
        let whole = !mantissa.is_empty() && digits_end(mantissa.as_bytes(), 0) == mantissa.len();
        if !whole || exponent.checked_abs().is_none_or(|exponent| exponent > MAX_EXPONENT) {
            return None;
        }
        Self::new(mantissa.as_bytes(), negative, exponent)
    }

    /// The number whose digits begin at `at` in a text, its end, and whether it has a sign, where
    /// it stands as a token of its own.
    pub(crate) fn found(text: &str, at: usize) -> Option<Found> {
        let bytes = text.as_bytes();
        if !bytes.get(at)?.is_ascii_digit() {
            return None;
        }
        let signed = at > 0 && matches!(bytes[at - 1], b'-' | b'+');
        let start = if signed { at - 1 } else { at };
        let touching = text::before(text, start).filter(|&c| is_symbol(c));
        let left = start - touching.map_or(0, char::len_utf8);
        if !text::begins(text, left) {
            return None;
        }
        let end = digits_end(bytes, at);
        let behind = if text::after(text, end) == Some(' ') { end + 1 } else { end };
        let after = text::after(text, behind).filter(|&c| is_symbol(c));
        let closes = match text::after(text, end) {
            Some('%') => text::ends(text, end + 1),
            Some(c) if is_symbol(c) => text::ends(text, end + c.len_utf8()),
            _ => text::ends(text, end),
        };
        if !closes {
            return None;
        }
        let apart = || text::before(text, start.checked_sub(1)?).filter(|&c| is_symbol(c));
        let spaced = text::before(text, start) == Some(' ');
        let before = if spaced { apart() } else { touching };
        let value = Self::new(&bytes[at..end], signed && bytes[start] == b'-', 0)?;
        Some(Found { value, symbols: [before, after] })
    }

    fn new(mantissa: &[u8], negative: bool, exponent: i32) -> Option<Self> {
        let mut digits = [0; MAX_DIGITS];
        let mut length = 0;
        let mut fraction = -exponent;
        let mut behind = false;
        for &byte in mantissa {
            match byte {
                b'.' => behind = true,
                b',' => {}
                _ => {
                    fraction += i32::from(behind);
                    if byte != b'0' || length > 0 {
                        *digits.get_mut(length)? = byte;
                        length += 1;
                    }
                }
            }
        }
        while length > 0 && digits[length - 1] == b'0' {
            length -= 1;
            digits[length] = 0;
            fraction -= 1;
        }
        if length == 0 {
            return Some(Self { digits, length: 0, fraction: 0, negative: false });
        }
        let length = u8::try_from(length).ok()?;
        Some(Self { digits, length, fraction: i8::try_from(fraction).ok()?, negative })
    }

    /// Whether it is an integer of fewer than three characters, sign included.
    pub(crate) fn is_short(&self) -> bool {
        let characters = i32::from(self.length) - i32::from(self.fraction);
        self.fraction <= 0 && characters.max(1) + i32::from(self.negative) < 3
    }

    /// The bytes that a posting's key is made of.
    pub(crate) fn key(&self) -> [u8; MAX_DIGITS + 2] {
        let mut key = [0; MAX_DIGITS + 2];
        key[..MAX_DIGITS].copy_from_slice(&self.digits);
        key[MAX_DIGITS] = self.fraction.to_le_bytes()[0];
        key[MAX_DIGITS + 1] = u8::from(self.negative);
        key
    }
}

/// A number in a text.
pub(crate) struct Found {
    /// Its value.
    pub(crate) value: Decimal,
    /// The currency symbols before and behind it.
    pub(crate) symbols: [Option<char>; 2],
}

/// Whether a character is a currency symbol that amounts are written with.
pub(crate) fn is_symbol(c: char) -> bool {
    matches!(c, '$' | '£' | '¥' | '€' | '₹' | '₽' | '₩')
}

/// Where the number ends that begins at `start`: plain digits, or groups of three parted by
/// commas, then a fraction.
fn digits_end(bytes: &[u8], start: usize) -> usize {
    let run = |from: usize| {
        bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let first = run(start);
    let mut end = start + first;
    if (1..=3).contains(&first) {
        while bytes.get(end) == Some(&b',') && run(end + 1) == 3 {
            end += 4;
        }
    }
    if first > 0 && bytes.get(end) == Some(&b'.') {
        let fraction = run(end + 1);
        if fraction > 0 {
            end += 1 + fraction;
        }
    }
    end
}

/// An amount as sent: its number, and the currency it carries.
pub(crate) fn amount(text: &str) -> Option<(Decimal, Option<Currency<'_>>)> {
    if let Some(value) = Decimal::sent(text) {
        return Some((value, None));
    }
    let (first, last) = (text.chars().next()?, text.chars().next_back()?);
    if is_symbol(first) {
        let rest = &text[first.len_utf8()..];
        return Some((Decimal::sent(rest)?, Some(Currency::Symbol(first))));
    }
    if is_symbol(last) {
        let rest = &text[..text.len() - last.len_utf8()];
        let rest = rest.strip_suffix(' ').unwrap_or(rest);
        return Some((Decimal::sent(rest)?, Some(Currency::Symbol(last))));
    }
    let (left, right) = text.split_once(' ')?;
    if is_code(right) {
        return Some((Decimal::sent(left)?, Some(Currency::Code(right))));
    }
    is_code(left).then_some(())?;
    Some((Decimal::sent(right)?, Some(Currency::Code(left))))
}

/// The currency of an amount.
pub(crate) enum Currency<'a> {
    /// A symbol at the number.
    Symbol(char),
    /// A code of three capital letters.
    Code(&'a str),
}

fn is_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}
