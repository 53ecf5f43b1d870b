//! Text that somebody else wrote, within a page.

use maud::{Escaper, Render};

use crate::visible::{is_hidden, mark};
use std::fmt::Write as _;

/// Text that is escaped, and whose hidden characters stand there by number.
pub(super) struct Untrusted<'t>(pub(super) &'t str);

impl Render for Untrusted<'_> {
    fn render_to(&self, out: &mut String) {
        let text = self.0.replace("\r\n", "\n");
        let mut rest = text.as_str();
        while let Some((at, sign)) = rest.char_indices().find(|(_, sign)| is_hidden(*sign)) {
            escape(out, &rest[..at]);
            // The mark holds no untrusted text.
            let _ = write!(out, "<span class=\"hid\">{}</span>", mark(sign));
            rest = &rest[at + sign.len_utf8()..];
        }
        escape(out, rest);
    }
}

fn escape(out: &mut String, text: &str) {
    let _ = Escaper::new(out).write_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_hidden_characters_become_text() {
        let text = "<script>alert('x')</script>\u{202E}&amp;\" onload=x\r\n\u{0}<a href=//x>";
        let out = Untrusted(text).render().into_string();
        assert_eq!(
            out,
            "&lt;script&gt;alert('x')&lt;/script&gt;<span class=\"hid\">⟨U+202E⟩</span>&amp;amp;&quot; \
             onload=x\n<span class=\"hid\">⟨U+0000⟩</span>&lt;a href=//x&gt;"
        );
    }
}
