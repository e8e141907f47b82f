//! New games and invites.

use chakart_core::protocol::entry::{ColorChoice, TimeControl};
use chakart_core::protocol::log::Log;
use chakart_core::protocol::session::OfferSettings;
use chakart_core::rules::Variant;
use chakart_core::transcript::invite::Invite;
use chakart_node::runtime::unix_ms;
use chakart_node::store::{GameNo, OwnOffer};
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};
use serde::{Deserialize, Serialize};

use crate::commands::join::accept;
use crate::commands::new::{self, Whereabouts, fresh_salt, guest, own_name, parse_name, parse_setup};
use crate::failure::{Failure, Kind, Problem};
use crate::player::Player;
use crate::show;

/// What somebody wants to play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    variant: String,
    /// The usual one if none is named.
    setup: Option<String>,
    color: ColorWanted,
    /// As `new --time` reads it: 3d, 10d+1d; none if it is left out.
    time: Option<String>,
    /// What the player calls itself from now on.
    name: Option<String>,
    /// The friend, or key, who alone may join.
    friend: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ColorWanted {
    White,
    Black,
    Random,
}

/// What has become of an offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Offered {
    /// It waits for a guest.
    Open {
        /// The name of the offer.
        name: String,
        /// What is offered.
        words: String,
        /// What the guest is sent.
        invite: String,
        /// The same as a QR code in SVG, if it fits one.
        qr: Option<String>,
    },
    /// A guest has taken it.
    Begun {
        /// The name of the game.
        game: String,
    },
}

/// Makes an offer.
///
/// # Errors
/// [`Failure`]: a setting is wrong, or the store failed.
pub fn make(player: &mut Player, wanted: &Wanted) -> Result<OwnOffer, Failure> {
    let settings = settings(player, wanted)?;
    Ok(player.store.create_offer(&settings, fresh_salt()?, unix_ms())?)
}

/// An open offer with its invite, by its name.
///
/// # Errors
/// [`Failure`]
pub fn offered(offer: &OwnOffer, whereabouts: Whereabouts) -> Result<Offered, Failure> {
    let log = Log::open(&offer.offer)
        .map_err(|error| Problem::new(Kind::Storage, format!("the offer: {error}")))?;
    let invite = new::invite(whereabouts, offer);
    Ok(Offered::Open { name: offer.name.clone(), words: show::offer::words(&log), qr: qr(&invite), invite })
}

/// Accepts an invite; whoever calls wakes the node.
///
/// # Errors
/// [`Failure`]: the text is no invite, or not for this player.
pub fn join(player: &mut Player, invite: &str, name: Option<&str>) -> Result<GameNo, Failure> {
    let invite: Invite = invite.trim().parse()?;
    let name = name.map(parse_name).transpose().map_err(Failure::usage)?;
    let name = own_name(player, name.as_ref())?;
    accept(player, &invite, name)
}

fn settings(player: &mut Player, wanted: &Wanted) -> Result<OfferSettings, Failure> {
    let usage = |message: String| Failure::usage(message);
    let variant: Variant = wanted.variant.parse().map_err(|error| usage(format!("{error}")))?;
    let setup = wanted.setup.as_deref().map_or(Ok(new::usual_setup(variant)), parse_setup).map_err(usage)?;
    if !variant.allows(setup) {
        return Err(usage(format!("{variant} does not know the set-up {setup}")));
    }
    let time = wanted.time.as_deref().unwrap_or("none");
    let time: TimeControl = time.parse().map_err(|error| usage(format!("{error}")))?;
    let name = wanted.name.as_deref().map(parse_name).transpose().map_err(usage)?;
    Ok(OfferSettings {
        variant,
        setup,
        color: match wanted.color {
            ColorWanted::White => ColorChoice::White,
            ColorWanted::Black => ColorChoice::Black,
            ColorWanted::Random => ColorChoice::Random,
        },
        time,
        guest: guest(player, wanted.friend.as_deref())?,
        name: own_name(player, name.as_ref())?,
    })
}

fn qr(invite: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(invite, EcLevel::L).ok()?;
    Some(code.render::<svg::Color<'_>>().quiet_zone(true).min_dimensions(240, 240).build())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invite_of_the_usual_length_is_a_code_without_scripts() {
        let code = qr(&format!("chakart:{}", "A".repeat(700))).expect("it fits");
        assert!(code.contains("<svg") && !code.contains("script"), "{code}");
        assert_eq!(qr(&"A".repeat(10_000)), None);
    }
}
