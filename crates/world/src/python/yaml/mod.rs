//! `yaml.safe_dump` of `PyYAML` 6.0.4 with its default arguments, byte for byte.
//!
//! Block style, keys sorted, indentation of 2, folding after column 80, everything but printable
//! ASCII escaped. The port keeps the emitter's state (column, white space, indention), because
//! where a scalar is folded depends on it, and drops its event queue: nodes are written in one walk.

mod scalar;
mod style;

use std::borrow::Cow;

use scalar::Writer;

/// A value that can be dumped.
///
/// Objects, enumerations and other types of Python's are mapped to these by the caller.
#[derive(Clone, Debug, PartialEq)]
pub enum Node<'a> {
    /// `None`.
    Null,
    /// `True` or `False`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Str(Cow<'a, str>),
    /// A date, or a day and a time.
    DateTime {
        /// What Python's `isoformat(' ')` (or a date's `isoformat()`) gives.
        text: Cow<'a, str>,
        /// Which object it is: equal numbers are the same object, which is dumped once and then
        /// referred to. 0 is never shared.
        identity: usize,
    },
    /// A list or a tuple. Its identity is not tracked: it is never written as an alias.
    List(Vec<Node<'a>>),
    /// A dictionary with texts for keys, in any order. Keys must differ.
    Map(Vec<(Cow<'a, str>, Node<'a>)>),
}

impl<'a> From<&'a str> for Node<'a> {
    fn from(text: &'a str) -> Self {
        Self::Str(Cow::Borrowed(text))
    }
}

/// Dumps `node` as `yaml.safe_dump` does, with the final newline.
pub fn safe_dump(node: &Node) -> String {
    let mut seen = Vec::new();
    let anchors = if has_repeated_identity(node, &mut seen) {
        seen.clear();
        let mut anchors = Anchors::default();
        anchors.collect(node, &mut seen);
        anchors
    } else {
        Anchors::default()
    };
    let mut dumper = Dumper { writer: Writer::default(), anchors };
    let open_ended = dumper.node(node, None, false);
    let writer = &mut dumper.writer;
    writer.write_indent(0);
    if open_ended {
        writer.write_indicator("...", true);
        writer.write_indent(0);
    }
    dumper.writer.out
}

/// Whether a datetime object is reached twice; `seen` collects the identities on the way.
fn has_repeated_identity(node: &Node, seen: &mut Vec<usize>) -> bool {
    match node {
        Node::DateTime { identity, .. } if *identity != 0 => {
            if seen.contains(identity) {
                return true;
            }
            seen.push(*identity);
            false
        }
        Node::List(items) => items.iter().any(|item| has_repeated_identity(item, seen)),
        Node::Map(entries) => entries.iter().any(|(_, value)| has_repeated_identity(value, seen)),
        _ => false,
    }
}

/// The entries in the order in which Python sorts the keys, by code point.
fn sorted<'n, 'a>(
    entries: &'n [(Cow<'a, str>, Node<'a>)],
) -> impl Iterator<Item = &'n (Cow<'a, str>, Node<'a>)> {
    let order = if entries.is_sorted_by(|left, right| left.0 <= right.0) {
        None
    } else {
        let mut order: Vec<_> = entries.iter().collect();
        order.sort_by(|left, right| left.0.cmp(&right.0));
        Some(order)
    };
    let plain = if order.is_some() { &[] } else { entries };
    order.into_iter().flatten().chain(plain)
}

/// The datetimes that are written once with an anchor and then as aliases.
#[derive(Default)]
struct Anchors {
    /// Identity, number of the anchor, and whether the value was written.
    entries: Vec<(usize, usize, bool)>,
}

impl Anchors {
    /// Numbers the anchors in the order in which an object is met for the second time.
    fn collect(&mut self, node: &Node, seen: &mut Vec<usize>) {
        match node {
            Node::DateTime { identity, .. } if *identity != 0 => {
                if !seen.contains(identity) {
                    seen.push(*identity);
                } else if !self.entries.iter().any(|entry| entry.0 == *identity) {
                    self.entries.push((*identity, self.entries.len() + 1, false));
                }
            }
            Node::List(items) => items.iter().for_each(|item| self.collect(item, seen)),
            Node::Map(entries) => {
                sorted(entries).for_each(|(_, value)| self.collect(value, seen));
            }
            _ => {}
        }
    }

    /// The mark to write before (or, for an alias, instead of) the datetime, and whether it is
    /// an alias.
    fn mark(&mut self, identity: usize) -> Option<(String, bool)> {
        let entry = self.entries.iter_mut().find(|entry| entry.0 == identity)?;
        let alias = std::mem::replace(&mut entry.2, true);
        Some((format!("{}id{:03}", if alias { '*' } else { '&' }, entry.1), alias))
    }
}

/// One walk over the nodes.
struct Dumper {
    writer: Writer,
    anchors: Anchors,
}

