//! The outlines of shapes.

use super::{number, rounded};

/// The outline of a shape.
#[derive(Debug, Clone, Default)]
pub struct Path(pub(super) String);

impl Path {
    /// Begins at a point.
    #[must_use]
    pub fn from(x: f64, y: f64) -> Self {
        Self::default().and_from(x, y)
    }

    /// A closed polygon.
    #[must_use]
    pub fn polygon(points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut path = Self::default();
        let mut before = None;
        for (x, y) in points {
            // Relative steps are shorter than absolute points; taken between rounded points, they do not drift.
            let (x, y) = (rounded(x), rounded(y));
            path = match before {
                None => path.and_from(x, y),
                Some((from_x, from_y)) => path.add('l', &[x - from_x, y - from_y]),
            };
            before = Some((x, y));
        }
        path.close()
    }

    /// A polygon with equal sides, the first corner on top.
    #[must_use]
    pub fn regular(corners: u8, (x, y): (f64, f64), radius: f64, turned: f64) -> Self {
        let step = std::f64::consts::TAU / f64::from(corners.max(1));
        Self::polygon((0..corners).map(|corner| {
            let angle = step * f64::from(corner) + turned;
            (x + radius * angle.sin(), y - radius * angle.cos())
        }))
    }

    fn add(mut self, letter: char, values: &[f64]) -> Self {
        self.0.push(letter);
        for (index, value) in values.iter().enumerate() {
            let text = number(*value);
            if index > 0 && !text.starts_with('-') {
                self.0.push(' ');
            }
            self.0.push_str(&text);
        }
        self
    }

    /// Moves to another point.
    #[must_use]
    pub fn and_from(self, x: f64, y: f64) -> Self {
        self.add('M', &[x, y])
    }

    /// A straight line.
    #[must_use]
    pub fn to(self, x: f64, y: f64) -> Self {
        self.add('L', &[x, y])
    }

    /// A quadratic curve with this control point.
    #[must_use]
    pub fn bend(self, towards: (f64, f64), to: (f64, f64)) -> Self {
        self.add('Q', &[towards.0, towards.1, to.0, to.1])
    }

    /// Closes the outline.
    #[must_use]
    pub fn close(mut self) -> Self {
        self.0.push('Z');
        self
    }

    /// Whether the path is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
