//! Whether the names and types of a condition are those of what it speaks of.

use cel::Program;
use cel::common::ast::{CallExpr, ComprehensionExpr, EntryExpr, Expr, IdedExpr, LiteralValue};

use super::shape::Shape;
use crate::mistake::did_you_mean;

/// A name or a type in a condition that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// Where in the condition, as a byte.
    pub offset: usize,
    /// The name.
    pub name: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// The functions that a condition may use, with what they give. Regular expressions are not among
/// them.
const FUNCTIONS: &[(&str, Shape)] = &[
    ("size", Shape::Number),
    ("contains", Shape::Switch),
    ("startsWith", Shape::Switch),
    ("endsWith", Shape::Switch),
    ("int", Shape::Number),
    ("double", Shape::Number),
    ("string", Shape::Text),
];

/// Macros, for suggestions.
const MACROS: &[&str] = &["has", "all", "exists", "exists_one", "map", "filter"];

/// What is wrong with the names and types of a program.
pub(super) fn check(program: &Program, text: &str, scope: &[(&str, Shape)]) -> Vec<NameError> {
    let scope = scope.iter().map(|(name, shape)| ((*name).to_owned(), shape.clone())).collect();
    let mut checker = Checker { program, text, scope, errors: Vec::new() };
    let shape = checker.shape(program.expression());
    if !matches!(shape, Shape::Any | Shape::Switch) {
        let message = format!("a condition must be true or false, this is {}", shape.describe());
        let name = String::new();
        checker.errors.push(NameError { offset: 0, name, message, hint: None });
    }
    checker.errors
}

struct Checker<'p> {
    program: &'p Program,
    text: &'p str,
    /// The names that may be used, the innermost last.
    scope: Vec<(String, Shape)>,
    errors: Vec<NameError>,
}

