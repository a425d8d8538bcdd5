//! The rules of every match.

use domain::{
    game::Refusal,
    matches::{self, MatchRefusal},
    text::Lang,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{BothLanguages, RefusalReason};

/// The rules of every match.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchRules {
    /// The rules in Markdown; each begins with its number in bold, such as `**M6**`.
    pub rules: BothLanguages,
    /// The reasons for which a command can be refused.
    pub refusals: Vec<RefusalReason>,
}

impl MatchRules {
    /// The rules, with the refusals in a language.
    #[must_use]
    pub fn new(lang: Lang) -> Self {
        let refusals = MatchRefusal::ALL.iter().map(|refusal| {
            let info = refusal.info();
            RefusalReason {
                code: info.code.to_owned(),
                rule: info.rule,
                detail: info.text.get(lang),
            }
        });
        Self { rules: matches::RULES.into(), refusals: refusals.collect() }
    }
}
