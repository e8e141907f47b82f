//! A whole home in one encrypted file: key and games.
//!
//! ```text
//! "chakart backup 1\n"                         17 bytes
//! memory in KiB, passes, lanes of Argon2id     three u32, little-endian
//! salt 16 bytes ‖ nonce prefix 19 bytes
//! boxes: XChaCha20-Poly1305 of up to 1 MiB each, the last one shorter or empty
//! ```
//!
//! The nonce of a box is the prefix, its number (u32, big-endian) and 1 for the last box or 0: boxes cannot be reordered,
//! dropped or cut off. Everything before the boxes is associated data of each. Inside: the 32 bytes of the key's seed,
//! then the store as an SQLite file.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use chakart_core::protocol::keys::SecretKey;
use zeroize::Zeroizing;

use crate::home::{Home, create_private_file};
use crate::identity::key_file::{COST, Cost, cipher};
use crate::identity::{self, IdentityError, KeyFileError};
use crate::store::{Store, StoreError};

const MAGIC: &[u8; 17] = b"chakart backup 1\n";
const HEADER_BYTES: usize = MAGIC.len() + 12 + SALT_BYTES + PREFIX_BYTES;
const SALT_BYTES: usize = 16;
const PREFIX_BYTES: usize = 19;
const SEED_BYTES: usize = 32;
/// Plain bytes of a box.
const BOX_BYTES: usize = 1 << 20;
/// What encryption adds to a box.
const TAG_BYTES: usize = 16;

/// Why a home is not backed up or restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file cannot be read or written.
    #[error("{path}: {error}", path = path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file is no backup.
    #[error("{path} is not a backup of this program, or of a newer one", path = path.display())]
    NotABackup {
        /// The file.
        path: PathBuf,
    },
    /// The passphrase is wrong or the file damaged: which of them, cannot be told.
    #[error("{path} does not open: the passphrase is wrong, or the file is damaged or cut", path = path.display())]
    DoesNotOpen {
        /// The file.
        path: PathBuf,
    },
    /// The home has a key or games.
    #[error("{path} exists already: a backup is restored into an empty home only", path = path.display())]
    NotEmpty {
        /// What is in the way.
        path: PathBuf,
    },
    /// The operating system gave no randomness.
    #[error("the operating system gave no randomness")]
    NoRandomness,
    /// The passphrase cannot be used.
    #[error(transparent)]
    Passphrase(#[from] KeyFileError),
    /// The key of the home.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a restore brought back.
#[derive(Debug)]
pub struct Restored {
    /// The player.
    pub key: SecretKey,
    /// Games, finished ones included.
    pub games: usize,
    /// Unfinished games: in each nothing is signed before the person says that no later copy of it exists.
    pub recovered: usize,
}

/// Writes key and games of a home into a file that does not exist yet. A running node need not stop.
///
/// # Errors
/// [`BackupError`]
pub fn backup(home: &Home, file: &Path, passphrase: &str) -> Result<(), BackupError> {
    let key = identity::load(home)?;
    let copy = Temporary::in_home(home);
    Store::open(&home.store_file(), key.clone())?.copy_to(&copy.0)?;
    let mut games = File::open(&copy.0).map_err(disk(&copy.0))?;
    let mut sealed = create_private_file(file).map_err(disk(file))?;
    let mut writer = Boxes::create(passphrase, &mut sealed, file)?;
    writer.put(key.seed().as_slice())?;
    let mut part = vec![0; BOX_BYTES];
    loop {
        match games.read(&mut part).map_err(disk(&copy.0))? {
            0 => break,
            length => writer.put(part.get(..length).unwrap_or_default())?,
        }
    }
    writer.finish()?;
    sealed.sync_all().map_err(disk(file))
}

/// Puts a backup into a home that has neither key nor games. Every open offer is closed, and every unfinished game is
/// marked as recovered.
///
/// # Errors
/// [`BackupError`]; the home is then as empty as it was.
pub fn restore(home: &Home, file: &Path, passphrase: &str) -> Result<Restored, BackupError> {
    for path in [home.key_file(), home.store_file()] {
        if path.exists() {
            return Err(BackupError::NotEmpty { path });
        }
    }
    let copy = Temporary::in_home(home);
    let key = unpack(file, passphrase, &copy.0)?;
    let mut store = Store::open(&copy.0, key.clone())?;
    store.mark_restored()?;
    let games = store.games()?;
    let recovered = games.iter().filter(|game| game.recovering).count();
    store.close()?;
    fs::rename(&copy.0, home.store_file()).map_err(disk(&copy.0))?;
    identity::export(&key, &home.key_file(), None)?;
    Ok(Restored { key, games: games.len(), recovered })
}

/// Opens the boxes: the key, and the games into a file.
fn unpack(file: &Path, passphrase: &str, games: &Path) -> Result<SecretKey, BackupError> {
    let mut sealed = File::open(file).map_err(disk(file))?;
    let mut reader = Opener::open(passphrase, &mut sealed, file)?;
    let mut out = create_private_file(games).map_err(disk(games))?;
    let mut seed = None;
    while let Some(plain) = reader.next_box()? {
        let rest = match seed {
            Some(_) => plain.as_slice(),
            None => {
                let damaged = || BackupError::NotABackup { path: file.to_owned() };
                let (first, rest) = plain.split_first_chunk::<SEED_BYTES>().ok_or_else(damaged)?;
                seed = Some(SecretKey::from_seed(first));
                rest
            }
        };
        out.write_all(rest).map_err(disk(games))?;
    }
    out.sync_all().map_err(disk(games))?;
    seed.ok_or_else(|| BackupError::NotABackup { path: file.to_owned() })
}

/// A file of a home that is gone when this value is.
struct Temporary(PathBuf);

impl Temporary {
    fn in_home(home: &Home) -> Self {
        let path = home.root().join(format!("backup-{}.tmp", std::process::id()));
        // Of an earlier process of the same number that was killed.
        let _ = fs::remove_file(&path);
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            let mut name = self.0.clone().into_os_string();
            name.push(end);
            // Renamed or never made.
            let _ = fs::remove_file(name);
        }
    }
}

