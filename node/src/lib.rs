//! Keeps games on disk and carries their entries between peers.
//!
//! | module | what it is |
//! |---|---|
//! | [`home`] | the folder of one player, and the lock of its running node |
//! | [`identity`] | the player's key on disk and in the network |
//! | [`store`] | the games: every change one transaction, every signature recorded before it leaves |

pub mod home;
pub mod identity;
pub mod store;
