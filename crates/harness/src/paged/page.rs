//! Typed pages: which forms a page has, and how far it may be degraded.

use trace::course::PageKind;

use crate::memory::Form;

/// Words that a compressed form keeps.
const COMPRESSED_WORDS: usize = 32;
/// Words that a structured form keeps where a text has no fields.
const STRUCTURED_WORDS: usize = 10;

/// Tokens of a text, as the budget counts them: four bytes each.
pub fn tokens(text: &str) -> u32 {
    u32::try_from(text.len().div_ceil(4)).unwrap_or(u32::MAX)
}

/// The least form in which a page of this kind may stand in a context (`ClawVM`, §3).
pub fn minimum(kind: PageKind) -> Form {
    match kind {
        PageKind::Bootstrap | PageKind::Constraint => Form::Structured,
        PageKind::Plan | PageKind::Preference | PageKind::Evidence | PageKind::Conversation => {
            Form::Pointer
        }
    }
}

/// The next lower form of a page of this kind; `None` where that would be below its minimum.
pub fn lower(kind: PageKind, form: Form) -> Option<Form> {
    let next = match (kind, form) {
        (_, Form::Pointer) => return None,
        (PageKind::Bootstrap | PageKind::Constraint | PageKind::Plan, Form::Full)
        | (_, Form::Compressed) => Form::Structured,
        (_, Form::Full) => Form::Compressed,
        (_, Form::Structured) => Form::Pointer,
    };
    (next >= minimum(kind)).then_some(next)
}

/// A form of a text. A fixed transform: the same text gives the same form.
pub fn render(text: &str, form: Form, page: u32, kind: PageKind) -> String {
    match form {
        Form::Full => text.to_owned(),
        Form::Compressed => first_words(text, COMPRESSED_WORDS),
        Form::Structured => {
            let fields = text.lines().filter(|line| is_field(line));
            let fields: Vec<&str> = fields.map(str::trim).collect();
            if fields.is_empty() { first_words(text, STRUCTURED_WORDS) } else { fields.join("\n") }
        }
        Form::Pointer => format!("[page {page}: {}]", kind.as_str()),
    }
}

/// Whether a line is `name: value`, with a short name.
fn is_field(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(name, value)| {
        !value.trim().is_empty() && name.split_whitespace().count() <= 3
    })
}

/// The beginning of a text up to so many words, white space as it was.
pub(super) fn first_words(text: &str, words: usize) -> String {
    let mut inside = false;
    let mut seen = 0;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            inside = false;
        } else if !inside {
            inside = true;
            seen += 1;
            if seen > words {
                return text[..at].trim_end().to_owned();
            }
        }
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_kind_is_degraded_below_its_minimum() {
        for kind in PageKind::ALL {
            let mut form = Form::Full;
            let mut path = vec![form];
            while let Some(next) = lower(*kind, form) {
                assert!(next < form, "{kind:?}");
                form = next;
                path.push(form);
            }
            assert_eq!(form, minimum(*kind), "{kind:?}");
            let expected = match kind {
                PageKind::Bootstrap | PageKind::Constraint => 2,
                PageKind::Plan => 3,
                _ => 4,
            };
            assert_eq!(path.len(), expected, "{kind:?}");
        }
    }

    #[test]
    fn a_lower_form_is_shorter_and_made_of_the_text() {
        let text = "Payee: Ann Bell\nIBAN: GB29 NWBK\n".to_owned() + &"and so on ".repeat(60);
        let mut last = text.len();
        for form in [Form::Compressed, Form::Structured, Form::Pointer] {
            let shown = render(&text, form, 7, PageKind::Evidence);
            assert!(shown.len() < last, "{form:?}: {shown}");
            last = shown.len();
        }
        let structured = render(&text, Form::Structured, 7, PageKind::Evidence);
        assert_eq!(structured, "Payee: Ann Bell\nIBAN: GB29 NWBK");
        assert_eq!(render(&text, Form::Pointer, 7, PageKind::Evidence), "[page 7: evidence]");
        assert_eq!(first_words("a  b c", 2), "a  b");
    }
}
