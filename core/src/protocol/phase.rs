//! What a log waits for: one struct per waiting state, and what each makes of the entry that comes (protocol §3 to §5).
//!
//! A handler judges body and contents only; place, link, stamp and signature are the business of [`super::log`].

use super::commitment;
use super::entry::{
    Accept, Act, Body, ColorChoice, Entry, EntryId, Offer, Opening, Party, Reveal, SignedAction, TimeControl,
};
use super::keys::PublicKey;
use super::misdeed::Misdeed;
use crate::board::{Bitboard, Color, Square};
use crate::chance::{NoChance, SeededChance};
use crate::rules::{Action, Event, Game, Outcome, PlayError, Played, Rules, Setup, Variant};

/// What may come next.
#[derive(Clone, Debug)]
pub enum Phase {
    /// An offer is open.
    ExpectAccept(ExpectAccept),
    /// The host owes the reveal that sets the board up.
    ExpectSetup(ExpectSetup),
    /// A player is to decide.
    ExpectAct(ExpectAct),
    /// The other player owes the reveal for an act.
    ExpectReveal(ExpectReveal),
    /// The game is over by the log.
    Over(Over),
}

/// The terms of a game, read from an offer whose numbers are all known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The rules.
    pub variant: Variant,
    /// The arrays.
    pub setup: Setup,
    /// The host's colour.
    pub color: ColorChoice,
    /// The time allowed.
    pub time: TimeControl,
}

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// The host's key, then the guest's.
    pub keys: [PublicKey; 2],
    /// The host's colour.
    pub host_color: Color,
}

impl Table {
    /// The colour of a player.
    #[must_use]
    pub fn color(&self, party: Party) -> Color {
        match party {
            Party::Host => self.host_color,
            Party::Guest => !self.host_color,
        }
    }

    /// The player of a colour.
    #[must_use]
    pub fn party(&self, color: Color) -> Party {
        if color == self.host_color { Party::Host } else { Party::Guest }
    }
}

/// A commitment with the link of the entry that carries it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Commitment {
    /// `prev` of the carrying entry.
    pub prev: EntryId,
    /// The hash.
    pub hash: [u8; 32],
}

/// A stealth move that is not opened yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HiddenMove {
    /// Whose queen it is.
    pub owner: Party,
    /// The place of the act.
    pub seq: u32,
    /// The square that she left.
    pub from: Square,
    /// Where she went, as a commitment.
    pub commitment: Commitment,
    /// The squares to which she could go.
    pub destinations: Bitboard,
}

impl HiddenMove {
    /// Judges an opening.
    ///
    /// # Errors
    /// [`Misdeed::OpeningDoesNotMatch`], [`Misdeed::OpeningIllegal`]
    pub fn judge(&self, owner_key: &PublicKey, opening: &Opening) -> Result<(), Misdeed> {
        let Commitment { prev, hash } = self.commitment;
        if commitment::stealth_commitment(prev, owner_key, self.from, opening.to, &opening.salt) != hash {
            return Err(Misdeed::OpeningDoesNotMatch { stealth_seq: self.seq });
        }
        if !self.destinations.contains(opening.to) {
            return Err(Misdeed::OpeningIllegal { stealth_seq: self.seq });
        }
        Ok(())
    }
}

/// What is known between two acts.
#[derive(Clone, Debug)]
pub struct Midgame {
    /// Who plays whom.
    pub table: Table,
    /// The latest chance commitment of the host, then of the guest: the only unopened ones.
    pub commitments: [Commitment; 2],
    /// The public state: where a queen is hidden, it knows only the square that she left.
    pub game: Game,
    /// The hidden queen.
    pub hidden: Option<HiddenMove>,
    /// The author of the last act, if it carried a draw offer.
    pub draw_offered_by: Option<Party>,
}

impl Midgame {
    /// The player to decide.
    #[must_use]
    pub fn decider(&self) -> Party {
        self.table.party(self.game.turn())
    }
}

/// An offer is open.
#[derive(Clone, Debug)]
pub struct ExpectAccept {
    pub(super) offer: Offer,
    pub(super) terms: Terms,
}

