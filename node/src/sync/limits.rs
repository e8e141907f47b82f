//! Bounds on what peers may make a node do, by name and unit.

/// Longest message, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;
/// Games that one message names.
pub const MAX_HEADS: usize = 256;
/// Statements that one message carries: of two players, three kinds each.
pub const MAX_STATEMENTS: usize = 6;
/// Messages between players that one message on the wire carries.
pub const MAX_NOTES: usize = 16;
/// Longest reason of a refusal, in bytes.
pub const MAX_REASON_BYTES: usize = 300;
/// Entries of unknown place that are held of one peer.
pub const MAX_ORPHANS_PER_PEER: usize = 64;
/// Logs that are fetched from one peer at a time.
pub const MAX_PULLS_PER_PEER: usize = 8;
/// Logs that wait for being fetched from one peer; the next greeting names the rest again.
pub const MAX_WAITING_PULLS_PER_PEER: usize = 4_096;
/// Pushes to one peer that wait for an answer.
pub const MAX_PUSHES_PER_PEER: usize = 16;
/// Games whose push to one peer waits for its turn; the next greeting names the rest.
pub const MAX_WAITING_PUSHES_PER_PEER: usize = 4_096;
/// Unknown games of one peer that are asked for in one connection and turn out not to be this player's.
pub const MAX_STRANGE_GAMES_PER_PEER: u32 = 16;

/// Cost that a peer with a common game may cause at once. A request costs 1, and more for what it carries.
pub const PLAYER_BURST: u64 = 4_096;
/// Cost a second that it may go on causing.
pub const PLAYER_COST_PER_SECOND: u64 = 512;
/// Cost that any other peer may cause at once.
pub const STRANGER_BURST: u64 = 128;
/// Cost a second that it may go on causing.
pub const STRANGER_COST_PER_SECOND: u64 = 4;
/// Games in a request that cost 1 more.
pub const HEADS_PER_COST: usize = 16;
/// Entries and statements in a request, each with a signature to check, that cost 1 more.
pub const SIGNATURES_PER_COST: usize = 4;

/// How often connected peers compare their games again, in milliseconds: mends what a lost message left.
pub const GREET_EVERY_MS: u64 = 300_000;
