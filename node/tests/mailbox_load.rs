//! A thousand players with one mailbox: what it keeps is on its disk, not in its memory.

use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::receipt::{LetterId, LetterIds, Receipt, SignedReceipt};
use chakart_node::mailbox::boxes::{Boxes, DEFAULT_MAX_BYTES, Posting};
use chakart_node::mailbox::keeper::Keeper;
use chakart_node::mailbox::message::{Request, Response};

use crate::players::NOW_MS;

const RECIPIENTS: u32 = 1_000;
const LETTERS_EACH: u32 = 16;
const LETTER_BYTES: usize = 16 * 1_024;
/// Far below what is kept at one time, which is 250 MiB; other tests of this program run beside.
const MAX_GROWTH_BYTES: u64 = 96 << 20;
/// So long after one letter to a player comes the next.
const BETWEEN_MS: u64 = 60_000;

fn key(number: u32) -> SecretKey {
    let mut seed = [77; 32];
    seed[..4].copy_from_slice(&number.to_le_bytes());
    SecretKey::from_seed(&seed)
}

fn letter(recipient: u32, number: u32) -> Vec<u8> {
    let mut letter = vec![0; LETTER_BYTES];
    letter[..4].copy_from_slice(&recipient.to_le_bytes());
    letter[4..8].copy_from_slice(&number.to_le_bytes());
    letter
}

/// Memory of this process that is in use, where the system tells.
fn resident_bytes() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split(' ').nth(1)?.parse::<u64>().ok()? * 4_096)
}

#[test]
fn a_thousand_recipients_put_and_take_in_bounded_memory() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let keys: Vec<SecretKey> = (0..RECIPIENTS).map(key).collect();
    let own = key(RECIPIENTS).public();
    let listed = keys.iter().map(SecretKey::public);
    let boxes = Boxes::open(&folder.path().join("mailbox.sqlite"), own, listed, DEFAULT_MAX_BYTES);
    let mut keeper = Keeper::new(boxes.expect("own file"));
    let before = resident_bytes();
    let mut most = before;
    let mut now_ms = NOW_MS;
    for number in 0..LETTERS_EACH {
        now_ms += BETWEEN_MS;
        for recipient in 0..RECIPIENTS {
            let sender = keys[(recipient + 1 + number) as usize % keys.len()].public();
            let posting = Posting {
                recipient: keys[recipient as usize].public(),
                letter: letter(recipient, number),
                replaces: None,
            };
            let answer = keeper.answer(&sender, &Request::Put(posting), now_ms);
            assert_eq!(answer, Response::Kept, "letter {number} for {recipient}");
        }
        keeper.tick(now_ms).expect("own file");
        most = most.max(resident_bytes());
    }
    let fill = keeper.fill().expect("own file");
    assert_eq!((fill.boxes, fill.letters), (u64::from(RECIPIENTS), u64::from(RECIPIENTS * LETTERS_EACH)));
    for (recipient, key) in (0..).zip(&keys) {
        let mut taken = 0;
        loop {
            let Response::Letters(page) = keeper.answer(&key.public(), &Request::Take, now_ms) else {
                unreachable!("a listed player takes its letters");
            };
            let expected = (taken..).map(|number| letter(recipient, number)).take(page.letters.len());
            assert!(page.letters.iter().cloned().eq(expected));
            taken += u32::try_from(page.letters.len()).expect("a page");
            let ids = LetterIds::new(page.letters.iter().map(|letter| LetterId::of(letter)).collect());
            let receipt = Receipt { mailbox: own, at_ms: now_ms, letters: ids.expect("a page") };
            let signed = SignedReceipt::sign(&receipt, key);
            assert_eq!(keeper.answer(&key.public(), &Request::Receipt(signed), now_ms), Response::Deleted);
            if !page.more {
                break;
            }
        }
        assert_eq!(taken, LETTERS_EACH);
        most = most.max(resident_bytes());
    }
    assert_eq!(keeper.fill().expect("own file").letters, 0);
    match (before, most) {
        (Some(before), Some(most)) => {
            let growth = most.saturating_sub(before);
            println!("{} MiB kept, memory grew by {} MiB", fill.bytes >> 20, growth >> 20);
            assert!(growth < MAX_GROWTH_BYTES, "{growth} bytes more than at the beginning");
        }
        _ => println!("SKIPPED: this system does not tell how much memory is in use"),
    }
}
