//! `datetime.strptime` for the two formats that tools use.
//!
//! Python turns a format into a regular expression; what is taken, and what remains, is what that
//! expression takes: one digit where two are usual, any digits of Unicode, a space before a day.

use trace::call::ToolError;

use super::{Date, DateTime, HOUR, MINUTE};
use crate::python::repr;

const DATE: &str = "%Y-%m-%d";
const DATE_AND_TIME: &str = "%Y-%m-%d %H:%M";

/// Reads a day (`%Y-%m-%d`), as its midnight.
///
/// # Errors
/// Python's `ValueError`, in its words.
pub fn date(text: &str) -> Result<DateTime, ToolError> {
    parse(text, DATE)
}

/// Reads a day, a blank, hours and minutes (`%Y-%m-%d %H:%M`).
///
/// # Errors
/// Python's `ValueError`, in its words.
pub fn date_and_time(text: &str) -> Result<DateTime, ToolError> {
    parse(text, DATE_AND_TIME)
}

fn parse(text: &str, format: &str) -> Result<DateTime, ToolError> {
    let mismatch = || {
        let (text, format) = (repr::text(text), repr::text(format));
        ToolError::value(format!("time data {text} does not match format {format}"))
    };
    let mut scanner = Scanner { rest: text };
    let mut fields = Fields::default();
    fields.scan(&mut scanner, format).ok_or_else(mismatch)?;
    if !scanner.rest.is_empty() {
        return Err(ToolError::value(format!("unconverted data remains: {}", scanner.rest)));
    }
    let date = Date::new(fields.year, fields.month, fields.day)?;
    Ok(DateTime::naive(date, fields.hour * HOUR + fields.minute * MINUTE))
}

#[derive(Default)]
struct Fields {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
}

impl Fields {
    fn scan(&mut self, text: &mut Scanner<'_>, format: &str) -> Option<()> {
        let mut directives = format.chars();
        while let Some(directive) = directives.next() {
            match (directive, directives.as_str().chars().next()) {
                ('%', Some(letter)) => {
                    directives.next();
                    match letter {
                        'Y' => self.year = text.year()?,
                        'm' => self.month = text.month()?,
                        'd' => self.day = text.day()?,
                        'H' => self.hour = text.upto(23)?,
                        _ => self.minute = text.upto(59)?,
                    }
                }
                (' ', _) => text.blanks()?,
                (literal, _) => text.literal(literal)?,
            }
        }
        Some(())
    }
}

/// What is left of a text.
struct Scanner<'t> {
    rest: &'t str,
}

impl Scanner<'_> {
    fn literal(&mut self, expected: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(expected)?;
        Some(())
    }

    /// `\s+`
    fn blanks(&mut self) -> Option<()> {
        let is_blank = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
        let rest = self.rest.trim_start_matches(is_blank);
        if rest.len() == self.rest.len() {
            return None;
        }
        self.rest = rest;
        Some(())
    }

    /// The digit at a place from here, with the bytes that it takes, and whether it is ASCII.
    fn digit(&self, at: usize) -> Option<(i64, usize, bool)> {
        let found = self.rest.get(at..)?.chars().next()?;
        Some((decimal(found)?, at + found.len_utf8(), found.is_ascii()))
    }

    /// `\d\d\d\d`
    fn year(&mut self) -> Option<i64> {
        let (mut year, mut at) = (0, 0);
        for _ in 0..4 {
            let (digit, end, _) = self.digit(at)?;
            year = year * 10 + digit;
            at = end;
        }
        self.rest = &self.rest[at..];
        Some(year)
    }

    /// `1[0-2]|0[1-9]|[1-9]`: ASCII digits alone.
    fn month(&mut self) -> Option<i64> {
        let (first, end, true) = self.digit(0)? else { return None };
        let second = self.digit(end).filter(|(_, _, ascii)| *ascii);
        let (month, end) = match (first, second) {
            (1, Some((second @ 0..=2, end, _))) => (10 + second, end),
            (0, Some((second @ 1..=9, end, _))) => (second, end),
            (0, _) => return None,
            _ => (first, end),
        };
        self.rest = &self.rest[end..];
        Some(month)
    }

    /// `3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9]`
    fn day(&mut self) -> Option<i64> {
        if let Some(rest) = self.rest.strip_prefix(' ') {
            let after = Scanner { rest };
            let (day @ 1..=9, end, true) = after.digit(0)? else { return None };
            self.rest = &rest[end..];
            return Some(day);
        }
        let (first, end, true) = self.digit(0)? else { return None };
        let (day, end) = match (first, self.digit(end)) {
            (3, Some((second @ 0..=1, end, true))) => (30 + second, end),
            (1 | 2, Some((second, end, _))) => (first * 10 + second, end),
            (0, Some((second @ 1..=9, end, true))) => (second, end),
            (0, _) => return None,
            _ => (first, end),
        };
        self.rest = &self.rest[end..];
        Some(day)
    }

    /// `2[0-3]|[0-1]\d|\d` for hours, `[0-5]\d|\d` for minutes.
    fn upto(&mut self, greatest: i64) -> Option<i64> {
        let (first, end, ascii) = self.digit(0)?;
        let second = self.digit(end).filter(|_| ascii).filter(|(second, _, is_ascii)| {
            // The last tens are a range of ASCII digits where they are not full.
            let full = greatest % 10 == 9 || first < greatest / 10;
            first * 10 + second <= greatest && (full || *is_ascii)
        });
        let (number, end) = match second {
            Some((second, end, _)) => (first * 10 + second, end),
            None => (first, end),
        };
        self.rest = &self.rest[end..];
        Some(number)
    }
}

/// The value of a decimal digit of any script.
fn decimal(found: char) -> Option<i64> {
    let code = u32::from(found);
    let zero = ZEROS[ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?];
    (code - zero < 10).then(|| i64::from(code - zero))
}

/// The digits zero of Unicode 14, each followed by the other nine.
const ZEROS: &[u32] = &[
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
    0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];
