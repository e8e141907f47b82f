//! Keeps games on disk and carries their entries between peers.
//!
//! | module | what it is |
//! |---|---|
//! | [`home`] | the folder of one player, and the lock of its running node |
//! | [`identity`] | the player's key on disk and in the network |
//! | [`backup`] | a whole home in one encrypted file |
//! | [`settings`] | which helpers of others a node uses |
//! | [`store`] | the games: every change one transaction, every signature recorded before it leaves |
//! | [`sync`] | what two nodes say to each other to bring their copies of a game together |
//! | [`mailbox`] | sealed letters that an always-on machine keeps for friends |
//! | [`metrics`] | figures of a running node for Prometheus |
//! | [`net`] | the libp2p swarm under it, and its limits |
//! | [`runtime`] | a running node: one loop; commands in, events out |
//! | [`carrier`] | the node of this process or of another one, for commands that write and then deliver |

pub mod backup;
pub mod carrier;
pub mod home;
pub mod identity;
pub mod mailbox;
pub mod metrics;
pub mod net;
pub mod runtime;
pub mod settings;
pub mod store;
pub mod sync;
