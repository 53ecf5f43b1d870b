//! Dates and times of day: ISO 8601 without zones, seconds optional.

use super::text;

/// A date: year, month, day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date(pub(crate) u16, pub(crate) u8, pub(crate) u8);

/// A time of day: hour, minute, second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Time(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// The date and the time of day that a value as sent carries; at least one of them.
pub(crate) fn sent(text: &str) -> Option<(Option<Date>, Option<Time>)> {
    let bytes = text.as_bytes();
    if let Some((date, end)) = date(bytes, 0) {
        if end == bytes.len() {
            return Some((Some(date), None));
        }
        if !matches!(bytes[end], b'T' | b' ') {
            return None;
        }
        let (time, end) = time(bytes, end + 1)?;
        return (end == bytes.len()).then_some((Some(date), Some(time)));
    }
    let (time, end) = time(bytes, 0)?;
    (end == bytes.len()).then_some((None, Some(time)))
}

/// The date that begins at `at` in a text as a token of its own, and its end.
pub(crate) fn date_found(text: &str, at: usize) -> Option<(Date, usize)> {
    let (date, end) = date(text.as_bytes(), at)?;
    let with_time = text.as_bytes().get(end) == Some(&b'T')
        && text.as_bytes().get(end + 1).is_some_and(u8::is_ascii_digit);
    (text::begins(text, at) && (with_time || text::ends(text, end))).then_some((date, end))
}

/// The time of day that begins at `at` in a text as a token of its own, or behind a date's `T`.
pub(crate) fn time_found(text: &str, at: usize) -> Option<Time> {
    let (time, end) = time(text.as_bytes(), at)?;
    let behind_date = at >= 2 && text.as_bytes()[at - 1] == b'T' && {
        let date_at = at.checked_sub(11);
        date_at.is_some_and(|start| {
            text.is_char_boundary(start)
                && date_found(text, start).is_some_and(|(_, end)| end + 1 == at)
        })
    };
    if !(behind_date || text::begins(text, at)) || !text::ends(text, end) {
        return None;
    }
    let rest = &text.as_bytes()[end..];
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    let half = rest.get(..2).is_some_and(|half| {
        half[0].eq_ignore_ascii_case(&b'a') && half[1].eq_ignore_ascii_case(&b'm')
            || half[0].eq_ignore_ascii_case(&b'p') && half[1].eq_ignore_ascii_case(&b'm')
    });
    let half = half && !rest.get(2).is_some_and(u8::is_ascii_alphanumeric);
    (!half).then_some(time)
}

fn digits(bytes: &[u8], at: usize, count: usize) -> Option<u16> {
    let run = bytes.get(at..at + count)?;
    run.iter()
        .try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u16::from(byte - b'0')))
}

fn small(bytes: &[u8], at: usize, most: u8) -> Option<u8> {
    u8::try_from(digits(bytes, at, 2)?).ok().filter(|value| *value <= most)
}

/// `YYYY-MM-DD`, not followed by another digit.
fn date(bytes: &[u8], at: usize) -> Option<(Date, usize)> {
    let year = digits(bytes, at, 4)?;
    if bytes.get(at + 4) != Some(&b'-') || bytes.get(at + 7) != Some(&b'-') {
        return None;
    }
    let month = small(bytes, at + 5, 12)?;
    let day = small(bytes, at + 8, 31)?;
    let ends = !bytes.get(at + 10).is_some_and(u8::is_ascii_digit);
    (ends && month > 0 && day > 0).then_some((Date(year, month, day), at + 10))
}

/// `H:MM`, `HH:MM` or `HH:MM:SS`, not followed by another digit.
fn time(bytes: &[u8], at: usize) -> Option<(Time, usize)> {
    let (hour, colon) = match small(bytes, at, 23) {
        Some(hour) => (hour, at + 2),
        None => (u8::try_from(digits(bytes, at, 1)?).ok()?, at + 1),
    };
    if bytes.get(colon) != Some(&b':') {
        return None;
    }
    let minute = small(bytes, colon + 1, 59)?;
    let mut end = colon + 3;
    let mut second = 0;
    if bytes.get(end) == Some(&b':')
        && let Some(seconds) = small(bytes, end + 1, 59)
    {
        second = seconds;
        end += 3;
    }
    (!bytes.get(end).is_some_and(u8::is_ascii_digit)).then_some((Time(hour, minute, second), end))
}
