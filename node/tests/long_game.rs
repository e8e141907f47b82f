//! A log of ten thousand entries.

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::{ColorChoice, Name, TimeControl};
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::log::Log;
use chakart_core::protocol::session::{
    Confirmation, Effect, OfferSettings, Session, make_accept, make_offer,
};
use chakart_core::rules::{Setup, Variant};

pub(crate) const ENTRIES: usize = 10_000;

/// Host and guest move their kings to and fro, all at one moment.
pub(crate) fn long_game([host, guest]: [&SecretKey; 2], now_ms: u64) -> Vec<SignedEntry> {
    let name = |text| Name::new(text).expect("a short name");
    let settings = OfferSettings {
        variant: Variant::Chakart,
        setup: Setup::Fixed,
        color: ColorChoice::White,
        time: TimeControl::None,
        name: name("Hana"),
        guest: None,
    };
    let offer = make_offer(host, &settings, [1; 32], now_ms);
    let log = Log::open(&offer).expect("an own offer");
    let accept = make_accept(guest, &log, name("Gil"), [2; 32], now_ms).expect("an open offer");
    let open = |key: &SecretKey, entries| {
        Session::restore(key.clone(), entries, Vec::new(), Vec::new(), Confirmation::default()).expect("good")
    };
    let mut sessions = [open(host, vec![offer.clone()]), open(guest, vec![offer, accept.clone()])];
    let mut effects = sessions[0].receive_entry(&accept, now_ms).expect("the accept is next");
    let mut turn = 0;
    loop {
        for effect in std::mem::take(&mut effects) {
            if let Effect::StoreEntry { entry, own: true, .. } = effect {
                let answers = sessions[(turn + 1) % 2].receive_entry(&entry, now_ms).expect("it is next");
                assert_eq!(answers.len(), 1, "a king needs no chance");
            }
        }
        if sessions[0].entries().len() == ENTRIES {
            return sessions[0].entries().to_vec();
        }
        // The set-up was the host's, and the host is White.
        let mover = sessions[0].log().phase().owes().expect("nobody wins").index();
        let game = sessions[mover].game().expect("set up");
        let action = game.parse_action(next_move(&sessions[0])).expect("an action");
        effects = sessions[mover].act(action, false, now_ms).expect("legal");
        turn = mover;
    }
}

fn next_move(session: &Session) -> &'static str {
    match session.entries().len() - 3 {
        0 => "e2e4",
        1 => "e7e5",
        later => ["e1e2", "e8e7", "e2e1", "e7e8"][(later - 2) % 4],
    }
}
