//! The table of our addresses, read from the document: which one a path is, what can be done there, and what that asks for.

use std::sync::LazyLock;

use actix_web::http::Method;
use serde_json::Value;

use super::DOCUMENT;
use service::identity::Requirement;

/// An address of ours.
#[derive(Debug)]
pub struct Route {
    /// As in `/v1/matches/{id}`.
    pub template: String,
    /// What can be done there, and what that asks for; nothing if the document does not say.
    operations: Vec<(Method, Option<Requirement>)>,
}

impl Route {
    /// The methods, as in the header `Allow`.
    #[must_use]
    pub fn methods(&self) -> String {
        let methods: Vec<&str> =
            self.operations.iter().map(|(method, _)| method.as_str()).collect();
        methods.join(", ")
    }

    /// What an operation asks for.
    #[must_use]
    pub fn need(&self, method: &Method) -> Option<Requirement> {
        self.operations.iter().find(|(known, _)| known == method).and_then(|(_, need)| *need)
    }
}

/// The address that a path is one of. A part with a name goes before one that is left open.
#[must_use]
pub fn route_of(path: &str) -> Option<&'static Route> {
    TABLE.find(Some(path.strip_prefix('/')?))
}

static TABLE: LazyLock<Branch> = LazyLock::new(|| {
    let mut table = Branch::default();
    for (template, item) in DOCUMENT["paths"].as_object().into_iter().flatten() {
        let operations = item.as_object().into_iter().flatten();
        let operations = operations.filter_map(|(method, operation)| {
            let method = method.to_uppercase().parse().ok()?;
            Some((method, declared_need(operation)))
        });
        let route = Route { template: template.clone(), operations: operations.collect() };
        let parts = template.split('/').skip(1);
        parts.fold(&mut table, Branch::grow).route = Some(route);
    }
    table
});

/// What an operation declares: `security(("bearer" = ["match:read"]))`.
pub(super) fn declared_need(operation: &Value) -> Option<Requirement> {
    let ways = operation["security"].as_array()?;
    let scopes = ways.iter().find_map(|way| way["bearer"].as_array())?;
    Requirement::from_id(scopes.first()?.as_str()?)
}

/// The addresses that begin with the same parts.
#[derive(Debug, Default)]
struct Branch {
    route: Option<Route>,
    named: Vec<(String, Branch)>,
    /// What a part that is left open ends with, as `.svg` in `{chart}.svg`; mostly nothing.
    open: Vec<(String, Branch)>,
}

impl Branch {
    fn grow(&mut self, part: &str) -> &mut Self {
        let (branches, name) = match part.strip_prefix('{').and_then(|open| open.split_once('}')) {
            Some((_, ending)) => (&mut self.open, ending),
            None => (&mut self.named, part),
        };
        let at = branches.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            branches.push((name.to_owned(), Self::default()));
            branches.len() - 1
        });
        &mut branches[at].1
    }

    fn find(&self, path: Option<&str>) -> Option<&Route> {
        let Some(path) = path else { return self.route.as_ref() };
        let (part, rest) = match path.split_once('/') {
            Some((part, rest)) => (part, Some(rest)),
            None => (path, None),
        };
        let named = self.named.iter().filter(|(name, _)| name == part);
        let open = self.open.iter().filter(|(ending, _)| {
            part.strip_suffix(ending.as_str()).is_some_and(|open| !open.is_empty())
        });
        named.chain(open).find_map(|(_, branch)| branch.find(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_finds_itself_and_nothing_else_does() {
        for template in DOCUMENT["paths"].as_object().expect("paths").keys() {
            let path = template.replace(['{', '}'], "");
            assert_eq!(route_of(&path).map(|route| &route.template), Some(template));
            assert!(route_of(&format!("{path}/")).is_none(), "{path}/");
        }
        for path in [
            "",
            "/",
            "v1/games",
            "/v1",
            "/v1//stats",
            "/v1/games/qwinto/nothing",
            "/v1/games/qwinto/charts/score",
            "/v1/games/qwinto/charts/.svg",
        ] {
            assert!(route_of(path).is_none(), "{path}");
        }
    }

    #[test]
    fn a_name_goes_before_what_is_left_open() {
        let template = |path| route_of(path).map(|route| route.template.as_str());
        assert_eq!(template("/v1/players/me/stats"), Some("/v1/players/{id}/stats"));
        assert_eq!(template("/v1/me/stream"), Some("/v1/me/stream"));
        assert_eq!(route_of("/v1/guests").map(Route::methods).as_deref(), Some("POST"));
    }
}
