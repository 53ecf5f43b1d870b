//! Mail addresses as `pydantic` 2.14's `EmailStr` takes them, with `email-validator` 2.4.0.
//!
//! ASCII is ported in full, without the network. Of internationalised addresses the local part is
//! checked as upstream checks it; a host with letters beyond ASCII is mapped by compatibility and
//! case alone, and its labels, Punycode included, are checked by the classes of their characters.

mod label;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::python::printable::is_printable;
use crate::python::repr;

/// The most characters that are looked at.
const MOST: usize = 2048;

/// The most bytes of an address, of a host, and of one of its labels.
const ADDRESS: usize = 254;
const HOST: usize = 253;
const LABEL: usize = 63;

/// Hosts that no mail can reach, with all below them.
const SPECIAL: &[&str] = &["arpa", "invalid", "local", "localhost", "onion", "test"];

/// Mailboxes whose case never matters.
const MAILBOXES: &[&str] = &[
    "info",
    "marketing",
    "sales",
    "support",
    "abuse",
    "noc",
    "security",
    "postmaster",
    "hostmaster",
    "usenet",
    "news",
    "webmaster",
    "www",
    "uucp",
    "ftp",
];

type Checked<T> = Result<T, String>;

fn refused<T>(reason: &str) -> Checked<T> {
    Err(reason.to_owned())
}

/// The address in its normal form, without a display name.
///
/// # Errors
/// Why it is none, in upstream's words.
pub fn normalize(text: &str) -> Checked<String> {
    if text.chars().count() > MOST {
        return Err(format!("Length must not exceed {MOST} characters"));
    }
    if text.contains(['\r', '\n']) {
        return refused("Carriage return and line feed characters are not allowed");
    }
    let address = bracketed(text).unwrap_or(text);
    let address = trim(address);
    let (local, host) = split(address)?;
    let (local, quoted) = unquoted(local)?;
    let checked = check_local(&local, quoted)?;
    let normal: String = if local.is_ascii() { local.clone() } else { local.nfc().collect() };
    let checked = if normal == local {
        checked
    } else {
        check_local(&normal, quoted).map_err(|why| format!("After Unicode normalization: {why}"))?
    };
    if quoted {
        return refused("Quoting the part before the @-sign is not allowed here.");
    }
    let lower = checked.to_lowercase();
    let mailbox = if MAILBOXES.contains(&lower.as_str()) { lower } else { checked };
    let host = check_host(host)?;
    let whole = format!("{mailbox}@{host}");
    check_length(address, &whole)?;
    if address.starts_with('<') || address.contains('<') {
        return refused(
            "A display name and angle brackets around the email address are not permitted here.",
        );
    }
    Ok(whole)
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// What stands between the brackets of `Name <address>` (`pydantic`'s `pretty_email_regex`).
fn bracketed(text: &str) -> Option<&str> {
    let inner = trim(text).strip_suffix('>')?;
    let is_name = |c: char| c.is_alphanumeric() || ".!#$%&'*+-/=?^_`{|}~".contains(c);
    let fits = |name: &str| {
        let name = trim(name);
        let is_plain = name.split(is_blank).all(|word| word.chars().all(is_name));
        let quoted = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        is_plain || quoted.is_some_and(|inside| !inside.is_empty() && !inside.contains('"'))
    };
    let (name, address) = inner.split_once('<')?;
    (fits(name) && !address.is_empty()).then_some(address)
}

/// The local part and the host, at the first `@` outside quotes.
fn split(address: &str) -> Checked<(&str, &str)> {
    let (mut inside, mut escaped) = (false, false);
    for (at, c) in address.char_indices() {
        let next = address[at + c.len_utf8()..].chars().next();
        let combines = next.is_some_and(|next| !next.is_ascii() && is_combining_mark(next))
            && address[at..].chars().take(2).nfc().next() != Some(c);
        match c {
            _ if combines => {}
            '"' if !inside => inside = true,
            '"' if !escaped => inside = false,
            '\\' if inside && !escaped => {
                escaped = true;
                continue;
            }
            '@' if !inside => return Ok((&address[..at], &address[at + 1..])),
            '<' if !inside => {
                return refused("There can't be anything after the email address.");
            }
            _ => {}
        }
        escaped = false;
    }
    if address.contains('\u{ff20}') {
        return refused(
            "The email address has the \"full-width\" at-sign (@) character instead of a regular \
             at-sign.",
        );
    }
    refused("An email address must have an @-sign.")
}

/// The local part without its quotes, and whether it had any.
fn unquoted(local: &str) -> Checked<(String, bool)> {
    let Some(rest) = local.strip_prefix('"') else { return Ok((local.to_owned(), false)) };
    let mut value = String::new();
    let mut rest = rest.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => value.extend(rest.next()),
            '"' if rest.as_str().is_empty() => break,
            '"' => return Err(listed("Extra character(s) found after close quote: ", rest, "")),
            _ => value.push(c),
        }
    }
    Ok((value, true))
}

