//! Text that somebody else wrote, made harmless to look at: whatever a reader would not see, or would
//! see in another order, stands there by its number.
//!
//! Control characters could drive a terminal, bidirectional ones reorder a line, and invisible ones hide
//! words from people that a model reads.

use std::borrow::Cow;

/// Whether a reader would not see the character, or see others in another place because of it.
pub fn is_hidden(sign: char) -> bool {
    match sign {
        '\n' | '\t' => false,
        _ if sign.is_control() => true,
        // Soft hyphen, Arabic letter mark, Mongolian separator, zero-width ones, directions,
        // separators, embeddings and isolates, invisible operators, the byte order mark, fillers,
        // annotations, variation selectors of the supplement, tags.
        '\u{AD}'
        | '\u{61C}'
        | '\u{115F}'..='\u{1160}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E0FFF}' => true,
        _ => false,
    }
}

/// The mark that stands for a hidden character: `⟨U+202E⟩`.
pub fn mark(sign: char) -> String {
    format!("⟨U+{:04X}⟩", u32::from(sign))
}

/// The text with a mark for each hidden character; line ends of any kind are line feeds.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        if sign == '\r' && signs.peek() == Some(&'\n') {
            continue;
        }
        if is_hidden(sign) { out.push_str(&mark(sign)) } else { out.push(sign) }
    }
    Cow::Owned(out)
}

/// The same on one line: line ends and tabs are spaces.
pub fn line(text: &str) -> String {
    visible(text).chars().map(|sign| if matches!(sign, '\n' | '\t') { ' ' } else { sign }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_hides_or_drives_a_terminal_is_left() {
        let text =
            "pay\u{202E}DE\u{202C} \u{1B}[31mred\u{7} a\u{200B}b\u{E0041}\r\nnext\tcell é 文";
        let shown = visible(text);
        assert_eq!(
            shown,
            "pay⟨U+202E⟩DE⟨U+202C⟩ ⟨U+001B⟩[31mred⟨U+0007⟩ a⟨U+200B⟩b⟨U+E0041⟩\nnext\tcell é 文"
        );
        assert!(!shown.chars().any(is_hidden));
        assert!(matches!(visible("plain\ntext"), Cow::Borrowed(_)), "plain text is not copied");
        assert_eq!(line("a\nb\tc\u{85}"), "a b c⟨U+0085⟩");
    }
}
