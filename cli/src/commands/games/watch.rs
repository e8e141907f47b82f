//! The list that stays: drawn again when the store changes, and each minute for the times left.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use chakart_node::runtime::unix_ms;
use tokio::time::{Instant, sleep};

use super::List;
use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::runtime;

/// How often the store's counter of changes is looked at: one row.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often times left are drawn again.
const DRAW_EVERY: Duration = Duration::from_secs(60);
/// Clears the terminal and goes to its first cell.
const CLEAR: &str = "\x1b[2J\x1b[H";

/// Draws until the person interrupts.
pub(super) fn run(player: &Player, out: &mut dyn Write) -> Result<Exit, Failure> {
    let clear = if std::io::stdout().is_terminal() { CLEAR } else { "" };
    runtime::run(async {
        loop {
            let change = player.store.change()?;
            write!(out, "{clear}")?;
            for line in List::read(player)?.lines(unix_ms()) {
                writeln!(out, "{line}")?;
            }
            if clear.is_empty() {
                writeln!(out)?;
            }
            out.flush()?;
            let end = Instant::now() + DRAW_EVERY;
            while player.store.change()? == change && Instant::now() < end {
                sleep(LOOK_EVERY).await;
            }
        }
    })
}
