//! Account numbers: separators and case do not matter, in one contiguous run.

use std::borrow::Cow;

use super::text;

/// How many characters of an account its key holds.
pub(crate) const KEY: usize = 4;
/// The longest account: an IBAN has at most 34 characters.
const MAX_LENGTH: usize = 64;
/// From this length on an account without separators may stand beside other numbers.
const DISTINCT: usize = 8;

/// An account as sent, without separators and in capitals. `None`: it is no account that
/// separators could part (a digit among the first four characters is needed), so it is compared
/// raw.
pub(crate) fn canonical(text: &str) -> Option<Cow<'_, str>> {
    if text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase()) {
        return is_distinct(text).then_some(text.into());
    }
    let mut canonical = String::with_capacity(text.len());
    let mut parted = true;
    for byte in text.bytes() {
        match byte {
            b' ' | b'-' if !parted => parted = true,
            _ if byte.is_ascii_alphanumeric() => {
                parted = false;
                canonical.push(char::from(byte.to_ascii_uppercase()));
            }
            _ => return None,
        }
    }
    (!parted && is_distinct(&canonical)).then_some(canonical.into())
}

fn is_distinct(canonical: &str) -> bool {
    let key = canonical.as_bytes().get(..KEY);
    canonical.len() <= MAX_LENGTH && key.is_some_and(|key| key.iter().any(u8::is_ascii_digit))
}

/// The key of the account that may begin at the word that begins at `at`.
pub(crate) fn key(bytes: &[u8], at: usize) -> Option<[u8; KEY]> {
    let mut key = [0; KEY];
    let mut filled = 0;
    let mut at = at;
    let mut digit = false;
    while filled < KEY {
        let byte = *bytes.get(at)?;
        if byte.is_ascii_alphanumeric() {
            key[filled] = byte.to_ascii_uppercase();
            digit |= byte.is_ascii_digit();
            filled += 1;
        } else if !(matches!(byte, b' ' | b'-')
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric))
        {
            return None;
        }
        at += 1;
    }
    digit.then_some(key)
}

/// Whether the account stands at `at`, where a word begins: in groups parted by one kind of single
/// separator, and not as a piece of a longer run of groups.
pub(crate) fn is_at(text: &str, at: usize, account: &str) -> bool {
    let bytes = text.as_bytes();
    let mut end = at;
    let mut separator = None;
    for (index, expected) in account.bytes().enumerate() {
        let Some(&byte) = bytes.get(end) else { return false };
        if index > 0 && matches!(byte, b' ' | b'-') {
            if *separator.get_or_insert(byte) != byte {
                return false;
            }
            end += 1;
        }
        match bytes.get(end) {
            Some(byte) if byte.to_ascii_uppercase() == expected => end += 1,
            _ => return false,
        }
    }
    if !text::begins(text, at) || !text::ends(text, end) {
        return false;
    }
    if separator.is_none() && account.len() >= DISTINCT {
        return true;
    }
    !group_with_digit(bytes[..at].iter().rev()) && !group_with_digit(bytes[end..].iter())
}

/// Whether a single space and then a group of account characters with a digit in it follows.
fn group_with_digit<'a>(mut bytes: impl Iterator<Item = &'a u8>) -> bool {
    bytes.next() == Some(&b' ')
        && bytes
            .take(MAX_LENGTH)
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .any(u8::is_ascii_digit)
}
