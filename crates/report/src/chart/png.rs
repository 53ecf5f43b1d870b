//! Drawings as PNG, by resvg, with a font of their own: the same bytes on every machine.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

/// Pixels for each unit of a drawing.
const DENSITY: f32 = 2.0;

/// The licence of the font in PNG files.
pub const FONT_LICENCE: &str =
    "DejaVu Sans 2.37: Bitstream Vera's licence, changes in the public domain";

/// A drawing that cannot be rasterised.
#[derive(Debug, thiserror::Error)]
#[error("failed to rasterise a chart: {0}")]
pub struct PngError(String);

/// Fonts are read once: they are three quarters of a megabyte.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

/// The drawing of an SVG file as PNG. No font of the system is read.
pub(crate) fn rasterise(svg: &str) -> Result<Vec<u8>, PngError> {
    let options = usvg::Options {
        font_family: "DejaVu Sans".to_owned(),
        fontdb: Arc::clone(&FONTS),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| PngError(error.to_string()))?;
    let size = tree.size().to_int_size().scale_by(DENSITY);
    let size = size.ok_or_else(|| PngError("it has no size".to_owned()))?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or_else(|| {
        PngError(format!("{}×{} pixels are too many", size.width(), size.height()))
    })?;
    resvg::render(&tree, Transform::from_scale(DENSITY, DENSITY), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError(error.to_string()))
}