/// What all boxes of a file have in common.
struct Lid {
    cipher: XChaCha20Poly1305,
    header: Vec<u8>,
    prefix: [u8; PREFIX_BYTES],
    number: u32,
}

impl Lid {
    fn new(passphrase: &str, cost: Cost, header: Vec<u8>) -> Result<Self, KeyFileError> {
        let (rest, prefix) = header.split_last_chunk().ok_or(KeyFileError::Malformed("header"))?;
        let (_, salt) = rest.split_last_chunk::<SALT_BYTES>().ok_or(KeyFileError::Malformed("header"))?;
        let (cipher, prefix) = (cipher(passphrase, cost, salt)?, *prefix);
        Ok(Self { cipher, header, prefix, number: 0 })
    }

    fn next_nonce(&mut self, last: bool) -> XNonce {
        let mut nonce = [0; 24];
        let (prefix, rest) = nonce.split_at_mut(PREFIX_BYTES);
        prefix.copy_from_slice(&self.prefix);
        let (number, end) = rest.split_at_mut(4);
        number.copy_from_slice(&self.number.to_be_bytes());
        end.fill(u8::from(last));
        self.number += 1;
        XNonce::from(nonce)
    }
}

/// Seals boxes one after the other.
struct Boxes<'a> {
    lid: Lid,
    plain: Zeroizing<Vec<u8>>,
    out: &'a mut File,
    path: &'a Path,
}

