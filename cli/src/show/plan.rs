//! What became of plans, in words and for programs.

use chakart_node::store::{PlanOutcome, PlanReport, StoredPlan};
use serde_json::{Value, json};

use super::escape::escaped;

/// What became of a plan, in a line.
#[must_use]
pub fn told(report: &PlanReport) -> String {
    match &report.outcome {
        PlanOutcome::Played => format!("your plan was played: {}", escaped(&report.text)),
        PlanOutcome::Dropped(why) => {
            format!("your plan '{}' is dropped: {}", escaped(&report.text), escaped(why))
        }
    }
}

/// What became of a plan, for programs.
#[must_use]
pub fn object(report: &PlanReport) -> Value {
    let (played, why) = match &report.outcome {
        PlanOutcome::Played => (true, None),
        PlanOutcome::Dropped(why) => (false, Some(why)),
    };
    json!({ "plan": report.text, "played": played, "dropped_because": why })
}

/// A plan that is kept, for programs.
#[must_use]
pub fn kept_object(plan: &StoredPlan) -> Value {
    json!({ "number": plan.plan.0, "plan": plan.text })
}
