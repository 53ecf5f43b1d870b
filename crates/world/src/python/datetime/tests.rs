use super::*;

fn shown(read: Result<DateTime, ToolError>) -> String {
    read.map_or_else(|error| error.to_string(), |read| read.to_string())
}

#[test]
fn iso_texts_are_read_as_python_3_11_reads_them() {
    let cases = [
        ("2024-05-15", "2024-05-15 00:00:00"),
        ("2024-05-15T", "ValueError: Invalid isoformat string: '2024-05-15T'"),
        ("2024-05-15T10.5", "2024-05-15 10:00:00.500000"),
        ("9999-W52-6", "ValueError: year 10000 is out of range"),
        ("20240515T1030", "2024-05-15 10:30:00"),
        ("2024-W20-3", "2024-05-15 00:00:00"),
        ("2024-05-15é10:30:01,5", "2024-05-15 10:30:01.500000"),
        ("2024-05-15 10:30:00.1234567Z", "2024-05-15 10:30:00.123456+00:00"),
        ("2024-05-15 10-00:30:15", "2024-05-15 10:00:00-00:30:15"),
        ("2024-5-15", "ValueError: Invalid isoformat string: '2024-5-15'"),
        ("x", "ValueError: Invalid isoformat string: 'x'"),
        ("2024-05-15 10:", "ValueError: Invalid isoformat string: '2024-05-15 10:'"),
        ("2024-13-01", "ValueError: month must be in 1..12"),
        ("2024-02-30", "ValueError: day is out of range for month"),
        ("0000-01-01", "ValueError: year 0 is out of range"),
        ("2024-05-15 24:00", "ValueError: hour must be in 0..23"),
        (
            "2024-05-15 10:00-24:00",
            "ValueError: offset must be a timedelta strictly between -timedelta(hours=24) and \
             timedelta(hours=24), not datetime.timedelta(days=-1).",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(DateTime::fromisoformat(text)), expected, "{text}");
    }
}

#[test]
fn formats_take_what_their_expressions_take() {
    let mismatch = |text: &str| {
        format!("ValueError: time data '{text}' does not match format '%Y-%m-%d %H:%M'")
    };
    let cases = [
        ("2024-5-1 9:5", "2024-05-01 09:05:00".to_owned()),
        ("2024-05- 1\u{2003} 09:05", "2024-05-01 09:05:00".to_owned()),
        ("２024-05-1５ 1５:3５", "2024-05-15 15:35:00".to_owned()),
        ("2024-05-15 10:75", "ValueError: unconverted data remains: 5".to_owned()),
        ("2024-05-15 10:00:00", "ValueError: unconverted data remains: :00".to_owned()),
        ("2024-02-30 10:00", "ValueError: day is out of range for month".to_owned()),
        ("2024-05-15T10:00", mismatch("2024-05-15T10:00")),
        ("2024-05-15 24:00", mismatch("2024-05-15 24:00")),
        ("2024-05-32 10:00", mismatch("2024-05-32 10:00")),
        ("2024-00-10 10:00", mismatch("2024-00-10 10:00")),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(date_and_time(text)), expected, "{text}");
    }
    assert_eq!(shown(date("2024-05-32")), "ValueError: unconverted data remains: 2");
}

#[test]
fn a_naive_datetime_never_equals_one_with_an_offset() {
    let read = |text| DateTime::fromisoformat(text).unwrap();
    assert_eq!(read("2024-05-15T10:00+02:00"), read("2024-05-15T08:00Z"));
    assert_ne!(read("2024-05-15T08:00"), read("2024-05-15T08:00Z"));
    assert_eq!(read("2024-05-15T08:00").moment(), read("2024-05-15T08:00Z").moment());
    assert!(read("0001-01-01T00:00+23:59").utc_moment().is_err());
}

#[test]
fn days_are_counted_to_the_calendars_ends() {
    for ordinal in [1, 59, 60, 365, 366, 367, 146_097, 146_098, 738_000, LAST_DAY] {
        assert_eq!(Date::from_ordinal(ordinal).unwrap().ordinal(), ordinal);
    }
    assert_eq!(Date::from_ordinal(LAST_DAY).unwrap().to_string(), "9999-12-31");
    assert_eq!((Date::from_ordinal(0), Date::from_ordinal(LAST_DAY + 1)), (None, None));
    let late = DateTime::fromisoformat("9999-12-31T22:00").unwrap();
    assert_eq!(shown(late.plus_hours(2)), "OverflowError: date value out of range");
    assert_eq!(shown(late.plus_hours(-24)), "9999-12-30 22:00:00");
}