impl<'a> Boxes<'a> {
    fn create(passphrase: &str, out: &'a mut File, path: &'a Path) -> Result<Self, BackupError> {
        let mut random = [0; SALT_BYTES + PREFIX_BYTES];
        getrandom::fill(&mut random).map_err(|_| BackupError::NoRandomness)?;
        let costs = [COST.memory_kib, COST.passes, COST.lanes].map(u32::to_le_bytes);
        let header = [MAGIC.as_slice(), costs.as_flattened(), &random].concat();
        out.write_all(&header).map_err(disk(path))?;
        let plain = Zeroizing::new(Vec::with_capacity(2 * BOX_BYTES));
        Ok(Self { lid: Lid::new(passphrase, COST, header)?, plain, out, path })
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), BackupError> {
        self.plain.extend_from_slice(bytes);
        while self.plain.len() > BOX_BYTES {
            let rest = Zeroizing::new(self.plain.split_off(BOX_BYTES));
            let full = std::mem::replace(&mut self.plain, rest);
            self.seal(&full, false)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), BackupError> {
        let last = std::mem::take(&mut self.plain);
        self.seal(&last, true)
    }

    fn seal(&mut self, plain: &[u8], last: bool) -> Result<(), BackupError> {
        let nonce = self.lid.next_nonce(last);
        let payload = Payload { msg: plain, aad: &self.lid.header };
        let sealed = self.lid.cipher.encrypt(&nonce, payload);
        let sealed = sealed.map_err(|_| BackupError::DoesNotOpen { path: self.path.to_owned() })?;
        self.out.write_all(&sealed).map_err(disk(self.path))
    }
}

/// Opens boxes one after the other.
struct Opener<'a> {
    lid: Lid,
    input: &'a mut File,
    path: &'a Path,
    ahead: Vec<u8>,
    done: bool,
}

impl<'a> Opener<'a> {
    fn open(passphrase: &str, input: &'a mut File, path: &'a Path) -> Result<Self, BackupError> {
        let not_a_backup = || BackupError::NotABackup { path: path.to_owned() };
        let mut header = vec![0; HEADER_BYTES];
        input.read_exact(&mut header).map_err(|_| not_a_backup())?;
        let rest = header.strip_prefix(MAGIC.as_slice()).ok_or_else(not_a_backup)?;
        let number = |at: usize| {
            let bytes = rest.get(at..).and_then(<[u8]>::first_chunk::<4>);
            bytes.map(|bytes| u32::from_le_bytes(*bytes)).ok_or_else(not_a_backup)
        };
        let cost = Cost { memory_kib: number(0)?, passes: number(4)?, lanes: number(8)? };
        if !cost.is_bearable() {
            return Err(not_a_backup());
        }
        let lid = Lid::new(passphrase, cost, header)?;
        let mut opener = Self { lid, input, path, ahead: Vec::new(), done: false };
        opener.ahead = opener.read_box()?;
        Ok(opener)
    }

    /// The plain bytes of the next box; `None` after the last one.
    fn next_box(&mut self) -> Result<Option<Zeroizing<Vec<u8>>>, BackupError> {
        if self.done {
            return Ok(None);
        }
        let next = self.read_box()?;
        self.done = next.is_empty();
        let sealed = std::mem::replace(&mut self.ahead, next);
        let nonce = self.lid.next_nonce(self.done);
        let payload = Payload { msg: &sealed, aad: &self.lid.header };
        let plain = self.lid.cipher.decrypt(&nonce, payload);
        Ok(Some(Zeroizing::new(plain.map_err(|_| BackupError::DoesNotOpen { path: self.path.to_owned() })?)))
    }

    fn read_box(&mut self) -> Result<Vec<u8>, BackupError> {
        let mut sealed = Vec::new();
        let most = (BOX_BYTES + TAG_BYTES) as u64;
        (&mut *self.input).take(most).read_to_end(&mut sealed).map_err(disk(self.path))?;
        Ok(sealed)
    }
}

