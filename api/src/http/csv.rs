//! CSV (RFC 4180): one line per row; the first line names the columns.

use std::fmt::Display;

use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// CSV under construction; [`Csv::default`] has no header line.
#[derive(Debug, Default)]
pub struct Csv(String);

impl Csv {
    /// CSV with these columns.
    pub fn new(columns: impl IntoIterator<Item = impl Display>) -> Self {
        let mut csv = Self::default();
        csv.line(columns);
        csv
    }

    /// Adds a row of values of different types.
    pub fn row(&mut self, cells: &[&dyn Display]) {
        self.line(cells);
    }

    /// Adds a row of any number of values of one type.
    pub fn line(&mut self, cells: impl IntoIterator<Item = impl Display>) {
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                self.0.push(',');
            }
            let text = cell.to_string();
            if text.contains([',', '"', '\r', '\n']) {
                self.0.push('"');
                self.0.push_str(&text.replace('"', "\"\""));
                self.0.push('"');
            } else {
                self.0.push_str(&text);
            }
        }
        self.0.push_str("\r\n");
    }

    /// The text.
    #[must_use]
    pub fn finish(self) -> String {
        self.0
    }
}

/// A cell that is empty without a value.
#[must_use]
pub fn cell(value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A cell with a point in time, as RFC 3339.
#[must_use]
pub fn time_cell(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).expect("the log has years of four digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_quotes_and_line_breaks_are_quoted() {
        let mut csv = Csv::new(["id", "label"]);
        csv.row(&[&1, &"plain"]);
        csv.line([cell(None::<u8>), "a \"b\", c\nd".to_owned()]);
        assert_eq!(csv.finish(), "id,label\r\n1,plain\r\n,\"a \"\"b\"\", c\nd\"\r\n");
    }
}
