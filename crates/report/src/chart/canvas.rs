//! Drawing by plotters, with colours that are names until a drawing is written.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::visible::line;

/// plotters rounds to whole units: a unit of a drawing is so many of plotters'.
const FINE: f64 = 4.0;

/// plotters writes a font's size divided by this.
const FONT: f64 = 1.24;

/// What a colour is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// The ground.
    Paper,
    /// Words.
    Text,
    /// Words and lines that matter less.
    Muted,
    /// Lines that guide the eye.
    Grid,
    /// A band behind marks.
    Band,
    /// An attack landed.
    Landed,
    /// An attack did part of its work.
    Partial,
    /// An attack did not land.
    Missed,
    /// Better than before.
    Gained,
    /// Not judged.
    Invalid,
    /// A defense, by its place in the palette.
    Series(usize),
}

/// The names of the colours, in the order of [`Ink::place`].
const NAMES: &[&str] = &[
    "paper", "text", "muted", "grid", "band", "landed", "partial", "missed", "gained", "invalid",
    "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7",
];

/// The colours of a theme, in the order of the names.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Its name.
    pub name: &'static str,
    colours: &'static [&'static str],
}

/// Light first. Series after Okabe and Ito (2008), darkened or lightened until each stands out from the
/// ground by 3:1; states differ in lightness, so that they are told apart without hues.
pub const THEMES: [Theme; 2] = [
    Theme {
        name: "light",
        colours: &[
            "#ffffff", "#1b1f24", "#59636e", "#d7dce1", "#eef1f4", "#b3380a", "#e69f4a", "#cfe2f1",
            "#0060a8", "#9aa2ab", "#6e6e6e", "#0060a8", "#00805c", "#2f93d0", "#ad4f85", "#b57500",
            "#c8450f", "#5a4632",
        ],
    },
    Theme {
        name: "dark",
        colours: &[
            "#15191e", "#e6e9ec", "#9aa4af", "#39424c", "#222931", "#ff8a5c", "#b87a2c", "#24445e",
            "#5ab0f0", "#6a737d", "#a8a8a8", "#5ab0f0", "#3cc79a", "#a6dcff", "#e59cc4", "#f0b040",
            "#ff8a5c", "#d6c2a0",
        ],
    },
];

impl Theme {
    /// Its colours as custom properties of CSS.
    pub fn css(&self) -> String {
        let pairs: Vec<String> = NAMES
            .iter()
            .zip(self.colours)
            .map(|(name, colour)| format!("--{name}:{colour};"))
            .collect();
        pairs.concat()
    }
}

impl Ink {
    fn place(self) -> usize {
        match self {
            Self::Paper => 0,
            Self::Text => 1,
            Self::Muted => 2,
            Self::Grid => 3,
            Self::Band => 4,
            Self::Landed => 5,
            Self::Partial => 6,
            Self::Missed => 7,
            Self::Gained => 8,
            Self::Invalid => 9,
            Self::Series(at) => 10 + at % crate::arms::COLOURS,
        }
    }

    /// The colour that stands for it until the drawing is written.
    fn stand_in(self) -> RGBColor {
        RGBColor(1, 2, u8::try_from(self.place()).unwrap_or(u8::MAX))
    }
}

/// A finished drawing, its colours still names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    width: u32,
    height: u32,
    /// The elements, as plotters wrote them.
    body: String,
}

impl Drawing {
    /// The drawing for a page: it takes the page's colours (`--text` and so on) and its width.
    pub fn inline(&self, title: &str) -> String {
        self.element(title, |name, _| format!("var(--{name})"), "")
    }

    /// The drawing as a file of its own, in the light theme.
    pub fn file(&self, title: &str) -> String {
        let size = format!(" width=\"{}\" height=\"{}\"", self.width, self.height);
        let mut svg = self.element(title, |_, at| THEMES[0].colours[at].to_owned(), &size);
        svg.push('\n');
        svg
    }

    fn element(&self, title: &str, colour: impl Fn(&str, usize) -> String, size: &str) -> String {
        let mut body = self.body.clone();
        for (at, name) in NAMES.iter().enumerate() {
            body = body.replace(&format!("#0102{at:02X}"), &colour(name, at));
        }
        let (width, height) = (fine(f64::from(self.width)), fine(f64::from(self.height)));
        let title = maud::html! { (line(title)) }.into_string();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\"{size} viewBox=\"0 0 {width} {height}\" \
             role=\"img\"><title>{title}</title>\n{body}</svg>"
        )
    }
}

fn fine(units: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "drawings are small")]
    let fine = (units * FINE).round() as i32;
    fine
}

/// Where a text stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// It begins there.
    Left,
    /// Its middle is there.
    Centre,
    /// It ends there.
    Right,
}

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A filled circle.
    Disc,
    /// A circle.
    Ring,
    /// A filled square.
    Square,
}

/// Something to draw on, in units of which a text's size is 12 or so; the origin is top left.
pub(crate) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

