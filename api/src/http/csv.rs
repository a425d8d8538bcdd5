//! Tables as CSV (RFC 4180): one line a row, the first one names the columns.

use std::fmt::{Display, Write};

/// A table that is being written.
#[derive(Debug)]
pub struct Csv(String);

impl Csv {
    /// A table with these columns.
    #[must_use]
    pub fn new(columns: &[&str]) -> Self {
        let mut table = Self(String::new());
        table.row(&columns.iter().map(|column| column as &dyn Display).collect::<Vec<_>>());
        table
    }

    /// Adds a row.
    pub fn row(&mut self, cells: &[&dyn Display]) {
        for (index, cell) in cells.iter().enumerate() {
            if index > 0 {
                self.0.push(',');
            }
            let text = cell.to_string();
            let written = if text.contains([',', '"', '\r', '\n']) {
                write!(self.0, "\"{}\"", text.replace('"', "\"\""))
            } else {
                write!(self.0, "{text}")
            };
            // Nothing that writes to a text fails.
            written.unwrap_or_default();
        }
        self.0.push_str("\r\n");
    }

    /// The table.
    #[must_use]
    pub fn finish(self) -> String {
        self.0
    }
}

/// A cell that is left empty where there is nothing.
#[must_use]
pub fn cell(value: Option<impl Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_quotes_and_line_breaks_are_quoted() {
        let mut table = Csv::new(&["id", "label"]);
        table.row(&[&1, &"plain"]);
        table.row(&[&cell(None::<u8>), &"a \"b\", c\nd"]);
        assert_eq!(table.finish(), "id,label\r\n1,plain\r\n,\"a \"\"b\"\", c\nd\"\r\n");
    }
}
