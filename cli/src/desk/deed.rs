//! What a person decides at the board that the store keeps.

use chakart_core::protocol::note::NoteText;
use chakart_core::rules::Action;
use chakart_node::runtime::unix_ms;
use chakart_node::store::GameNo;

use crate::commands::new::fresh_salt;
use crate::failure::Failure;
use crate::player::Player;

/// Something to be signed or noted in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deed {
    /// An action on the board.
    Act(Action),
    /// The offered draw is accepted.
    AcceptDraw,
    /// The next action offers a draw, or none after all.
    IntendDraw(bool),
    /// The game is given up.
    Resign,
    /// The game is given up before both have completed a turn.
    Abort,
    /// The opponent is said to be out of time.
    Claim,
    /// What holds the game back is said to be all right.
    Confirm,
    /// A message to the opponent.
    Say(NoteText),
    /// Another game is offered.
    Rematch,
}

impl Deed {
    /// Signs and stores it; answers with what is to be said of it.
    ///
    /// # Errors
    /// [`Failure`]: it is not allowed now, or the store failed.
    pub(crate) fn carry_out(self, player: &mut Player, game: GameNo) -> Result<Option<String>, Failure> {
        let now_ms = unix_ms();
        let store = &mut player.store;
        let said = match self {
            Self::Act(action) => {
                store.act(game, action, false, now_ms)?;
                None
            }
            Self::AcceptDraw => {
                store.accept_draw(game, now_ms)?;
                None
            }
            Self::IntendDraw(intent) => {
                store.set_draw_intent(game, intent)?;
                Some(if intent {
                    "Your next action offers a draw."
                } else {
                    "Your next action offers no draw."
                })
            }
            Self::Resign => {
                store.resign(game, now_ms)?;
                None
            }
            Self::Abort => {
                store.abort(game, now_ms)?;
                None
            }
            Self::Claim => {
                store.claim(game, now_ms)?;
                Some("You claim that the opponent is out of time; the game goes on.")
            }
            Self::Confirm => {
                store.confirm(game, now_ms)?;
                store.fire_plans(game, now_ms)?;
                None
            }
            Self::Say(text) => {
                store.write_note(game, text, now_ms)?;
                Some("Said.")
            }
            Self::Rematch => {
                store.rematch(game, fresh_salt()?, now_ms)?;
                Some("A rematch is offered; it goes with the next connection.")
            }
        };
        Ok(said.map(str::to_owned))
    }
}
