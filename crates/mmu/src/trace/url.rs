//! URLs: host, and path with query, are traced apart, since whoever names the host has not named
//! what is sent there.

use std::borrow::Cow;

use super::text;

/// The longest host, with its port.
const MAX_HOST: usize = 260;

/// The traced parts of a URL as sent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Url<'a> {
    /// The host in lower case, with its port where that is not the scheme's own.
    pub(crate) host: Cow<'a, str>,
    /// Path, query and fragment, raw; `None` where there is nothing but a slash.
    pub(crate) path: Option<&'a str>,
}

impl<'a> Url<'a> {
    /// Reads a URL or a bare host. `None`: another scheme, a user, a backslash, white space, or a
    /// host that is not plain ASCII.
    pub(crate) fn sent(text: &'a str) -> Option<Self> {
        if text.contains(|c: char| c == '\\' || c.is_whitespace() || c.is_control()) {
            return None;
        }
        let (port, rest) = match scheme_length(text) {
            Some(length) => (Some(default_port(&text[..length])), &text[length..]),
            None => (None, text),
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let host = match (port, authority.rsplit_once(':')) {
            (Some(default), Some((host, port))) if port == default => {
                is_host(host).then_some(host)?
            }
            (_, Some((host, port))) => {
                let number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
                (number && is_host(host)).then_some(authority)?
            }
            (_, None) => authority,
        };
        let name = host.split(':').next()?;
        (is_host(name) && host.len() <= MAX_HOST).then_some(())?;
        let path = (!path.is_empty() && path != "/").then_some(path);
        let lower = !host.bytes().any(|byte| byte.is_ascii_uppercase());
        let host = if lower { host.into() } else { host.to_ascii_lowercase().into() };
        Some(Self { host, path })
    }
}

fn scheme_length(text: &str) -> Option<usize> {
    ["https://", "http://"].into_iter().find_map(|scheme| {
        let start = text.get(..scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(scheme.len())
    })
}

fn default_port(scheme: &str) -> &'static str {
    if scheme.len() == "https://".len() { "443" } else { "80" }
}

fn is_host(text: &str) -> bool {
    !text.is_empty()
        && text.split('.').all(|label| {
            !label.is_empty()
                && label
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        })
}

/// The scheme that ends at `at`, where one does: its port, and where it begins.
fn scheme_before(text: &str, at: usize) -> Option<(&'static str, usize)> {
    ["https://", "http://"].into_iter().find_map(|scheme| {
        let start = at.checked_sub(scheme.len())?;
        let found = text.get(start..at)?.eq_ignore_ascii_case(scheme);
        let word = text::before(text, start).is_some_and(|c| text::class(c) == text::Class::Word);
        (found && !word).then(|| (default_port(scheme), start))
    })
}

/// Whether the host stands at `at`: behind a scheme or as a token, and in front of a path or a
/// token's end.
pub(crate) fn host_is_at(text: &str, at: usize, host: &str) -> bool {
    let mut end = at + host.len();
    let same = text.get(at..end).is_some_and(|found| found.eq_ignore_ascii_case(host));
    let scheme = scheme_before(text, at);
    if !same || !(scheme.is_some() || text::begins(text, at)) {
        return false;
    }
    if let Some((port, _)) = scheme
        && text[end..].strip_prefix(':').is_some_and(|rest| rest.starts_with(port))
        && !text.as_bytes().get(end + 1 + port.len()).is_some_and(u8::is_ascii_digit)
    {
        end += 1 + port.len();
    }
    matches!(text::after(text, end), Some('/' | '?' | '#')) || text::ends(text, end)
}

/// Whether the path stands at `at` as the whole path of a URL, or as a token of its own.
pub(crate) fn path_is_at(text: &str, at: usize, path: &str) -> bool {
    let end = at + path.len();
    if text.get(at..end) != Some(path) || !text::ends(text, end) {
        return false;
    }
    let host = text.as_bytes()[..at]
        .iter()
        .rev()
        .take(MAX_HOST + 1)
        .take_while(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':')
        })
        .count();
    let start = at - host;
    if host > MAX_HOST {
        return false;
    }
    if host == 0 {
        return path.starts_with('/') && text::begins(text, at);
    }
    scheme_before(text, start).is_some()
        || (text[start..at].contains('.') && text::begins(text, start))
}