/// The host owes the reveal that sets the board up.
#[derive(Clone, Debug)]
pub struct ExpectSetup {
    pub(super) terms: Terms,
    pub(super) keys: [PublicKey; 2],
    pub(super) commitments: [Commitment; 2],
    pub(super) accept_id: EntryId,
}

/// A player is to decide.
#[derive(Clone, Debug)]
pub struct ExpectAct {
    /// What is known.
    pub midgame: Midgame,
}

/// The other player owes the reveal for an act.
#[derive(Clone, Debug)]
pub struct ExpectReveal {
    /// What is known, before the act is carried out; the draw offer is already that of the act.
    pub midgame: Midgame,
    /// What was decided.
    pub action: Action,
    /// The act's id, part of the seed.
    pub act_id: EntryId,
}

/// The game is over by the log.
#[derive(Clone, Debug)]
pub struct Over {
    /// Who played whom.
    pub table: Table,
    /// How it ended.
    pub ending: Ending,
    /// The public state at the end.
    pub game: Game,
    /// A queen that is still hidden: a seal opens her.
    pub hidden: Option<HiddenMove>,
}

/// An end by the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules of the variant.
    Rules(Outcome),
    /// A draw was accepted.
    Agreed,
    /// The log is full: drawn.
    LastEntry,
}

impl Ending {
    /// The result.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Rules(outcome) => outcome,
            Self::Agreed | Self::LastEntry => Outcome::Draw,
        }
    }
}

/// What an entry did, for displays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The offer was accepted.
    Accepted,
    /// The board was set up.
    Began {
        /// The host's colour.
        host_color: Color,
    },
    /// A player acted.
    Acted {
        /// What everybody may know of the action.
        action: Action,
        /// What it did; `None` while a reveal is due.
        events: Option<Vec<Event>>,
        /// Whether a draw was offered with it.
        draw_offer: bool,
    },
    /// The reveal for an act came.
    Resolved {
        /// The act's action.
        action: Action,
        /// Where the revealer's hidden queen stood.
        opened: Option<Square>,
        /// What the action did.
        events: Vec<Event>,
    },
    /// A draw was agreed.
    Agreed,
}

/// An entry at its place.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub entry: &'a Entry,
    pub id: EntryId,
}

type Advance = Result<(Phase, Step), Misdeed>;

impl Phase {
    /// Who owes the next entry; nobody after the end.
    #[must_use]
    pub fn owes(&self) -> Option<Party> {
        match self {
            Self::ExpectAccept(_) => Some(Party::Guest),
            Self::ExpectSetup(_) => Some(Party::Host),
            Self::ExpectAct(phase) => Some(phase.midgame.decider()),
            Self::ExpectReveal(phase) => Some(phase.midgame.decider().other()),
            Self::Over(_) => None,
        }
    }

    /// The queen that is hidden, in any phase.
    #[must_use]
    pub const fn hidden(&self) -> Option<&HiddenMove> {
        match self {
            Self::ExpectAct(ExpectAct { midgame }) | Self::ExpectReveal(ExpectReveal { midgame, .. }) => {
                midgame.hidden.as_ref()
            }
            Self::Over(over) => over.hidden.as_ref(),
            Self::ExpectAccept(_) | Self::ExpectSetup(_) => None,
        }
    }

    /// The public state, once there is a board. While a reveal is due: the state before the act.
    #[must_use]
    pub const fn game(&self) -> Option<&Game> {
        match self {
            Self::ExpectAct(ExpectAct { midgame }) | Self::ExpectReveal(ExpectReveal { midgame, .. }) => {
                Some(&midgame.game)
            }
            Self::Over(over) => Some(&over.game),
            Self::ExpectAccept(_) | Self::ExpectSetup(_) => None,
        }
    }

    /// Who plays whom, once that is decided.
    #[must_use]
    pub const fn table(&self) -> Option<&Table> {
        match self {
            Self::ExpectAct(ExpectAct { midgame }) | Self::ExpectReveal(ExpectReveal { midgame, .. }) => {
                Some(&midgame.table)
            }
            Self::Over(over) => Some(&over.table),
            Self::ExpectAccept(_) | Self::ExpectSetup(_) => None,
        }
    }

