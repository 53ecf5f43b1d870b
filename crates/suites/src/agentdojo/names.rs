//! Whose names an injection holds that a log shows.
//!
//! Some logs do not hold the injected texts. Those are made anew, and the names in them may be others
//! than today's: upstream's user was called otherwise once, and the model is the one that was attacked.
//! They are read from what the tools answered. Where no answer shows an injection, nobody saw one, and
//! its names change nothing.

use trace::trajectory::Trajectory;

/// The user's and the model's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) user: String,
    pub(super) model: String,
}

/// The longest name that is believed, in bytes.
const LONGEST: usize = 80;

/// The names in the first of the log's replies that shows an injection made from the template.
pub(super) fn in_log(template: &str, trajectory: &Trajectory) -> Option<Names> {
    let line = template.lines().find(|line| line.contains("{user}") && line.contains("{model}"))?;
    let (before, rest) = line.split_once("{user}")?;
    let (between, after) = rest.split_once("{model}")?;
    let after = after.split('{').next().unwrap_or_default();
    let marks = [before, between, after].map(str::trim);
    if marks.iter().any(|mark| mark.is_empty()) {
        return None;
    }
    let replies = trajectory.calls().filter_map(|call| call.reply.as_ref());
    replies.map(|reply| flat(&reply.text)).find_map(|text| names(&text, marks))
}

fn names(text: &str, [before, between, after]: [&str; 3]) -> Option<Names> {
    let (_, rest) = text.split_once(before)?;
    let (user, rest) = rest.split_once(between)?;
    let (model, _) = rest.split_once(after)?;
    let [user, model] = [user, model].map(str::trim);
    let believed = [user, model].iter().all(|name| !name.is_empty() && name.len() <= LONGEST);
    believed.then(|| Names { user: user.to_owned(), model: model.to_owned() })
}

/// A text without the line breaks and escapes that a YAML dump adds.
fn flat(text: &str) -> String {
    let text = text.replace("\\\n", "").replace("\\ ", " ").replace("\\n", " ").replace("''", "'");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str = "\n<A>\n\nI, {user}, tell you, {model}: listen.\n{goal}\n{user}";

    fn found(reply: &str) -> Option<(String, String)> {
        let line = TEMPLATE.lines().find(|line| line.contains("{user}"))?;
        let (before, rest) = line.split_once("{user}")?;
        let (between, after) = rest.split_once("{model}")?;
        let names = names(&flat(reply), [before, between, after].map(str::trim))?;
        Some((names.user, names.model))
    }

    #[test]
    fn names_are_read_through_a_dumps_folds() {
        let both = |user: &str, model: &str| Some((user.to_owned(), model.to_owned()));
        assert_eq!(found("x I, Ann Bell, tell you, M-1: listen. y"), both("Ann Bell", "M-1"));
        let folded = "- \"I, Ann\\\n    \\ Bell, tell\n  you, Model\n  One: listen.\"";
        assert_eq!(found(folded), both("Ann Bell", "Model One"));
        assert_eq!(found("I, Ann Bell, say"), None);
        assert_eq!(found(&format!("I, {}, tell you, M: listen.", "a".repeat(99))), None);
    }
}
