//! The player's key on disk, and the same key as an identity of libp2p.

pub(crate) mod key_file;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey, SecretKey};
use libp2p::PeerId;
use libp2p::identity::{Keypair, PublicKey as NetworkKey};
use zeroize::Zeroizing;

pub use key_file::KeyFileError;

use crate::home::{Home, create_private_file};

/// How the name of an Ed25519 key begins: an identity multihash (0) of 36 bytes, a key of type (8) Ed25519 (1), its bytes
/// (18), 32 of them. Read from the specification of peer ids, not from the curve: thousands of names are made at once.
const ED25519_NAME: [u8; 6] = [0, 36, 8, 1, 18, 32];

/// Why a key cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// There is no key in this home.
    #[error("no key in {path} yet; create one with 'id create'", path = path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// A file is in the way; keys are never overwritten.
    #[error("{path} exists already, and a key is never overwritten", path = path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Others than the owner may read the key.
    #[error("{path} can be read by others (mode {mode:03o}); make it private with 'chmod 600'", path = path.display())]
    TooOpen {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The file is not a key file, or its passphrase is missing or wrong.
    #[error("{path}: {error}", path = path.display())]
    KeyFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: KeyFileError,
    },
    /// The file system failed.
    #[error("{path}: {error}", path = path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The operating system gave no randomness.
    #[error("the operating system gave no randomness: {0}")]
    NoRandomness(#[from] getrandom::Error),
}

/// Makes a key for a home that has none.
///
/// # Errors
/// [`IdentityError`]
pub fn create(home: &Home) -> Result<SecretKey, IdentityError> {
    let mut seed = Zeroizing::new([0; 32]);
    getrandom::fill(seed.as_mut())?;
    let key = SecretKey::from_seed(&seed);
    export(&key, &home.key_file(), None)?;
    Ok(key)
}

/// Reads the key of a home.
///
/// # Errors
/// [`IdentityError`]
pub fn load(home: &Home) -> Result<SecretKey, IdentityError> {
    let path = home.key_file();
    match read(&path, None) {
        Err(IdentityError::Disk { path, error }) if error.kind() == io::ErrorKind::NotFound => {
            Err(IdentityError::Missing { path })
        }
        result => result,
    }
}

/// Writes a key into a file of its own that only its owner can read, encrypted if a passphrase is given.
///
/// # Errors
/// [`IdentityError`]
pub fn export(key: &SecretKey, path: &Path, passphrase: Option<&str>) -> Result<(), IdentityError> {
    let text = key_file::write(key, passphrase)
        .map_err(|error| IdentityError::KeyFile { path: path.to_owned(), error })?;
    let disk = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => IdentityError::Exists { path: path.to_owned() },
        _ => IdentityError::Disk { path: path.to_owned(), error },
    };
    let mut file = create_private_file(path).map_err(disk)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(disk)
}

/// Reads an exported key and makes it that of a home that has none.
///
/// # Errors
/// [`IdentityError`]
pub fn import(home: &Home, path: &Path, passphrase: Option<&str>) -> Result<SecretKey, IdentityError> {
    let key = read(path, passphrase)?;
    export(&key, &home.key_file(), None)?;
    Ok(key)
}

/// Whether a key file asks for a passphrase.
///
/// # Errors
/// [`IdentityError`]
pub fn is_encrypted(path: &Path) -> Result<bool, IdentityError> {
    let text = read_text(path)?;
    key_file::is_encrypted(&text).map_err(|error| IdentityError::KeyFile { path: path.to_owned(), error })
}

/// The key as libp2p uses it.
#[must_use]
pub fn network_keypair(key: &SecretKey) -> Keypair {
    let mut seed = key.seed();
    Keypair::ed25519_from_bytes(seed.as_mut()).expect("every 32 bytes are a seed")
}

/// The name of a player in the network.
#[must_use]
pub fn network_name(key: &PublicKey) -> String {
    peer_id(key).to_string()
}

/// The same as libp2p has it.
#[must_use]
pub fn peer_id(key: &PublicKey) -> PeerId {
    peer_id_of(key.as_bytes())
}

