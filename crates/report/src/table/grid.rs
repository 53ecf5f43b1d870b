//! Tables of text: aligned, and no wider than a page.

/// The widest line, in columns.
pub(crate) const WIDTH: usize = 120;

const GAP: &str = "  ";

/// A table whose first columns name the row and whose other columns are figures.
pub(crate) struct Grid {
    /// How many columns name the row.
    pub(crate) labels: usize,
    /// The columns' headings.
    pub(crate) header: Vec<String>,
    /// The rows, each as long as the heading.
    pub(crate) rows: Vec<Vec<String>>,
}

impl Grid {
    /// Aligned text. Where the figures need more than the width, the table continues below itself
    /// with the labels repeated.
    pub(crate) fn text(&self) -> String {
        let bands = self.bands();
        let bands: Vec<_> = bands.iter().map(|columns| self.band(columns)).collect();
        bands.join("\n")
    }

    fn widths(&self) -> Vec<usize> {
        let width = |at: usize| {
            let cells = self.rows.iter().map(|row| columns(&row[at]));
            cells.chain([columns(&self.header[at])]).max().unwrap_or(0)
        };
        (0..self.header.len()).map(width).collect()
    }

    /// The figures' columns, cut where a line would be too wide.
    fn bands(&self) -> Vec<Vec<usize>> {
        let widths = self.widths();
        let names: usize = widths[..self.labels].iter().map(|width| width + GAP.len()).sum();
        let mut bands = vec![Vec::new()];
        let mut used = names;
        for (at, width) in widths.iter().enumerate().skip(self.labels) {
            let full = used + width > WIDTH;
            if full && bands.last().is_some_and(|band| !band.is_empty()) {
                bands.push(Vec::new());
                used = names;
            }
            used += width + GAP.len();
            bands.last_mut().expect("there is always a band").push(at);
        }
        bands
    }

    fn band(&self, figures: &[usize]) -> String {
        let widths = self.widths();
        let line = |row: &[String]| {
            let mut out = String::new();
            for at in (0..self.labels).chain(figures.iter().copied()) {
                let pad = " ".repeat(widths[at] - columns(&row[at]));
                let names = at < self.labels;
                let (left, right) = if names { ("", pad.as_str()) } else { (pad.as_str(), "") };
                out.extend([left, row[at].as_str(), right, GAP]);
            }
            format!("{}\n", out.trim_end())
        };
        let head = line(&self.header);
        let rule = "─".repeat(columns(head.trim_end()));
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{head}{rule}\n{rows}")
    }

    /// A table of Markdown, in one piece.
    pub(crate) fn markdown(&self) -> String {
        let line = |row: &[String]| {
            let cells: Vec<_> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule: String = (0..self.header.len())
            .map(|at| if at < self.labels { "|:---" } else { "|---:" })
            .collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}{rule}|\n{rows}", line(&self.header))
    }
}

/// How many columns a text takes; every sign that is used here takes one.
fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Breaks a text at spaces into lines of at most `width` columns, each ended.
pub(crate) fn wrap(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = columns(word);
        if used > 0 && used + 1 + length > width {
            out.push('\n');
            used = 0;
        }
        if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_table_continues_below_with_its_labels() {
        let row = |head: &str| {
            let mut row = vec![head.to_owned()];
            row.extend((0..5).map(|at| format!("{at}{}", "x".repeat(39))));
            row
        };
        let grid = Grid { labels: 1, header: row("world"), rows: vec![row("banking")] };
        let text = grid.text();
        assert!(text.lines().all(|line| columns(line) <= WIDTH), "{text}");
        assert_eq!(text.matches("banking").count(), 3, "{text}");
        for at in 0..5 {
            assert!(text.contains(&format!("{at}xxx")), "figure {at} is missing: {text}");
        }
    }

    #[test]
    fn words_wrap_and_none_is_lost() {
        let text = "one two three four five";
        let wrapped = wrap(text, 9);
        assert_eq!(wrapped, "one two\nthree\nfour five\n");
    }
}
