//! `datetime.fromisoformat` of `CPython` 3.11 (`Modules/_datetimemodule.c`), quirks included.

use trace::call::ToolError;

use super::{Date, DateTime, HOUR, MINUTE, SECOND};
use crate::python::repr;

/// A text that `CPython` reads byte by byte up to a NUL behind its end.
#[derive(Clone, Copy)]
struct Bytes<'t>(&'t [u8]);

impl Bytes<'_> {
    fn at(self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// A number of exactly `count` digits and where it ends.
    fn digits(self, at: usize, count: usize) -> Option<(i64, usize)> {
        let mut number = 0;
        for place in at..at + count {
            let digit = self.at(place);
            if !digit.is_ascii_digit() {
                return None;
            }
            number = number * 10 + i64::from(digit - b'0');
        }
        Some((number, at + count))
    }
}

/// Hours, minutes, seconds and microseconds, unchecked.
#[derive(Clone, Copy, Default)]
struct Clock {
    hour: i64,
    minute: i64,
    second: i64,
    micros: i64,
}

impl Clock {
    fn micros(self) -> i64 {
        self.hour * HOUR + self.minute * MINUTE + self.second * SECOND + self.micros
    }
}

pub(super) fn datetime(text: &str) -> Result<DateTime, ToolError> {
    let bytes = Bytes(text.as_bytes());
    let invalid = || ToolError::value(format!("Invalid isoformat string: {}", repr::text(text)));
    let separator = separator(bytes);
    let (year, month, day) = date(bytes, separator).ok_or_else(invalid)?;
    let (mut clock, mut offset) = (Clock::default(), None);
    if text.len() > separator {
        let start = separator
            + match bytes.at(separator) {
                first if first < 0x80 => 1,
                first if first & 0xf0 == 0xe0 => 3,
                first if first & 0xf0 == 0xf0 => 4,
                _ => 2,
            };
        let rest = Bytes(text.as_bytes().get(start..).unwrap_or_default());
        (clock, offset) = time(rest).ok_or_else(invalid)?;
    }
    // The offset is made before the rest is looked at.
    let offset = offset.map(checked_offset).transpose()?;
    let date = Date::new(year, month, day)?;
    for (value, limit, name) in
        [(clock.hour, 23, "hour"), (clock.minute, 59, "minute"), (clock.second, 59, "second")]
    {
        if value > limit {
            return Err(ToolError::value(format!("{name} must be in 0..{limit}")));
        }
    }
    Ok(DateTime { date, time: clock.micros(), offset })
}

/// An offset that Python's `timezone` takes.
fn checked_offset(micros: i64) -> Result<i64, ToolError> {
    if micros.abs() < super::DAY {
        return Ok(micros);
    }
    let days = micros.div_euclid(super::DAY);
    let seconds = micros.rem_euclid(super::DAY) / SECOND;
    let micros = micros.rem_euclid(SECOND);
    let parts = [("days", days), ("seconds", seconds), ("microseconds", micros)];
    let parts = parts.iter().filter(|(_, number)| *number != 0);
    let parts: Vec<String> = parts.map(|(name, number)| format!("{name}={number}")).collect();
    Err(ToolError::value(format!(
        "offset must be a timedelta strictly between -timedelta(hours=24) and \
         timedelta(hours=24), not datetime.timedelta({}).",
        parts.join(", ")
    )))
}

/// Where the date ends (`_find_isoformat_datetime_separator`).
fn separator(text: Bytes<'_>) -> usize {
    let len = text.0.len();
    if len == 7 {
        return 7;
    }
    match (text.at(4), text.at(5)) {
        (b'-', b'W') if len > 8 && text.at(8) == b'-' => {
            // A hyphen before time is likelier than a digit between day and time.
            if len > 10 && text.at(10).is_ascii_digit() { 8 } else { 10 }
        }
        (b'-', b'W') => 8,
        (b'-', _) => 10,
        (b'W', _) => {
            let mut end = 7;
            while end < len && text.at(end).is_ascii_digit() {
                end += 1;
            }
            match end {
                ..9 => end,
                _ if end % 2 == 0 => 7,
                _ => 8,
            }
        }
        _ => 8,
    }
}

