//! Errors of the node as problems of a person: whose fault it is decides the kind.

use chakart_core::protocol::session::CannotSign;
use chakart_core::transcript::invite::BadInvite;
use chakart_node::backup::BackupError;
use chakart_node::home::HomeError;
use chakart_node::identity::IdentityError;
use chakart_node::net::NetError;
use chakart_node::runtime::{ConnectError, NodeError, Stopped};
use chakart_node::settings::SettingsError;
use chakart_node::store::{
    AbortError, FindError, FriendError, JoinError, NoteError, OfferError, PlanError, RecoverError,
    RematchError, SignError, StoreError,
};

use super::{Failure, Kind, Problem};

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let kind = match error {
            StoreError::NoSuchGame => Kind::UnknownGame,
            _ => Kind::Storage,
        };
        Problem::new(kind, error.to_string()).into()
    }
}

impl From<HomeError> for Failure {
    fn from(error: HomeError) -> Self {
        Problem::new(Kind::Storage, error.to_string()).into()
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        let hint =
            "'chakart net settings' shows what can be set; without the file everything has its default";
        Problem::new(Kind::File, error.to_string()).hint(hint).into()
    }
}

impl From<IdentityError> for Failure {
    fn from(error: IdentityError) -> Self {
        Problem::new(Kind::Identity, error.to_string()).into()
    }
}

impl From<NetError> for Failure {
    fn from(error: NetError) -> Self {
        let kind = match error {
            NetError::BadAddress(_) => Kind::Usage,
            NetError::Noise(_) | NetError::CannotListen(_) => Kind::Unreachable,
        };
        Problem::new(kind, error.to_string()).into()
    }
}

impl From<NodeError> for Failure {
    fn from(error: NodeError) -> Self {
        match error {
            NodeError::Home(error) => error.into(),
            NodeError::Store(error) => error.into(),
            NodeError::Net(error) => error.into(),
            NodeError::Mailbox(error) => Problem::new(Kind::Storage, error.to_string()).into(),
            NodeError::Metrics(error) => Problem::new(Kind::Refused, error.to_string())
                .hint("set another port as 'metrics' in settings.toml, or take the line out")
                .into(),
        }
    }
}

impl From<ConnectError> for Failure {
    fn from(error: ConnectError) -> Self {
        Problem::new(Kind::Unreachable, error.to_string()).into()
    }
}

impl From<Stopped> for Failure {
    fn from(error: Stopped) -> Self {
        Problem::new(Kind::Storage, error.to_string()).into()
    }
}

impl From<CannotSign> for Problem {
    fn from(error: CannotSign) -> Self {
        let kind = match error {
            CannotSign::NotYourTurn => Kind::NotYourTurn,
            CannotSign::Illegal(_) => Kind::IllegalAction,
            CannotSign::Stopped { .. } => Kind::PeerBroke,
            _ => Kind::Refused,
        };
        let problem = Self::new(kind, error.to_string());
        match error {
            CannotSign::Held(_) => problem.hint("if it is so, say it with 'confirm GAME'"),
            CannotSign::Illegal(_) => problem.hint("'moves GAME' lists what is legal"),
            CannotSign::NotYourTurn => problem.hint("'show GAME' tells what is waited for"),
            CannotSign::NotBegun => problem.hint(
                "the host's program sets the board up: 'sync' or 'receive' fetches it; 'delete' gives up",
            ),
            _ => problem,
        }
    }
}

impl From<SignError> for Failure {
    fn from(error: SignError) -> Self {
        match error {
            SignError::CannotSign(error) => Problem::from(error).into(),
            SignError::Store(error) => error.into(),
        }
    }
}

impl From<FindError> for Failure {
    fn from(error: FindError) -> Self {
        match error {
            FindError::Store(error) => error.into(),
            error => Problem::new(Kind::UnknownGame, error.to_string()).into(),
        }
    }
}

impl From<OfferError> for Failure {
    fn from(error: OfferError) -> Self {
        match error {
            OfferError::Store(error) => error.into(),
            error => Problem::new(Kind::Refused, error.to_string()).into(),
        }
    }
}

impl From<JoinError> for Failure {
    fn from(error: JoinError) -> Self {
        match error {
            JoinError::Store(error) => error.into(),
            error => Problem::new(Kind::BadInvite, error.to_string()).into(),
        }
    }
}

impl From<BadInvite> for Failure {
    fn from(error: BadInvite) -> Self {
        Problem::new(Kind::BadInvite, error.to_string()).into()
    }
}

impl From<RecoverError> for Failure {
    fn from(error: RecoverError) -> Self {
        match error {
            RecoverError::Store(error) => error.into(),
            error => Problem::new(Kind::Refused, error.to_string()).into(),
        }
    }
}

impl From<AbortError> for Failure {
    fn from(error: AbortError) -> Self {
        match error {
            AbortError::Sign(error) => error.into(),
            error @ AbortError::TooLate => {
                Problem::new(Kind::Refused, error.to_string()).hint("'resign GAME' gives it up").into()
            }
        }
    }
}

impl From<RematchError> for Failure {
    fn from(error: RematchError) -> Self {
        match error {
            RematchError::Offer(error) => error.into(),
            RematchError::Store(error) => error.into(),
            error @ RematchError::NotOver => Problem::new(Kind::Refused, error.to_string()).into(),
        }
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Store(error) => error.into(),
            error @ (PlanError::Bad(_) | PlanError::TooMany(_)) => {
                Problem::new(Kind::Refused, error.to_string()).into()
            }
        }
    }
}

impl From<NoteError> for Failure {
    fn from(error: NoteError) -> Self {
        match error {
            NoteError::Store(error) => error.into(),
            error => Problem::new(Kind::Refused, error.to_string()).into(),
        }
    }
}

impl From<FriendError> for Failure {
    fn from(error: FriendError) -> Self {
        match error {
            FriendError::Store(error) => error.into(),
            error => Problem::new(Kind::Refused, error.to_string()).into(),
        }
    }
}

impl From<BackupError> for Failure {
    fn from(error: BackupError) -> Self {
        let kind = match error {
            BackupError::Disk { .. } | BackupError::NotABackup { .. } => Kind::File,
            BackupError::NotEmpty { .. } => Kind::Refused,
            BackupError::DoesNotOpen { .. }
            | BackupError::Passphrase(_)
            | BackupError::Identity(_)
            | BackupError::NoRandomness => Kind::Identity,
            BackupError::Store(_) => Kind::Storage,
        };
        Problem::new(kind, error.to_string()).into()
    }
}