    /// The body that is due, in words.
    #[must_use]
    pub const fn due(&self) -> &'static str {
        match self {
            Self::ExpectAccept(_) => "an accept",
            Self::ExpectSetup(_) | Self::ExpectReveal(_) => "a reveal",
            Self::ExpectAct(_) => "an act",
            Self::Over(_) => "nothing",
        }
    }

    /// Judges the body of the next entry.
    pub(super) fn take(&self, placed: Placed<'_>) -> Advance {
        match (self, &placed.entry.body) {
            (Self::ExpectAccept(phase), Body::Accept(accept)) => phase.accept(placed, accept),
            (Self::ExpectSetup(phase), Body::Reveal(reveal)) => phase.reveal(placed, reveal),
            (Self::ExpectAct(phase), Body::Act(act)) => phase.act(placed, act),
            (Self::ExpectAct(phase), Body::AcceptDraw) => phase.accept_draw(placed),
            (Self::ExpectReveal(phase), Body::Reveal(reveal)) => phase.reveal(placed, reveal),
            (_, body) => Err(Misdeed::WrongBody { got: body.name(), due: self.due() }),
        }
    }

    /// The phase after the last place of a log: nothing is owed any more.
    pub(super) fn closed_by_last_entry(self) -> Self {
        match self {
            Self::ExpectAct(ExpectAct { midgame }) | Self::ExpectReveal(ExpectReveal { midgame, .. }) => {
                Self::Over(Over {
                    table: midgame.table,
                    ending: Ending::LastEntry,
                    game: midgame.game,
                    hidden: midgame.hidden,
                })
            }
            before_or_after_the_game => before_or_after_the_game,
        }
    }
}

impl ExpectAccept {
    fn accept(&self, placed: Placed<'_>, accept: &Accept) -> Advance {
        if accept.guest_key == self.offer.host_key {
            return Err(Misdeed::HostIsGuest);
        }
        if self.offer.guest_key.is_some_and(|invited| invited != accept.guest_key) {
            return Err(Misdeed::NotTheInvitedGuest);
        }
        let host = Commitment { prev: EntryId::NONE, hash: self.offer.chance_commitment };
        let guest = Commitment { prev: placed.entry.prev, hash: accept.chance_commitment };
        let next = ExpectSetup {
            terms: self.terms,
            keys: [self.offer.host_key, accept.guest_key],
            commitments: [host, guest],
            accept_id: placed.id,
        };
        Ok((Phase::ExpectSetup(next), Step::Accepted))
    }
}

impl ExpectSetup {
    fn reveal(&self, placed: Placed<'_>, reveal: &Reveal) -> Advance {
        let mut commitments = self.commitments;
        renew(&mut commitments, &self.keys, placed.entry, reveal)?;
        if reveal.opening.is_some() {
            return Err(Misdeed::OpeningNeedless);
        }
        let (host_color, game) = set_up(&self.terms, &mut commitment::chance(self.accept_id, &reveal.nonce));
        let midgame = Midgame {
            table: Table { keys: self.keys, host_color },
            commitments,
            game,
            hidden: None,
            draw_offered_by: None,
        };
        Ok((Phase::ExpectAct(ExpectAct { midgame }), Step::Began { host_color }))
    }
}

/// The host's colour if it is random, then the arrays, from one stream.
fn set_up(terms: &Terms, chance: &mut SeededChance) -> (Color, Game) {
    let host_color = terms.color.fixed().unwrap_or_else(|| Color::ALL[usize::from(chance.uniform(2) == 1)]);
    (host_color, Game::start(terms.variant, terms.setup, chance))
}

impl ExpectAct {
    /// Whether the other player must answer this action with a reveal. `None`: the action is not legal.
    #[must_use]
    pub fn reveal_due(&self, action: &Action) -> Option<bool> {
        self.trial(action).ok().map(|played| played.is_none())
    }

    /// Carries the action out on the public board up to its first choice: `None` if a reveal is due for it.
    fn trial(&self, action: &Action) -> Result<Option<Played<Game>>, Misdeed> {
        match self.midgame.game.play(action, &mut NoChance) {
            Ok(played) if self.midgame.hidden.is_some() && played.next.outcome().is_none() => Ok(None),
            Ok(played) => Ok(Some(played)),
            Err(PlayError::ChanceDeclined) => Ok(None),
            Err(PlayError::Illegal(illegal)) => Err(illegal.into()),
        }
    }