fn disk(path: &Path) -> impl Fn(io::Error) -> BackupError {
    let path = path.to_owned();
    move |error| BackupError::Disk { path: path.clone(), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Salt;
    use chakart_core::protocol::entry::{ColorChoice, Name, TimeControl};
    use chakart_core::protocol::session::OfferSettings;
    use chakart_core::rules::{Setup, Variant};

    fn home(folder: &Path, name: &str) -> Home {
        Home::open(folder.join(name)).expect("a fresh folder")
    }

    #[test]
    fn a_home_comes_back_with_its_games_held_and_its_offers_closed() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let old = home(folder.path(), "old");
        let key = identity::create(&old).expect("a fresh home");
        let mut store = Store::open(&old.store_file(), key.clone()).expect("a fresh store");
        let mut other = Store::in_memory(SecretKey::from_seed(&[9; 32])).expect("memory");
        let settings = OfferSettings {
            variant: Variant::Dynamo,
            setup: Setup::Fixed,
            color: ColorChoice::Random,
            time: TimeControl::None,
            name: Name::default(),
            guest: None,
        };
        let theirs = other.create_offer(&settings, Salt::from_bytes([1; 32]), 1).expect("room");
        let game =
            store.join(&theirs.offer, Name::default(), Salt::from_bytes([2; 32]), 1).expect("a good offer");
        store.create_offer(&settings, Salt::from_bytes([3; 32]), 1).expect("room");
        // More than one box.
        store.set_memo(game, &"x".repeat(60_000)).expect("writable");
        for n in 0..40 {
            store.set_player_name(&"y".repeat(40_000 + n)).expect("writable");
        }
        let file = folder.path().join("backup");
        backup(&old, &file, "seven horses").expect("a writable folder");
        assert!(
            matches!(backup(&old, &file, "seven horses"), Err(BackupError::Disk { .. })),
            "never over a file"
        );

        let fresh = home(folder.path(), "fresh");
        assert!(matches!(restore(&fresh, &file, "seven houses"), Err(BackupError::DoesNotOpen { .. })));
        let restored = restore(&fresh, &file, "seven horses").expect("the right passphrase");
        assert_eq!((restored.games, restored.recovered), (1, 1));
        assert_eq!(identity::load(&fresh).expect("restored").public(), key.public());
        let store = Store::open(&fresh.store_file(), key).expect("restored");
        assert_eq!(store.offers().expect("readable"), []);
        assert!(store.game(game).expect("restored").recovering);
        assert_eq!(store.memo(game).expect("restored").len(), 60_000);
        assert!(matches!(restore(&fresh, &file, "seven horses"), Err(BackupError::NotEmpty { .. })));
        let left: Vec<_> = fs::read_dir(fresh.root()).expect("a folder").collect();
        assert!(left.len() <= 4, "{left:?}");
    }

    #[test]
    fn a_cut_or_changed_file_restores_nothing() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let (plain, file) = (vec![7_u8; 3 * BOX_BYTES / 2], folder.path().join("boxes"));
        let mut out = create_private_file(&file).expect("a fresh file");
        let mut writer = Boxes::create("p", &mut out, &file).expect("randomness");
        writer.put(&plain).expect("writable");
        writer.finish().expect("writable");
        let sealed = fs::read(&file).expect("just written");
        let opens = |bytes: &[u8]| -> Result<usize, BackupError> {
            fs::write(&file, bytes).expect("writable");
            let mut input = File::open(&file).expect("just written");
            let mut opener = Opener::open("p", &mut input, &file)?;
            let mut length = 0;
            while let Some(plain) = opener.next_box()? {
                length += plain.len();
            }
            Ok(length)
        };
        assert_eq!(opens(&sealed).expect("whole"), plain.len());
        let first_box = HEADER_BYTES + BOX_BYTES + TAG_BYTES;
        assert!(opens(&sealed[..sealed.len() - 1]).is_err(), "cut");
        assert!(opens(&sealed[..first_box]).is_err(), "cut between boxes");
        let mut changed = sealed.clone();
        changed[first_box + 9] ^= 1;
        assert!(opens(&changed).is_err(), "changed");
        let mut header = sealed;
        header[MAGIC.len()] ^= 1;
        assert!(opens(&header).is_err(), "another cost");
        assert!(matches!(opens(b"hello"), Err(BackupError::NotABackup { .. })));
    }
}
