//! The terminal while the board has it.

use std::io;
use std::sync::Once;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event};
use ratatui::crossterm::execute;
use ratatui::layout::Size;
use tokio::sync::mpsc;

use super::model::Model;

/// Events that may be read ahead.
const MAX_READ_AHEAD: usize = 64;

static HOOK: Once = Once::new();

/// The terminal in raw mode, on its alternate screen; as it was once this is dropped, also by a panic.
#[derive(Debug)]
pub(super) struct Screen(DefaultTerminal);

impl Screen {
    pub(super) fn open() -> io::Result<Self> {
        // A panic anywhere must leave a terminal in which its message can be read.
        HOOK.call_once(|| {
            let tell = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                tell(panic);
            }));
        });
        let screen = Self(ratatui::try_init()?);
        execute!(io::stdout(), EnableMouseCapture)?;
        Ok(screen)
    }

    pub(super) fn size(&self) -> io::Result<Size> {
        self.0.size()
    }

    pub(super) fn draw(&mut self, model: &Model) -> io::Result<()> {
        self.0.draw(|frame| super::draw::draw(frame, model)).map(drop)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    // Where the terminal is gone, nothing is left to restore.
    let _ = execute!(io::stdout(), DisableMouseCapture);
    let _ = ratatui::try_restore();
}

/// Keys, clicks and sizes, read by a thread: a read of a terminal cannot be called off. The channel closes with the
/// terminal.
pub(super) fn events() -> mpsc::Receiver<Event> {
    let (sender, events) = mpsc::channel(MAX_READ_AHEAD);
    std::thread::spawn(move || while event::read().is_ok_and(|event| sender.blocking_send(event).is_ok()) {});
    events
}