impl Checker<'_> {
    fn wrong(&mut self, id: u64, name: &str, message: String, hint: Option<String>) {
        let start =
            self.program.source_info().offset_for(id).map_or(0, |(start, _)| start as usize);
        let (ahead, behind) = self.text.split_at_checked(start).unwrap_or((self.text, ""));
        // A call is noted at its parenthesis, everything else at or before its name.
        let offset = if ahead.ends_with(name) {
            start - name.len()
        } else {
            behind.find(name).map(|at| start + at).or(ahead.rfind(name)).unwrap_or(start)
        };
        self.errors.push(NameError { offset, name: name.to_owned(), message, hint });
    }

    fn shape(&mut self, expression: &IdedExpr) -> Shape {
        match &expression.expr {
            Expr::Ident(name) => self.named(expression.id, name),
            Expr::Select(select) => {
                let operand = self.shape(&select.operand);
                let found = self.field(expression.id, &operand, &select.field);
                if select.test { Shape::Switch } else { found }
            }
            Expr::Call(call) => self.call(expression.id, call),
            Expr::Comprehension(comprehension) => self.comprehension(comprehension),
            Expr::List(list) => {
                let items: Vec<Shape> = list.elements.iter().map(|item| self.shape(item)).collect();
                Shape::List(Box::new(items.into_iter().fold(Shape::Any, Shape::or)))
            }
            Expr::Map(map) => {
                for entry in &map.entries {
                    if let EntryExpr::MapEntry(entry) = &entry.expr {
                        self.shape(&entry.key);
                        self.shape(&entry.value);
                    }
                }
                Shape::Table(Box::new(Shape::Any))
            }
            Expr::Literal(literal) => of_literal(literal),
            Expr::Struct(_) | Expr::Unspecified => Shape::Any,
        }
    }

    fn named(&mut self, id: u64, name: &str) -> Shape {
        if let Some((_, shape)) = self.scope.iter().rev().find(|(known, _)| known == name) {
            return shape.clone();
        }
        let known: Vec<String> = self.scope.iter().map(|(name, _)| name.clone()).collect();
        let known: Vec<&str> =
            known.iter().map(String::as_str).filter(|name| !name.starts_with('@')).collect();
        let hint = did_you_mean(name, &known);
        self.wrong(id, name, format!("there is no `{name}` here"), hint);
        Shape::Any
    }

    fn field(&mut self, id: u64, of: &Shape, field: &str) -> Shape {
        match of {
            Shape::Any => Shape::Any,
            Shape::Table(value) => (**value).clone(),
            Shape::Record(fields) => {
                if let Some(shape) = fields.get(field) {
                    shape.clone()
                } else {
                    let known: Vec<&str> = fields.keys().map(String::as_str).collect();
                    let hint = did_you_mean(field, &known);
                    self.wrong(id, field, format!("there is no `{field}` in it"), hint);
                    Shape::Any
                }
            }
            other => {
                let message = format!("{} has no `{field}`", other.describe());
                let hint = matches!(other, Shape::List(_))
                    .then(|| "say which: `.exists(x, …)`, `.all(x, …)` or `[0]`".to_owned());
                self.wrong(id, field, message, hint);
                Shape::Any
            }
        }
    }

    fn call(&mut self, id: u64, call: &CallExpr) -> Shape {
        let target = call.target.as_ref().map(|target| self.shape(target));
        let arguments: Vec<Shape> = call.args.iter().map(|one| self.shape(one)).collect();
        match (call.func_name.as_str(), arguments.as_slice()) {
            ("_&&_" | "_||_" | "!_" | "@not_strictly_false", _) => {
                for (shape, argument) in arguments.iter().zip(&call.args) {
                    if !matches!(shape, Shape::Any | Shape::Switch) {
                        let message =
                            format!("true or false is needed, this is {}", shape.describe());
                        self.wrong(argument.id, "", message, None);
                    }
                }
                Shape::Switch
            }
            ("_==_" | "_!=_" | "_<_" | "_<=_" | "_>_" | "_>=_", [one, other]) => {
                self.comparable(id, one, other);
                Shape::Switch
            }
            ("@in", [one, other]) => {
                match other {
                    Shape::List(item) => self.comparable(id, one, item),
                    Shape::Any | Shape::Table(_) | Shape::Record(_) => {}
                    scalar => {
                        let message = format!("nothing is `in` {}", scalar.describe());
                        let hint = Some("for a part of a text, use `.contains(…)`".to_owned());
                        self.wrong(id, "in", message, hint);
                    }
                }
                Shape::Switch
            }
            ("_?_:_", [_, one, other]) | ("_+_", [one, other]) => one.clone().or(other.clone()),
            ("_[_]", [of, _]) => self.indexed(of, &call.args[1]),
            ("_-_" | "_*_" | "_/_" | "_%_" | "-_", _) => Shape::Number,
            (name, _) => self.function(id, name, target.as_ref()),
        }
    }

    fn function(&mut self, id: u64, name: &str, target: Option<&Shape>) -> Shape {
        let Some((_, gives)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> =
                FUNCTIONS.iter().map(|(name, _)| *name).chain(MACROS.iter().copied()).collect();
            let hint = did_you_mean(name, &known);
            self.wrong(id, name, format!("there is no function `{name}`"), hint);
            return Shape::Any;
        };
        let needs_text = matches!(name, "contains" | "startsWith" | "endsWith");
        if let Some(shape) = target
            && needs_text
            && !matches!(shape, Shape::Any | Shape::Text)
        {
            let message = format!("`{name}` is asked of {}, it needs a text", shape.describe());
            let hint = matches!(shape, Shape::List(_))
                .then(|| "for a list, use `x in list` or `.exists(x, …)`".to_owned());
            self.wrong(id, name, message, hint);
        }
        gives.clone()
    }

    fn comparable(&mut self, id: u64, one: &Shape, other: &Shape) {
        let scalar = |shape: &Shape| matches!(shape, Shape::Text | Shape::Number | Shape::Switch);
        let list = |shape: &Shape| matches!(shape, Shape::List(_));
        let differ = (scalar(one) && scalar(other) && one != other)
            || (scalar(one) && list(other))
            || (list(one) && scalar(other));
        if differ {
            let (one, other) = (one.describe(), other.describe());
            self.wrong(id, "", format!("{one} is compared with {other}"), None);
        }
    }

    fn indexed(&mut self, of: &Shape, index: &IdedExpr) -> Shape {
        match (of, &index.expr) {
            (Shape::List(item), _) => (**item).clone(),
            (Shape::Record(_), Expr::Literal(LiteralValue::String(key))) => {
                let key = key.inner().to_owned();
                self.field(index.id, of, &key)
            }
            (Shape::Table(value), _) => (**value).clone(),
            _ => Shape::Any,
        }
    }

    fn comprehension(&mut self, comprehension: &ComprehensionExpr) -> Shape {
        let item = match self.shape(&comprehension.iter_range) {
            Shape::List(item) => *item,
            Shape::Table(_) | Shape::Record(_) => Shape::Text,
            Shape::Any => Shape::Any,
            other => {
                let message = format!("{} has no items", other.describe());
                self.wrong(comprehension.iter_range.id, "", message, None);
                Shape::Any
            }
        };
        let init = self.shape(&comprehension.accu_init);
        let outer = self.scope.len();
        self.scope.push((comprehension.accu_var.clone(), init));
        self.scope.push((comprehension.iter_var.clone(), item));
        self.shape(&comprehension.loop_cond);
        let step = self.shape(&comprehension.loop_step);
        self.scope.truncate(outer);
        self.scope.push((comprehension.accu_var.clone(), step));
        let result = self.shape(&comprehension.result);
        self.scope.truncate(outer);
        result
    }
}

fn of_literal(literal: &LiteralValue) -> Shape {
    match literal {
        LiteralValue::Boolean(_) => Shape::Switch,
        LiteralValue::Double(_) | LiteralValue::Int(_) | LiteralValue::UInt(_) => Shape::Number,
        LiteralValue::String(_) => Shape::Text,
        LiteralValue::Bytes(_) | LiteralValue::Null => Shape::Any,
    }
}
