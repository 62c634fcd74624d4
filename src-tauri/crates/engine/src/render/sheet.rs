//! Tables of spreadsheets and of values between commas, for the reader. Their text has a paragraph for each row, with the
//! names of the columns; here they are tables again.

use std::fmt::Write;

use nexi_core::{place::Place, ports::Page};

use super::{CLEANER, escape};

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
                    let _ = write!(out, "<h2>{}</h2>", escape(line.trim_start_matches(['#', ' '])));
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
        let cells = match self.names.as_slice() {
            [] => line.split(" | ").map(|cell| (None, cell)).collect(),
            names => named_cells(names, line),
        };
        // A single cell in front of a table is its title. The first row of several has the names, or is one like the others.
        let is_head = self.names.is_empty() && cells.len() > 1;
        let tag = if is_head && self.head.is_empty() { "th" } else { "td" };
        let mut row = String::from("<tr>");
        for (name, value) in cells.iter().take(MAX_COLUMNS) {
            let said = name.map(|name| format!("<span class=\"said-only\">{}: </span>", escape(name))).unwrap_or_default();
            let _ = write!(row, "<{tag}>{said}{}</{tag}>", escape(value));
        }
        row.push_str("</tr>");
        if tag == "th" {
            self.head = row;
            self.names = cells.into_iter().map(|(_, name)| name.to_owned()).collect();
        } else {
            self.rows.push_str(&row);
        }
    }

    fn end(&mut self, out: &mut String) {
        let Self { head, rows, .. } = std::mem::take(self);
        if !head.is_empty() || !rows.is_empty() {
            let _ = write!(out, "<table><thead>{head}</thead><tbody>{rows}</tbody></table>");
        }
    }
}

/// The cells of a row such as `Name: Bolts; Price: 3.2`, column by column, with the names that its text has. Columns without
/// a name stand in front of the others; a row that has none of the names is one whose cells stand between bars.
fn named_cells<'a>(names: &'a [String], line: &'a str) -> Vec<(Option<&'a str>, &'a str)> {
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
    let Some((_, first, _)) = starts.first() else { return line.split(" | ").map(|cell| (None, cell)).collect() };
    let mut out: Vec<(Option<&str>, &str)> = Vec::new();
    out.extend(line[..*first].strip_suffix("; ").filter(|front| !front.is_empty()).map(|front| (None, front)));
    let front = out.len();
    out.resize(front + names.len(), (None, ""));
    for (index, (column, _, start)) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(line.len(), |(_, next, _)| next.saturating_sub("; ".len()).max(*start));
        out[front + column] = (Some(&names[*column]), &line[*start..end]);
    }
    out
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

    #[test]
    fn titles_names_of_rows_and_tables_without_names_lose_nothing() {
        let page = |text: &str| {
            let count = text.split("\n\n").count() as u32;
            let lines = (1..=count).flat_map(|row| [row, row]).take(text.split('\n').count()).collect();
            let place = |row: u32| Place::Row { sheet: String::new(), cells: format!("A{row}:C{row}") };
            tables(&Page { text: text.into(), lines, places: (1..=count).map(place).collect(), ..Page::default() }).unwrap()
        };
        let titled = page("Stock of 2024\n\nItem | Price\n\nItem: Rope; Price: 48");
        assert!(titled.contains("<td>Stock of 2024</td>") && titled.contains("<th>Item</th><th>Price</th>"), "{titled}");
        assert!(titled.contains("Price: </span>48</td>"), "{titled}");
        let labelled = page("Jan | Feb\n\nBolts; Jan: 3; Feb: 4");
        assert!(labelled.contains("<td>Bolts</td>") && labelled.contains("Feb: </span>4</td>"), "{labelled}");
        let plain = page("12 | 14\n\n3 | 4");
        assert!(plain.contains("<td>3</td><td>4</td>"), "{plain}");
    }
}
