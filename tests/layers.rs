//! The shape of the workspace: which crate may depend on which, and no cycles between the top-level modules of a crate.
#![expect(clippy::unwrap_used, reason = "a test that cannot be carried out has failed")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// The crates of the workspace, and those that each may depend on. Tests of a crate may use whatever they like.
const LAYERS: [(&str, &[&str]); 12] = [
    ("domain", &[]),
    ("bots", &["domain"]),
    ("pictures", &["domain"]),
    ("migration", &[]),
    ("store", &["domain", "migration"]),
    ("service", &["domain", "bots", "store"]),
    ("api", &["domain", "bots", "pictures", "store", "service"]),
    ("openapi", &["api"]),
    ("telar-client", &[]),
    ("bot", &["telar-client"]),
    ("tests", &["domain", "store", "service", "api"]),
    ("bench", &["domain", "store", "service", "api", "tests"]),
];

/// The crates above the store, which contain no SQL.
const ABOVE_SQL: [&str; 2] = ["service", "api"];
const SQL: [&str; 2] = ["sea-orm", "sqlx"];

/// The crates that know nothing of HTTP.
const BELOW_HTTP: [&str; 6] = ["domain", "bots", "pictures", "migration", "store", "service"];
const HTTP: [&str; 5] =
    ["actix-http", "actix-service", "actix-web", "actix-cors", "utoipa-actix-web"];

/// A crate of the workspace.
struct Crate {
    name: String,
    folder: PathBuf,
    /// What it needs, its tests left out.
    dependencies: BTreeSet<String>,
}

fn workspace() -> Vec<Crate> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let packages = packages.map(|package| {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let needed = dependencies.filter(|dependency| dependency["kind"] != "dev");
        Crate {
            name: text(&package["name"]),
            folder: Path::new(&text(&package["manifest_path"])).parent().unwrap().to_owned(),
            dependencies: needed.map(|dependency| text(&dependency["name"])).collect(),
        }
    });
    packages.collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[test]
fn crates_depend_on_the_layers_below_them_only() {
    let crates = workspace();
    let names: BTreeSet<&str> = crates.iter().map(|member| member.name.as_str()).collect();
    for member in &crates {
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == member.name) else {
            panic!("{} has no place in LAYERS", member.name)
        };
        for dependency in member.dependencies.iter().filter(|name| names.contains(name.as_str())) {
            assert!(
                allowed.contains(&dependency.as_str()),
                "{} must not depend on {dependency}",
                member.name
            );
        }
        if ABOVE_SQL.contains(&member.name.as_str()) {
            let sql = SQL.iter().find(|name| member.dependencies.contains(**name));
            assert_eq!(sql, None, "{} contains no SQL", member.name);
        }
        if BELOW_HTTP.contains(&member.name.as_str()) {
            let http = HTTP.iter().find(|name| member.dependencies.contains(**name));
            assert_eq!(http, None, "{} knows nothing of HTTP", member.name);
        }
    }
}