fn listed(head: &str, characters: impl Iterator<Item = char>, tail: &str) -> String {
    let mut shown: Vec<String> = characters
        .map(|c| match c {
            ' ' => "SPACE".to_owned(),
            '\\' => "\"\\\"".to_owned(),
            _ => repr::text(&c.to_string()),
        })
        .collect();
    shown.sort();
    shown.dedup();
    format!("{head}{}{tail}", shown.join(", "))
}

fn is_atext(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_!#$%&'*+-/=?^`{|}~".contains(c)
}

fn check_local(local: &str, quoted: bool) -> Checked<String> {
    if local.is_empty() {
        return refused("There must be something before the @-sign.");
    }
    let fits = |c: char| is_atext(c) || !c.is_ascii();
    let is_dotted = local.split('.').all(|part| !part.is_empty() && part.chars().all(fits));
    if is_dotted || quoted {
        if !local.is_ascii() || quoted {
            check_unsafe(local, quoted && !is_dotted)?;
        }
        return Ok(local.to_owned());
    }
    let bad: Vec<char> = local.chars().filter(|&c| !fits(c) && c != '.').collect();
    if !bad.is_empty() {
        let head = "The email address contains invalid characters before the @-sign: ";
        return Err(listed(head, bad.into_iter(), "."));
    }
    if local.ends_with('.') {
        return refused("An email address cannot have a period immediately before the @-sign.");
    }
    if local.starts_with('.') {
        return refused("An email address cannot start with a period.");
    }
    refused("An email address cannot have two periods in a row.")
}

fn check_unsafe(text: &str, allow_space: bool) -> Checked<()> {
    let mut bad = Vec::new();
    for (at, c) in text.chars().enumerate() {
        let is_space = c == ' ' && allow_space;
        let is_visible = is_printable(c) && c != ' ' && !(at == 0 && is_combining_mark(c));
        if !is_space && !is_visible {
            bad.push(c);
        }
    }
    if bad.is_empty() {
        return Ok(());
    }
    Err(listed("The email address contains unsafe characters: ", bad.into_iter(), "."))
}

