//! Keeps games on disk and carries their entries between peers.
//!
//! | module | what it is |
//! |---|---|
//! | [`home`] | the folder of one player, and the lock of its running node |
//! | [`identity`] | the player's key on disk and in the network |
//! | [`store`] | the games: every change one transaction, every signature recorded before it leaves |
//! | [`sync`] | what two nodes say to each other to bring their copies of a game together |

pub mod home;
pub mod identity;
pub mod store;
pub mod sync;
