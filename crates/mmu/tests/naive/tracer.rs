//! A tracer without an index: every piece of every text is tried with simple loops.
//!
//! It shares no code with the kernel's. It works on vectors of characters, cuts out each piece
//! that stands as a token, brings it into canonical form and compares.

use clawmmu::Kind;

use crate::forms::{account, address, clock, day, decimal, fold};

/// What one part of a value needs to be found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wanted {
    Raw(String),
    Name(String),
    Address(String),
    Account(String),
    Host(String),
    Path(String),
    Number(String),
    Symbol(char),
    Date(String),
    Time(String),
}

fn is_quote(c: char) -> bool {
    "'‘’‚‛".contains(c)
}

fn is_break(c: char) -> bool {
    c.is_whitespace() || "“”„‟«»‹›–—―…•‣¿¡、。「」『』【】《》〈〉，；：！？（）".contains(c)
}

fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    let glue =
        "‐‑".contains(c) || ('¢'..='§').contains(&c) || ('\u{20a0}'..='\u{20cf}').contains(&c);
    !(is_quote(c) || is_break(c) || glue)
}

fn at(text: &[char], index: isize) -> Option<char> {
    usize::try_from(index).ok().and_then(|index| text.get(index)).copied()
}

pub(crate) fn left(text: &[char], start: usize) -> bool {
    let start = start.cast_signed();
    let Some(c) = at(text, start - 1) else { return true };
    let earlier = at(text, start - 2);
    let digits = earlier.is_some_and(|c| c.is_ascii_digit())
        && at(text, start).is_some_and(|c| c.is_ascii_digit());
    match c {
        ',' | '*' => !digits,
        ':' => earlier == Some('"') || earlier == Some('\''),
        _ if is_quote(c) => !earlier.is_some_and(is_word),
        _ => is_break(c) || "([{<>\"`|;".contains(c),
    }
}

pub(crate) fn right(text: &[char], end: usize) -> bool {
    let mut end = end.cast_signed();
    let mut seen = 0;
    while let Some(c) = at(text, end)
        && ".:!?".contains(c)
    {
        seen += 1;
        if seen == 8 {
            return false;
        }
        end += 1;
    }
    let Some(c) = at(text, end) else { return true };
    let digits = at(text, end - 1).is_some_and(|c| c.is_ascii_digit())
        && at(text, end + 1).is_some_and(|c| c.is_ascii_digit());
    match c {
        ',' | '*' => !digits,
        _ if is_quote(c) => !at(text, end + 1).is_some_and(is_word),
        _ => is_break(c) || ")]}<>\"`|;".contains(c),
    }
}

/// What must be found for a value; `None` where it is never traced. The flag says that it counts
/// in the current turn only.
pub(crate) fn wanted(kind: Kind, value: &str) -> Option<Vec<(Wanted, bool)>> {
    if value.is_empty() {
        return None;
    }
    let raw = || Some(vec![(Wanted::Raw(value.to_owned()), value.chars().count() < 3)]);
    match kind {
        Kind::Boolean | Kind::Enumeration => None,
        Kind::Identifier | Kind::Path | Kind::Secret => raw(),
        Kind::Name => {
            let folded = fold(value).trim().to_owned();
            if value.chars().count() < 3 || folded.chars().count() < 3 {
                return Some(vec![(Wanted::Raw(value.to_owned()), true)]);
            }
            Some(vec![(Wanted::Name(folded), false)])
        }
        Kind::Address => address(value).map(|address| vec![(Wanted::Address(address), false)]),
        Kind::Account => match account(value) {
            Some(account) => Some(vec![(Wanted::Account(account), false)]),
            None => raw(),
        },
        Kind::Url => url(value),
        Kind::Number => match decimal(value, true) {
            Some(number) => Some(vec![number_wanted(number)]),
            None => raw(),
        },
        Kind::Amount => amount(value).or_else(raw),
        Kind::Date | Kind::Time => {
            let (date, time) = match value.split_once(['T', ' ']) {
                Some((date, time)) => (Some(day(date)), Some(clock(time))),
                None if value.contains('-') => (Some(day(value)), None),
                None => (None, Some(clock(value))),
            };
            if date == Some(None) || time == Some(None) {
                return raw();
            }
            let date = date.flatten().map(|date| (Wanted::Date(date), false));
            let time = time.flatten().map(|time| (Wanted::Time(time), false));
            Some(date.into_iter().chain(time).collect())
        }
    }
}

