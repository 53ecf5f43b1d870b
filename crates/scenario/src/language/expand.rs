//! A row's own tree, made from a template's.
//!
//! - A map with `when: {axis: value, …}` among the items of a list stays only in rows where each axis
//!   has that value, or one of those values.
//! - A map `{by: axis, VALUE: …, else: …}` becomes what stands at the row's value of the axis.
//! - `${name}` in a text becomes the value of that name, or of that axis.

use std::collections::BTreeMap;

use crate::mistake::did_you_mean;
use crate::yaml::{Content, Key, Node, Reader};

/// A row: the value of each axis, in order.
pub type Row = Vec<(String, String)>;

/// The axes and their values, as a language or a template declares them.
#[derive(Clone, Copy, Debug)]
pub struct Axes<'a>(pub &'a [(&'a str, &'a [&'a str])]);

impl Axes<'_> {
    fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| *name).collect()
    }

    /// Notes an axis that there is not, or a value that an axis cannot have. An axis without listed
    /// values takes any.
    pub(crate) fn check(&self, reader: &mut Reader<'_>, axis: &Key, value: Option<&Node>) {
        let Some((_, values)) = self.0.iter().find(|(name, _)| *name == axis.name) else {
            let hint = did_you_mean(&axis.name, &self.names());
            reader.wrong(axis.place, format!("there is no axis `{}`", axis.name), hint);
            return;
        };
        let Some(node) = value else { return };
        let given = match &node.content {
            Content::List(items) => items.iter().collect(),
            _ => vec![node],
        };
        for node in given {
            let text = node.text().unwrap_or_default();
            if !values.is_empty() && !values.contains(&text) {
                let hint = did_you_mean(text, values);
                reader.wrong(node.place, format!("`{}` is never `{text}`", axis.name), hint);
            }
        }
    }
}

/// What a row's tree is made with.
#[derive(Debug)]
pub struct Expansion<'a> {
    /// The axes.
    pub axes: Axes<'a>,
    /// The row.
    pub row: &'a Row,
    /// The named values so far.
    pub values: BTreeMap<String, String>,
}

