//! `replay`: a transcript act by act, with every random choice, from the public view.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use chakart_core::board::{Bitboard, Color};
use chakart_core::protocol::entry::Party;
use chakart_core::scene;
use chakart_core::transcript::replay::{Ply, replay};
use chakart_core::transcript::report::Report;
use chakart_core::transcript::verify::{Checked, Expected, Transcript, check};

use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::show::board::{self, Drawing};
use crate::show::escape::{escaped, quoted};
use crate::show::{files, json, png, stamp, svg, turns};

/// Arguments of `replay`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "In a terminal, Enter goes on, 'b' and Enter goes back, 'q' and Enter stops.")]
pub struct Args {
    /// The transcript; '-' is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Black at the bottom
    #[arg(long)]
    flip: bool,
    /// Write a picture of each position, 000.svg and so on, into this folder, which is made if it is missing
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    svg: Option<PathBuf>,
    /// The same in PNG, 000.png and so on (only in programs built with --features png)
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    png: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// Replays a transcript as far as it is valid.
///
/// # Errors
/// [`Failure`]: the file cannot be read, or is no transcript.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Exit, Failure> {
    let checked = check(&files::read_transcript(&args.file)?, Expected::default());
    let report = Report::of(&checked);
    let exit = if report.verdict.is_no() { Exit::No } else { Exit::Done };
    let Checked::Transcript(transcript) = &checked else {
        return Err(no_transcript(&checked, &report));
    };
    let plies = replay(&transcript.entries).unwrap_or_else(|(plies, _)| plies);
    if args.json.json {
        write_json(transcript, &plies, &report, out)?;
        return Ok(exit);
    }
    let folders = [(&args.svg, Format::Svg), (&args.png, Format::Png)];
    let mut pictured = false;
    for (folder, format) in
        folders.into_iter().filter_map(|(folder, format)| folder.as_ref().zip(Some(format)))
    {
        let count = write_pictures(&plies, bottom(args.flip), folder, format)?;
        writeln!(out, "{count} pictures in {}", folder.display())?;
        pictured = true;
    }
    if pictured {
        writeln!(out, "{}", escaped(&report.line))?;
        return Ok(exit);
    }
    let stepping = io::stdin().is_terminal() && io::stdout().is_terminal() && args.file.as_os_str() != "-";
    let film = Film { transcript, plies: &plies, report: &report, bottom: bottom(args.flip) };
    if stepping {
        film.step_through(out)?
    } else {
        film.show_all(out)?
    }
    Ok(exit)
}

/// How pictures are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Svg,
    Png,
}

impl Format {
    const fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    fn written(self, svg: String) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Svg => Ok(svg.into_bytes()),
            Self::Png => png::rendered(&svg),
        }
    }
}

/// The start, and the board after each act, as the public sees it; how many they are.
fn write_pictures(plies: &[Ply], bottom: Color, folder: &Path, format: Format) -> Result<usize, Failure> {
    let failed = |path: &Path, error| Failure::from(files::failed(path, &error));
    let start = plies.first().map(|ply| (ply.before.view(None, None), Bitboard::EMPTY));
    let boards = plies.iter().map(|ply| (ply.after.view(None, None), scene::marked(ply)));
    let mut count = 0;
    for (view, marked) in start.into_iter().chain(boards) {
        let picture = format.written(svg::picture(&view, Drawing { bottom, marked }))?;
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        let path = folder.join(format!("{count:03}.{}", format.ending()));
        std::fs::write(&path, picture).map_err(|error| failed(&path, error))?;
        count += 1;
    }
    Ok(count)
}

const fn bottom(flip: bool) -> Color {
    if flip { Color::Black } else { Color::White }
}

fn no_transcript(checked: &Checked, report: &Report) -> Failure {
    match checked {
        Checked::Evidence(_) => {
            Problem::new(Kind::Refused, "this is evidence, not a transcript").hint("check it with 'verify'")
        }
        _ => Problem::new(Kind::Refused, report.line.clone()),
    }
    .into()
}

/// A game to be shown.
struct Film<'a> {
    transcript: &'a Transcript,
    plies: &'a [Ply],
    report: &'a Report,
    bottom: Color,
}

impl Film<'_> {
    fn show_all(&self, out: &mut dyn Write) -> io::Result<()> {
        for scene in 0..=self.plies.len() {
            self.scene(scene, out)?;
        }
        writeln!(out, "{}", escaped(&self.report.line))
    }

    fn step_through(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut scene = 0;
        loop {
            self.scene(scene, out)?;
            if scene == self.plies.len() {
                writeln!(out, "{}", escaped(&self.report.line))?;
            }
            write!(out, "[{scene} of {}] Enter: on, b: back, q: stop > ", self.plies.len())?;
            out.flush()?;
            let mut typed = String::new();
            if io::stdin().lock().read_line(&mut typed)? == 0 {
                return Ok(());
            }
            scene = match typed.trim() {
                "q" => return Ok(()),
                "b" => scene.saturating_sub(1),
                _ if scene == self.plies.len() => return Ok(()),
                _ => scene + 1,
            };
        }
    }

    /// Scene 0 is the beginning, scene `n` the `n`th act.
    fn scene(&self, scene: usize, out: &mut dyn Write) -> io::Result<()> {
        match scene.checked_sub(1).and_then(|index| self.plies.get(index)) {
            None => self.opening(out),
            Some(ply) => self.act(ply, out),
        }
    }

    fn opening(&self, out: &mut dyn Write) -> io::Result<()> {
        let log = &self.transcript.log;
        let terms = log.terms();
        writeln!(out, "{}, set-up {}", board::rules_line(terms.variant), terms.setup)?;
        for party in Party::ALL {
            let color =
                log.phase().table().map(|table| format!(", {}", table.color(party))).unwrap_or_default();
            writeln!(out, "{party}{color}: {}", quoted(log.name(party)))?;
        }
        if let Some(first) = self.plies.first() {
            let drawing = Drawing { bottom: self.bottom, ..Drawing::default() };
            writeln!(out, "\n{}", board::picture(&first.before.view(None, None), drawing))?;
        }
        Ok(())
    }

    fn act(&self, ply: &Ply, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}  ({}, entry {})", scene::headline(ply), stamp::utc(ply.at_ms), ply.seq)?;
        if let Some(square) = ply.opened {
            writeln!(out, "  the hidden queen was on {square}")?;
        }
        for (index, step) in scene::steps(ply).iter().enumerate() {
            writeln!(out, "  {}. {step}", index + 1)?;
        }
        let drawing = Drawing { bottom: self.bottom, marked: scene::marked(ply) };
        writeln!(out, "\n{}", board::picture(&ply.after.view(None, None), drawing))
    }
}

fn write_json(
    transcript: &Transcript,
    plies: &[Ply],
    report: &Report,
    out: &mut dyn Write,
) -> io::Result<()> {
    use chakart_core::rules::Rules as _;
    let log = &transcript.log;
    let players: Vec<_> = Party::ALL
        .into_iter()
        .map(|party| {
            serde_json::json!({
                "party": party.to_string(),
                "name": log.name(party),
                "key": log.key(party).map(ToString::to_string),
                "color": log.phase().table().map(|table| table.color(party)),
            })
        })
        .collect();
    let acts: Vec<_> = plies.iter().map(turns::object).collect();
    json::write_line(
        out,
        &serde_json::json!({
            "variant": log.terms().variant.info().name,
            "setup": log.terms().setup.name(),
            "players": players,
            "start": plies.first().map(|ply| ply.before.fen()),
            "plies": acts,
            "report": report,
        }),
    )
}
