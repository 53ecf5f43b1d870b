//! Texts that Python's `ast.literal_eval` reads as a list.
//!
//! Upstream replaces such a text argument by the list. What Python refuses with a `SyntaxError` or
//! a `ValueError` stays a text. The reader is a recursive descent over the very grammar that
//! `literal_eval` lets pass, so that refusing means not parsing.
//!
//! What JSON cannot hold is mapped as well as may be: tuples and sets become lists (sets keep each
//! value once, in the order written), bytes the text they decode to, complex numbers their `repr`
//! as a text, integers beyond 64 bits the nearest float, infinities and `...` become `null`, lone
//! surrogates U+FFFD, and keys that are no texts their `repr`.
//!
//! Accepted differences: a text with a character by name (`\N{…}`) is no list here; unhashable keys
//! (`[{[]: 1}]`), with which upstream fails by a `TypeError`, make it no list either; so do words
//! in parentheses before a call (`(set)()`).

mod number;
mod quoted;

use serde_json::{Map, Value};

use super::repr;
use number::Real;

/// Brackets may be nested this deep, as in Python's own tokenizer.
const MOST_NESTED: usize = 200;

/// The list that `ast.literal_eval(text)` gives, if it gives a list.
pub fn string_list(text: &str) -> Option<Vec<Value>> {
    let text = text.trim_start_matches([' ', '\t']);
    // Most texts are no lists, so what cannot begin one is told at once.
    if !text.starts_with(['[', '(', '\n', '\r', '\x0c', '#', '\\']) || text.contains('\0') {
        return None;
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut reader = Reader { text: &text, at: 0, depth: 0 };
    reader.lines()?;
    if !matches!(reader.peek(), Some(b'[' | b'(')) {
        return None;
    }
    let item = reader.primary()?;
    reader.end()?;
    match item {
        Item { shape: Shape::List, value: Value::Array(items), .. } => Some(items),
        _ => None,
    }
}

/// What kind of expression was read, as far as the grammar around it cares.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    List,
    /// A number without a sign.
    Real(Real),
    /// A number with a sign.
    Signed(Real),
    /// An imaginary number without a sign.
    Imaginary(f64),
    Other,
}

/// An expression that was read.
struct Item {
    shape: Shape,
    value: Value,
    /// Whether it may be a key or a member of a set.
    hashable: bool,
}

impl Item {
    fn plain(value: Value) -> Self {
        Self { shape: Shape::Other, value, hashable: true }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.bytes().position(|byte| !accept(byte)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn comment(&mut self) {
        self.skip_while(|byte| byte != b'\n');
    }

    /// Skips a backslash and the line break after it. The text must go on after it.
    fn continuation(&mut self) -> Option<()> {
        let after = self.rest().strip_prefix("\\\n")?;
        self.at += 2;
        (!after.is_empty()).then_some(())
    }

    /// Skips blank lines and comments outside brackets, up to the first token of a line that is not
    /// indented, or to the end.
    fn lines(&mut self) -> Option<()> {
        let mut indent = 0;
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => indent += 1,
                Some(b'\x0c' | b'\n') => indent = 0,
                Some(b'#') => {
                    self.comment();
                    indent = 0;
                    continue;
                }
                Some(b'\\') => {
                    self.continuation()?;
                    continue;
                }
                _ => return (indent == 0).then_some(()),
            }
            self.at += 1;
        }
    }

    /// Skips what may follow the expression, and accepts the end only.
    fn end(&mut self) -> Option<()> {
        loop {
            match self.peek() {
                None => return Some(()),
                Some(b' ' | b'\t' | b'\x0c') => self.at += 1,
                Some(b'#') => self.comment(),
                Some(b'\\') => self.continuation()?,
                Some(b'\n') => {
                    self.lines()?;
                    return self.peek().is_none().then_some(());
                }
                _ => return None,
            }
        }
    }

    /// Skips white space, line breaks and comments inside brackets, and shows what follows.
    fn token(&mut self) -> Option<u8> {
        loop {
            match self.peek()? {
                b' ' | b'\t' | b'\x0c' | b'\n' => self.at += 1,
                b'#' => self.comment(),
                b'\\' => self.continuation()?,
                found => return Some(found),
            }
        }
    }

    /// Skips a token if it is `wanted`.
    fn take(&mut self, wanted: u8) -> Option<bool> {
        let found = self.token()? == wanted;
        self.at += usize::from(found);
        Some(found)
    }

    /// Reads an expression: a literal, a number with a sign, or a complex number as a sum.
    fn expression(&mut self) -> Option<Item> {
        let left = self.signed()?;
        let (Some(sign @ (b'+' | b'-')), Shape::Real(real) | Shape::Signed(real)) =
            (self.token(), left.shape)
        else {
            return Some(left);
        };
        self.at += 1;
        self.token()?;
        let Shape::Imaginary(imaginary) = self.primary()?.shape else { return None };
        let (real, imaginary) = match sign {
            b'+' => (real.as_f64() + 0.0, 0.0 + imaginary),
            _ => (real.as_f64() - 0.0, 0.0 - imaginary),
        };
        Some(Item::plain(number::complex(real, imaginary).into()))
    }

    fn signed(&mut self) -> Option<Item> {
        let sign @ (b'+' | b'-') = self.token()? else { return self.primary() };
        self.at += 1;
        self.token()?;
        match self.primary()?.shape {
            Shape::Real(real) => {
                let real = if sign == b'-' { real.negated() } else { real };
                Some(Item { shape: Shape::Signed(real), value: real.value(), hashable: true })
            }
            Shape::Imaginary(number) if sign == b'-' => {
                Some(Item::plain(number::complex(-0.0, -number).into()))
            }
            Shape::Imaginary(number) => Some(Item::plain(number::complex(0.0, number).into())),
            _ => None,
        }
    }

