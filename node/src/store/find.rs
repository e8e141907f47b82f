//! Short names: given to games and offers, found again by their beginning.

use rusqlite::Connection;

use super::{FindError, GameSummary, OwnOffer, Store, StoreError, summary};

/// Names that an ambiguous text lists, at most.
const MAX_FITS: usize = 20;
/// Longest stem of a short name, in bytes.
const MAX_STEM: usize = 20;

/// What a short name may name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named {
    /// A game.
    Game(Box<GameSummary>),
    /// An own offer.
    Offer(OwnOffer),
}

/// How much a store holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Holdings {
    /// Games that are not over.
    pub games_open: u64,
    /// Entries of all games.
    pub entries: u64,
}

impl Store {
    /// How much is here.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn holdings(&self) -> Result<Holdings, StoreError> {
        let sql = "SELECT coalesce(sum(finished = 0), 0), coalesce(sum(length), 0) FROM games";
        let mut query = self.db.prepare_cached(sql)?;
        Ok(query.query_row([], |row| Ok(Holdings { games_open: row.get(0)?, entries: row.get(1)? }))?)
    }

    /// The game whose short name is, or alone begins with, a text.
    ///
    /// # Errors
    /// [`FindError`]
    pub fn find_game(&self, text: &str) -> Result<GameSummary, FindError> {
        let names = names_like(&self.db, "games", text)?;
        let name = pick(text, names)?;
        summary::select_one(&self.db, "WHERE name = ?1", [&name])?.ok_or(FindError::NotFound(name))
    }

    /// The game or own offer whose short name is, or alone begins with, a text.
    ///
    /// # Errors
    /// [`FindError`]
    pub fn find(&self, text: &str) -> Result<Named, FindError> {
        let mut names = names_like(&self.db, "games", text)?;
        names.extend(names_like(&self.db, "(SELECT name FROM offers WHERE state = 0)", text)?);
        let name = pick(text, names)?;
        if let Some(game) = summary::select_one(&self.db, "WHERE name = ?1", [&name])? {
            return Ok(Named::Game(Box::new(game)));
        }
        let offer = self.offers()?.into_iter().find(|offer| offer.name == name);
        offer.map(Named::Offer).ok_or(FindError::NotFound(name))
    }
}

pub(super) fn pick(text: &str, mut names: Vec<String>) -> Result<String, FindError> {
    if let Some(exact) = names.iter().find(|name| *name == text) {
        return Ok(exact.clone());
    }
    match names.as_mut_slice() {
        [] => Err(FindError::NotFound(text.to_owned())),
        [only] => Ok(std::mem::take(only)),
        _ => Err(FindError::Ambiguous { text: text.to_owned(), fits: names }),
    }
}

pub(super) fn names_like(
    db: &Connection,
    table: &'static str,
    text: &str,
) -> Result<Vec<String>, StoreError> {
    let sql = format!(
        "SELECT name FROM {table} WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name <> ?1, name LIMIT {MAX_FITS}"
    );
    Ok(db.prepare_cached(&sql)?.query_map([text], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// A free short name: what is plain in `wish` (or else `otherwise`), and a number.
pub(super) fn free_name(db: &Connection, wish: &str, otherwise: &str) -> Result<String, StoreError> {
    let stem = stem(wish).unwrap_or_else(|| otherwise.to_owned());
    // A range, for the sake of the indices: '.' is the character after '-'.
    let taken: u64 = db.query_row(
        "SELECT coalesce(max(CAST(substr(name, length(?1) + 2) AS INTEGER)), 0)
         FROM (SELECT name FROM games UNION ALL SELECT name FROM offers UNION ALL SELECT name FROM deleted_games
               UNION ALL SELECT name FROM invites)
         WHERE name >= ?1 || '-' AND name < ?1 || '.'
           AND substr(name, length(?1) + 2) NOT GLOB '*[^0-9]*'",
        [&stem],
        |row| row.get(0),
    )?;
    Ok(format!("{stem}-{}", taken + 1))
}

/// Lower-case ASCII letters and digits of a name, all else as single hyphens; `None` if nothing is left.
pub(super) fn stem(name: &str) -> Option<String> {
    let mut stem = String::new();
    for c in name.chars().map(|c| c.to_ascii_lowercase()) {
        if c.is_ascii_alphanumeric() {
            stem.push(c);
        } else if !stem.is_empty() && !stem.ends_with('-') {
            stem.push('-');
        }
        if stem.len() == MAX_STEM {
            break;
        }
    }
    let stem = stem.trim_end_matches('-');
    (!stem.is_empty()).then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_easy_to_type() {
        for (name, expected) in [
            ("Alice", Some("alice")),
            ("  Dr. Strange-Love!! ", Some("dr-strange-love")),
            ("Åsa", Some("sa")),
            ("漢字", None),
            ("", None),
            ("a234567890123456789012345", Some("a2345678901234567890")),
        ] {
            assert_eq!(stem(name).as_deref(), expected, "{name}");
        }
    }
}
