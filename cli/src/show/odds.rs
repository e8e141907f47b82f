//! The possible outcomes of an action, for people.

use chakart_core::rules::{
    Action, Event, Game, Odds, OutcomesError, PossibleOutcome, Rules as _, outcomes, sentences,
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

fn share(odds: Odds) -> f64 {
    odds.num as f64 / odds.den as f64
}

fn percent(share: f64) -> String {
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
    let told = sentences(&outcome.events);
    let words: Vec<String> = told
        .iter()
        .zip(&outcome.events)
        .skip(common)
        .map(|(sentence, event)| match event {
            // The other candidates are in the other lines.
            Event::Chance { .. } => sentence.split(" (of ").next().unwrap_or_default().to_owned(),
            _ => sentence.clone(),
        })
        .collect();
    let words = if words.is_empty() { "as chosen".to_owned() } else { words.join("; ") };
    let Odds { num, den } = outcome.odds;
    format!("{:>8} {:>8}  {words}", format!("{num}/{den}"), percent(share(outcome.odds)))
}