/// A drawing of this size.
pub(crate) fn draw(width: u32, height: u32, paint: impl FnOnce(&Canvas<'_>)) -> Drawing {
    let mut text = String::new();
    let size = (f64::from(width), f64::from(height));
    let fine_size = (fine(size.0).unsigned_abs(), fine(size.1).unsigned_abs());
    {
        let area = SVGBackend::with_string(&mut text, fine_size).into_drawing_area();
        let canvas = Canvas { area };
        canvas.rect((0.0, 0.0), size, Ink::Paper);
        paint(&canvas);
        canvas.area.present().expect("a string takes every drawing");
    }
    // The first line opens the element and the last closes it; both are written anew.
    let inner = text.split_once('\n').map_or("", |(_, rest)| rest);
    let inner = inner.trim_end().strip_suffix("</svg>").unwrap_or(inner);
    let body = inner.replace(" opacity=\"1\"", "").replace(" stroke-opacity=\"1\"", "");
    Drawing { width, height, body }
}

impl Canvas<'_> {
    fn put<E>(&self, element: &E)
    where
        E: for<'b> plotters::element::Drawable<SVGBackend<'b>>,
        for<'b> &'b E: plotters::element::PointCollection<'b, (i32, i32)>,
    {
        self.area.draw(element).expect("a string takes every drawing");
    }

    /// A filled rectangle between two corners.
    pub(crate) fn rect(&self, from: (f64, f64), to: (f64, f64), ink: Ink) {
        let corners = [(fine(from.0), fine(from.1)), (fine(to.0), fine(to.1))];
        self.put(&Rectangle::new(corners, ink.stand_in().filled()));
    }

    /// A line through points.
    pub(crate) fn path(&self, points: &[(f64, f64)], ink: Ink, width: f64) {
        let points: Vec<_> = points.iter().map(|(x, y)| (fine(*x), fine(*y))).collect();
        let width = fine(width).unsigned_abs().max(1);
        self.put(&PathElement::new(points, ink.stand_in().stroke_width(width)));
    }

    /// A filled shape.
    pub(crate) fn shape(&self, points: &[(f64, f64)], ink: Ink) {
        let points: Vec<_> = points.iter().map(|(x, y)| (fine(*x), fine(*y))).collect();
        self.put(&Polygon::new(points, ink.stand_in().filled()));
    }

    /// A mark of this radius.
    pub(crate) fn mark(&self, at: (f64, f64), mark: Mark, radius: f64, ink: Ink) {
        let (x, y) = at;
        let r = radius;
        match mark {
            Mark::Disc => {
                self.put(&Circle::new((fine(x), fine(y)), fine(r), ink.stand_in().filled()));
            }
            Mark::Ring => {
                let point = (fine(x), fine(y));
                self.put(&Circle::new(point, fine(r), Ink::Paper.stand_in().filled()));
                let width = fine(1.5).unsigned_abs();
                self.put(&Circle::new(point, fine(r), ink.stand_in().stroke_width(width)));
            }
            Mark::Square => {
                let r = r * 0.9;
                self.rect((x - r, y - r), (x + r, y + r), ink);
            }
        }
    }

    /// Words, their middle at this height.
    pub(crate) fn words(&self, at: (f64, f64), text: &str, size: f64, ink: Ink, align: Align) {
        self.text(at, text, size, ink, align, FontTransform::None);
    }

    /// Words that run upwards, their middle at this point.
    pub(crate) fn words_up(&self, at: (f64, f64), text: &str, size: f64, ink: Ink, align: Align) {
        self.text(at, text, size, ink, align, FontTransform::Rotate270);
    }

    fn text(
        &self,
        at: (f64, f64),
        text: &str,
        size: f64,
        ink: Ink,
        align: Align,
        turn: FontTransform,
    ) {
        let anchor = match align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        let style = ("sans-serif", size * FINE * FONT).into_font().transform(turn);
        let style = style.color(&ink.stand_in()).pos(Pos::new(anchor, VPos::Center));
        let point = (fine(at.0), fine(at.1));
        self.area.draw_text(&line(text), &style, point).expect("a string takes every drawing");
    }
}

/// About how wide a text of this size is.
pub(crate) fn width_of(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.56
}

/// The text, cut to about this width.
pub(crate) fn fit(text: &str, size: f64, width: f64) -> String {
    if width_of(text, size) <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    for sign in text.chars() {
        if width_of(&out, size) + size > width {
            break;
        }
        out.push(sign);
    }
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_takes_its_colours_when_it_is_written() {
        let paint = |canvas: &Canvas<'_>| {
            canvas.rect((1.0, 1.0), (2.0, 2.0), Ink::Series(1));
            canvas.words((5.0, 5.0), "<b>\u{202E}", 10.0, Ink::Text, Align::Left);
            canvas.mark((5.0, 5.0), Mark::Ring, 2.0, Ink::Landed);
        };
        let drawing = draw(20, 10, paint);
        let inline = drawing.inline("a & b");
        assert!(inline.contains("viewBox=\"0 0 80 40\""), "{inline}");
        assert!(inline.contains("var(--s1)") && inline.contains("var(--landed)"), "{inline}");
        assert!(!inline.contains("#0102"), "{inline}");
        assert!(inline.contains("a &amp; b") && inline.contains("&lt;b&gt;⟨U+202E⟩"), "{inline}");
        let file = drawing.file("t");
        assert!(file.contains("width=\"20\"") && file.contains("#0060a8"), "{file}");
        assert!(!file.contains("var("), "{file}");
        assert_eq!(draw(20, 10, paint), drawing, "the same bytes again");
        assert_eq!(THEMES[0].colours.len(), NAMES.len());
        assert_eq!(THEMES[1].colours.len(), NAMES.len());
    }

    #[test]
    fn long_words_are_cut() {
        assert_eq!(fit("short", 10.0, 100.0), "short");
        let cut = fit("a very long label indeed", 10.0, 60.0);
        assert!(cut.ends_with('…') && width_of(&cut, 10.0) <= 66.0, "{cut}");
    }
}
