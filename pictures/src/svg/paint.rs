//! Colours, and how shapes are painted with them.

/// A named colour with a light and a dark version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tone {
    /// Part of its CSS classes.
    pub id: &'static str,
    /// In the light theme.
    pub light: &'static str,
    /// In the dark theme.
    pub dark: &'static str,
}

/// A colour from its name and its two versions.
#[must_use]
pub const fn tone(id: &'static str, light: &'static str, dark: &'static str) -> Tone {
    Tone { id, light, dark }
}

/// How a shape is painted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Paint {
    pub(super) fill: Option<Tone>,
    pub(super) stroke: Option<(Tone, f64)>,
    pub(super) opacity: Option<f64>,
    pub(super) dash: Option<f64>,
    pub(super) round: bool,
}

/// Filled.
#[must_use]
pub fn fill(tone: Tone) -> Paint {
    Paint { fill: Some(tone), ..Paint::default() }
}

/// Only outlined.
#[must_use]
pub fn stroke(tone: Tone, width: f64) -> Paint {
    Paint { stroke: Some((tone, width)), ..Paint::default() }
}

impl Paint {
    /// With an outline.
    #[must_use]
    pub fn outlined(self, tone: Tone, width: f64) -> Self {
        Self { stroke: Some((tone, width)), ..self }
    }

    /// Semi-transparent.
    #[must_use]
    pub fn faded(self, opacity: f64) -> Self {
        Self { opacity: Some(opacity), ..self }
    }

    /// With a dashed outline.
    #[must_use]
    pub fn dashed(self, length: f64) -> Self {
        Self { dash: Some(length), ..self }
    }

    /// With round ends and corners.
    #[must_use]
    pub fn round(self) -> Self {
        Self { round: true, ..self }
    }
}
