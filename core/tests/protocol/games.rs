//! Whole games between two sessions: both keep the same log, and the verifier accepts exactly what they accepted.

use crate::players::{Dice, Pair, settings};
use chakart_core::protocol::entry::Party;
use chakart_core::protocol::judgement::Standing;
use chakart_core::rules::Variant;
use chakart_core::transcript::report::{Report, Verdict};
use chakart_core::transcript::verify::{Checked, Expected, check};

#[test]
fn random_games_of_every_variant_verify() {
    for variant in Variant::ALL {
        for seed in 0..12 {
            let mut pair = Pair::begin(&settings(variant), seed);
            let mut dice = Dice(1_000 + seed);
            pair.play_randomly(&mut dice, 400);
            let [host, guest] = &pair.sessions;
            assert_eq!(host.entries(), guest.entries(), "{variant} {seed}");
            assert_eq!(host.game(), guest.game());
            let text = pair.transcript(Party::Host);
            assert_eq!(text, pair.transcript(Party::Guest), "{variant} {seed}");
            let Checked::Transcript(transcript) = check(text.as_bytes(), Expected::default()) else {
                panic!("{variant} {seed}: not a transcript");
            };
            assert_eq!(transcript.defect, None, "{variant} {seed}");
            assert_eq!(&transcript.entries, host.entries());
            assert_eq!(&transcript.steps, host.steps());
            let report = Report::of_game(&[&transcript], &[]);
            let finished = host.judgement().is_finished();
            assert_eq!(report.verdict, if finished { Verdict::Finished } else { Verdict::Unfinished });
        }
    }
}

#[test]
fn a_resignation_settles_alike_on_both_sides_at_any_point() {
    for seed in 0..40 {
        let mut pair = Pair::begin(&settings(Variant::Chakart), seed);
        let mut dice = Dice(7_000 + seed);
        let acts = dice.below(40);
        pair.play_randomly(&mut dice, acts);
        if pair.decider().is_none() {
            continue;
        }
        let loser = Party::ALL[dice.below(2)];
        pair.resign(loser);
        let [host, guest] = &pair.sessions;
        assert_eq!(host.judgement(), guest.judgement());
        assert!(matches!(host.judgement().standing, Standing::Resigned { loser: l, .. } if l == loser));
        let checked = check(pair.transcript(Party::Guest).as_bytes(), Expected::default());
        assert_eq!(Report::of(&checked).verdict, Verdict::Finished, "{}", Report::of(&checked));
    }
}
