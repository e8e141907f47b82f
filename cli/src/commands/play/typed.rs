//! What a person types at the board.

/// Help of the board.
pub(super) const HELP: &str = "At the board of lines:
  e2e4, Nf3, d1h5s …  play an action (rules VARIANT tells how each is typed)
  moves [e2]          legal actions, or those that begin so
  odds ACTION         what may come of it
  draw                accept a draw that is offered; otherwise offer one with your next action
  draw off            offer none after all
  resign              give the game up
  claim               say that the opponent is out of time; it ends nothing
  chat TEXT           a message to the opponent
  show, flip          the board again; from the other side
  help, quit          this text; leave (the game goes on another time)
From a pipe, lines are taken one by one; an action waits for your turn. Actions with chance in them ask y/n unless --yes
is given, and so do resignations.";

/// What was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Typed {
    Nothing,
    Moves(String),
    Odds(String),
    Draw,
    DrawOff,
    Resign,
    Claim,
    Chat(String),
    Show,
    Flip,
    Help,
    Quit,
    Action(String),
}

impl Typed {
    pub(crate) fn read(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Self::Nothing,
            ("moves", start) => Self::Moves(start.to_owned()),
            ("odds", action) if !action.is_empty() => Self::Odds(action.to_owned()),
            ("draw", "") => Self::Draw,
            ("draw", "off") => Self::DrawOff,
            ("claim", "") => Self::Claim,
            ("chat", text) if !text.is_empty() => Self::Chat(text.to_owned()),
            ("resign", "") => Self::Resign,
            ("show", "") => Self::Show,
            ("flip", "") => Self::Flip,
            ("help" | "?", "") => Self::Help,
            ("quit" | "exit", "") => Self::Quit,
            _ => Self::Action(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_actions_are_told_apart() {
        for (line, typed) in [
            ("  ", Typed::Nothing),
            ("moves", Typed::Moves(String::new())),
            ("moves e2", Typed::Moves("e2".to_owned())),
            ("odds Bxe4", Typed::Odds("Bxe4".to_owned())),
            ("draw off", Typed::DrawOff),
            ("QUIT", Typed::Quit),
            ("chat  Good luck!", Typed::Chat("Good luck!".to_owned())),
            ("claim", Typed::Claim),
            ("e2e4", Typed::Action("e2e4".to_owned())),
            ("stealth d1 h5", Typed::Action("stealth d1 h5".to_owned())),
            ("O-O", Typed::Action("O-O".to_owned())),
        ] {
            assert_eq!(Typed::read(line), typed, "{line}");
        }
    }
}
