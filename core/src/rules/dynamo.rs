//! Dynamo chess (Kluever and Kahl, 1968), as vchess publishes it: men push and pull each other off the board.
//!
//! A turn displaces one or two men and is one atomic action. Nothing is captured, nothing is random or hidden. The
//! sections that the code cites are those of the published rules page, `core/rules/dynamo.md`.
//!
//! | module | what it answers |
//! |---|---|
//! | `board` | which man stands where |
//! | `turns` | what the men of a side can displace |
//! | `expulsion` | whether a king could be put off: check |
//! | `castling` | rights and squares of castling |
//! | `position` | which turns are legal, under which spelling, and what they lead to; perft |
//! | `state` | a game: repetition, its end, events |
//! | `spelling`, `refusal` | what people write, and why it is refused |
//! | `fen` | positions as text |

mod board;
mod castling;
mod expulsion;
mod fen;
mod position;
mod refusal;
mod spelling;
mod state;
mod turns;

pub use board::Board;
pub use castling::Rights;
pub use expulsion::is_in_check;
pub use position::{Position, perft};
pub use refusal::Refusal;
pub use state::Dynamo;
