//! Tables as CSV (RFC 4180): one line a row, the first one names the columns.

use std::fmt::Display;

/// A table that is being written; by default without a row that names the columns.
#[derive(Debug, Default)]
pub struct Csv(String);

impl Csv {
    /// A table with these columns.
    pub fn new(columns: impl IntoIterator<Item = impl Display>) -> Self {
        let mut table = Self::default();
        table.line(columns);
        table
    }

    /// Adds a row of values of many kinds.
    pub fn row(&mut self, cells: &[&dyn Display]) {
        self.line(cells);
    }

    /// Adds a row of values of one kind, however many there are.
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
        let mut table = Csv::new(["id", "label"]);
        table.row(&[&1, &"plain"]);
        table.line([cell(None::<u8>), "a \"b\", c\nd".to_owned()]);
        assert_eq!(table.finish(), "id,label\r\n1,plain\r\n,\"a \"\"b\"\", c\nd\"\r\n");
    }
}