    fn act(&self, placed: Placed<'_>, act: &Act) -> Advance {
        let author = placed.entry.author;
        let action = act.action.public();
        let trial = self.trial(&action)?;
        let mut midgame = self.midgame.clone();
        midgame.draw_offered_by = act.draw_offer.then_some(author);
        let Some(played) = trial else {
            let next = ExpectReveal { midgame, action, act_id: placed.id };
            let step = Step::Acted { action, events: None, draw_offer: act.draw_offer };
            return Ok((Phase::ExpectReveal(next), step));
        };
        if let SignedAction::Stealth { from, commitment } = act.action {
            midgame.hidden = Some(HiddenMove {
                owner: author,
                seq: placed.entry.seq,
                from,
                commitment: Commitment { prev: placed.entry.prev, hash: commitment },
                destinations: self.midgame.game.stealth_destinations(from),
            });
        }
        let step = Step::Acted { action, events: Some(played.events), draw_offer: act.draw_offer };
        Ok((after(midgame, played.next), step))
    }

    fn accept_draw(&self, placed: Placed<'_>) -> Advance {
        if self.midgame.draw_offered_by != Some(placed.entry.author.other()) {
            return Err(Misdeed::DrawNotOffered);
        }
        let over = Over {
            table: self.midgame.table,
            ending: Ending::Agreed,
            game: self.midgame.game.clone(),
            hidden: self.midgame.hidden,
        };
        Ok((Phase::Over(over), Step::Agreed))
    }
}

impl ExpectReveal {
    fn reveal(&self, placed: Placed<'_>, reveal: &Reveal) -> Advance {
        let mut midgame = self.midgame.clone();
        let keys = midgame.table.keys;
        renew(&mut midgame.commitments, &keys, placed.entry, reveal)?;
        let opened = match (midgame.hidden.take(), &reveal.opening) {
            (None, None) => None,
            (None, Some(_)) => return Err(Misdeed::OpeningNeedless),
            (Some(hidden), None) => return Err(Misdeed::OpeningMissing { stealth_seq: hidden.seq }),
            (Some(hidden), Some(opening)) => {
                hidden.judge(&keys[hidden.owner.index()], opening)?;
                Some(opening.to)
            }
        };
        let game = opened.map_or_else(|| midgame.game.clone(), |square| midgame.game.opened(square));
        let played = match game.play(&self.action, &mut commitment::chance(self.act_id, &reveal.nonce)) {
            Ok(played) => played,
            Err(PlayError::Illegal(illegal)) => return Err(illegal.into()),
            Err(PlayError::ChanceDeclined) => unreachable!("a seeded stream never declines"),
        };
        let step = Step::Resolved { action: self.action, opened, events: played.events };
        Ok((after(midgame, played.next), step))
    }
}

/// Checks that a reveal opens its author's latest commitment, and puts the next one in its place.
fn renew(
    commitments: &mut [Commitment; 2],
    keys: &[PublicKey; 2],
    entry: &Entry,
    reveal: &Reveal,
) -> Result<(), Misdeed> {
    let author = entry.author;
    let Commitment { prev, hash } = commitments[author.index()];
    if commitment::chance_commitment(prev, &keys[author.index()], &reveal.nonce) != hash {
        return Err(Misdeed::NonceDoesNotMatch { author });
    }
    commitments[author.index()] = Commitment { prev: entry.prev, hash: reveal.next_commitment };
    Ok(())
}

fn after(midgame: Midgame, game: Game) -> Phase {
    match game.outcome() {
        Some(outcome) => Phase::Over(Over {
            table: midgame.table,
            ending: Ending::Rules(outcome),
            game,
            hidden: midgame.hidden,
        }),
        None => Phase::ExpectAct(ExpectAct { midgame: Midgame { game, ..midgame } }),
    }
}

impl Body {
    /// The body in words, with its article.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Offer(_) => "an offer",
            Self::Accept(_) => "an accept",
            Self::Act(_) => "an act",
            Self::Reveal(_) => "a reveal",
            Self::AcceptDraw => "an accepted draw",
        }
    }
}
