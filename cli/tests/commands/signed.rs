//! Games that both keys have signed before a story begins, for what chance brings about too seldom.

use chakart_core::protocol::entry::{ColorChoice, Name, TimeControl};
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::log::Log;
use chakart_core::protocol::session::{
    Confirmation, Effect, OfferSettings, Session, make_accept, make_offer,
};
use chakart_core::rules::{Rules as _, Setup, Variant};
use chakart_core::transcript::export::Source;

/// When everything was signed, in milliseconds of Unix time: 2026-01-01 00:00 UTC.
const AT_MS: u64 = 1_767_225_600_000;

/// A transcript of a game in which `white`, the host, is the last to act: `actions` in turn, and the last of them has
/// not been answered yet. It is about to leave the decision `pending`, as in a FEN.
pub(crate) fn about_to_leave(
    pending: &str,
    white: &SecretKey,
    black: &SecretKey,
    actions: &[&str],
) -> String {
    (0..=u8::MAX)
        .find_map(|salt| {
            let (host, guest) = played(white, black, [salt; 32], actions);
            let fen = guest.game().expect("the game has begun").fen();
            fen.contains(&format!(r#""pending":"{pending}""#)).then(|| Source::of(&host).transcript())
        })
        .expect("one of 256 games is so")
}

/// The sessions of both: the guest's has one more reveal than the host's.
fn played(white: &SecretKey, black: &SecretKey, salt: [u8; 32], actions: &[&str]) -> (Session, Session) {
    let settings = OfferSettings {
        variant: Variant::Chakart,
        setup: Setup::Fixed,
        color: ColorChoice::White,
        time: TimeControl::None,
        name: name("Ada"),
        guest: None,
    };
    let offer = make_offer(white, &settings, salt, AT_MS);
    let open = Log::open(&offer).expect("our own offer");
    let accept = make_accept(black, &open, name("Bob"), salt, AT_MS).expect("it is for everybody");
    let sit = |key: &SecretKey| {
        let entries = vec![offer.clone(), accept.clone()];
        Session::restore(key.clone(), entries, Vec::new(), Vec::new(), Confirmation::default())
            .expect("a player of the game")
    };
    let (mut host, mut guest) = (sit(white), sit(black));
    let setup = host.answer(AT_MS);
    give(setup, &mut guest, &mut host);
    for (index, text) in actions.iter().enumerate() {
        let (mover, other) = if index % 2 == 0 { (&mut host, &mut guest) } else { (&mut guest, &mut host) };
        let game = mover.game().expect("the game has begun");
        let action = game.read_action(text).expect("a legal action");
        let signed = mover.act(action, false, AT_MS).expect("it is the mover's turn");
        if index + 1 == actions.len() {
            take(signed, other);
        } else {
            give(signed, other, mover);
        }
    }
    (host, guest)
}

/// Hands entries over, and back what answers them.
fn give(effects: Vec<Effect>, to: &mut Session, from: &mut Session) {
    let answers = take(effects, to);
    if !answers.is_empty() {
        give(answers, from, to);
    }
}

/// Takes entries; those that answer them.
fn take(effects: Vec<Effect>, to: &mut Session) -> Vec<Effect> {
    let mut answers = Vec::new();
    for effect in effects {
        if let Effect::StoreEntry { entry, .. } = effect {
            let taken = to.receive_entry(&entry, AT_MS).expect("a valid entry");
            answers.extend(
                taken.into_iter().filter(|effect| matches!(effect, Effect::StoreEntry { own: true, .. })),
            );
        }
    }
    answers
}

fn name(text: &str) -> Name {
    Name::new(text).expect("a short name")
}
