//! `variants`: the rules that can be played, a line each.

use std::io::Write;

use chakart_core::rules::{Setup, Variant};
use serde::Serialize;

use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::show::json;

/// Arguments of `variants`.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    summary: &'static str,
    setups: Vec<&'static str>,
}

/// Lists the variants.
///
/// # Errors
/// [`Failure::Output`]
pub fn run(args: Args, out: &mut dyn Write) -> Result<Exit, Failure> {
    let rows: Vec<Row> = Variant::ALL.into_iter().map(row).collect();
    if args.json.json {
        json::write_line(out, &serde_json::json!({ "variants": rows }))?;
        return Ok(Exit::Done);
    }
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or_default();
    for row in rows {
        writeln!(out, "{:width$}  {}", row.name, row.summary)?;
    }
    Ok(Exit::Done)
}

fn row(variant: Variant) -> Row {
    let info = variant.info();
    let setups = Setup::ALL.into_iter().filter(|&setup| variant.allows(setup)).map(Setup::name).collect();
    Row { name: info.name, summary: info.summary, setups }
}
