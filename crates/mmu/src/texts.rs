//! The texts of a context, one behind the other: a copy of all of them is one copy.

/// Below this many bytes, texts that are gone are not cleared out.
const MIN_GONE: usize = 64 << 10;

/// Where a text stands.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    start: usize,
    end: usize,
}

#[derive(Clone, Default)]
pub(crate) struct Texts {
    all: String,
    /// How many bytes are of no text any more.
    gone: usize,
}

impl Texts {
    /// No text, with room for what another one still holds.
    pub(crate) fn room_for(other: &Self) -> Self {
        Self { all: String::with_capacity(other.all.len() - other.gone), gone: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, text: &str) -> Span {
        let start = self.all.len();
        self.all.push_str(text);
        Span { start, end: self.all.len() }
    }

    #[inline]
    pub(crate) fn get(&self, span: Span) -> &str {
        &self.all[span.start..span.end]
    }

    /// Lets a text go. Its bytes stay until the texts are built anew.
    pub(crate) fn forget(&mut self, span: &mut Span) {
        self.gone += span.end - span.start;
        *span = Span::default();
    }

    /// Whether so much is gone that it is worth building the texts anew.
    pub(crate) fn is_mostly_gone(&self) -> bool {
        self.gone >= MIN_GONE && self.gone * 2 >= self.all.len()
    }
}
