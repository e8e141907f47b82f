//! What every board has in common: what is known of a game, what a person may do at it, and what the node tells of it.
//!
//! | module | what it holds |
//! |---|---|
//! | [`seat`] | what a board knows of one game, as a value |
//! | [`deed`] | what is signed or noted in a game |
//! | `offers` | own offers: made, found, taken |
//! | `news` | what an event of the node means for a game |

pub mod deed;
pub(crate) mod news;
pub(crate) mod offers;
pub mod seat;
