//! `completions` and `man`: what shells and readers get from the one command table.

use std::io::Write;
use std::path::PathBuf;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::{Exit, Failure};
use crate::show::files;

/// Arguments of `completions`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(
    after_help = "For bash: chakart completions bash > ~/.local/share/bash-completion/completions/chakart"
)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Clone, Debug, clap::Args)]
pub struct ManArgs {
    /// The folder to write the pages into, one for each command; it is made if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Prints a completion script.
///
/// # Errors
/// [`Failure`] if the output is closed.
pub fn completions(args: Args, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "chakart", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Done)
}

/// Writes a manual page for each command.
///
/// # Errors
/// [`Failure`] if the folder cannot be written.
pub fn man(args: &ManArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let failed = |error| files::failed(&args.folder, &error);
    std::fs::create_dir_all(&args.folder).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), &args.folder).map_err(failed)?;
    writeln!(out, "manual pages in {}", args.folder.display())?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_completed_and_has_a_page() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let (mut script, mut said) = (Vec::new(), Vec::new());
        completions(Args { shell: Shell::Bash }, &mut script).expect("memory");
        man(&ManArgs { folder: folder.path().join("pages") }, &mut said).expect("a fresh folder");
        let script = String::from_utf8(script).expect("text");
        for verb in Cli::command().get_subcommands() {
            let name = verb.get_name();
            assert!(script.contains(&format!("chakart,{name})")), "{name}");
            assert!(folder.path().join(format!("pages/chakart-{name}.1")).exists(), "{name}");
        }
    }
}
