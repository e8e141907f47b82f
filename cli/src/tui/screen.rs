//! The terminal while the board has it.

use std::io;
use std::sync::Once;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event,
};
use ratatui::crossterm::execute;
use ratatui::layout::Size;
use tokio::sync::mpsc;

use super::model::Model;

/// Events that may be read ahead.
const MAX_READ_AHEAD: usize = 64;

static HOOK: Once = Once::new();

/// The terminal while boards have it, one after the other: as it was once this is dropped.
#[derive(Debug)]
pub struct Console {
    screen: Screen,
    events: mpsc::Receiver<Event>,
}

impl Console {
    /// Takes the terminal.
    ///
    /// # Errors
    /// This is no terminal that can be taken.
    pub fn open() -> io::Result<Self> {
        Ok(Self { screen: Screen::open()?, events: events() })
    }

    pub(super) fn size(&self) -> io::Result<Size> {
        self.screen.0.size()
    }

    pub(super) fn draw(&mut self, model: &Model) -> io::Result<()> {
        self.screen.0.draw(|frame| super::draw::draw(frame, model)).map(drop)
    }

    /// The next event; `None` once the terminal is gone. May be dropped while it waits: nothing is lost.
    pub(super) async fn event(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// An event that has come already: what a held key does is drawn once.
    pub(super) fn event_at_once(&mut self) -> Option<Event> {
        self.events.try_recv().ok()
    }
}

/// The terminal in raw mode, on its alternate screen; as it was once this is dropped, also by a panic.
#[derive(Debug)]
struct Screen(DefaultTerminal);

impl Screen {
    fn open() -> io::Result<Self> {
        // A panic anywhere must leave a terminal in which its message can be read.
        HOOK.call_once(|| {
            let tell = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                tell(panic);
            }));
        });
        let screen = Self(ratatui::try_init()?);
        execute!(io::stdout(), EnableMouseCapture, EnableBracketedPaste)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    // Where the terminal is gone, nothing is left to restore.
    let _ = execute!(io::stdout(), DisableMouseCapture, DisableBracketedPaste);
    let _ = ratatui::try_restore();
}

/// Keys, clicks and sizes, read by a thread: a read of a terminal cannot be called off. The channel closes with the
/// terminal.
fn events() -> mpsc::Receiver<Event> {
    let (sender, events) = mpsc::channel(MAX_READ_AHEAD);
    std::thread::spawn(move || while event::read().is_ok_and(|event| sender.blocking_send(event).is_ok()) {});
    events
}
