//! Why a move is refused.

use crate::text::Text;

/// A rule that a move broke: stable code, number of the rule in RULES.md, and a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefusalInfo {
    /// Stable, `snake_case`.
    pub code: &'static str,
    /// The rule in RULES.md, such as `R4.2`.
    pub rule: &'static str,
    /// Why, and what to do instead.
    pub text: Text,
}

/// The refusals of a game: an enum without fields, one variant per broken rule.
pub trait Refusal: Copy + 'static {
    /// Every refusal, for documentation and tests.
    const ALL: &'static [Self];

    /// Code, rule and text.
    fn info(self) -> RefusalInfo;
}
