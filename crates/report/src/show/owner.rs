//! What owners said without being asked, in words.

use std::fmt::Write as _;

use trace::event::{Rights, Terms};
use trace::rows::ApprovalRow;

use crate::visible::line;

/// On which approval in advance a call went ahead.
pub(crate) fn in_advance_words(name: &str) -> String {
    line(&format!("approved in advance by the owner, as `{name}`: nobody was asked"))
}

/// What an owner did of his own accord, from its row.
pub(crate) fn act_row_words(row: &ApprovalRow) -> String {
    let act = match row.kind.as_str() {
        "content" => "approve",
        "standing" => "allow",
        other => other,
    };
    let rights = |authority: &Option<String>, scope: &Option<String>| {
        let (authority, scope) = (authority.clone()?, scope.clone()?);
        Some(Rights { authority, scope })
    };
    let terms = Terms {
        mediated: true,
        name: None,
        tool: row.tool.clone(),
        channel: None,
        uses: row.uses,
        expires: row.expires.as_ref().and_then(|last| last.parse().ok()),
        before: rights(&row.authority_before, &row.scope_before),
        after: rights(&row.authority_after, &row.scope_after),
    };
    let mut out = act_words(act, row.widens, &terms);
    if row.decision != "granted" {
        let _ = write!(out, "; without effect ({})", row.reason);
    }
    line(&out)
}

/// What an owner did of his own accord.
pub(crate) fn act_words(act: &str, widens: bool, terms: &Terms) -> String {
    let what = match (act, &terms.tool) {
        ("approve", _) => "approved content",
        ("allow", _) => "approved in advance calls",
        ("withdraw", Some(_)) => "took an approval in advance back",
        ("withdraw", None) => "took back what he had said of content",
        ("grant", _) => "granted content to another tenant",
        ("revocation", _) => "revoked content",
        (other, _) => other,
    };
    let mut out = format!("the owner {what}");
    if let Some(tool) = &terms.tool {
        let _ = write!(out, " of {tool}");
    }
    if let Some(name) = &terms.name {
        let _ = write!(out, " as `{name}`");
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

#[cfg(test)]
mod tests {
    use super::*;
    use trace::tool::Channel;

    #[test]
    fn an_act_says_what_it_is_about_and_what_it_changed() {
        let rights = |scope: &str| Some(Rights { authority: "policy".into(), scope: scope.into() });
        let terms = Terms {
            mediated: true,
            name: Some("bills".into()),
            tool: Some("pay".into()),
            channel: Some(Channel::Mail),
            uses: Some(3),
            expires: Some(60),
            before: rights("task 0, all sessions"),
            after: rights("all tasks, all sessions"),
        };
        assert_eq!(
            act_words("allow", true, &terms),
            "the owner approved in advance calls of pay as `bills`, channel mail, 3 uses, until second 60; before \
             policy in task 0, all sessions; after policy in all tasks, all sessions; widens"
        );
        let row = ApprovalRow {
            kind: "content".into(),
            decision: "refused".into(),
            reason: "Revoked".into(),
            ..ApprovalRow::default()
        };
        assert_eq!(act_row_words(&row), "the owner approved content; without effect (Revoked)");
        assert_eq!(
            act_words("withdraw", false, &Terms::default()),
            "the owner took back what he had said of content"
        );
    }
}