impl Dumper {
    /// Writes a node that stands in a collection indented by `indent` (`None` at the root).
    /// Returns whether the document is left open, as by a plain scalar at the root.
    fn node(&mut self, node: &Node, indent: Option<usize>, in_mapping: bool) -> bool {
        let inner = indent.map_or(2, |indent| indent + 2);
        match node {
            Node::Null => self.writer.write_plain("null", inner, true),
            Node::Bool(true) => self.writer.write_plain("true", inner, true),
            Node::Bool(false) => self.writer.write_plain("false", inner, true),
            Node::Int(number) => self.writer.write_plain(&number.to_string(), inner, true),
            Node::Float(number) => self.writer.write_plain(&float(*number), inner, true),
            Node::Str(text) => {
                return self.writer.write_text(text, inner, true) && indent.is_none();
            }
            Node::DateTime { text, identity } => {
                return self.datetime(text, *identity, inner) && indent.is_none();
            }
            Node::List(items) => {
                self.list(items, indent, in_mapping);
                return false;
            }
            Node::Map(entries) => {
                self.map(entries, indent.map_or(0, |indent| indent + 2));
                return false;
            }
        }
        indent.is_none()
    }

    /// Writes a datetime and returns whether it came out plain.
    fn datetime(&mut self, text: &str, identity: usize, indent: usize) -> bool {
        if let Some((mark, alias)) = self.anchors.mark(identity) {
            self.writer.write_indicator(&mark, true);
            if alias {
                return false;
            }
        }
        if style::is_timestamp(text) {
            self.writer.write_plain(text, indent, true);
            return true;
        }
        self.writer.write_indicator("!!timestamp", true);
        self.writer.write_single_quoted(text, indent, true);
        false
    }

    fn list(&mut self, items: &[Node], outer: Option<usize>, in_mapping: bool) {
        if items.is_empty() {
            self.writer.write_indicator("[]", true);
            return;
        }
        // A list right after `key:` is not indented further.
        let indentless = in_mapping && !self.writer.indention;
        let indent = outer.map_or(0, |outer| if indentless { outer } else { outer + 2 });
        for item in items {
            self.writer.write_indent(indent);
            self.writer.write_indention("-");
            self.node(item, Some(indent), false);
        }
    }

    fn map(&mut self, entries: &[(Cow<str>, Node)], indent: usize) {
        if entries.is_empty() {
            self.writer.write_indicator("{}", true);
            return;
        }
        for (key, value) in sorted(entries) {
            self.writer.write_indent(indent);
            if style::is_simple_key(key) {
                self.writer.write_text(key, indent + 2, false);
                self.writer.write_indicator(":", false);
            } else {
                self.writer.write_indention("?");
                self.writer.write_text(key, indent + 2, true);
                self.writer.write_indent(indent);
                self.writer.write_indention(":");
            }
            self.node(value, Some(indent), true);
        }
    }
}

/// A float as `PyYAML` represents it: Python's `repr` in lower case, with a `.0` before a bare exponent.
fn float(number: f64) -> String {
    if number.is_nan() {
        return ".nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let text = super::repr::float(number);
    if text.contains('.') { text } else { text.replacen('e', ".0e", 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> Node<'_> {
        Node::Str(value.into())
    }

    fn day(identity: usize) -> Node<'static> {
        Node::DateTime { text: "2024-05-15 10:00:00".into(), identity }
    }

    #[test]
    fn scalars_choose_the_style_that_python_chooses() {
        let cases = [
            (text(""), "''\n"),
            (text("plain words"), "plain words\n...\n"),
            (text("6"), "'6'\n"),
            (text("2022-03-04"), "'2022-03-04'\n"),
            (text("1:30"), "'1:30'\n"),
            (text("x: y"), "'x: y'\n"),
            (text("it's"), "it's\n...\n"),
            (text("caf\u{e9}\nl2 "), "\"caf\\xE9\\nl2 \"\n"),
            (text("a\nb"), "'a\n\n  b'\n"),
            (text("yes"), "'yes'\n"),
            (Node::Float(1e16), "1.0e+16\n...\n"),
            (Node::Float(f64::NEG_INFINITY), "-.inf\n...\n"),
            (Node::Null, "null\n...\n"),
            (Node::List(vec![]), "[]\n"),
            (Node::Map(vec![]), "{}\n"),
        ];
        for (node, expected) in cases {
            assert_eq!(safe_dump(&node), expected, "{node:?}");
        }
    }

    #[test]
    fn lists_in_maps_are_not_indented_and_keys_are_sorted() {
        let node = Node::Map(vec![
            ("b".into(), Node::List(vec![Node::Map(vec![("k".into(), Node::Int(1))]), day(0)])),
            ("a".into(), Node::List(vec![Node::List(vec![Node::Bool(true)])])),
        ]);
        assert_eq!(safe_dump(&node), "a:\n- - true\nb:\n- k: 1\n- 2024-05-15 10:00:00\n");
    }

    #[test]
    fn a_datetime_met_twice_is_anchored_and_one_without_identity_never() {
        let node = Node::List(vec![day(7), day(0), day(9), day(9), day(7), day(0)]);
        let shown = safe_dump(&node).replace("2024-05-15 10:00:00", "D");
        assert_eq!(shown, "- &id002 D\n- D\n- &id001 D\n- *id001\n- *id002\n- D\n");
    }

    #[test]
    fn a_key_that_is_long_or_has_lines_is_asked_for() {
        let long = "k".repeat(123);
        let node = Node::Map(vec![(long.as_str().into(), Node::List(vec![Node::Int(1)]))]);
        assert_eq!(safe_dump(&node), format!("? {long}\n: - 1\n"));
    }
}
