//! Which files belong together: those of one game, and evidence that convicts in it.

use chakart_core::protocol::conviction::Equivocation;
use chakart_core::protocol::entry::EntryId;
use chakart_core::transcript::report::Report;
use chakart_core::transcript::verify::{Checked, Transcript};

use super::Verdict;

/// Files that are judged as one.
pub(super) enum Group<'a> {
    /// A file on its own: unusable, or evidence without its game.
    Alone(&'a str, &'a Checked),
    /// The usable transcripts of one game, and evidence for it.
    Game {
        id: EntryId,
        transcripts: Vec<(&'a str, &'a Transcript)>,
        evidence: Vec<(&'a str, &'a Equivocation)>,
    },
}

/// Puts files together, in the order in which they were given.
pub(super) fn grouped(checked: &[(String, Checked)]) -> Vec<Group<'_>> {
    let mut groups = Vec::new();
    for (file, checked) in checked {
        match checked {
            Checked::Transcript(transcript) if transcript.is_usable() => add(&mut groups, file, transcript),
            Checked::Transcript(_) | Checked::Unreadable(_) => groups.push(Group::Alone(file, checked)),
            Checked::Evidence(_) => {}
        }
    }
    for (file, checked) in checked {
        if let Checked::Evidence(proof) = checked
            && !join(&mut groups, file, proof)
        {
            groups.push(Group::Alone(file, checked));
        }
    }
    groups
}

fn add<'a>(groups: &mut Vec<Group<'a>>, file: &'a str, transcript: &'a Transcript) {
    let same = groups.iter_mut().find_map(|group| match group {
        Group::Game { id, transcripts, .. } if *id == transcript.game_id() => Some(transcripts),
        _ => None,
    });
    match same {
        Some(transcripts) => transcripts.push((file, transcript)),
        None => groups.push(Group::Game {
            id: transcript.game_id(),
            transcripts: vec![(file, transcript)],
            evidence: Vec::new(),
        }),
    }
}

/// Adds a proof to every game in which it convicts; `false` if there is none.
fn join<'a>(groups: &mut [Group<'a>], file: &'a str, proof: &'a Equivocation) -> bool {
    let mut joined = false;
    for group in groups {
        if let Group::Game { transcripts, evidence, .. } = group
            && transcripts.iter().any(|(_, transcript)| proof.convicts_in(&transcript.log).is_some())
        {
            evidence.push((file, proof));
            joined = true;
        }
    }
    joined
}

impl Group<'_> {
    /// The verdict on these files.
    pub(super) fn judge(&self) -> Verdict {
        match self {
            Self::Alone(file, checked) => {
                Verdict { files: vec![(*file).to_owned()], report: Report::of(checked) }
            }
            Self::Game { transcripts, evidence, .. } => {
                let files =
                    transcripts.iter().map(|(file, _)| *file).chain(evidence.iter().map(|(file, _)| *file));
                let logs: Vec<&Transcript> = transcripts.iter().map(|(_, transcript)| *transcript).collect();
                let proofs: Vec<&Equivocation> = evidence.iter().map(|(_, proof)| *proof).collect();
                Verdict { files: files.map(str::to_owned).collect(), report: Report::of_game(&logs, &proofs) }
            }
        }
    }
}
