//! How lucky somebody was: the random results of games against what was to be expected of uniform chance.
//!
//! Each result was drawn uniformly among its candidates. They are put into groups by player and kind; a group counts how
//! often each sort of result came, and how often it was to be expected. How odd that is says a p-value: how often chance
//! alone gives counts that are at least as far from those expected. It is simulated, with the same numbers in every run.

use std::collections::BTreeMap;

use chakart_core::board::Color;
use chakart_core::chance::SeededChance;
use chakart_core::protocol::entry::Party;
use chakart_core::rules::{Candidate, ChanceKind, Event};
use chakart_core::transcript::replay::Ply;

/// Simulations of a group, at most.
const MAX_SIMULATIONS: u32 = 9_999;
/// Draws that all simulations of a group make together, at most.
const MAX_DRAWS: usize = 20_000_000;
/// Simulations of a group, at least.
const MIN_SIMULATIONS: u32 = 499;
/// A fixed seed: the same games have the same p-values.
const SEED: [u8; 32] = *b"chakart luck: simulated p-values";

/// A random result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draw {
    /// Whose action asked for it.
    pub party: Party,
    /// What it decided.
    pub kind: ChanceKind,
    /// Its candidates by sort, in their order.
    pub candidates: Vec<String>,
    /// The one that came.
    pub chosen: usize,
}

/// The results of one player and kind.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Group {
    /// What they decided, in words.
    pub what: String,
    /// How many they are.
    pub draws: usize,
    /// Sorts of results, in alphabetical order; none for results of several kinds together.
    pub sorts: Vec<Sort>,
    /// How often chance alone is at least as odd, above 0 and up to 1.
    pub p_value: f64,
    /// Simulations behind it.
    pub simulations: u32,
}

/// One sort of results.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Sort {
    /// Its name.
    pub name: String,
    /// How often it came.
    pub came: u32,
    /// How often it was to be expected.
    pub expected: f64,
}

/// The random results of replayed acts.
pub fn draws(plies: &[Ply]) -> impl Iterator<Item = Draw> {
    plies.iter().flat_map(|ply| {
        let events = ply.events.iter().flatten();
        events.filter_map(|event| match event {
            Event::Chance { kind, candidates, chosen } => Some(Draw {
                party: ply.author,
                kind: *kind,
                candidates: candidates.iter().map(|candidate| sort(candidate, ply.color)).collect(),
                chosen: *chosen,
            }),
            _ => None,
        })
    })
}

/// A group for each kind that occurs, and one of all results together, without its sorts, if there are several.
#[must_use]
pub fn groups(draws: &[Draw]) -> Vec<Group> {
    let mut kinds: BTreeMap<&str, Vec<&Draw>> = BTreeMap::new();
    for draw in draws {
        kinds.entry(words(draw.kind)).or_default().push(draw);
    }
    let all = (kinds.len() > 1)
        .then(|| Group { sorts: Vec::new(), ..Tally::of(draws.iter()).group("all together") });
    kinds.into_iter().map(|(what, draws)| Tally::of(draws.into_iter()).group(what)).chain(all).collect()
}

/// The sort of a candidate: squares are told apart by the half of the board, as the acting player sees it.
fn sort(candidate: &Candidate, color: Color) -> String {
    match candidate {
        Candidate::Effect(effect) => effect.to_string(),
        Candidate::Role(role) => role.to_string(),
        Candidate::Square(square) => {
            let upper = square.rank() as usize >= 4;
            let own = upper == (color == Color::Black);
            if own { "square in the own half" } else { "square in the other half" }.to_owned()
        }
    }
}

const fn words(kind: ChanceKind) -> &'static str {
    match kind {
        ChanceKind::Egg => "what eggs gave",
        ChanceKind::Luigi => "whom Luigi turned",
        ChanceKind::Placement => "where objects were left",
        ChanceKind::Redirect => "where bananas and bombs sent pieces",
        ChanceKind::Toadette => "what Toadette gave",
        ChanceKind::Waluigi => "whom Waluigi turned",
    }
}

/// Draws with their candidates as numbers of sorts.
struct Tally {
    names: Vec<String>,
    /// For each draw the sorts of its candidates.
    draws: Vec<Vec<usize>>,
    came: Vec<u32>,
    expected: Vec<f64>,
}

