//! `rules`: a page that explains a variant.

use std::io::Write;

use chakart_core::rules::Variant;

use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::show::{json, pages};

/// Arguments of `rules`.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Args {
    /// The variant, one of those of 'variants'
    #[arg(value_name = "VARIANT", default_value = "chakart")]
    variant: Variant,
    #[command(flatten)]
    json: Json,
}

/// Prints the page.
///
/// # Errors
/// [`Failure::Output`]
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Exit, Failure> {
    if args.json.json {
        let name = args.variant.info().name;
        json::write_line(out, &serde_json::json!({ "variant": name, "page": pages::page(args.variant) }))?;
        return Ok(Exit::Done);
    }
    out.write_all(pages::page(args.variant).as_bytes())?;
    Ok(Exit::Done)
}
