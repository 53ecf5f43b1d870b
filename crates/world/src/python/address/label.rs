//! Internationalised labels of a host: Punycode (RFC 3492), and what a label may hold (RFC 5892, in
//! the large: letters, digits and marks in their normal form).

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// What a label in its ASCII form begins with.
const PREFIX: &str = "xn--";

const BASE: u32 = 36;
const LEAST: u32 = 1;
const MOST: u32 = 26;

/// The label with its letters, if it is one that may stand in a host.
pub(super) fn unicode(label: &str) -> Option<String> {
    let label = match label.strip_prefix(PREFIX) {
        Some(code) if !code.is_empty() && !code.ends_with('-') => decode(code)?,
        Some(_) => return None,
        None => label.to_owned(),
    };
    let hyphens = label.starts_with('-') || label.ends_with('-');
    let begins = label.chars().next().is_some_and(|first| !is_combining_mark(first));
    let is_normal = label.nfc().eq(label.chars());
    (!hyphens && begins && is_normal && label.chars().all(may_stand)).then_some(label)
}

fn may_stand(c: char) -> bool {
    let is_stable = std::iter::once(c).nfkc().eq([c]) && c.to_lowercase().eq([c]);
    c == '-' || is_combining_mark(c) || (c.is_alphanumeric() && is_stable)
}

/// Punycode without its prefix, decoded.
fn decode(code: &str) -> Option<String> {
    let (plain, code) = code.rsplit_once('-').unwrap_or(("", code));
    let mut out: Vec<char> = plain.chars().collect();
    let (mut next, mut at, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = code.bytes();
    while digits.len() > 0 {
        let (before, mut weight, mut place) = (at, 1_u32, BASE);
        loop {
            let digit = match digits.next()? {
                byte @ b'a'..=b'z' => u32::from(byte - b'a'),
                byte @ b'0'..=b'9' => u32::from(byte - b'0') + 26,
                _ => return None,
            };
            at = at.checked_add(digit.checked_mul(weight)?)?;
            let threshold = place.saturating_sub(bias).clamp(LEAST, MOST);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            place += BASE;
        }
        let length = u32::try_from(out.len()).ok()? + 1;
        bias = adapted(at - before, length, before == 0);
        next = next.checked_add(at / length)?;
        at %= length;
        out.insert(usize::try_from(at).ok()?, char::from_u32(next)?);
        at += 1;
    }
    Some(out.into_iter().collect())
}

fn adapted(delta: u32, length: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / length;
    let mut place = 0;
    while delta > (BASE - LEAST) * MOST / 2 {
        delta /= BASE - LEAST;
        place += BASE;
    }
    place + (BASE - LEAST + 1) * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_decoded_and_checked() {
        let cases = [
            ("xn--bcher-kva", Some("b\u{fc}cher")),
            ("xn--4ca", Some("\u{e4}")),
            ("xn--p1ai", Some("\u{440}\u{444}")),
            ("xn--fiqs8s", Some("\u{4e2d}\u{56fd}")),
            ("b\u{fc}cher", Some("b\u{fc}cher")),
            ("plain-1", Some("plain-1")),
            // U+0080, a control.
            ("xn--a", None),
            ("xn--abc-", None),
            ("xn--", None),
            ("xn--99999999", None),
            ("\u{1f600}", None),
            ("\u{301}a", None),
        ];
        for (label, expected) in cases {
            assert_eq!(unicode(label).as_deref(), expected, "{label}");
        }
    }
}
