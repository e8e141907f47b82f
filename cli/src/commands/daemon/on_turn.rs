//! The command that is run when it becomes this player's turn.

use std::process::Stdio;
use std::time::Duration;

use chakart_core::protocol::session::Session;
use chakart_node::store::GameSummary;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tokio::time::timeout;

use crate::commands::show;
use crate::failure::Failure;
use crate::player::Player;
use crate::show::escape::quoted;

/// A command that takes longer is ended.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the command reads: game, opponent, an empty line, the board.
pub(super) fn text(player: &Player, summary: &GameSummary, session: &Session) -> Result<String, Failure> {
    let board = show::lines(player, summary, session, false)?.join("\n");
    Ok(format!("game: {}\nopponent: {}\n\n{board}\n", summary.name, quoted(&summary.opponent_name)))
}

/// Runs the command beside the daemon; what goes wrong is in the log only.
pub(super) fn start(command: &str, text: String) {
    let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let child = Command::new(shell).arg(option).arg(command).stdin(Stdio::piped()).kill_on_drop(true).spawn();
    match child {
        Err(error) => tracing::warn!(%error, "the command for your turn does not start"),
        Ok(mut child) => drop(tokio::spawn(async move {
            let work = async {
                if let Some(mut stdin) = child.stdin.take() {
                    // A command that reads nothing is fine.
                    let _ = stdin.write_all(text.as_bytes()).await;
                }
                child.wait().await
            };
            if !matches!(timeout(PATIENCE, work).await, Ok(Ok(status)) if status.success()) {
                tracing::warn!("the command for your turn failed or took too long");
            }
        })),
    }
}
