//! The data of a chart, as a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A table of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Data {
    /// How many columns name the row.
    pub labels: usize,
    /// The columns' names.
    pub header: Vec<String>,
    /// The rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
    /// The cells that fields are about, by row and column: the run's name and the cell's id.
    pub cells: BTreeMap<(usize, usize), (String, String)>,
}

impl Data {
    /// An empty table of these columns, of which the first `labels` name the row.
    pub(crate) fn new(labels: usize, header: &[&str]) -> Self {
        Self {
            labels,
            header: header.iter().map(|name| (*name).to_owned()).collect(),
            rows: Vec::new(),
            cells: BTreeMap::new(),
        }
    }

    /// The table as CSV (RFC 4180, lines end in a line feed). A field that a spreadsheet would take
    /// for a formula begins with an apostrophe.
    pub fn csv(&self) -> String {
        let mut out = String::new();
        for row in std::iter::once(&self.header).chain(&self.rows) {
            for (at, field) in row.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                push_field(&mut out, field);
            }
            out.push('\n');
        }
        out
    }
}

fn push_field(out: &mut String, field: &str) {
    let number = field.parse::<f64>().is_ok();
    let formula = !number && field.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let guard = if formula { "'" } else { "" };
    if formula || field.contains([',', '"', '\n', '\r']) {
        let _ = write!(out, "\"{guard}{}\"", field.replace('"', "\"\""));
    } else {
        out.push_str(field);
    }
}

/// A number as it stands in data: the shortest text that reads back the same.
pub(crate) fn number(value: f64) -> String {
    format!("{value}")
}

/// A number that may not apply; empty then.
pub(crate) fn optional(value: Option<f64>) -> String {
    value.map_or_else(String::new, number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_and_no_spreadsheet_runs_them() {
        let mut data = Data::new(1, &["name", "value"]);
        data.rows.push(vec!["a,\"b\"".into(), "-0.5".into()]);
        data.rows.push(vec!["=cmd()".into(), "-x".into()]);
        assert_eq!(data.csv(), "name,value\n\"a,\"\"b\"\"\",-0.5\n\"'=cmd()\",\"'-x\"\n");
    }
}
