//! Mailboxes: an always-on machine keeps sealed letters for the players on its owner's list, so that two who are never
//! up at the same time can play.
//!
//! A letter is a block, sealed for its recipient. The mailbox knows for whom a letter is and whose connection brought it;
//! it can drop letters, hold them back or give them again, which delays a game and changes nothing in it.
//!
//! | module | what it is |
//! |---|---|
//! | [`seal`] | a block to a letter, and back |
//! | [`boxes`] | what a mailbox keeps, and its bounds |
//! | [`post`] | a player's side: what to put, when to take |
//! | [`taken`] | what becomes of a letter that came |
//! | [`keeper`] | the mailbox's side: each request judged |
//! | [`message`] | what a player and a mailbox say to each other |

pub mod boxes;
pub mod keeper;
pub mod message;
pub mod post;
pub mod seal;
pub mod taken;
