//! How texts and numbers become a day and a time in `pydantic`'s lax mode (the crate `speedate`).

use serde_json::Value;

use crate::python::datetime::{Date, DateTime};

/// Seconds from the first day of year 1 to 1970.
const EPOCH: i64 = 62_135_596_800;

/// Greater numbers count milliseconds.
const WATERSHED: f64 = 2e10;

const MICROS: i64 = 1_000_000;

/// The length of a day's text.
const DAY: usize = 10;

/// The day and time that a value stands for.
///
/// # Errors
/// The type of `pydantic`'s error.
pub fn read(given: &Value) -> Result<DateTime, &'static str> {
    match given {
        Value::String(text) => match timed(text.as_bytes()) {
            Some(found) => DateTime::fromisoformat(&found).map_err(|_| "datetime_parsing"),
            None => stamp_text(text).ok_or("datetime_from_date_parsing"),
        },
        Value::Number(number) => number.as_f64().and_then(stamp).ok_or("datetime_parsing"),
        _ => Err("datetime_type"),
    }
}

fn digits(text: &[u8], at: usize, count: usize) -> Option<i64> {
    let part = text.get(at..at + count)?;
    let all = part.iter().all(u8::is_ascii_digit);
    all.then(|| part.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')))
}

fn day_parts(text: &[u8]) -> Option<(i64, i64, i64)> {
    let hyphens = text.get(4) == Some(&b'-') && text.get(7) == Some(&b'-');
    hyphens.then_some((digits(text, 0, 4)?, digits(text, 5, 2)?, digits(text, 8, 2)?))
}

/// The text in the form that Python's `isoformat` writes, where it reads as a day, or as a day and a
/// time.
fn timed(text: &[u8]) -> Option<String> {
    let (year, month, day) = day_parts(text)?;
    // Year 0 is refused later, by Python.
    Date::new(year.max(1), month, day).ok()?;
    if text.len() == DAY {
        return Some(format!("{year:04}-{month:02}-{day:02}"));
    }
    matches!(text.get(10)?, b'T' | b't' | b' ' | b'_').then_some(())?;
    let (hour, minute) = (digits(text, 11, 2)?, digits(text, 14, 2)?);
    (text[13] == b':' && hour < 24 && minute < 60).then_some(())?;
    let (mut second, mut micros, mut at) = (0, 0, 16);
    if text.get(at) == Some(&b':') {
        second = digits(text, 17, 2).filter(|second| *second < 60)?;
        at = 19;
        if matches!(text.get(at), Some(b'.' | b',')) {
            at += 1;
            let fraction = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            micros = digits(text, at, fraction.min(6)).filter(|_| fraction > 0)?;
            micros *= 10_i64.pow(6 - u32::try_from(fraction.min(6)).ok()?);
            at += fraction;
        }
    }
    let zone = zone(&text[at..])?;
    let day = format!("{year:04}-{month:02}-{day:02}");
    Some(format!("{day}T{hour:02}:{minute:02}:{second:02}.{micros:06}{zone}"))
}

/// Nothing, `Z`, or hours and minutes with or without a colon.
fn zone(text: &[u8]) -> Option<String> {
    let Some(sign) = text.first() else { return Some(String::new()) };
    match sign {
        b'Z' | b'z' if text.len() == 1 => return Some("+00:00".to_owned()),
        b'+' | b'-' => {}
        _ => return None,
    }
    let colon = usize::from(text.get(3) == Some(&b':'));
    let (hours, minutes) = (digits(text, 1, 2)?, digits(text, 3 + colon, 2)?);
    let fits = text.len() == 5 + colon && hours < 24 && minutes < 60;
    fits.then(|| format!("{}{hours:02}:{minutes:02}", char::from(*sign)))
}

/// Reads seconds or milliseconds since 1970, written as a decimal.
fn stamp_text(text: &str) -> Option<DateTime> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = unsigned.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (is_number && unsigned.contains(|c: char| c.is_ascii_digit())).then_some(())?;
    stamp(text.parse().ok()?)
}

/// A number of seconds or milliseconds since 1970, in UTC.
#[allow(clippy::cast_possible_truncation)] // saturates
fn stamp(number: f64) -> Option<DateTime> {
    let seconds = if number.abs() > WATERSHED { number / 1000.0 } else { number };
    let whole = seconds.floor();
    let micros = ((seconds - whole) * 1e6).round() as i64;
    let whole = whole as i64;
    let first = Date::new(1, 1, 1).ok()?;
    let since = whole.checked_add(EPOCH)?.checked_mul(MICROS)?.checked_add(micros)?;
    let moment = DateTime::naive(first, 0).plus(since).ok()?;
    DateTime::fromisoformat(&format!("{moment}+00:00")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_and_numbers_are_read_as_in_pydantic() {
        let cases = [
            (json!("2024-05-15"), "2024-05-15 00:00:00"),
            (json!("2024-05-15_10:00"), "2024-05-15 10:00:00"),
            (json!("2024-05-15t10:00:30,5"), "2024-05-15 10:00:30.500000"),
            (json!("2024-05-15T10:00:00.1234567Z"), "2024-05-15 10:00:00.123456+00:00"),
            (json!("2024-05-15T10:00+0230"), "2024-05-15 10:00:00+02:30"),
            (json!("1715767200.5"), "2024-05-15 10:00:00.500000+00:00"),
            (json!(1_715_767_200_000_i64), "2024-05-15 10:00:00+00:00"),
            (json!("-5"), "1969-12-31 23:59:55+00:00"),
            (json!("20240515"), "1970-08-23 06:21:55+00:00"),
            (json!("0000-01-01T00:00"), "datetime_parsing"),
            (json!(1e20), "datetime_parsing"),
            (json!(true), "datetime_type"),
            (json!("2024-05-15T10"), "datetime_from_date_parsing"),
            (json!("2024-02-30T10:00"), "datetime_from_date_parsing"),
            (json!("2024-05-15T10:00:60"), "datetime_from_date_parsing"),
            (json!(" 2024-05-15T10:00"), "datetime_from_date_parsing"),
            (json!("1e5"), "datetime_from_date_parsing"),
        ];
        for (given, expected) in cases {
            let got = read(&given).map_or_else(str::to_owned, |moment| moment.to_string());
            assert_eq!(got, expected, "{given}");
        }
    }
}
