//! The possible outcomes of an action, for people.

use chakart_core::rules::{
    Action, ChanceKind, Event, Game, Odds, OutcomesError, PossibleOutcome, Rules as _, outcomes, sentences,
};

/// Outcomes that are listed to people, the likeliest; programs get all.
const MAX_LISTED: usize = 40;

/// The outcomes of a legal action, the likeliest first, a line each.
///
/// # Errors
/// [`OutcomesError`]
pub fn lines(game: &Game, action: &Action) -> Result<Vec<String>, OutcomesError> {
    let mut possible = outcomes(game, action)?;
    possible.sort_by(|a, b| share(b.odds).total_cmp(&share(a.odds)));
    let common = common_start(&possible);
    let mut lines: Vec<String> =
        possible.iter().take(MAX_LISTED).map(|outcome| line(outcome, common)).collect();
    let left_out = possible.len().saturating_sub(MAX_LISTED);
    if left_out > 0 {
        let rest: f64 = possible.iter().skip(MAX_LISTED).map(|outcome| share(outcome.odds)).sum();
        lines.push(format!("{:>16}  {left_out} more, see --json", percent(rest)));
    }
    if game.hidden_origin().is_some() {
        lines.push(
            "A queen is hidden: this is for the board that everybody sees, as if she were nowhere."
                .to_owned(),
        );
    }
    Ok(lines)
}

/// Outcomes that begin with the same result, for a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// The odds of all of them, above 0 and at most 1.
    pub share: f64,
    /// What they have in common; all of it where the outcome is one.
    pub words: String,
    /// How many they are.
    pub outcomes: usize,
}

/// The outcomes of a legal action, those that begin alike together, the likeliest first.
///
/// # Errors
/// [`OutcomesError`]
pub fn chart(game: &Game, action: &Action) -> Result<Vec<Bar>, OutcomesError> {
    let possible = outcomes(game, action)?;
    let common = common_start(&possible);
    let mut bars: Vec<(String, Bar)> = Vec::new();
    for outcome in &possible {
        let words = brief_words(outcome, common);
        let first = words.first().cloned().unwrap_or_else(|| AS_CHOSEN.to_owned());
        let share = share(outcome.odds);
        match bars.iter_mut().find(|(known, _)| *known == first) {
            Some((_, bar)) => {
                bar.share += share;
                bar.outcomes += 1;
                bar.words.clone_from(&first);
            }
            None => bars.push((first, Bar { share, words: joined(&words), outcomes: 1 })),
        }
    }
    let mut bars: Vec<Bar> = bars.into_iter().map(|(_, bar)| bar).collect();
    bars.sort_by(|a, b| b.share.total_cmp(&a.share));
    Ok(bars)
}

fn share(odds: Odds) -> f64 {
    odds.num as f64 / odds.den as f64
}

/// A share of 1 as people read it.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// How many events all outcomes begin with: they need not be repeated.
fn common_start(possible: &[PossibleOutcome]) -> usize {
    match possible {
        [] | [_] => 0,
        [first, rest @ ..] => rest
            .iter()
            .map(|other| first.events.iter().zip(&other.events).take_while(|(a, b)| a == b).count())
            .min()
            .unwrap_or_default(),
    }
}

fn line(outcome: &PossibleOutcome, common: usize) -> String {
    let Odds { num, den } = outcome.odds;
    let words = joined(&words(outcome, common));
    format!("{:>8} {:>8}  {words}", format!("{num}/{den}"), percent(share(outcome.odds)))
}

/// Said where an outcome adds nothing to the choice.
const AS_CHOSEN: &str = "as chosen";

fn joined(words: &[String]) -> String {
    if words.is_empty() { AS_CHOSEN.to_owned() } else { words.join("; ") }
}

/// What happens beyond what all outcomes have in common.
fn words(outcome: &PossibleOutcome, common: usize) -> Vec<String> {
    told(outcome, common).map(|(sentence, _)| sentence).collect()
}

/// The same without choices of which the next sentence tells too.
fn brief_words(outcome: &PossibleOutcome, common: usize) -> Vec<String> {
    use ChanceKind::{Egg, Luigi, Placement, Waluigi};
    let is_told_again =
        |event: &Event| matches!(event, Event::Chance { kind: Egg | Luigi | Placement | Waluigi, .. });
    told(outcome, common).filter(|(_, event)| !is_told_again(event)).map(|(sentence, _)| sentence).collect()
}

fn told(outcome: &PossibleOutcome, common: usize) -> impl Iterator<Item = (String, &Event)> {
    let told = sentences(&outcome.events).into_iter().zip(&outcome.events).skip(common);
    told.map(|(sentence, event)| match event {
        // The other candidates are in the other lines.
        Event::Chance { .. } => (sentence.split(" (of ").next().unwrap_or_default().to_owned(), event),
        _ => (sentence, event),
    })
}

#[cfg(test)]
mod tests {
    use chakart_core::rules::Variant;

    use super::*;

    #[test]
    fn a_chart_puts_outcomes_together_and_adds_up_to_one() {
        let fen = r#"7k/8/8/8/8/5e2/8/4K1N1 w 10 {"flags":"0000"}"#;
        let game = Game::from_fen(Variant::Chakart, fen).expect("the FEN is valid");
        let action = game.parse_action("g1f3").expect("an action");
        let bars = chart(&game, &action).expect("few outcomes");
        assert_eq!(bars.len(), 8, "an egg holds one of eight things: {bars:?}");
        assert!((bars.iter().map(|bar| bar.share).sum::<f64>() - 1.0).abs() < 1e-9);
        let toadette =
            bars.iter().find(|bar| bar.words.starts_with("Toadette")).expect("an egg may hold her");
        assert_eq!((toadette.outcomes, percent(toadette.share)), (5, "12.5 %".to_owned()));
    }
}
