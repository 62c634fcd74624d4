//! Tables of spreadsheets and of values between commas, for the reader. Their text has a paragraph for each row, with the
//! names of the columns; here they are tables again.

use std::fmt::Write;

use nexi_core::{place::Place, ports::Page};

use super::CLEANER;

/// Columns of a table that are shown.
const MAX_COLUMNS: usize = 60;

/// The tables of a page as cleaned HTML; none where it has no rows of a table. The words of a row stay in their order, those
/// that only its text has are there for who looks for a passage or hears the page read.
pub fn tables(page: &Page) -> Option<String> {
    page.places.iter().any(|place| matches!(place, Place::Row { .. })).then(|| {
        let mut out = String::new();
        let mut table = Table::default();
        for (line, number) in page.text.split('\n').zip(&page.lines) {
            let place = number.checked_sub(1).and_then(|at| page.places.get(at as usize));
            match place {
                _ if line.trim().is_empty() => {}
                Some(Place::Row { .. }) => table.add(line),
                _ => {
                    table.end(&mut out);
                    let _ = write!(out, "<h2>{}</h2>", escaped(line.trim_start_matches(['#', ' '])));
                }
            }
        }
        table.end(&mut out);
        CLEANER.clean(&out).to_string()
    })
}

/// A table that is being read.
#[derive(Default)]
struct Table {
    names: Vec<String>,
    head: String,
    rows: String,
}

impl Table {
    fn add(&mut self, line: &str) {
        if self.names.is_empty() {
            let cells: Vec<&str> = line.split(" | ").collect();
            // A single cell in front of a table is its title; rows before the names have none.
            let is_head = cells.len() > 1 && self.rows.is_empty();
            let tag = if is_head { "th" } else { "td" };
            let row: String = cells.iter().take(MAX_COLUMNS).map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
            let _ = write!(if is_head { &mut self.head } else { &mut self.rows }, "<tr>{row}</tr>");
            if is_head {
                self.names = cells.into_iter().map(str::to_owned).collect();
            }
            return;
        }
        let values = values(&self.names, line);
        self.rows.push_str("<tr>");
        for (at, value) in values.iter().enumerate().take(MAX_COLUMNS) {
            let name = self.names.get(at).filter(|name| !name.is_empty() && !value.is_empty());
            let said = name.map(|name| format!("<span class=\"said-only\">{}: </span>", escaped(name))).unwrap_or_default();
            let _ = write!(self.rows, "<td>{said}{}</td>", escaped(value));
        }
        self.rows.push_str("</tr>");
    }

    fn end(&mut self, out: &mut String) {
        let Self { head, rows, .. } = std::mem::take(self);
        if !head.is_empty() || !rows.is_empty() {
            let _ = write!(out, "<table><thead>{head}</thead><tbody>{rows}</tbody></table>");
        }
    }
}

/// The values of a row such as `Name: Bolts; Price: 3.2`, column by column.
fn values<'a>(names: &[String], line: &'a str) -> Vec<&'a str> {
    let mut starts: Vec<(usize, usize, usize)> = Vec::new();
    let mut from = 0;
    for (column, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let label = format!("{name}: ");
        // At the beginning, or behind a value.
        let found = line[from..].match_indices(&label).map(|(at, _)| from + at).find(|at| *at == 0 || line[..*at].ends_with("; "));
        if let Some(at) = found {
            starts.push((column, at, at + label.len()));
            from = at + label.len();
        }
    }
    let mut out = vec![""; names.len()];
    for (index, (column, _, start)) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(line.len(), |(_, next, _)| next.saturating_sub("; ".len()).max(*start));
        out[*column] = &line[*start..end];
    }
    if starts.is_empty() {
        return line.split("; ").collect();
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_tables_again() {
        let row = |cells: &str| Place::Row { sheet: "Stock".into(), cells: cells.into() };
        let page = Page {
            text: "# Stock\n\nItem | Price | Note\n\nItem: Rope; Price: 48; Note: 12 mm; red\n\nItem: <b>Oar</b>; Note: a: b".into(),
            lines: vec![0, 0, 1, 1, 2, 2, 3],
            places: vec![row("A1:C1"), row("A2:C2"), row("A3:C3")],
            ..Page::default()
        };
        let html = tables(&page).unwrap();
        assert!(html.starts_with("<h2>Stock</h2><table><thead><tr><th>Item</th><th>Price</th><th>Note</th></tr></thead>"), "{html}");
        assert!(html.contains("<td><span class=\"said-only\">Price: </span>48</td>"), "{html}");
        assert!(html.contains("</span>12 mm; red</td></tr>") && html.contains("&lt;b&gt;Oar&lt;/b&gt;</td><td></td><td>"), "{html}");
        assert_eq!(tables(&Page { text: "x".into(), ..Page::default() }), None);
    }
}
