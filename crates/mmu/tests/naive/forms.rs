//! The naive tracer's own canonical forms.

use unicode_normalization::UnicodeNormalization;

pub(crate) fn fold(text: &str) -> String {
    let composed: String = text.nfkc().collect();
    let folded: String = caseless::default_case_fold_str(&composed).nfkc().collect();
    let mut out = String::new();
    for c in folded.chars() {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c != ' ' || !out.ends_with(' ') {
            out.push(c);
        }
    }
    out
}

/// The decimal value as text, or nothing.
pub(crate) fn decimal(text: &str, exponents: bool) -> Option<String> {
    let (text, power) = match text.split_once(['e', 'E']) {
        Some((mantissa, power)) if exponents => (mantissa, power.parse::<i32>().ok()?),
        _ => (text, 0),
    };
    if !(-30..=30).contains(&power) {
        return None;
    }
    let (minus, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = match text.split_once('.') {
        Some((_, "")) => return None,
        Some(split) => split,
        None => (text, ""),
    };
    let groups: Vec<&str> = whole.split(',').collect();
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let grouped = groups.len() > 1
        && (1..=3).contains(&groups[0].len())
        && groups[1..].iter().all(|group| group.len() == 3);
    let good = !groups[0].is_empty() && (groups.len() == 1 || grouped);
    if !good || !groups.iter().all(|group| plain(group)) || !plain(part) {
        return None;
    }
    let mut digits: Vec<char> = groups.concat().chars().chain(part.chars()).collect();
    let mut point = i32::try_from(digits.len() - part.len()).ok()? + power;
    while point < 1 {
        digits.insert(0, '0');
        point += 1;
    }
    while i32::try_from(digits.len()).ok()? < point {
        digits.push('0');
    }
    let point = usize::try_from(point).ok()?;
    let whole: String = digits[..point].iter().collect();
    let part: String = digits[point..].iter().collect();
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if part.is_empty() { "" } else { "." };
    let minus = if minus && (whole != "0" || !part.is_empty()) { "-" } else { "" };
    Some(format!("{minus}{whole}{point}{part}"))
}

pub(crate) fn day(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return None };
    let digits =
        |text: &str, length| text.len() == length && text.bytes().all(|b| b.is_ascii_digit());
    let good = digits(year, 4) && digits(month, 2) && digits(day, 2);
    let fits = good && ("01"..="12").contains(&month) && ("01"..="31").contains(&day);
    fits.then(|| text.to_owned())
}

pub(crate) fn clock(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(':').collect();
    if !(2..=3).contains(&parts.len())
        || !parts.iter().all(|p| p.bytes().all(|b| b.is_ascii_digit()))
    {
        return None;
    }
    let lengths =
        (1..=2).contains(&parts[0].len()) && parts[1..].iter().all(|part| part.len() == 2);
    let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let fits = lengths && numbers[0] < 24 && numbers[1..].iter().all(|number| *number < 60);
    let second = numbers.get(2).unwrap_or(&0);
    fits.then(|| format!("{:02}:{:02}:{second:02}", numbers[0], numbers[1]))
}

pub(crate) fn account(text: &str) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    let separator = |c: char| c == ' ' || c == '-';
    let ok = chars.iter().all(|&c| c.is_ascii_alphanumeric() || separator(c))
        && !chars.windows(2).any(|pair| separator(pair[0]) && separator(pair[1]))
        && chars.first().is_some_and(|&c| !separator(c))
        && chars.last().is_some_and(|&c| !separator(c));
    let bare: String =
        chars.iter().filter(|&&c| !separator(c)).map(char::to_ascii_uppercase).collect();
    let distinct = bare.len() >= 4 && bare.chars().take(4).any(|c| c.is_ascii_digit());
    (ok && distinct && bare.len() <= 64).then_some(bare)
}

pub(crate) fn address(value: &str) -> Option<String> {
    let mut bare = value;
    if value.ends_with('>') {
        let open = value.find('<')?;
        if value[..open].contains(['@', ',', ';', ':', '>', '\n', '\r']) {
            return None;
        }
        bare = &value[open + 1..value.len() - 1];
    }
    if bare.to_ascii_lowercase().starts_with("mailto:") {
        bare = &bare[7..];
    }
    let pieces: Vec<&str> = bare.split('@').collect();
    let [local, host] = pieces[..] else { return None };
    let bad = |c: char| c.is_whitespace() || c.is_control() || "<>()[],;:\\\"?&".contains(c);
    let label = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let good = !local.is_empty() && !local.contains(bad) && host.split('.').all(label);
    good.then(|| format!("{local}@{}", host.to_ascii_lowercase()))
}