fn check_host(host: &str) -> Checked<String> {
    if host.is_empty() {
        return refused("There must be something after the @-sign.");
    }
    if host.starts_with('[') && host.ends_with(']') {
        return refused("A bracketed IP address after the @-sign is not allowed here.");
    }
    let length = host.chars().count();
    if length > HOST {
        return Err(too_long("The email address is too long after the @-sign", length - HOST));
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.' || !c.is_ascii();
    let head = "The part after the @-sign contains invalid characters: ";
    let bad: Vec<char> = host.chars().filter(|&c| !fits(c)).collect();
    if !bad.is_empty() {
        return Err(listed(head, bad.into_iter(), "."));
    }
    // ASCII that fits is visible, and its own normal form.
    let host = if host.is_ascii() {
        host.to_ascii_lowercase()
    } else {
        check_unsafe(host, false)?;
        let host: String = host.nfkc().collect();
        host.to_lowercase().replace(['\u{3002}', '\u{ff0e}', '\u{ff61}'], ".")
    };
    let bad: Vec<char> = host.chars().filter(|&c| !fits(c)).collect();
    if !bad.is_empty() {
        return Err(listed(head, bad.into_iter(), "."));
    }
    check_host_dots(&host)?;
    check_labels(&host)?;
    if host == "test" || !host.contains('.') {
        return refused("The part after the @-sign is not valid. It should have a period.");
    }
    // The last letter of an internationalised label in its ASCII form is not looked at.
    if host.is_ascii() && !host.ends_with(|c: char| c.is_ascii_alphabetic()) {
        return refused(
            "The part after the @-sign is not valid. It is not within a valid top-level domain.",
        );
    }
    let is_below =
        |special: &str| host.strip_suffix(special).is_some_and(|left| left.ends_with('.'));
    if SPECIAL.iter().any(|special| host == **special || is_below(special)) {
        return refused(
            "The part after the @-sign is a special-use or reserved name that cannot be used with \
             email.",
        );
    }
    if host.is_ascii() && !host.contains("xn--") {
        return Ok(host);
    }
    let labels: Option<Vec<String>> = host.split('.').map(label::unicode).collect();
    match labels {
        Some(labels) => Ok(labels.join(".")),
        None => refused("The part after the @-sign is not valid IDNA."),
    }
}

fn check_host_dots(host: &str) -> Checked<()> {
    let reason = if host.ends_with('.') {
        "An email address cannot end with a period."
    } else if host.starts_with('.') {
        "An email address cannot have a period immediately after the @-sign."
    } else if host.contains("..") {
        "An email address cannot have two periods in a row."
    } else if host.ends_with('-') {
        "An email address cannot end with a hyphen."
    } else if host.starts_with('-') {
        "An email address cannot have a hyphen immediately after the @-sign."
    } else if host.contains(".-") || host.contains("-.") {
        "An email address cannot have a period and a hyphen next to each other."
    } else {
        return Ok(());
    };
    refused(reason)
}

fn check_labels(host: &str) -> Checked<()> {
    for label in host.split('.') {
        let mut letters = label.chars();
        let is_puny = label.starts_with("xn");
        if !is_puny && letters.by_ref().take(2).count() == 2 && letters.as_str().starts_with("--") {
            return refused(
                "An email address cannot have two letters followed by two dashes immediately \
                 after the @-sign or after a period, except Punycode.",
            );
        }
    }
    for label in host.split('.') {
        if label.len() > LABEL {
            let head = "After the @-sign, periods cannot be separated by so many characters";
            return Err(too_long(head, label.len() - LABEL));
        }
    }
    Ok(())
}

fn too_long(head: &str, over: usize) -> String {
    let plural = if over == 1 { "" } else { "s" };
    format!("{head} ({over} character{plural} too many).")
}

fn check_length(original: &str, normal: &str) -> Checked<()> {
    let longest = original.len().max(normal.len());
    if longest > ADDRESS {
        return Err(too_long("The email address is too long", longest - ADDRESS));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_come_out_in_their_normal_form() {
        for (given, normal) in [
            ("A.b+c@B.COM", "A.b+c@b.com"),
            (" a@b.co ", "a@b.co"),
            ("X <A@B.COM>", "A@b.com"),
            ("\"X, Y\" <a@b.co>", "a@b.co"),
            ("<a@b.co>", "a@b.co"),
            ("INFO@b.co", "info@b.co"),
            ("a@example.com", "a@example.com"),
            ("e\u{301}@b.co", "\u{e9}@b.co"),
            ("a@\u{c4}.de", "a@\u{e4}.de"),
            ("a@xn--bcher-kva.de", "a@b\u{fc}cher.de"),
        ] {
            assert_eq!(normalize(given).as_deref(), Ok(normal), "{given:?}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for given in [
            "",
            "a",
            "@b.co",
            "a@",
            "a@b",
            "a@b.c1",
            "a..b@c.de",
            ".a@b.co",
            "a.@b.co",
            "a b@c.de",
            "a@b..co",
            "a@-b.co",
            "a@b-.co",
            "a@b.co.",
            "a@.b.co",
            "a@localhost",
            "a@x.test",
            "a@x.local",
            "\"x\"@b.co",
            "a@[1.2.3.4]",
            "a@b_c.co",
            "a@ab--c.de",
            "a\n@b.co",
            "a@b@c.de",
            "X, Y <a@b.co>",
            "a@b.co>",
            "<a@b.co",
            "\u{301}a@b.co",
            "a\u{200b}@b.co",
        ] {
            assert!(normalize(given).is_err(), "{given:?}");
        }
    }
}
