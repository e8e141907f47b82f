//! What a request asks, and its answer.

use chakart_core::rules::{
    Action, Event, Game, OutcomesError, PossibleOutcome, ReadActionError, Rules, Variant, outcomes,
};
use serde::{Deserialize, Serialize};

use crate::failure::{Kind, Problem};

/// Deepest count that is answered, in turns: the next one would take hours.
const MAX_PERFT_DEPTH: u32 = 5;
/// Said beside the outcomes on a public board with a hidden queen.
pub(crate) const HIDDEN_NOTE: &str =
    "a queen is hidden: these are the outcomes on the board that everybody sees, as if she were nowhere";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    variant: String,
    fen: String,
    action: Option<String>,
    perft: Option<u32>,
}

/// An answer that is no error.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Legal { legal: Vec<String>, result: String },
    Outcomes(OutcomeList),
    Nodes { nodes: u64 },
}

/// Every outcome of an action, for programs.
#[derive(Serialize)]
pub(crate) struct OutcomeList {
    outcomes: Vec<OutcomeRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

#[derive(Serialize)]
struct OutcomeRow {
    fen: Option<String>,
    result: String,
    num: u128,
    den: u128,
    events: Vec<Event>,
}

/// Answers one request.
pub(super) fn answer(line: &str) -> Result<Answer, Problem> {
    let request: Request = serde_json::from_str(line)
        .map_err(|error| Problem::new(Kind::Usage, format!("bad request: {error}")))?;
    let variant: Variant =
        request.variant.parse().map_err(|error| Problem::new(Kind::Usage, format!("{error}")))?;
    let game = Game::from_fen(variant, &request.fen)
        .map_err(|faults| Problem::new(Kind::BadFen, format!("bad FEN: {faults}")))?;
    match (request.action, request.perft) {
        (Some(_), Some(_)) => Err(Problem::new(Kind::Usage, "give either an action or a perft depth")),
        (Some(text), None) => outcome_list(&game, &read_action(&game, &text)?).map(Answer::Outcomes),
        (None, Some(depth)) => perft(&game, depth),
        (None, None) => Ok(legal(&game)),
    }
}

fn legal(game: &Game) -> Answer {
    let legal = game.legal_actions().iter().map(ToString::to_string).collect();
    let result = game.outcome().map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
    Answer::Legal { legal, result }
}

fn perft(game: &Game, depth: u32) -> Result<Answer, Problem> {
    if depth > MAX_PERFT_DEPTH {
        return Err(Problem::new(Kind::Usage, format!("perft counts at most {MAX_PERFT_DEPTH} turns deep")));
    }
    let variant = game.variant();
    game.perft(depth).map(|nodes| Answer::Nodes { nodes }).ok_or_else(|| {
        Problem::new(Kind::Refused, format!("perft counts turns without chance, and {variant} has chance"))
    })
}

fn read_action(game: &Game, text: &str) -> Result<Action, Problem> {
    if let Some(outcome) = game.outcome() {
        return Err(Problem::new(Kind::IllegalAction, format!("the game is over: {outcome}")));
    }
    match game.parse_action(text) {
        Ok(action) if game.check(&action).is_ok() => Ok(action),
        _ => game.read_action(text).map_err(|error| unread(&error)),
    }
}

/// Why a text is no legal action.
pub(crate) fn unread(error: &ReadActionError) -> Problem {
    let kind = match error {
        ReadActionError::Illegal(_) => Kind::IllegalAction,
        ReadActionError::NotUnderstood(_) | ReadActionError::Ambiguous { .. } => Kind::UnclearAction,
    };
    Problem::new(kind, error.to_string())
}

/// Every outcome of a legal action.
pub(crate) fn outcome_list(game: &Game, action: &Action) -> Result<OutcomeList, Problem> {
    let outcomes = outcomes(game, action).map_err(|error| not_listed(&error))?;
    let note = game.hidden_origin().is_some().then_some(HIDDEN_NOTE);
    Ok(OutcomeList { outcomes: outcomes.into_iter().map(row).collect(), note })
}

/// Why outcomes are not listed.
pub(crate) fn not_listed(error: &OutcomesError) -> Problem {
    let kind = match error {
        OutcomesError::Play(_) => Kind::IllegalAction,
        OutcomesError::TooManyBranches | OutcomesError::OddsTooLong => Kind::TooManyOutcomes,
    };
    Problem::new(kind, error.to_string())
}

fn row(outcome: PossibleOutcome) -> OutcomeRow {
    OutcomeRow {
        fen: outcome.fen,
        result: outcome.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()),
        num: outcome.odds.num,
        den: outcome.odds.den,
        events: outcome.events,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(line: &str) -> String {
        match answer(line) {
            Ok(answer) => serde_json::to_string(&answer).expect("answers are JSON"),
            Err(problem) => serde_json::to_string(&problem.as_json()).expect("problems are JSON"),
        }
    }

    fn chakart(fen: &str, more: &str) -> String {
        let fen = serde_json::to_string(fen).expect("text");
        answered(&format!(r#"{{"variant":"chakart","fen":{fen}{more}}}"#))
    }

    #[test]
    fn legal_actions_of_a_start() {
        let start = r#"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w 0 {"flags":"1111"}"#;
        insta::assert_snapshot!(chakart(start, ""));
    }

    #[test]
    fn outcomes_have_exact_odds() {
        let figure = r#"qbbrrnek/pppppppp/5n2/8/3P4/3m4/PPP1PPPP/QBNNBKRR w 2 {"flags":"1111"}"#;
        insta::assert_snapshot!(chakart(figure, r#","action":"e1b4""#));
    }

    #[test]
    fn a_finished_position_has_its_result() {
        let won = r#"8/8/8/8/8/8/8/K7 b 7 {"flags":"0000"}"#;
        assert_eq!(chakart(won, ""), r#"{"legal":[],"result":"1-0"}"#);
        insta::assert_snapshot!(chakart(won, r#","action":"a1a2""#));
    }

    #[test]
    fn the_last_king_taken_leaves_no_fen() {
        let mate = r#"k7/8/8/8/8/8/8/R2K4 w 8 {"flags":"0000"}"#;
        insta::assert_snapshot!(chakart(mate, r#","action":"a1a8""#));
    }

    #[test]
    fn hidden_queens_are_true_or_public() {
        let truth = r#"3k4/8/8/7I/8/8/8/4K3 b 9 {"flags":"1011"}"#;
        let public = r#"3k4/8/8/8/8/8/8/4K3 b 9 {"flags":"1011","hidden":"d1"}"#;
        insta::assert_snapshot!("true_board", chakart(truth, r#","action":"d8e7""#));
        insta::assert_snapshot!("public_board", chakart(public, r#","action":"d8e7""#));
    }

    #[test]
    fn wrong_requests_are_named() {
        let start = r#"4k3/8/8/8/8/8/8/R3K3 w 0 {"flags":"0000"}"#;
        let wrong = [
            answered("not JSON"),
            answered(r#"{"variant":"chakart"}"#),
            answered(r#"{"variant":"checkers","fen":""}"#),
            answered(r#"{"variant":"chakart","fen":"x","depth":1}"#),
            answered(r#"{"variant":"chakart","fen":"4k3/8/8 x"}"#),
            chakart(start, r#","action":"a1b3""#),
            chakart(start, r#","action":"hello""#),
            chakart(start, r#","action":"Ra4","perft":1"#),
            chakart(start, r#","perft":1"#),
        ];
        insta::assert_snapshot!(wrong.join("\n"));
    }

    #[test]
    fn dynamo_has_one_outcome_and_counts() {
        let dynamo = |more: &str| {
            let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w 0 ahah -";
            answered(&format!(r#"{{"variant":"dynamo","fen":"{fen}"{more}}}"#))
        };
        assert_eq!(dynamo(r#","perft":2"#), r#"{"nodes":26942}"#);
        insta::assert_snapshot!(
            [dynamo(r#","action":"f1e2,e2x""#), dynamo(r#","action":"e2x,f1e2""#), dynamo(r#","perft":9"#)]
                .join("\n")
        );
    }

    #[test]
    fn forgiving_spellings_are_read() {
        let start = r#"4k3/8/8/8/8/8/8/R3K3 w 0 {"flags":"0000"}"#;
        assert_eq!(chakart(start, r#","action":"Ra2""#), chakart(start, r#","action":"a1a2""#));
    }
}