fn number_wanted(number: String) -> (Wanted, bool) {
    let short = number.len() < 3 && !number.contains('.');
    (Wanted::Number(number), short)
}

fn amount(value: &str) -> Option<Vec<(Wanted, bool)>> {
    if let Some(number) = decimal(value, true) {
        return Some(vec![number_wanted(number)]);
    }
    for symbol in ['$', '£', '¥', '€', '₹', '₽', '₩'] {
        let front = value.strip_prefix(symbol);
        let back = value.strip_suffix(symbol).map(|rest| rest.strip_suffix(' ').unwrap_or(rest));
        if let Some(number) = front.or(back).and_then(|rest| decimal(rest, true)) {
            return Some(vec![number_wanted(number), (Wanted::Symbol(symbol), false)]);
        }
    }
    let (a, b) = value.split_once(' ')?;
    let code = |text: &str| text.len() == 3 && text.chars().all(|c| c.is_ascii_uppercase());
    let (number, code) = if code(b) {
        (a, b)
    } else if code(a) {
        (b, a)
    } else {
        return None;
    };
    Some(vec![number_wanted(decimal(number, true)?), (Wanted::Raw(code.to_owned()), false)])
}

fn url(value: &str) -> Option<Vec<(Wanted, bool)>> {
    if value.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
        return None;
    }
    let lower = value.to_ascii_lowercase();
    let (default, rest) = if lower.starts_with("http://") {
        (":80", &value[7..])
    } else if lower.starts_with("https://") {
        (":443", &value[8..])
    } else {
        (":none", value)
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let usual = rest[..end].strip_suffix(default);
    let host = usual.unwrap_or(&rest[..end]).to_ascii_lowercase();
    let pieces: Vec<&str> = host.split(':').collect();
    if usual.is_some() && pieces.len() > 1 {
        return None;
    }
    let label = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
    };
    let port = |port: &&str| !port.is_empty() && port.chars().all(|c| c.is_ascii_digit());
    if pieces.len() > 2 || !pieces[0].split('.').all(label) || !pieces[1..].iter().all(port) {
        return None;
    }
    let mut wanted = vec![(Wanted::Host(host.clone()), host.len() < 3)];
    let path = &rest[end..];
    if !path.is_empty() && path != "/" {
        wanted.push((Wanted::Path(path.to_owned()), path.chars().count() < 3));
    }
    Some(wanted)
}

/// Whether a text holds what is wanted: every piece of it is tried.
pub(crate) fn holds(text: &str, wanted: &Wanted) -> bool {
    let text = if matches!(wanted, Wanted::Name(_)) { fold(text) } else { text.to_owned() };
    let chars: Vec<char> = text.chars().collect();
    (0..chars.len()).any(|start| {
        let last = chars.len().min(start + 90);
        (start + 1..=last).any(|end| piece_fits(&chars, start, end, wanted))
    })
}

