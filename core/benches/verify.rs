//! Verifying a transcript beside the strict check of its signatures alone, and bytes a ply.

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::{Body, Party};
use chakart_core::transcript::verify::{Checked, Expected, Transcript, check};
use divan::{Bencher, black_box};

/// A whole game of the current edition, ended by a taken king.
const GAME: &str = include_str!("../tests/vectors/transcripts/whole-game.chakart");

fn main() {
    describe(&transcript());
    divan::main();
}

fn transcript() -> Box<Transcript> {
    match check(GAME.as_bytes(), Expected::default()) {
        Checked::Transcript(transcript) if transcript.defect.is_none() => transcript,
        _ => unreachable!("the vector is a valid transcript"),
    }
}

/// Prints the sizes that no timer shows.
fn describe(transcript: &Transcript) {
    let size = |entry: &SignedEntry| entry.bytes.len() + entry.signature.len();
    let mut acts = (0, 0);
    let mut reveals = (0, 0);
    for entry in &transcript.entries {
        let sum = match entry.decode().map(|entry| entry.body) {
            Ok(Body::Act(_)) => &mut acts,
            Ok(Body::Reveal(_)) => &mut reveals,
            _ => continue,
        };
        sum.0 += 1;
        sum.1 += size(entry);
    }
    println!("{} acts of {} bytes on average, signature included", acts.0, acts.1 / acts.0);
    println!("{} reveals of {} bytes on average, signature included", reveals.0, reveals.1 / reveals.0);
    println!("an act with its reveal: {} bytes", acts.1 / acts.0 + reveals.1 / reveals.0);
    println!("the transcript as text: {} bytes for {} turns", GAME.len(), transcript.log.head().turns);
}

#[divan::bench]
fn verify_a_transcript(bencher: Bencher) {
    bencher.bench_local(|| check(black_box(GAME.as_bytes()), Expected::default()));
}

#[divan::bench]
fn check_its_signatures_alone(bencher: Bencher) {
    let transcript = transcript();
    let keys = Party::ALL.map(|party| *transcript.log.key(party).expect("both players are known"));
    let signed: Vec<_> = transcript
        .entries
        .iter()
        .zip(transcript.log.records())
        .map(|(entry, record)| (entry.clone(), keys[record.author.index()]))
        .collect();
    bencher.bench_local(|| signed.iter().all(|(entry, key)| black_box(entry).verify(key).is_ok()));
}
