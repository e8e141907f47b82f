//! What goes wrong, in words for people and in kinds for programs; each kind has its exit code.

mod from_node;

use std::fmt;
use std::io;

use serde::Serialize;

use crate::show::escape::escaped;

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Exit {
    /// Done, valid, or signed and stored though not delivered yet.
    Done = 0,
    /// A clear no: illegal action, not your turn, invalid transcript.
    No = 1,
    /// Wrong usage, an unreadable file, a bad invite.
    Usage = 2,
    /// The peer cannot be reached.
    Unreachable = 3,
    /// The identity or the store failed.
    Storage = 4,
    /// The peer broke the protocol.
    PeerBroke = 5,
    /// Interrupted by its user.
    Interrupted = 130,
}

/// What kind of thing went wrong; its name in JSON is in kebab case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The rules forbid the action.
    IllegalAction,
    /// The text is no action, or fits several.
    UnclearAction,
    /// The other player is to decide.
    NotYourTurn,
    /// The game does not allow this now.
    Refused,
    /// The command line or a request is wrong.
    Usage,
    /// A position is not one of its variant.
    BadFen,
    /// There are too many outcomes to list.
    TooManyOutcomes,
    /// A file cannot be read or written.
    File,
    /// An invite is damaged or not for this player.
    BadInvite,
    /// No game of this home has this name.
    UnknownGame,
    /// The peer cannot be reached.
    Unreachable,
    /// There is no key, or it cannot be used.
    Identity,
    /// The store failed.
    Storage,
    /// The peer broke the protocol.
    PeerBroke,
    /// The user interrupted.
    Interrupted,
}

impl Kind {
    /// The exit code of this kind.
    #[must_use]
    pub const fn exit(self) -> Exit {
        match self {
            Self::IllegalAction | Self::UnclearAction | Self::NotYourTurn | Self::Refused => Exit::No,
            Self::Usage
            | Self::BadFen
            | Self::TooManyOutcomes
            | Self::File
            | Self::BadInvite
            | Self::UnknownGame => Exit::Usage,
            Self::Unreachable => Exit::Unreachable,
            Self::Identity | Self::Storage => Exit::Storage,
            Self::PeerBroke => Exit::PeerBroke,
            Self::Interrupted => Exit::Interrupted,
        }
    }
}

/// Something that went wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Problem {
    /// For programs.
    pub kind: Kind,
    /// For people.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Why a command stops.
#[derive(Debug)]
pub enum Failure {
    /// Something went wrong that the user is told.
    Problem(Problem),
    /// The output cannot be written.
    Output(io::Error),
}

/// A problem as the one member of a JSON object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ErrorObject<'a> {
    error: &'a Problem,
}

impl Problem {
    /// A problem without a hint.
    #[must_use]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// The same problem with a hint.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// As `{"error":{"kind":…,"message":…,"hint":…}}`.
    #[must_use]
    pub const fn as_json(&self) -> ErrorObject<'_> {
        ErrorObject { error: self }
    }
}

/// Lines for a terminal, with whatever a peer wrote escaped.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, line) in self.message.lines().enumerate() {
            writeln!(f, "{}{}", if index == 0 { "error: " } else { "" }, escaped(line))?;
        }
        match &self.hint {
            Some(hint) => writeln!(f, "hint: {}", escaped(hint)),
            None => Ok(()),
        }
    }
}

impl Failure {
    /// A wrong command line or request.
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Problem::new(Kind::Usage, message).into()
    }

    /// How the program ends.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Problem(problem) => problem.kind.exit(),
            // Whoever closes a pipe has read enough.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
            Self::Output(_) => Exit::Usage,
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_escaped_lines() {
        let problem = Problem::new(Kind::UnknownGame, "no game '\u{1b}[31mx'").hint("see 'games'");
        assert_eq!(problem.to_string(), "error: no game '\\u{1b}[31mx'\nhint: see 'games'\n");
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let closed = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(closed.exit(), Exit::Done);
    }
}