    /// Reads an expression that begins at the current byte, without sign or sum.
    fn primary(&mut self) -> Option<Item> {
        match self.peek()? {
            b'[' => self.nested(Self::list),
            b'(' => self.nested(Self::parentheses),
            b'{' => self.nested(Self::braces),
            b'\'' | b'"' => self.texts().map(Item::plain),
            b'.' if self.rest().starts_with("...") => {
                self.at += 3;
                Some(Item::plain(Value::Null))
            }
            b'0'..=b'9' | b'.' => self.number(),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => self.word(),
            _ => None,
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Option<Item>) -> Option<Item> {
        self.at += 1;
        self.depth += 1;
        let item = if self.depth > MOST_NESTED { None } else { read(self) };
        self.depth -= 1;
        item
    }

    /// Reads a number and makes sure that it ends there.
    fn number(&mut self) -> Option<Item> {
        let (number, length) = number::read(self.rest())?;
        self.at += length;
        Some(match number {
            number::Number::Real(real) => {
                Item { shape: Shape::Real(real), value: real.value(), hashable: true }
            }
            number::Number::Imaginary(number) => Item {
                shape: Shape::Imaginary(number),
                value: number::complex(0.0, number).into(),
                hashable: true,
            },
        })
    }

    /// Reads a constant, `set()`, or a text with a prefix.
    fn word(&mut self) -> Option<Item> {
        let start = self.at;
        let word = self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !self.rest().is_empty() && !self.rest().is_char_boundary(1) {
            return None;
        }
        if matches!(self.peek(), Some(b'\'' | b'"')) {
            self.at = start;
            return self.texts().map(Item::plain);
        }
        let value = match word {
            "None" => Value::Null,
            "True" => true.into(),
            "False" => false.into(),
            "set" => {
                let called = self.take(b'(')? && self.take(b')')?;
                let empty = Value::Array(Vec::new());
                return called.then_some(Item {
                    shape: Shape::Other,
                    value: empty,
                    hashable: false,
                });
            }
            _ => return None,
        };
        Some(Item::plain(value))
    }

    /// Reads texts that stand side by side, which Python joins.
    fn texts(&mut self) -> Option<Value> {
        let mut joined: Option<quoted::Text> = None;
        loop {
            let (text, length) = quoted::read(self.rest())?;
            self.at += length;
            match &mut joined {
                None => joined = Some(text),
                Some(before) => before.join(text)?,
            }
            let next = self.token()?;
            let prefixed = next.is_ascii_alphabetic() && quoted::begins(self.rest());
            if !prefixed && next != b'\'' && next != b'"' {
                return joined.map(quoted::Text::into_value);
            }
        }
    }

    /// Reads the items up to `close`, and whether a comma ended them.
    fn items(&mut self, close: u8) -> Option<(Vec<Item>, bool)> {
        let mut items = Vec::new();
        let mut comma = false;
        while !self.take(close)? {
            if !items.is_empty() && !comma {
                return None;
            }
            items.push(self.expression()?);
            comma = self.take(b',')?;
        }
        Some((items, comma))
    }

    fn list(&mut self) -> Option<Item> {
        let (items, _) = self.items(b']')?;
        let value = items.into_iter().map(|item| item.value).collect();
        Some(Item { shape: Shape::List, value: Value::Array(value), hashable: false })
    }

    /// Reads a tuple, or an expression in parentheses, which stays what it is.
    fn parentheses(&mut self) -> Option<Item> {
        let (mut items, comma) = self.items(b')')?;
        if items.len() == 1 && !comma {
            return items.pop();
        }
        let hashable = items.iter().all(|item| item.hashable);
        let value = items.into_iter().map(|item| item.value).collect();
        Some(Item { shape: Shape::Other, value: Value::Array(value), hashable })
    }

    /// Reads a dictionary or a set.
    fn braces(&mut self) -> Option<Item> {
        if self.take(b'}')? {
            let value = Value::Object(Map::new());
            return Some(Item { shape: Shape::Other, value, hashable: false });
        }
        let first = self.expression()?;
        let value = if self.take(b':')? {
            Value::Object(self.entries(first)?)
        } else {
            let mut members = vec![first];
            if self.take(b',')? {
                members.extend(self.items(b'}')?.0);
            } else if !self.take(b'}')? {
                return None;
            }
            let mut values = Vec::new();
            for member in members {
                if !member.hashable {
                    return None;
                }
                if !values.contains(&member.value) {
                    values.push(member.value);
                }
            }
            Value::Array(values)
        };
        Some(Item { shape: Shape::Other, value, hashable: false })
    }

    /// Reads the entries of a dictionary after its first key and colon.
    fn entries(&mut self, first: Item) -> Option<Map<String, Value>> {
        let mut entries = Map::new();
        let mut key = first;
        loop {
            if !key.hashable {
                return None;
            }
            let value = self.expression()?.value;
            entries.insert(key_text(key.value), value);
            let comma = self.take(b',')?;
            if self.take(b'}')? {
                return Some(entries);
            }
            if !comma {
                return None;
            }
            key = self.expression()?;
            if !self.take(b':')? {
                return None;
            }
        }
    }
}

fn key_text(key: Value) -> String {
    match key {
        Value::String(text) => text,
        other => repr::value(&other),
    }
}

#[cfg(test)]
mod tests;
