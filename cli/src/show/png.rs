//! A picture in PNG, rendered from the one in SVG. Only a program that was built with the feature `png` can do it.

use crate::failure::Failure;

/// Pixels of the PNG for each pixel of the SVG, which is small on fine screens.
#[cfg(feature = "png")]
const SCALE: u16 = 2;

/// Renders a picture that this program has drawn: without fonts, files or links.
///
/// # Errors
/// [`Failure`]: it is too large for the memory.
#[cfg(feature = "png")]
pub fn rendered(svg: &str) -> Result<Vec<u8>, Failure> {
    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::{Options, Tree};

    use crate::failure::{Kind, Problem};

    let failed = |why: String| Problem::new(Kind::Storage, format!("no picture in PNG: {why}"));
    let tree = Tree::from_str(svg, &Options::default()).map_err(|error| failed(error.to_string()))?;
    let scale = f32::from(SCALE);
    let size = tree.size().to_int_size().scale_by(scale).ok_or_else(|| failed("its size".to_owned()))?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or_else(|| failed("its size".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    Ok(pixels.encode_png().map_err(|error| failed(error.to_string()))?)
}

/// Says how to get a program that renders.
///
/// # Errors
/// [`Failure`], always.
#[cfg(not(feature = "png"))]
pub fn rendered(_svg: &str) -> Result<Vec<u8>, Failure> {
    use crate::failure::{Kind, Problem};

    Err(Problem::new(Kind::Usage, "this program was built without pictures in PNG")
        .hint("use --svg, or build it with: cargo build --release --features png")
        .into())
}

#[cfg(all(test, feature = "png"))]
mod tests {
    use chakart_core::rules::{Game, Variant};

    use super::*;
    use crate::show::board::Drawing;
    use crate::show::svg;

    #[test]
    fn a_board_is_rendered_in_its_colours() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w 0 {\"flags\":\"0000\"}";
        let view = Game::from_fen(Variant::Chakart, fen).expect("a position").view(None, None);
        let picture = rendered(&svg::picture(&view, Drawing::default())).expect("it fits");
        let pixels = resvg::tiny_skia::Pixmap::decode_png(&picture).expect("a picture");
        assert_eq!((pixels.width(), pixels.height()), (856, 856));
        let at = |x, y| pixels.pixel(x, y).map(|pixel| (pixel.red(), pixel.green(), pixel.blue()));
        assert_eq!((at(2, 2), at(60, 60)), (Some((0x4a, 0x38, 0x26)), Some((0xea, 0xd9, 0xb7))));
        // Labels are shapes, so that they are there without a font.
        let label = (0..44).flat_map(|x| (80..100).map(move |y| at(x, y)));
        assert!(label.filter(|pixel| *pixel == Some((0xf0, 0xe6, 0xd2))).count() > 5);
    }
}
