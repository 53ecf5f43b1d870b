//! Python's `datetime.date` and `datetime.datetime`, with the parsers and text forms that tools use.
//!
//! Values, not objects: whoever needs to know which object a datetime is (a YAML dump does) keeps
//! that beside the value.

mod iso;
mod strptime;

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use trace::call::ToolError;

pub use strptime::{date, date_and_time};

/// A day of the proleptic Gregorian calendar, of the years 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// A day and a time: naive, or with a fixed offset from UTC.
///
/// Two are equal as in Python: naive ones by their fields, ones with an offset by the moment they
/// name, and a naive one never equals one with an offset.
#[derive(Clone, Copy, Debug)]
pub struct DateTime {
    date: Date,
    /// Microseconds since midnight.
    time: i64,
    /// Microseconds ahead of UTC.
    offset: Option<i64>,
}

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The number of 9999-12-31.
const LAST_DAY: i64 = 3_652_059;

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days before the first of January of a year from 1 on.
fn days_before_year(year: i64) -> i64 {
    let before = year - 1;
    before * 365 + before / 4 - before / 100 + before / 400
}

impl Date {
    /// The day with these numbers.
    ///
    /// # Errors
    /// Python's `ValueError` for a number out of range.
    pub fn new(year: i64, month: i64, day: i64) -> Result<Self, ToolError> {
        if !(1..=9999).contains(&year) {
            return Err(ToolError::value(format!("year {year} is out of range")));
        }
        if !(1..=12).contains(&month) {
            return Err(ToolError::value("month must be in 1..12"));
        }
        if !(1..=days_in(year, month)).contains(&day) {
            return Err(ToolError::value("day is out of range for month"));
        }
        Ok(Self::of(year, month, day))
    }

    fn of(year: i64, month: i64, day: i64) -> Self {
        let year = u16::try_from(year).expect("a year is checked before");
        let month = u8::try_from(month).expect("a month is checked before");
        let day = u8::try_from(day).expect("a day is checked before");
        Self { year, month, day }
    }

    /// The day's number, 1 for 0001-01-01 (Python: `toordinal`).
    pub fn ordinal(self) -> i64 {
        let year = i64::from(self.year);
        let months = (1..i64::from(self.month)).map(|month| days_in(year, month));
        days_before_year(year) + months.sum::<i64>() + i64::from(self.day)
    }

    /// The day with this number, if there is one (Python: `fromordinal`).
    pub fn from_ordinal(ordinal: i64) -> Option<Self> {
        if !(1..=LAST_DAY).contains(&ordinal) {
            return None;
        }
        let mut year = (ordinal - 1) / 366 + 1;
        while days_before_year(year + 1) < ordinal {
            year += 1;
        }
        let mut day = ordinal - days_before_year(year);
        let mut month = 1;
        while day > days_in(year, month) {
            day -= days_in(year, month);
            month += 1;
        }
        Some(Self::of(year, month, day))
    }

    /// The month and the day (Python: `strftime("%m-%d")`).
    pub fn month_and_day(self) -> (u8, u8) {
        (self.month, self.day)
    }
}

/// Writes it as `isoformat` does.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl DateTime {
    /// A naive datetime: a day and the microseconds since its midnight.
    ///
    /// # Panics
    /// When the microseconds are not less than a day's.
    pub fn naive(date: Date, time: i64) -> Self {
        assert!((0..DAY).contains(&time), "{time} microseconds are no time of day");
        Self { date, time, offset: None }
    }

    /// Reads what Python 3.11's `datetime.fromisoformat` reads.
    ///
    /// # Errors
    /// Its `ValueError`, in its words.
    pub fn fromisoformat(text: &str) -> Result<Self, ToolError> {
        iso::datetime(text)
    }

    /// Its day.
    pub fn date(&self) -> Date {
        self.date
    }

    /// The time of day as `HH:MM` (Python: `strftime("%H:%M")`).
    pub fn hour_and_minute(&self) -> String {
        format!("{:02}:{:02}", self.time / HOUR, self.time / MINUTE % 60)
    }

    /// The time of day as `time().isoformat()` writes it.
    pub fn time_text(&self) -> String {
        let seconds = self.time / SECOND % 60;
        let micros = self.time % SECOND;
        let text = format!("{}:{seconds:02}", self.hour_and_minute());
        if micros == 0 { text } else { format!("{text}.{micros:06}") }
    }

    /// Microseconds from 0001-01-01 00:00 of its own clock, whatever the offset.
    pub fn local(&self) -> i64 {
        (self.date.ordinal() - 1) * DAY + self.time
    }

    /// Microseconds from 0001-01-01 00:00 UTC, or of its own clock where it is naive.
    pub fn moment(&self) -> i64 {
        self.local() - self.offset.unwrap_or(0)
    }

    /// The moment as a datetime in UTC that `deepdiff` compares: a naive one is taken as UTC.
    ///
    /// # Errors
    /// Python's `OverflowError` where UTC's year is not within 1 to 9999.
    pub fn utc_moment(&self) -> Result<i64, ToolError> {
        let moment = self.moment();
        if (0..LAST_DAY * DAY).contains(&moment) { Ok(moment) } else { Err(overflow()) }
    }

    /// Whether it has an offset from UTC.
    pub fn is_aware(&self) -> bool {
        self.offset.is_some()
    }

    /// So many microseconds later, on the same clock.
    ///
    /// # Errors
    /// Python's `OverflowError` past the years 1 to 9999.
    pub fn plus(&self, micros: i64) -> Result<Self, ToolError> {
        let local = self.local().checked_add(micros).ok_or_else(overflow)?;
        let date = Date::from_ordinal(local.div_euclid(DAY) + 1).ok_or_else(overflow)?;
        Ok(Self { date, time: local.rem_euclid(DAY), offset: self.offset })
    }

    /// So many hours later, on the same clock.
    ///
    /// # Errors
    /// As [`DateTime::plus`].
    pub fn plus_hours(&self, hours: i64) -> Result<Self, ToolError> {
        self.plus(hours.saturating_mul(HOUR))
    }
}

fn overflow() -> ToolError {
    ToolError { kind: "OverflowError", message: "date value out of range".to_owned() }
}

impl PartialEq for DateTime {
    fn eq(&self, other: &Self) -> bool {
        self.is_aware() == other.is_aware() && self.moment() == other.moment()
    }
}

impl Eq for DateTime {}

/// Writes it as `str` does, which is `isoformat(' ')`.
impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.date, self.time_text())?;
        let Some(offset) = self.offset else { return Ok(()) };
        let sign = if offset < 0 { '-' } else { '+' };
        let (hours, minutes) = (offset.abs() / HOUR, offset.abs() / MINUTE % 60);
        write!(f, "{sign}{hours:02}:{minutes:02}")?;
        let (seconds, micros) = (offset.abs() / SECOND % 60, offset.abs() % SECOND);
        if seconds != 0 || micros != 0 {
            write!(f, ":{seconds:02}")?;
        }
        if micros != 0 {
            write!(f, ".{micros:06}")?;
        }
        Ok(())
    }
}

/// Reads the data set's form, `{"$datetime": ISO}`.
impl<'de> Deserialize<'de> for DateTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            #[serde(rename = "$datetime")]
            text: String,
        }
        let Written { text } = Written::deserialize(deserializer)?;
        Self::fromisoformat(&text).map_err(D::Error::custom)
    }
}

/// Reads the data set's form, `{"$date": ISO}`.
impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            #[serde(rename = "$date")]
            text: String,
        }
        let Written { text } = Written::deserialize(deserializer)?;
        date(&text).map(|read| read.date()).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests;