#[test]
fn no_crate_has_a_cycle_between_its_modules() {
    let mut report = String::new();
    for member in workspace() {
        let source = member.folder.join("src");
        if source.is_dir() {
            let graph = module_graph(&source);
            for cycle in cycles(&graph) {
                describe(&mut report, &member.name, &graph, &cycle);
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// The modules that each module uses, each with one file that does.
type Graph = BTreeMap<String, BTreeMap<String, PathBuf>>;

/// The top-level modules of the crate whose sources are in this folder.
fn module_graph(source: &Path) -> Graph {
    let mut graph: Graph = entries(source)
        .iter()
        .filter(|path| path.is_dir() || path.extension().is_some_and(|it| it == "rs"))
        .map(|path| module_name(path))
        .filter(|name| !["lib", "main", "bin", "tests"].contains(&name.as_str()))
        .map(|name| (name, BTreeMap::new()))
        .collect();
    let modules: BTreeSet<String> = graph.keys().cloned().collect();
    for file in rust_files(source) {
        let path: Vec<String> = file
            .strip_prefix(source)
            .unwrap()
            .iter()
            .map(|part| module_name(part.as_ref()))
            .collect();
        if !modules.contains(&path[0]) || path.iter().any(|part| part == "tests") {
            continue;
        }
        // `mod.rs` is the module of its folder.
        let depth = path.len() - usize::from(path.last().is_some_and(|name| name == "mod"));
        let code = without_tests_and_comments(&fs::read_to_string(&file).unwrap());
        let uses = graph.get_mut(&path[0]).unwrap();
        for name in names_at_the_root(&code, depth) {
            if name != path[0] && modules.contains(&name) {
                let place = file.strip_prefix(source).unwrap();
                uses.entry(name).or_insert_with(|| place.to_owned());
            }
        }
    }
    graph
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn module_name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Leaves out comments, and items that are there for tests only. Relies on the code being formatted: an item ends with a line
/// that is indented as its first one.
fn without_tests_and_comments(code: &str) -> String {
    let mut kept = String::new();
    let code_of = |line| str::split_once(line, " // ").map_or(line, |(code, _)| code);
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut lines = lines.map(code_of);
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            writeln!(kept, "{line}").unwrap();
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let is_end = |line: &str| {
            let is_outermost = line.len() - line.trim_start().len() == indent;
            is_outermost && (line.ends_with(';') || line.ends_with('}'))
        };
        lines.by_ref().find(|line| is_end(line));
    }
    kept
}

/// The names that follow upon `crate::`, or upon as many `super::` as lead there from a module this deep.
fn names_at_the_root(code: &str, depth: usize) -> BTreeSet<String> {
    let up = "super::".repeat(depth);
    let mut names = BTreeSet::new();
    for (root, farther) in [("crate::", ""), (up.as_str(), "super::")] {
        for (at, _) in code.match_indices(root) {
            let before = code[..at].chars().next_back().unwrap_or(' ');
            let rest = &code[at + root.len()..];
            let is_part = before.is_alphanumeric() || ['_', ':'].contains(&before);
            if is_part || (!farther.is_empty() && rest.starts_with(farther)) {
                continue;
            }
            names.extend(first_names(rest));
        }
    }
    names
}

/// The first name of a path, or of each path of a group.
fn first_names(rest: &str) -> Vec<String> {
    let Some(group) = rest.strip_prefix('{') else { return vec![leading_name(rest)] };
    let (mut names, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(leading_name(&group[start..at]));
                start = at + 1;
                if character == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

fn leading_name(path: &str) -> String {
    let path = path.trim_start();
    path.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

/// Groups of modules each of which needs all others of its group.
fn cycles(graph: &Graph) -> BTreeSet<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|module| (module, reachable(graph, module))).collect();
    let group = |module: &String| -> BTreeSet<String> {
        let others = reached[module].iter().filter(|other| reached[**other].contains(module));
        others.map(|other| (*other).clone()).collect()
    };
    graph.keys().map(group).filter(|group| !group.is_empty()).collect()
}

/// The modules that one needs, directly or not; itself only if it is part of a cycle.
fn reachable<'a>(graph: &'a Graph, from: &'a String) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(module) = waiting.pop() {
        for next in graph[module].keys() {
            if reached.insert(next) {
                waiting.push(next);
            }
        }
    }
    reached
}

fn describe(report: &mut String, name: &str, graph: &Graph, cycle: &BTreeSet<String>) {
    let modules = cycle.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    writeln!(report, "{name}: {} modules in one cycle: {modules}", cycle.len()).unwrap();
    for module in cycle {
        for (other, file) in graph[module].iter().filter(|(other, _)| cycle.contains(*other)) {
            writeln!(report, "  {module} uses {other} in {}", file.display()).unwrap();
        }
    }
}

#[test]
fn names_are_found_in_paths_and_groups() {
    let code = "use crate::{a::{b, c}, d, e::F};\nuse crate::g::h;\nlet x = super::super::i::j();\npub(crate) use other::crate_::k;";
    let names = names_at_the_root(code, 2);
    assert_eq!(names, ["a", "d", "e", "g", "i"].map(str::to_owned).into());
    // From a module at the root, the same path leads nowhere.
    assert!(!names_at_the_root(code, 1).contains("i"));
}

#[test]
fn tests_and_comments_are_left_out() {
    let code = "// crate::a\n#[cfg(test)]\nmod tests;\nuse crate::b;\n#[cfg(test)]\nmod more {\n    use crate::c;\n}\nuse crate::d;\n";
    let names = names_at_the_root(&without_tests_and_comments(code), 1);
    assert_eq!(names, ["b", "d"].map(str::to_owned).into());
}

#[test]
fn cycles_are_found() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry((*to).to_owned()).or_default();
            graph.entry((*from).to_owned()).or_default().insert((*to).to_owned(), PathBuf::new());
        }
        graph
    };
    assert!(cycles(&graph(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    let found = cycles(&graph(&[("a", "b"), ("b", "c"), ("c", "b"), ("d", "a")]));
    assert_eq!(found, [["b", "c"].map(str::to_owned).into()].into());
}
