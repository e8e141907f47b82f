//! Writing a transcript, with remarks for people made from the public view: a stealth move reads `Qd1??` until its
//! reveal is in the log.

use super::replay::{Ply, replay};
use super::text::{TRANSCRIPT_HEADER, entry_line, remark_line, statement_line};
use crate::board::Color;
use crate::protocol::codec::{SignedEntry, SignedStatement};
use crate::protocol::conviction::Proof;
use crate::protocol::entry::Party;
use crate::protocol::judgement::{Judgement, Placed};
use crate::protocol::log::Log;
use crate::protocol::session::Session;

/// What a transcript is written from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The chain.
    pub log: &'a Log,
    /// Its entries.
    pub entries: &'a [SignedEntry],
    /// The statements with a place in it.
    pub statements: &'a [(Placed, SignedStatement)],
    /// Proofs; an invalid entry among them becomes the last entry of the file.
    pub proofs: &'a [Proof],
}

impl<'a> Source<'a> {
    /// The transcript of a player's session.
    #[must_use]
    pub fn of(session: &'a Session) -> Self {
        Self {
            log: session.log(),
            entries: session.entries(),
            statements: session.statements(),
            proofs: session.proofs(),
        }
    }

    /// Writes the transcript. The result line is left out where only a separate evidence file gives it.
    #[must_use]
    pub fn transcript(&self) -> String {
        let convicting = self.convicting();
        let mut text = format!("{TRANSCRIPT_HEADER}\n");
        text.push_str(&self.players());
        let plies = replay(self.entries).unwrap_or_else(|(plies, _)| plies);
        let mut plies = plies.iter().peekable();
        for (seq, entry) in self.entries.iter().enumerate() {
            text.push_str(&entry_line(entry));
            while let Some(ply) = plies.next_if(|ply| last_seq(ply) as usize <= seq) {
                text.push_str(&remark_line(&describe(ply)));
            }
        }
        if let Some(entry) = convicting {
            text.push_str(&remark_line("this entry is not valid and convicts its author:"));
            text.push_str(&entry_line(entry));
        }
        text.extend(self.ordered_statements().into_iter().map(statement_line));
        text.push_str(&format!("result {}\nend\n", self.code(convicting.is_some())));
        text
    }

    fn convicting(&self) -> Option<&'a SignedEntry> {
        let head = self.log.head().id;
        self.proofs.iter().find_map(|proof| match proof {
            Proof::InvalidEntry { entry, .. } => {
                entry.decode().is_ok_and(|decoded| decoded.prev == head).then_some(entry)
            }
            Proof::Equivocation(_) => None,
        })
    }

    fn players(&self) -> String {
        let terms = self.log.terms();
        let host_color = self.log.phase().table().map(|table| table.host_color);
        let rules = remark_line(&format!("rules: {}, set-up {}", terms.variant, terms.setup));
        Party::ALL
            .into_iter()
            .filter_map(|party| {
                let color = host_color.map(|host| if party == Party::Host { host } else { !host });
                let color = color.map_or_else(String::new, |color| format!(" ({color})"));
                let key = self.log.key(party)?;
                Some(remark_line(&format!("{party}{color}: '{}', key {key}", self.log.name(party))))
            })
            .fold(rules, |text, line| text + &line)
    }

    fn ordered_statements(&self) -> Vec<&'a SignedStatement> {
        let mut ordered: Vec<_> = self.statements.iter().collect();
        ordered.sort_by_key(|(placed, _)| (placed.statement.author.index(), placed.statement.kind.rank()));
        ordered.into_iter().map(|(_, signed)| signed).collect()
    }

    /// The code that entries and statements of the file give: an equivocation is proven by a file of its own.
    fn code(&self, with_convicting: bool) -> &'static str {
        let mut convicted = [false; 2];
        for proof in self.proofs {
            if let (Proof::InvalidEntry { .. }, true, Some(party)) =
                (proof, with_convicting, proof.convicts_in(self.log))
            {
                convicted[party.index()] = true;
            }
        }
        let placed: Vec<_> = self.statements.iter().map(|(placed, _)| *placed).collect();
        Judgement::new(self.log, &placed, convicted).code(self.log)
    }
}

fn last_seq(ply: &Ply) -> u32 {
    ply.reveal_seq.unwrap_or(ply.seq)
}

/// `12. White Rxf6*W`, with the opened square of the other player's queen where there is one.
fn describe(ply: &Ply) -> String {
    let number = ply.turn.div_ceil(2);
    let dots = if ply.color == Color::White { "." } else { "..." };
    let opened = ply.opened.map_or_else(String::new, |square| format!(" (the hidden queen was on {square})"));
    let waiting = if ply.events.is_none() { " (its chance is not revealed yet)" } else { "" };
    let offer = if ply.draw_offer { " (draw offered)" } else { "" };
    format!("{number}{dots} {}{opened}{waiting}{offer}", ply.notation_played())
}
