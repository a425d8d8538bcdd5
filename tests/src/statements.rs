//! Which statements on tables of matches name the lane. A cluster sends those that do to one node, and all others to every node.

use std::collections::BTreeSet;

use store::lane::LANE_TABLES;

/// Settings of a Postgres that make it log all statements.
pub const LOGGING: [&str; 2] = ["log_statement=all", "log_parameter_max_length=0"];

/// Statements that concern all lanes, and why: a part of each, written as [`normalise`] does.
const ALL_LANES: [(&str, &str); 22] = [
    ("create ", "migrations"),
    ("alter ", "migrations"),
    ("drop ", "migrations"),
    ("from store_layout", "the layout of the store"),
    ("set feeds =", "giving each lane a feed of its own"),
    ("from lanes where lane < $1", "how far all feeds are, once at the start"),
    ("match_seats.player_id = $", "the matches of a player"),
    ("from match_seats where player_id in", "whether guests who may be deleted have played"),
    ("invitations.player_id = $", "the invitations of a player"),
    ("invitations where player_id", "the invitations of a player"),
    (
        "from invitations where invitations.player_id in",
        "the latest invitations of players who listen",
    ),
    ("from matches where due_at is not null", "deadlines that have passed, of all matches"),
    ("matches.status = $1 and matches.id < $2", "open matches that have expired"),
    (
        "delete from invitations where (lane, match_id, player_id) in",
        "invitations that have expired",
    ),
    ("presence.replica = $1", "what a replica has noted, when it starts or stops"),
    ("presence.expires_at < $1", "what replicas left behind that were killed"),
    ("delete from match_results", "statistics that have been replaced, or are counted again"),
    ("from matches where matches.public = $", "lists of all matches"),
    ("order by matches.id desc limit", "lists of matches"),
    ("telar_write_lane(", "its first argument is the lane"),
    ("insert into lanes", "a new store"),
    ("with written as", "all lanes of a batch in one statement, on a store that is one machine"),
];

/// The statements in the log of a Postgres.
#[must_use]
pub fn logged(log: &str) -> BTreeSet<String> {
    let mut statements = BTreeSet::new();
    let mut current: Option<String> = None;
    for line in log.lines() {
        if let Some(rest) = line.strip_prefix('\t') {
            if let Some(statement) = &mut current {
                statement.push(' ');
                statement.push_str(rest);
            }
            continue;
        }
        statements.extend(current.take().map(|statement| normalise(&statement)));
        let logged = line.split_once("LOG:  ").map(|(_, text)| text);
        current = logged.and_then(|text| {
            let (kind, statement) = text.split_once(": ")?;
            (kind == "statement" || kind.starts_with("execute ")).then(|| statement.to_owned())
        });
    }
    statements.extend(current.map(|statement| normalise(&statement)));
    statements
}

/// A statement in lower case, without quotes, with single spaces, and with lists of values cut short.
fn normalise(statement: &str) -> String {
    let plain = statement.replace('"', "").to_lowercase();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let mut text = words.join(" ");
    if let Some(start) = text.find("values ($") {
        let end = text[start..].rfind('$').map_or(text.len(), |last| start + last);
        let rest = text[end..].find(')').map_or(text.len(), |close| end + close);
        text = format!("{}values (…{}", &text[..start], &text[rest..]);
    }
    text
}

/// The tables of matches that a statement reads or writes, as often as it names them.
fn tables(statement: &str) -> usize {
    let words: Vec<&str> =
        statement.split([' ', '(', ')', ',', ';']).filter(|word| !word.is_empty()).collect();
    let named = words.windows(2).filter(|pair| {
        ["from", "join", "into", "update"].contains(&pair[0]) && LANE_TABLES.contains(&pair[1])
    });
    named.count()
}

/// How often a statement says which lanes it concerns: by a condition, or as part of a key. A lane that is merely selected does not
/// count.
fn lanes(statement: &str) -> usize {
    let keys = LANE_TABLES.iter().map(|table| format!("({table}.lane, "));
    let named = keys.chain(["lane = ", "(lane, "].map(str::to_owned));
    named.map(|name| statement.matches(&name).count()).sum()
}

/// Those of these statements that concern tables of matches without naming a lane for each of them, and that are not known to
/// concern all lanes.
#[must_use]
pub fn without_lane(statements: &BTreeSet<String>) -> Vec<String> {
    let is_known =
        |statement: &&String| !ALL_LANES.iter().any(|(part, _)| statement.contains(part));
    let lacks = |statement: &&String| tables(statement) > lanes(statement);
    statements.iter().filter(lacks).filter(is_known).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_found_in_a_log_and_those_without_a_lane_are_reported() {
        let log = "2026-11-18 05:00:00.000 UTC [7] LOG:  execute sqlx_s_1: SELECT \"seq\" FROM \"commits\"\n\
                   \tWHERE match_id = $1\n\
                   2026-11-18 05:00:00.000 UTC [7] LOG:  statement: SELECT seq FROM commits WHERE lane = 1\n\
                   2026-11-18 05:00:00.000 UTC [7] ERROR:  nothing\n\
                   2026-11-18 05:00:00.000 UTC [7] LOG:  execute s: SELECT 1 FROM matches WHERE (lane, id) IN (VALUES ($1, $2), ($3, $4)) AND x\n";
        let statements = logged(log);
        assert_eq!(statements.len(), 3, "{statements:?}");
        assert_eq!(without_lane(&statements), ["select seq from commits where match_id = $1"]);
    }
}
