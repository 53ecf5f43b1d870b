//! What owners said without being asked, in words.

use std::fmt::Write as _;

use trace::event::{Rights, Terms};

use crate::visible::line;

/// On which approval in advance a call went ahead.
pub(crate) fn in_advance_words(name: &str) -> String {
    line(&format!("approved in advance by the owner, as `{name}`: nobody was asked"))
}

/// What an owner did of his own accord.
pub(crate) fn act_words(act: &str, widens: bool, terms: &Terms) -> String {
    let what = match (act, &terms.tool) {
        ("approve", _) => "approved content",
        ("allow", _) => "approved calls in advance",
        ("withdraw", Some(_)) => "took an approval in advance back",
        ("withdraw", None) => "took back what he had said of content",
        ("grant", _) => "granted content to another tenant",
        (other, _) => other,
    };
    let mut out = format!("the owner {what}");
    if let Some(tool) = &terms.tool {
        let _ = write!(out, " of {tool}");
    }
    if let Some(channel) = terms.channel {
        let _ = write!(out, ", channel {}", channel.as_str());
    }
    if let Some(uses) = terms.uses {
        let _ = write!(out, ", {uses} uses");
    }
    if let Some(last) = terms.expires {
        let _ = write!(out, ", until second {last}");
    }
    let mut rights = |word: &str, rights: &Option<Rights>| {
        if let Some(Rights { authority, scope }) = rights {
            let _ = write!(out, "; {word} {authority} in {scope}");
        }
    };
    rights("before", &terms.before);
    rights("after", &terms.after);
    out.push_str(if widens { "; widens" } else { "" });
    line(&out)
}