/// Year, month and day, unchecked (`parse_isoformat_date`).
fn date(text: Bytes<'_>, len: usize) -> Option<(i64, i64, i64)> {
    let (year, mut at) = text.digits(0, 4)?;
    let hyphens = text.at(at) == b'-';
    at += usize::from(hyphens);
    if text.at(at) == b'W' {
        let (week, mut at) = text.digits(at + 1, 2)?;
        let mut day = 1;
        if at < len {
            if hyphens {
                if text.at(at) != b'-' {
                    return None;
                }
                at += 1;
            }
            (day, _) = text.digits(at, 1)?;
        }
        return day_of_week(year, week, day);
    }
    let (month, mut at) = text.digits(at, 2)?;
    if hyphens {
        if text.at(at) != b'-' {
            return None;
        }
        at += 1;
    }
    let (day, _) = text.digits(at, 2)?;
    Some((year, month, day))
}

/// The date of a day of an ISO week (`iso_to_ymd`).
fn day_of_week(year: i64, week: i64, day: i64) -> Option<(i64, i64, i64)> {
    // 0 is a Monday.
    let first = (super::days_before_year(year) + 7).rem_euclid(7);
    let long = first == 3 || (first == 2 && super::is_leap(year));
    let weeks = if long { 53 } else { 52 };
    if !(1..=weeks).contains(&week) || !(1..=7).contains(&day) {
        return None;
    }
    let before = super::days_before_year(year);
    let monday = if first > 3 { before + 8 - first } else { before + 1 - first };
    let ordinal = monday + (week - 1) * 7 + day - 1;
    Some(match Date::from_ordinal(ordinal) {
        Some(date) => (i64::from(date.year), i64::from(date.month), i64::from(date.day)),
        // Python counts on past the calendar's ends, and refuses a month or a year.
        None if ordinal < 1 => (1, 0, 0),
        None => (10_000, 1, 1),
    })
}

/// A time with the microseconds of its offset (`parse_isoformat_time`).
fn time(text: Bytes<'_>) -> Option<(Clock, Option<i64>)> {
    let len = text.0.len();
    let mut zone = 0;
    loop {
        if matches!(text.at(zone), b'+' | b'-' | b'Z') {
            break;
        }
        zone += 1;
        if zone >= len {
            break;
        }
    }
    let (clock, more) = clock(text, 0, zone)?;
    if zone == len {
        return (!more).then_some((clock, None));
    }
    if text.at(zone) == b'Z' {
        return (text.at(zone + 1) == 0).then_some((clock, Some(0)));
    }
    let sign = if text.at(zone) == b'-' { -1 } else { 1 };
    let (offset, more) = self::clock(text, zone + 1, len)?;
    // An offset of less than a second is UTC's.
    let offset = if offset.micros() < SECOND { 0 } else { offset.micros() };
    (!more).then_some((clock, Some(sign * offset)))
}

/// A clock between two places, and whether something stands behind it (`parse_hh_mm_ss_ff`).
fn clock(text: Bytes<'_>, start: usize, end: usize) -> Option<(Clock, bool)> {
    let mut values = [0; 3];
    let mut colons = true;
    let mut at = start;
    let of = |values: [i64; 3], micros| Clock {
        hour: values[0],
        minute: values[1],
        second: values[2],
        micros,
    };
    for part in 0..values.len() {
        (values[part], at) = text.digits(at, 2)?;
        let next = text.at(at);
        at += 1;
        if part == 0 {
            colons = next == b':';
        }
        if at >= end {
            return Some((of(values, 0), next != 0));
        }
        if colons && next == b':' {
            continue;
        }
        if matches!(next, b'.' | b',') {
            // Also after hours or minutes.
            break;
        }
        if colons {
            return None;
        }
        at -= 1;
    }
    let count = (end - at).min(6);
    let (mut micros, mut at) = text.digits(at, count)?;
    for _ in count..6 {
        micros *= 10;
    }
    while text.at(at).is_ascii_digit() {
        at += 1;
    }
    Some((of(values, micros), text.at(at) != 0))
}
