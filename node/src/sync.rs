//! How two nodes bring their copies of common games together: `/chakart/sync/1`.
//!
//! On connection each side names the games that it shares with the other, with length and head, and each fetches what
//! it lacks. What is added later is pushed at once. Nothing here knows a socket: the engine takes a store and what
//! happened, and gives what is to be sent, so that a simulator can drive it as well as a network.
//!
//! | module | what it is |
//! |---|---|
//! | [`message`] | requests and responses as bytes |
//! | [`engine`] | what to send when |
//! | [`note`] | messages between players as bytes: `/chakart/note/1` |
//! | [`limits`] | every bound on what a peer may cause |

pub mod engine;
pub mod limits;
pub mod message;
pub mod note;
