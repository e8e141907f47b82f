//! The JSON object at the end of a FEN.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::board::Square;
use crate::rules::FenFault;

/// What the keys say, those with a fault left out.
#[derive(Default)]
pub(super) struct Tail {
    pub(super) flags: Option<String>,
    pub(super) pending: Option<String>,
    pub(super) passes: Option<u8>,
    pub(super) hidden: Option<Square>,
}

/// Reads the last field; an empty one is an empty object, which is a fault only where flags are expected.
pub(super) fn read_tail(text: &str, flags_expected: bool, faults: &mut Vec<FenFault>) -> Tail {
    let mut tail = Tail::default();
    let members = if text.is_empty() {
        Vec::new()
    } else {
        match serde_json::from_str::<Members>(text) {
            Ok(Members(members)) => members,
            Err(error) => {
                faults.push(FenFault::Json(error.to_string()));
                return tail;
            }
        }
    };
    if flags_expected && !members.iter().any(|(key, _)| key == "flags") {
        faults.push(FenFault::Missing("the key flags"));
    }
    for (index, (key, value)) in members.iter().enumerate() {
        if members.iter().take(index).any(|(earlier, _)| earlier == key) {
            faults.push(FenFault::DoubleKey(key.clone()));
        } else {
            read_member(key, value, flags_expected, &mut tail, faults);
        }
    }
    tail
}

fn read_member(key: &str, value: &Value, flags_expected: bool, tail: &mut Tail, faults: &mut Vec<FenFault>) {
    match key {
        "flags" if flags_expected => match value.as_str() {
            Some(flags) if !flags.is_empty() => tail.flags = Some(flags.to_owned()),
            _ => faults.push(FenFault::Flags(value.to_string())),
        },
        "pending" => match value.as_str() {
            Some(pending) => tail.pending = Some(pending.to_owned()),
            None => faults.push(FenFault::Pending(value.to_string())),
        },
        "passes" => match value.as_u64() {
            Some(1) => tail.passes = Some(1),
            Some(2) => tail.passes = Some(2),
            _ => faults.push(FenFault::Passes(value.to_string())),
        },
        "hidden" => match value.as_str().and_then(|square| square.parse().ok()) {
            Some(square) => tail.hidden = Some(square),
            None => faults.push(FenFault::Hidden(value.to_string())),
        },
        _ => faults.push(FenFault::UnknownKey(key.to_owned())),
    }
}

/// The members of a JSON object in their order, repeated keys with them.
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object such as {\"flags\":\"1111\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}
