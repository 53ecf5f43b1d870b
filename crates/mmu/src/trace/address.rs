//! Mail addresses: host case, `mailto:` and a display name do not matter.

use std::borrow::Cow;

use super::text;

/// The one address that a value as sent carries, its host in lower case, and the length of its local
/// part.
pub(crate) fn sent(text: &str) -> Option<(Cow<'_, str>, usize)> {
    let bare = match text.strip_suffix('>') {
        Some(rest) => {
            let (display, bare) = rest.split_once('<')?;
            let plain = !display.contains(['@', ',', ';', ':', '<', '>', '\n', '\r']);
            plain.then_some(bare)?
        }
        None => text,
    };
    let bare = match bare.get(..7) {
        Some(scheme) if scheme.eq_ignore_ascii_case("mailto:") => &bare[7..],
        _ => bare,
    };
    let (local, host) = bare.split_once('@')?;
    let local_is_plain = !local.is_empty()
        && (local.bytes().all(|byte| IS_PLAIN[usize::from(byte)])
            || !local.contains(|c| !is_plain(c)));
    let host_is_plain = !host.is_empty()
        && host.split('.').all(|label| {
            !label.is_empty()
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        });
    (local_is_plain && host_is_plain).then_some(())?;
    if !host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Some((bare.into(), local.len()));
    }
    let mut address = bare.to_owned();
    address[local.len()..].make_ascii_lowercase();
    Some((address.into(), local.len()))
}

/// Whether a character may stand in a local part.
fn is_plain(c: char) -> bool {
    let known = IS_PLAIN.get(c as usize).is_some_and(|plain| *plain);
    known || !(c.is_ascii() || c.is_whitespace() || c.is_control())
}

/// Whether an ASCII byte may stand in a local part.
static IS_PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        table[byte as usize] = !matches!(
            byte,
            b'<' | b'>'
                | b'('
                | b')'
                | b'['
                | b']'
                | b','
                | b';'
                | b':'
                | b'\\'
                | b'"'
                | b'@'
                | b'?'
                | b'&'
        );
        byte += 1;
    }
    table
};

/// Whether the address (local part raw, `@`, host in lower case) stands at `at`.
pub(crate) fn is_at(text: &str, at: usize, address: &str, local: usize) -> bool {
    let end = at + address.len();
    let Some(found) = text.get(at..end) else { return false };
    if found.get(..=local) != address.get(..=local)
        || !found[local..].eq_ignore_ascii_case(&address[local..])
        || !text::ends(text, end)
    {
        return false;
    }
    let linked = at.checked_sub(7).and_then(|start| Some((start, text.get(start..at)?)));
    text::begins(text, at)
        || linked.is_some_and(|(start, scheme)| {
            scheme.eq_ignore_ascii_case("mailto:") && text::begins(text, start)
        })
}