impl Expansion<'_> {
    fn of_axis(&self, axis: &str) -> Option<&str> {
        self.row.iter().find(|(name, _)| name == axis).map(|(_, value)| value.as_str())
    }

    /// The tree of this row, or `None` where the node is not for this row.
    pub fn expand(&self, reader: &mut Reader<'_>, node: &Node) -> Option<Node> {
        let content = match &node.content {
            Content::Scalar { text, plain } => {
                let text = self.substitute(reader, node, text);
                Content::Scalar { text, plain: *plain }
            }
            Content::List(items) => {
                Content::List(items.iter().filter_map(|item| self.expand(reader, item)).collect())
            }
            Content::Map(entries) => {
                if let Some((_, axis)) = entries.iter().find(|(key, _)| key.name == "by") {
                    return self.chosen(reader, axis, entries);
                }
                if let Some((_, when)) = entries.iter().find(|(key, _)| key.name == "when") {
                    let met = self.is_met(reader, when);
                    reader.branch(when.place, met);
                    if !met {
                        return None;
                    }
                }
                let others = entries.iter().filter(|(key, _)| key.name != "when");
                let others = others.filter_map(|(key, value)| {
                    let name = self.substitute_key(reader, key);
                    Some((Key { name, place: key.place }, self.expand(reader, value)?))
                });
                Content::Map(others.collect())
            }
        };
        Some(Node { place: node.place, content })
    }

    /// What stands at the row's value of an axis. A case that says nothing is left out.
    fn chosen(
        &self,
        reader: &mut Reader<'_>,
        axis: &Node,
        entries: &[(Key, Node)],
    ) -> Option<Node> {
        let name = axis.text().unwrap_or_default();
        let key = Key { name: name.to_owned(), place: axis.place };
        self.axes.check(reader, &key, None);
        for (case, _) in entries.iter().filter(|(key, _)| key.name != "by" && key.name != "else") {
            let text = Content::Scalar { text: case.name.clone(), plain: false };
            let value = Node { place: case.place, content: text };
            if self.axes.0.iter().any(|(known, _)| *known == name) {
                self.axes.check(reader, &key, Some(&value));
            }
        }
        let value = self.of_axis(name)?;
        let case = entries.iter().find(|(key, _)| key.name == value);
        let case = case.or_else(|| entries.iter().find(|(key, _)| key.name == "else"));
        let Some((_, node)) = case else {
            let message = format!("nothing stands here for `{name}: {value}`");
            let hint = Some("add that case, or `else`".to_owned());
            reader.wrong(axis.place, message, hint);
            return None;
        };
        let is_nothing =
            matches!(&node.content, Content::Scalar { plain: true, .. }) && node.json().is_null();
        if is_nothing { None } else { self.expand(reader, node) }
    }

    fn is_met(&self, reader: &mut Reader<'_>, when: &Node) -> bool {
        let mut met = true;
        for (axis, node) in reader.map(when, "`when`").unwrap_or_default() {
            self.axes.check(reader, axis, Some(node));
            let given = self.of_axis(&axis.name);
            let is_value = |node: &Node| node.text().is_some() && node.text() == given;
            met &= match &node.content {
                Content::List(items) => items.iter().any(is_value),
                _ => is_value(node),
            };
        }
        met
    }

    /// A text with its values put in.
    pub fn substitute(&self, reader: &mut Reader<'_>, node: &Node, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(found) = text[at..].find("${") {
            let start = at + found;
            out.push_str(&text[at..start]);
            let Some(end) = text[start..].find('}').map(|end| start + end) else {
                let place = reader.place_within(node, start, "${");
                reader.wrong(place, "`${` without `}`".to_owned(), None);
                return out;
            };
            let name = &text[start + 2..end];
            if let Some(value) =
                self.values.get(name).map(String::as_str).or_else(|| self.of_axis(name))
            {
                out.push_str(value);
            } else {
                let place = reader.place_within(node, start, &text[start..=end]);
                let known: Vec<&str> = self
                    .values
                    .keys()
                    .map(String::as_str)
                    .chain(self.row.iter().map(|(name, _)| name.as_str()))
                    .collect();
                let hint = did_you_mean(name, &known);
                reader.wrong(place, format!("there is no value `{name}`"), hint);
            }
            at = end + 1;
        }
        out.push_str(&text[at..]);
        out
    }

    fn substitute_key(&self, reader: &mut Reader<'_>, key: &Key) -> String {
        if !key.name.contains("${") {
            return key.name.clone();
        }
        let content = Content::Scalar { text: key.name.clone(), plain: true };
        self.substitute(reader, &Node { place: key.place, content }, &key.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::read;
    use serde_json::{Value, json};

    fn expanded(text: &str) -> (Value, Vec<String>) {
        let root = read("x.yaml", text).unwrap();
        let row = vec![("kind".to_owned(), "attack".to_owned()), ("n".to_owned(), "3".to_owned())];
        let values = BTreeMap::from([("who".to_owned(), "Ann".to_owned())]);
        let axes = Axes(&[("kind", &["attack", "inert"]), ("n", &[])]);
        let mut reader = Reader::new("x.yaml", text);
        let node = Expansion { axes, row: &row, values }.expand(&mut reader, &root);
        let mistakes = reader.mistakes.iter().map(ToString::to_string).collect();
        (node.map_or(Value::Null, |node| node.json()), mistakes)
    }

    #[test]
    fn a_row_has_its_own_tree() {
        let text = "
a: [{when: {kind: attack}, x: 1}, {when: {kind: [inert]}, x: 2}, {x: '${who}${n}'}]
b: {by: kind, attack: [1], inert: 2}
c: {by: kind, inert: 2, else: 9}
d: {by: kind, attack: null, inert: 2}
";
        let (got, mistakes) = expanded(text);
        assert_eq!(got, json!({"a": [{"x": 1}, {"x": "Ann3"}], "b": [1], "c": 9}));
        assert_eq!(mistakes, Vec::<String>::new());
    }

    #[test]
    fn axes_values_and_names_that_there_are_not_are_named() {
        for (text, expected) in [
            ("a: '${wh}'", "x.yaml:1:5: there is no value `wh`\n  hint: did you mean `who`?"),
            ("a: [{when: {kin: attack}}]", "x.yaml:1:13: there is no axis `kin`"),
            ("a: [{when: {kind: atack}}]", "x.yaml:1:19: `kind` is never `atack`"),
            ("a: {by: kind, inrt: 1, else: 2}", "x.yaml:1:15: `kind` is never `inrt`"),
            ("a: {by: kind, inert: 1}", "x.yaml:1:9: nothing stands here for `kind: attack`"),
            ("a: '${who'", "x.yaml:1:5: `${` without `}`"),
        ] {
            let (_, mistakes) = expanded(text);
            assert_eq!(mistakes.len(), 1, "{text}: {mistakes:?}");
            assert!(mistakes[0].starts_with(expected), "{text}: {mistakes:?}");
        }
    }
}