fn piece_fits(text: &[char], start: usize, end: usize, wanted: &Wanted) -> bool {
    let piece: String = text[start..end].iter().collect();
    let has_word = piece.chars().any(is_word);
    let before: String = text[..start].iter().collect();
    let after: String = text[end..].iter().collect();
    let bounded = left(text, start) && right(text, end);
    let scheme = ["http://", "https://"].into_iter().find(|scheme| {
        let head = before.len().checked_sub(scheme.len()).and_then(|at| before.get(at..));
        head.is_some_and(|head| head.eq_ignore_ascii_case(scheme))
            && !before[..before.len() - scheme.len()].ends_with(is_word)
    });
    match wanted {
        Wanted::Raw(value) => has_word && bounded && piece == *value,
        Wanted::Name(value) => {
            let tag = start > 0 && "#@".contains(text[start - 1]) && left(text, start - 1);
            let owns = (after.starts_with("'s") || after.starts_with("’s")) && right(text, end + 2);
            piece == *value && has_word && (tag || left(text, start)) && (owns || right(text, end))
        }
        Wanted::Address(value) => {
            let lower = before.to_ascii_lowercase();
            let linked = lower.ends_with("mailto:") && left(text, start - 7);
            let same = address(&piece).is_some_and(|found| found == *value && !piece.contains('<'));
            let bare = !piece.to_ascii_lowercase().starts_with("mailto:");
            has_word && same && bare && right(text, end) && (linked || left(text, start))
        }
        Wanted::Account(value) => {
            let one_kind = !(piece.contains(' ') && piece.contains('-'));
            let alone = value.len() >= 8 && piece.len() == value.len();
            let near = |mut group: Box<dyn Iterator<Item = char>>| {
                group.next() == Some(' ')
                    && group.take_while(char::is_ascii_alphanumeric).any(|c| c.is_ascii_digit())
            };
            let crowded = near(Box::new(before.chars().rev().collect::<Vec<_>>().into_iter()))
                || near(Box::new(after.chars().collect::<Vec<_>>().into_iter()));
            account(&piece).as_ref() == Some(value) && bounded && one_kind && (alone || !crowded)
        }
        Wanted::Host(value) => {
            let port = match scheme {
                Some("http://") => ":80",
                Some(_) => ":443",
                None => ":none",
            };
            let lower = piece.to_ascii_lowercase();
            let same = lower == *value || lower.strip_suffix(port) == Some(value);
            let more_digits = lower != *value && after.starts_with(|c: char| c.is_ascii_digit());
            let closes = after.starts_with(['/', '?', '#']) || right(text, end);
            has_word && same && !more_digits && closes && (scheme.is_some() || left(text, start))
        }
        Wanted::Path(value) => {
            has_word && piece == *value && right(text, end) && path_starts(text, start, value)
        }
        Wanted::Number(value) => {
            decimal(&piece, false).as_ref() == Some(value) && number_stands(text, start, end)
        }
        Wanted::Symbol(symbol) => {
            let front = before.strip_suffix(*symbol).is_some()
                || before.strip_suffix(' ').is_some_and(|rest| rest.ends_with(*symbol));
            let back = after.strip_prefix(' ').unwrap_or(&after).starts_with(*symbol);
            decimal(&piece, false).is_some() && number_stands(text, start, end) && (front || back)
        }
        Wanted::Date(value) => {
            let time =
                after.starts_with('T') && after[1..].starts_with(|c: char| c.is_ascii_digit());
            day(&piece).as_ref() == Some(value) && left(text, start) && (time || right(text, end))
        }
        Wanted::Time(value) => {
            let rest = after.strip_prefix(' ').unwrap_or(&after).to_ascii_lowercase();
            let half = (rest.starts_with("am") || rest.starts_with("pm"))
                && !rest[2..].starts_with(|c: char| c.is_ascii_alphanumeric());
            let behind_date = start >= 11 && text[start - 1] == 'T' && left(text, start - 11) && {
                let date: String = text[start - 11..start - 1].iter().collect();
                day(&date).is_some()
            };
            clock(&piece).as_ref() == Some(value)
                && !half
                && (behind_date || left(text, start))
                && right(text, end)
        }
    }
}

fn number_stands(text: &[char], start: usize, end: usize) -> bool {
    let symbol = |c: char| "$£¥€₹₽₩".contains(c);
    let from = if start > 0 && symbol(text[start - 1]) { start - 1 } else { start };
    let to = match text.get(end) {
        Some(&c) if c == '%' || symbol(c) => end + 1,
        _ => end,
    };
    // A sign in front belongs to the number.
    left(text, from) && right(text, to)
}

fn path_starts(text: &[char], start: usize, path: &str) -> bool {
    let host_char = |c: &char| c.is_ascii_alphanumeric() || ".-_:".contains(*c);
    let length = text[..start].iter().rev().take_while(|c| host_char(c)).count();
    let from = start - length;
    if length == 0 {
        return path.starts_with('/') && left(text, start);
    }
    let before: String = text[..from].iter().collect();
    let host: String = text[from..start].iter().collect();
    let scheme = ["http://", "https://"].into_iter().any(|scheme| {
        let cut = before.len().checked_sub(scheme.len());
        cut.is_some_and(|cut| {
            before.get(cut..).is_some_and(|tail| tail.eq_ignore_ascii_case(scheme))
                && !before[..cut].ends_with(is_word)
        })
    });
    scheme || (host.contains('.') && left(text, from))
}
