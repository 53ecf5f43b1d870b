//! The writer of scalars: the emitter's state and its three ways of writing a text.

use std::fmt::Write as _;

use super::style::{self, Style};

/// The column after which a text is folded at the next blank.
const WIDTH: usize = 80;

/// The output and what the emitter remembers of it.
pub(super) struct Writer {
    /// What was written.
    pub(super) out: String,
    column: usize,
    /// Whether the last character was white space that separates tokens.
    whitespace: bool,
    /// Whether only indentation and its indicators stand on the line so far.
    pub(super) indention: bool,
}

/// Where a piece stands in the text that is written.
#[derive(Clone, Copy)]
struct Place {
    /// Whether the text begins with it.
    first: bool,
    /// Whether the text ends with it.
    last: bool,
    /// Whether the text stands between quotes.
    quoted: bool,
}

impl Place {
    /// A plain text, which has no blanks at its ends.
    const PLAIN: Self = Self { first: true, last: true, quoted: false };
}

/// Whether the byte stands for itself between double quotes.
fn is_plain_in_quotes(byte: u8) -> bool {
    matches!(byte, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~')
}

impl Default for Writer {
    fn default() -> Self {
        Self { out: String::with_capacity(256), column: 0, whitespace: true, indention: true }
    }
}

impl Writer {
    /// Writes an indicator, after a blank if one is needed and there is none.
    pub(super) fn write_indicator(&mut self, indicator: &str, need_whitespace: bool) {
        if need_whitespace && !self.whitespace {
            self.push(" ");
        }
        self.push(indicator);
        self.whitespace = false;
        self.indention = false;
    }

    /// Writes an indicator that counts as indentation: `-`, `?`, or `:` after `?`.
    pub(super) fn write_indention(&mut self, indicator: &str) {
        let indention = self.indention;
        self.write_indicator(indicator, true);
        self.indention = indention;
    }

    /// Goes to column `indent`, on a new line unless the line holds nothing but indentation.
    pub(super) fn write_indent(&mut self, indent: usize) {
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.write_line_break();
        }
        if self.column < indent {
            self.whitespace = true;
            self.out.extend(std::iter::repeat_n(' ', indent - self.column));
            self.column = indent;
        }
    }

    fn write_line_break(&mut self) {
        self.out.push('\n');
        self.column = 0;
        self.whitespace = true;
        self.indention = true;
    }

    /// Writes ASCII without line breaks.
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.len();
    }

    /// Writes a text in the style it needs; `split` allows folding. Returns whether it came out
    /// plain.
    pub(super) fn write_text(&mut self, text: &str, indent: usize, split: bool) -> bool {
        match style::of(text) {
            Style::Plain => {
                self.write_plain(text, indent, split);
                return true;
            }
            Style::SingleQuoted => self.write_single_quoted(text, indent, split),
            Style::DoubleQuoted => self.write_double_quoted(text, indent, split),
        }
        false
    }

    /// Writes a plain text: printable ASCII of one line, without blanks at its ends.
    pub(super) fn write_plain(&mut self, text: &str, indent: usize, split: bool) {
        if !self.whitespace {
            self.push(" ");
        }
        self.whitespace = false;
        self.indention = false;
        self.push_folding(text, indent, split, Place::PLAIN);
    }

    /// Writes a text of printable ASCII and line breaks between single quotes.
    pub(super) fn write_single_quoted(&mut self, text: &str, indent: usize, split: bool) {
        self.write_indicator("'", true);
        let mut rest = text;
        while let Some(found) = rest.find('\n') {
            let place = Place { first: rest.len() == text.len(), last: false, quoted: true };
            self.push_doubling(&rest[..found], indent, split, place);
            let after = rest[found..].trim_start_matches('\n');
            for _ in 0..=rest.len() - found - after.len() {
                self.write_line_break();
            }
            self.write_indent(indent);
            rest = after;
        }
        let place = Place { first: rest.len() == text.len(), last: true, quoted: true };
        self.push_doubling(rest, indent, split, place);
        self.write_indicator("'", false);
    }

    /// Writes a line of a single-quoted text.
    fn push_doubling(&mut self, line: &str, indent: usize, split: bool, mut place: Place) {
        let mut rest = line;
        while let Some(found) = rest.find('\'') {
            self.push_folding(&rest[..found], indent, split, Place { last: false, ..place });
            self.push("''");
            rest = &rest[found + 1..];
            place.first = false;
        }
        self.push_folding(rest, indent, split, place);
    }

    /// Writes a piece of one line of ASCII, and breaks it at single blanks beyond the width, but not
    /// at a blank that begins or ends the text.
    fn push_folding(&mut self, piece: &str, indent: usize, split: bool, place: Place) {
        let mut rest = piece;
        let mut from = (WIDTH + 1).saturating_sub(self.column);
        while split && from < rest.len() {
            let Some(found) = rest[from..].find(' ') else { break };
            let blank = from + found;
            let after = rest[blank..].trim_start_matches(' ');
            let is_single = rest.len() - after.len() == blank + 1 && !rest[..blank].ends_with(' ');
            let is_start = place.first && blank == 0 && rest.len() == piece.len();
            let is_end = place.last && after.is_empty();
            if !is_single || is_start || is_end {
                from = rest.len() - after.len();
                continue;
            }
            self.push(&rest[..blank]);
            self.write_indent(indent);
            if !place.quoted {
                self.whitespace = false;
                self.indention = false;
            }
            rest = after;
            from = (WIDTH + 1).saturating_sub(self.column);
        }
        self.push(rest);
    }

    /// Writes any text between double quotes, everything but printable ASCII escaped.
    fn write_double_quoted(&mut self, text: &str, indent: usize, split: bool) {
        self.write_indicator("\"", true);
        let mut rest = text;
        loop {
            let special = rest.bytes().position(|byte| !is_plain_in_quotes(byte));
            let run = &rest[..special.unwrap_or(rest.len())];
            let is_start = rest.len() == text.len();
            let place = Place { first: is_start, last: special.is_none(), quoted: true };
            self.push_run(run, indent, split, place);
            let Some(found) = rest[run.len()..].chars().next() else { break };
            let is_start = is_start && run.is_empty();
            rest = &rest[run.len() + found.len_utf8()..];
            self.write_escape(found);
            // The emitter counts one column less than there are.
            if split && !is_start && !rest.is_empty() && self.column > WIDTH + 1 {
                self.fold_quoted(rest, indent);
            }
        }
        self.write_indicator("\"", false);
    }

    /// Writes a run without escapes of a double-quoted text. It may be folded where it begins and
    /// before each blank, but not at the text's first or last character.
    fn push_run(&mut self, run: &str, indent: usize, split: bool, place: Place) {
        let last = run.len() - usize::from(place.last && !run.is_empty());
        if !split {
            return self.push(run);
        }
        if !place.first && 0 < last && self.column > WIDTH {
            self.fold_quoted(run, indent);
        }
        let mut start = 0;
        let mut at = 1;
        loop {
            at = at.max((start + WIDTH + 1).saturating_sub(self.column));
            let Some(found) = run.get(at..last).and_then(|rest| rest.find(' ')) else { break };
            at += found;
            self.push(&run[start..at]);
            self.fold_quoted(&run[at..], indent);
            start = at;
            at += 1;
        }
        self.push(&run[start..]);
    }

    /// Breaks a double-quoted text before `rest`.
    fn fold_quoted(&mut self, rest: &str, indent: usize) {
        self.push("\\");
        self.write_indent(indent);
        self.whitespace = false;
        self.indention = false;
        if rest.starts_with(' ') {
            self.push("\\");
        }
    }

    fn write_escape(&mut self, found: char) {
        let short = match found {
            '\0' => "\\0",
            '\x07' => "\\a",
            '\x08' => "\\b",
            '\t' => "\\t",
            '\n' => "\\n",
            '\x0b' => "\\v",
            '\x0c' => "\\f",
            '\r' => "\\r",
            '\x1b' => "\\e",
            '"' => "\\\"",
            '\\' => "\\\\",
            '\u{85}' => "\\N",
            '\u{a0}' => "\\_",
            '\u{2028}' => "\\L",
            '\u{2029}' => "\\P",
            _ => "",
        };
        if !short.is_empty() {
            return self.push(short);
        }
        let before = self.out.len();
        let code = u32::from(found);
        let written = match code {
            0..=0xff => write!(self.out, "\\x{code:02X}"),
            0x100..=0xffff => write!(self.out, "\\u{code:04X}"),
            _ => write!(self.out, "\\U{code:08X}"),
        };
        written.expect("writing to a string cannot fail");
        self.column += self.out.len() - before;
    }
}