impl Tally {
    fn of<'a>(draws: impl Iterator<Item = &'a Draw> + Clone) -> Self {
        // Results of different kinds are never of the same sort.
        let named = |draw: &Draw, name: &str| (words(draw.kind), name.to_owned());
        let mut sorts: Vec<(&str, String)> = draws
            .clone()
            .flat_map(|draw| draw.candidates.iter().map(move |name| named(draw, name)))
            .collect();
        sorts.sort();
        sorts.dedup();
        let index = |draw: &Draw, name: &str| sorts.binary_search(&named(draw, name)).unwrap_or_default();
        let mut tally = Self {
            names: sorts.iter().map(|(_, name)| name.clone()).collect(),
            draws: Vec::new(),
            came: vec![0; sorts.len()],
            expected: vec![0.0; sorts.len()],
        };
        for draw in draws {
            let candidates: Vec<usize> = draw.candidates.iter().map(|name| index(draw, name)).collect();
            let Some(&chosen) = candidates.get(draw.chosen) else { continue };
            tally.came[chosen] += 1;
            for &candidate in &candidates {
                tally.expected[candidate] += 1.0 / as_float(candidates.len());
            }
            tally.draws.push(candidates);
        }
        tally
    }

    fn group(self, what: &str) -> Group {
        let simulations = self.simulations();
        let sorts = self.names.iter().zip(self.came.iter().zip(&self.expected));
        Group {
            what: what.to_owned(),
            draws: self.draws.len(),
            sorts: sorts
                .map(|(name, (&came, &expected))| Sort { name: name.clone(), came, expected })
                .collect(),
            p_value: self.p_value(simulations),
            simulations,
        }
    }

    fn simulations(&self) -> u32 {
        let affordable = MAX_DRAWS / self.draws.len().max(1);
        u32::try_from(affordable).unwrap_or(u32::MAX).clamp(MIN_SIMULATIONS, MAX_SIMULATIONS)
    }

    /// How far counts are from those expected: Pearson's sum.
    fn distance(&self, came: &[u32]) -> f64 {
        let one = |(&came, &expected): (&u32, &f64)| (f64::from(came) - expected).powi(2) / expected;
        came.iter().zip(&self.expected).filter(|(_, expected)| **expected > 0.0).map(one).sum()
    }

    /// The share of simulations that are at least as far off, the real one counted among them.
    fn p_value(&self, simulations: u32) -> f64 {
        let real = self.distance(&self.came);
        let mut chance = SeededChance::new(SEED);
        let mut at_least = 1;
        for _ in 0..simulations {
            let mut came = vec![0; self.came.len()];
            for candidates in &self.draws {
                let drawn = chance.uniform(u32::try_from(candidates.len()).unwrap_or(u32::MAX));
                came[candidates[drawn as usize]] += 1;
            }
            // Sums of the same terms in another order differ in the last digits.
            at_least += u32::from(self.distance(&came) >= real - 1e-9);
        }
        f64::from(at_least) / f64::from(simulations + 1)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of candidates")]
const fn as_float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn egg(candidates: usize, chosen: usize) -> Draw {
        let candidates = (0..candidates).map(|number| format!("effect {number}")).collect();
        Draw { party: Party::Host, kind: ChanceKind::Egg, candidates, chosen }
    }

    #[test]
    fn even_results_are_as_expected_and_one_sided_ones_are_not() {
        let even: Vec<Draw> = (0..80).map(|number| egg(8, number % 8)).collect();
        let [group] = &groups(&even)[..] else { unreachable!("one kind") };
        assert!(group.sorts.iter().all(|sort| sort.came == 10 && (sort.expected - 10.0).abs() < 1e-9));
        assert!(group.p_value > 0.999, "{}", group.p_value);
        let loaded: Vec<Draw> = (0..80).map(|number| egg(8, number % 3)).collect();
        assert!(groups(&loaded)[0].p_value < 0.001);
    }

    #[test]
    fn p_values_of_fair_results_are_spread_evenly() {
        let mut chance = SeededChance::new([3; 32]);
        let mut low = 0;
        for _ in 0..200 {
            let fair: Vec<Draw> = (0..30).map(|_| egg(4, chance.uniform(4) as usize)).collect();
            low += u32::from(groups(&fair)[0].p_value < 0.1);
        }
        assert!((8..36).contains(&low), "{low} of 200 below 0.1");
    }

    #[test]
    fn draws_with_different_candidates_add_up() {
        let draws = [egg(2, 0), egg(4, 0), egg(4, 3)];
        let group = &groups(&draws)[0];
        let expected: Vec<f64> = group.sorts.iter().map(|sort| sort.expected).collect();
        assert_eq!(expected, [1.0, 1.0, 0.5, 0.5]);
        assert_eq!(group.draws, 3);
    }

    #[test]
    fn several_kinds_are_told_apart_and_together() {
        let other = Draw { kind: ChanceKind::Toadette, ..egg(2, 1) };
        let groups = groups(&[egg(2, 0), other]);
        let words: Vec<&str> = groups.iter().map(|group| group.what.as_str()).collect();
        assert_eq!(words, ["what Toadette gave", "what eggs gave", "all together"]);
        assert_eq!((groups[2].draws, groups[2].sorts.len()), (2, 0));
    }
}