/// The same of a raw key.
pub(crate) fn peer_id_of(key: &[u8; KEY_BYTES]) -> PeerId {
    let mut name = [0; ED25519_NAME.len() + KEY_BYTES];
    let (start, end) = name.split_at_mut(ED25519_NAME.len());
    start.copy_from_slice(&ED25519_NAME);
    end.copy_from_slice(key);
    PeerId::from_bytes(&name).expect("a multihash of the length that it says")
}

/// The player with this name in the network, if the name can be a player's: an Ed25519 key that our stricter rules
/// accept.
#[must_use]
pub fn player(peer: &PeerId) -> Option<PublicKey> {
    // An Ed25519 name holds the key itself, as an identity multihash (code 0).
    let multihash = peer.as_ref();
    let inline = Some(multihash).filter(|hash| hash.code() == 0)?.digest();
    let key = NetworkKey::try_decode_protobuf(inline).ok()?.try_into_ed25519().ok()?;
    PublicKey::from_bytes(&key.to_bytes()).ok()
}

fn read(path: &Path, passphrase: Option<&str>) -> Result<SecretKey, IdentityError> {
    let text = read_text(path)?;
    key_file::read(&text, passphrase).map_err(|error| IdentityError::KeyFile { path: path.to_owned(), error })
}

fn read_text(path: &Path) -> Result<Zeroizing<String>, IdentityError> {
    let disk = |error| IdentityError::Disk { path: path.to_owned(), error };
    let file = File::open(path).map_err(disk)?;
    check_private(path, &file.metadata().map_err(disk)?)?;
    let mut text = Zeroizing::new(String::new());
    file.take(key_file::MAX_KEY_FILE_BYTES + 1).read_to_string(&mut text).map_err(disk)?;
    Ok(text)
}

#[cfg(unix)]
fn check_private(path: &Path, metadata: &fs::Metadata) -> Result<(), IdentityError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = metadata.permissions().mode() & 0o777;
    if mode & 0o077 == 0 { Ok(()) } else { Err(IdentityError::TooOpen { path: path.to_owned(), mode }) }
}

#[cfg(not(unix))]
fn check_private(_: &Path, _: &fs::Metadata) -> Result<(), IdentityError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let home = Home::open(folder.path().join("home")).expect("a fresh folder");
        (folder, home)
    }

    #[test]
    fn a_key_is_created_once_and_loaded() {
        let (_folder, home) = home();
        assert!(matches!(load(&home), Err(IdentityError::Missing { .. })));
        let key = create(&home).expect("a fresh home");
        assert!(matches!(create(&home), Err(IdentityError::Exists { .. })));
        assert_eq!(load(&home).expect("just created").seed(), key.seed());
    }

    #[test]
    fn an_exported_key_restores_the_player() {
        let (folder, old) = home();
        let key = create(&old).expect("a fresh home");
        let file = folder.path().join("stick.key");
        export(&key, &file, Some("seven horses")).expect("a fresh file");
        assert!(is_encrypted(&file).expect("readable"));
        let fresh = Home::open(folder.path().join("other")).expect("a fresh folder");
        for wrong in [None, Some("six horses")] {
            assert!(matches!(import(&fresh, &file, wrong), Err(IdentityError::KeyFile { .. })));
        }
        let restored = import(&fresh, &file, Some("seven horses")).expect("the right passphrase");
        assert_eq!(restored.public(), key.public());
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, home) = home();
        create(&home).expect("a fresh home");
        fs::set_permissions(home.key_file(), fs::Permissions::from_mode(0o640)).expect("own file");
        assert!(matches!(load(&home), Err(IdentityError::TooOpen { mode: 0o640, .. })));
    }

    #[test]
    fn player_and_peer_name_each_other() {
        let key = SecretKey::from_seed(&[7; 32]);
        let peer = peer_id(&key.public());
        assert_eq!(network_keypair(&key).public().to_peer_id(), peer);
        assert_eq!(player(&peer), Some(key.public()));
        assert_eq!(player(&PeerId::random()), None, "a hash names no key");
    }
}
