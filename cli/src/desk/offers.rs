//! Own offers, as both boards make and show them.

use chakart_core::protocol::entry::{ColorChoice, EntryId, TimeControl};
use chakart_core::protocol::session::OfferSettings;
use chakart_core::rules::Variant;
use chakart_node::runtime::unix_ms;
use chakart_node::store::{FindError, GameSummary, Named, OfferState, OwnOffer};

use crate::commands::new::{fresh_salt, own_name, usual_setup};
use crate::failure::{Failure, Kind, Problem};
use crate::player::Player;

/// Makes an offer by some rules, and settings that nobody has to choose: any colour, no clock, for whoever comes.
///
/// # Errors
/// [`Failure`]: the store failed.
pub(crate) fn make_usual(player: &mut Player, variant: Variant) -> Result<OwnOffer, Failure> {
    let settings = OfferSettings {
        variant,
        setup: usual_setup(variant),
        color: ColorChoice::Random,
        time: TimeControl::None,
        name: own_name(player, None)?,
        guest: None,
    };
    Ok(player.store.create_offer(&settings, fresh_salt()?, unix_ms())?)
}

/// The open offer of this name.
///
/// # Errors
/// [`Failure`]
pub(crate) fn find(player: &Player, name: &str) -> Result<OwnOffer, Failure> {
    match player.store.find(name) {
        Ok(Named::Offer(offer)) => Ok(offer),
        Ok(Named::Game(_)) | Err(FindError::NotFound(_)) => {
            let message = format!("no open offer is called '{name}'; it may have become a game");
            Err(Problem::new(Kind::UnknownGame, message).hint("the list of games tells").into())
        }
        Err(error) => Err(error.into()),
    }
}

/// The game that an offer has become, if it has.
///
/// # Errors
/// [`Failure`]
pub(crate) fn taken(player: &Player, offer: EntryId) -> Result<Option<GameSummary>, Failure> {
    let Some(OfferState::Taken(accept)) = player.store.offer(offer)?.map(|offer| offer.state) else {
        return Ok(None);
    };
    Ok(player.store.game_of(accept)?)
}
