//! What is typed at the board, and the page that tells of it.

use crate::commands::play::typed::Typed;

/// The page of help.
pub(super) const HELP: &str = "\
Choose an action
  arrows, Enter       go over the board; take a man, then the square it goes to
  mouse               the same; answers and acts can be clicked too
  e2e4 Nf3 d1h5s      or type it; begin with ':' for the f-file and for rooks
  x                   the chosen man leaves the board (Dynamo)
  o                   odds of the action that is chosen
  1-9, y, n           answer what is asked beside the board
  Esc                 one step back; nothing is signed before the last answer

Look back
  Tab                 arrows go through the acts, or over the board again
  [ ]                 one act back, one on; up and down go by whole turns
  Home, End           the first board, the board as it is

Words, after ':'
  draw, draw off      accept or offer a draw; offer none after all
  resign, abort       give the game up; abort only before both had a turn
  claim               say that the opponent is out of time; it ends nothing
  confirm             say that what holds the game back is all right
  chat TEXT           a message to the opponent
  odds ACTION         what may come of an action
  rematch             another game with the same opponent, once this one is over
  quit                leave the program

Other keys
  f  flip the board   s  glyphs or letters    m  messages
  R  the rules        L  who was lucky        ?  this page
  q  to the list of games

In the list of games
  n  invite a friend  i  take an invite that a friend sent
  t  the tour         p  practise against the machine
  c  what you are called, in games to come
  L  who was lucky, in all games";

/// A line after ':'.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    Abort,
    Confirm,
    Lobby,
    Luck,
    Messages,
    Rematch,
    Rules,
    Skin,
    /// What the line board understands too.
    Common(Typed),
}

impl Line {
    pub(super) fn read(text: &str) -> Self {
        match text.trim().to_ascii_lowercase().as_str() {
            "abort" => Self::Abort,
            "confirm" => Self::Confirm,
            "lobby" | "games" => Self::Lobby,
            "luck" => Self::Luck,
            "chat" | "messages" => Self::Messages,
            "rematch" => Self::Rematch,
            "rules" => Self::Rules,
            "skin" => Self::Skin,
            "q" => Self::Common(Typed::Quit),
            _ => Self::Common(Typed::read(text)),
        }
    }
}

/// Whether a key begins an action in text: `f` and `R` are keys of their own.
pub(super) const fn begins_action(key: char) -> bool {
    matches!(key, 'a'..='e' | 'g' | 'h' | '1'..='8' | 'N' | 'B' | 'Q' | 'K' | 'O' | '@')
}
