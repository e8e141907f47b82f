//! The folder of one player: where its files are, and the lock that a running node holds.
//!
//! Any number of processes may use the store of a home at once; only one of them may run a node. Whoever writes to the
//! store beside a running node wakes it with [`Home::wake`].

mod wake;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

pub use wake::WakeSocket;

/// Longer than it takes to see that a home is in use.
const LOOK: Duration = Duration::from_millis(10);

/// The folder of one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Home {
    root: PathBuf,
}

/// Why a home cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// The folder or a file in it cannot be made, read or written.
    #[error("{path}: {error}", path = path.display())]
    Unusable {
        /// What was tried.
        path: PathBuf,
        /// Why it failed.
        error: io::Error,
    },
    /// Another process runs a node here.
    #[error("a node is already running in {path}", path = root.display())]
    Running {
        /// The home.
        root: PathBuf,
    },
}

/// Held by the one running node of a home; let go of when dropped, also by a crash.
#[derive(Debug)]
pub struct HomeLock {
    _file: File,
}

impl Home {
    /// Uses a folder as a home. A missing one is made, for its owner's eyes only.
    ///
    /// # Errors
    /// [`HomeError::Unusable`]
    pub fn open(root: impl Into<PathBuf>) -> Result<Self, HomeError> {
        let root = root.into();
        make_private_folder(&root).map_err(|error| HomeError::Unusable { path: root.clone(), error })?;
        Ok(Self { root })
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The player's key.
    #[must_use]
    pub fn key_file(&self) -> PathBuf {
        self.root.join("identity.key")
    }

    /// The games.
    #[must_use]
    pub fn store_file(&self) -> PathBuf {
        self.root.join("games.sqlite")
    }

    /// Letters that this home's node keeps for others.
    #[must_use]
    pub fn mailbox_file(&self) -> PathBuf {
        self.root.join("mailbox.sqlite")
    }

    /// What the person has written about the network; need not exist.
    #[must_use]
    pub fn settings_file(&self) -> PathBuf {
        self.root.join("settings.toml")
    }

    /// Claims this home for a node.
    ///
    /// # Errors
    /// [`HomeError::Running`] if another process has it.
    pub fn lock(&self) -> Result<HomeLock, HomeError> {
        let path = self.lock_file();
        let unusable = |error| HomeError::Unusable { path: path.clone(), error };
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(unusable)?;
        let mut locked = file.try_lock();
        if matches!(locked, Err(TryLockError::WouldBlock)) {
            // Whoever only looks whether the home is in use holds it for an instant.
            thread::sleep(LOOK);
            locked = file.try_lock();
        }
        match locked {
            Ok(()) => {
                fs::write(self.holder_file(), std::process::id().to_string()).map_err(unusable)?;
                Ok(HomeLock { _file: file })
            }
            Err(TryLockError::WouldBlock) => Err(HomeError::Running { root: self.root.clone() }),
            Err(TryLockError::Error(error)) => Err(unusable(error)),
        }
    }

    /// Whether a process has this home.
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        let Ok(file) = File::open(self.lock_file()) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// The process that claimed this home last, whether or not it still has it.
    #[must_use]
    pub fn last_holder(&self) -> Option<u32> {
        fs::read_to_string(self.holder_file()).ok()?.parse().ok()
    }

    /// Tells the running node of this home, if there is one, that the store has changed. Never fails: a node that
    /// misses it looks by itself a little later.
    pub fn wake(&self) {
        wake::send(&self.wake_file());
    }

    fn lock_file(&self) -> PathBuf {
        self.root.join("node.lock")
    }

    /// Who has the lock: not in the locked file, which some systems let nobody else read.
    fn holder_file(&self) -> PathBuf {
        self.root.join("node.pid")
    }

    /// Where a running node says how it is woken.
    pub(crate) fn wake_file(&self) -> PathBuf {
        self.root.join("node.wake")
    }
}

#[cfg(unix)]
fn make_private_folder(root: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(root)
}

#[cfg(not(unix))]
fn make_private_folder(root: &Path) -> io::Result<()> {
    fs::create_dir_all(root)
}

/// Creates a file that only its owner may read; fails if there is one already.
pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_lock_at_a_time_until_it_is_dropped() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let home = Home::open(folder.path().join("deep/home")).expect("a fresh folder");
        let lock = home.lock().expect("nobody else is here");
        assert!(matches!(home.lock(), Err(HomeError::Running { .. })));
        assert_eq!(home.last_holder(), Some(std::process::id()));
        assert!(home.is_in_use());
        drop(lock);
        assert!(!home.is_in_use());
        home.lock().expect("let go of");
    }

    #[cfg(unix)]
    #[test]
    fn a_home_is_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder for the test");
        let home = Home::open(folder.path().join("home")).expect("a fresh folder");
        let mode = fs::metadata(home.root()).expect("it exists").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
