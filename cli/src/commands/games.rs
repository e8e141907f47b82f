//! `games`: all games, open offers and waiting invites; those first in which this player is to decide.

mod watch;

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use chakart_core::board::Color;
use chakart_core::protocol::keys::KEY_BYTES;
use chakart_core::protocol::log::Log;
use chakart_core::protocol::time_text::rough;
use chakart_node::runtime::unix_ms;
use chakart_node::store::{Contact, GameSummary, OwnOffer, PendingInvite};
use serde_json::json;

use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::show::board::rules_line;
use crate::show::escape::{escaped, quoted};
use crate::show::{game, json, offer, path, stamp};

/// Arguments of `games`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(
    after_help = "Delivery: 'signed' is on this disk only, 'sent' was printed by 'send' or is in a mailbox, 'acknowledged' is known to be on \
    the other player's disk. Times left are by the stamps of both players, which are their word."
)]
pub struct Args {
    /// Stay, and draw the list again when something changes
    #[arg(long, conflicts_with = "json")]
    watch: bool,
    #[command(flatten)]
    json: Json,
}

/// Lists games, offers and invites.
///
/// # Errors
/// [`Failure`]
pub fn run(args: Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let player = Player::open(folder)?;
    if args.watch {
        return watch::run(&player, out);
    }
    let list = List::read(&player)?;
    if args.json.json {
        let games: Vec<_> = list.games.iter().map(|game| list.object(game)).collect();
        let offers: Vec<_> = list.offers.iter().map(offer::own_object).collect();
        let invites: Vec<_> = list.invites.iter().map(offer::pending_object).collect();
        json::write_line(out, &json!({ "games": games, "offers": offers, "invites": invites }))?;
    } else {
        // At once: standard output is flushed at the end of each piece that ends a line.
        writeln!(out, "{}", list.lines(unix_ms()).join("\n"))?;
    }
    Ok(Exit::Done)
}

/// What `games` shows, in its order.
pub(crate) struct List {
    pub(crate) games: Vec<GameSummary>,
    pub(crate) offers: Vec<OwnOffer>,
    pub(crate) invites: Vec<PendingInvite>,
    friends: HashMap<[u8; KEY_BYTES], String>,
    contacts: HashMap<[u8; KEY_BYTES], Contact>,
    /// Whether a node runs in this home.
    running: bool,
}

impl List {
    pub(crate) fn read(player: &Player) -> Result<Self, Failure> {
        let mut games = player.store.games()?;
        games.sort_by_key(|game| (game.finished, !game.is_my_turn()));
        let friends = player.store.friends()?;
        Ok(Self {
            games,
            offers: player.store.offers()?,
            invites: player.store.invites()?,
            friends: friends.into_iter().map(|friend| (*friend.key.as_bytes(), friend.name)).collect(),
            contacts: player.store.contacts()?,
            running: player.home.is_in_use(),
        })
    }

    fn object(&self, summary: &GameSummary) -> serde_json::Value {
        let mut object = game::summary_object(summary);
        if let Some(members) = object.as_object_mut() {
            members.insert("friend".to_owned(), json!(self.friends.get(&summary.opponent)));
            let contact = self.contacts.get(&summary.opponent);
            members.insert("path".to_owned(), path::contact_object(contact, self.running));
        }
        object
    }

    fn lines(&self, now_ms: u64) -> Vec<String> {
        let Self { games, offers, invites, .. } = self;
        let mut lines = Vec::new();
        if games.is_empty() && offers.is_empty() && invites.is_empty() {
            lines.push("No games yet. 'new' makes an invite, 'join INVITE' takes one.".to_owned());
        }
        let width = games.iter().map(|game| game.name.len()).max().unwrap_or_default();
        for game in games {
            lines.push(self.first_line(game, width, now_ms));
            lines.push(format!("{:width$}  {}", "", self.second_line(game)));
        }
        lines.extend(invites.iter().map(|invite| self.invite_line(invite)));
        lines.extend(offers.iter().map(|offer| {
            format!("{}  offered {}, waits for a guest", offer.name, stamp::utc(offer.created_ms))
        }));
        lines
    }

    /// Whose turn it is, against whom, by which rules, and the time left.
    fn first_line(&self, game: &GameSummary, width: usize, now_ms: u64) -> String {
        let color = match game.color {
            Some(Color::White) => "White",
            Some(Color::Black) => "Black",
            None => "no colour yet",
        };
        format!(
            "{:width$}  {:<24}  {color} against {}, {}, turn {}{}",
            game.name,
            state(game),
            self.opponent(game),
            rules_line(game.variant),
            game.turns / 2 + 1,
            time_left(game, now_ms),
        )
    }

    /// What the opponent is called here, escaped.
    pub(crate) fn opponent(&self, game: &GameSummary) -> String {
        match self.friends.get(&game.opponent) {
            Some(friend) => escaped(friend),
            None => quoted(&game.opponent_name),
        }
    }

    /// The last event, how far it has got, and the way to the opponent.
    pub(crate) fn second_line(&self, game: &GameSummary) -> String {
        let refused = if game.delivery.refused.is_some() { ", the opponent refused an entry" } else { "" };
        let recovering = if game.recovering { ", recovered: say 'confirm'" } else { "" };
        let machine = if game.other_machine { ", signed on another machine too" } else { "" };
        let delivery = game::delivery_word(game);
        let path = path::contact(self.contacts.get(&game.opponent), self.running);
        let path = if path.is_empty() { path } else { format!("; {path}") };
        format!("{} ({delivery}{refused}{recovering}{machine}{path})", escaped(&game.last_event))
    }

    fn invite_line(&self, invite: &PendingInvite) -> String {
        format!("{}  {}; 'chakart join {}' accepts it", invite.name, self.invite_words(invite), invite.name)
    }

    /// Who invites to what.
    pub(crate) fn invite_words(&self, invite: &PendingInvite) -> String {
        let words = Log::open(&invite.offer).map_or_else(|_| "an offer".to_owned(), |log| offer::words(&log));
        let friend = self.friends.get(invite.host.as_bytes());
        let known = friend.map_or_else(String::new, |name| format!(" (your friend {name})"));
        format!("{words}{known}")
    }
}

/// Whose turn it is, or how the game ended.
pub(crate) fn state(game: &GameSummary) -> String {
    if game.finished {
        return format!("over, {}", game.result);
    }
    match game::waiting(game) {
        "my action" => "YOUR TURN".to_owned(),
        waited => format!("waits for {waited}"),
    }
}

/// Time left or overdue, of whoever is to act.
pub(crate) fn time_left(game: &GameSummary, now_ms: u64) -> String {
    match game.time_left_ms(now_ms) {
        None => String::new(),
        Some((_, left)) if left >= 0 => format!(", {} left", rough(left.unsigned_abs())),
        Some((owes, late)) => {
            let hint = if owes == game.me { "" } else { "; 'claim' says so" };
            format!(", {} over time{hint}", rough(late.unsigned_abs()))
        }
    }
}
