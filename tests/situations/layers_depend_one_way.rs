//! The crates depend on each other and on the outside as the architecture says, read from the package manager.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Package name to the names of everything that it is built from, dev-dependencies aside.
fn closures() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", &host()])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let names: BTreeMap<&str, &str> =
        array(&metadata["packages"]).map(|package| (text(&package["id"]), text(&package["name"]))).collect();
    let edges: BTreeMap<&str, Vec<&str>> =
        array(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), normal_deps(node))).collect();
    array(&metadata["workspace_members"])
        .map(|id| {
            let reached = reach(text(id), &edges);
            let own = names[text(id)].to_owned();
            (own, reached.into_iter().map(|id| names[id].to_owned()).collect())
        })
        .collect()
}

/// The platform for which everything has been fetched: the one that this test was built on.
fn host() -> String {
    let output = Command::new(env!("CARGO")).arg("-vV").output().expect("cargo runs");
    let version = String::from_utf8(output.stdout).expect("cargo prints text");
    version.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo names its host").to_owned()
}

fn normal_deps(node: &Value) -> Vec<&str> {
    array(&node["deps"])
        .filter(|dep| array(&dep["dep_kinds"]).any(|kind| kind["kind"] != "dev"))
        .map(|dep| text(&dep["pkg"]))
        .collect()
}

fn reach<'a>(from: &'a str, edges: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        for dep in edges.get(id).into_iter().flatten() {
            if reached.insert(*dep) {
                open.push(dep);
            }
        }
    }
    reached
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list in the metadata").iter()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text in the metadata")
}

#[test]
fn core_knows_no_runtime_no_network_and_no_disk() {
    let closures = closures();
    let core = &closures["chakart-core"];
    for stranger in ["tokio", "libp2p", "rusqlite", "libsqlite3-sys", "getrandom", "chakart-node", "chakart"]
    {
        assert!(!core.contains(stranger), "core is built from {stranger}");
    }
}

#[test]
fn node_knows_no_terminal_and_no_arguments() {
    let closures = closures();
    let node = &closures["chakart-node"];
    assert!(node.contains("chakart-core"));
    for stranger in ["clap", "chakart", "qrcode", "rpassword"] {
        assert!(!node.contains(stranger), "node is built from {stranger}");
    }
}
