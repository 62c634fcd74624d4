//! Tables of Markdown as a terminal shows them: in columns that fit.

use unicode_width::UnicodeWidthChar;

use crate::markup::Markup;

/// Blanks between columns.
const GAP: usize = 2;
/// A column is as wide as its longest word, but for words longer than this, which are cut.
const LONGEST_WORD: usize = 24;
/// Begins and ends a block of code.
const FENCE: &str = "```";

/// Lays out the tables of a text, however it is cut into pieces. A table is held back until it is whole; everything else goes
/// through as it comes.
#[derive(Debug)]
pub struct Tables {
    /// Columns of the terminal.
    width: usize,
    /// Whether marks become colours, and so take no room.
    colour: bool,
    /// The rows so far.
    held: Vec<String>,
    /// The row that is being written.
    row: String,
    line: Line,
    /// What the line begins with, as far as it tells a fence.
    start: String,
    fenced: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Nothing but blanks so far, which are in `row`.
    Beginning,
    Row,
    Text,
}

impl Tables {
    pub fn new(width: usize, colour: bool) -> Self {
        Self { width, colour, held: Vec::new(), row: String::new(), line: Line::Beginning, start: String::new(), fenced: false }
    }

    /// The next piece, as far as it belongs to no table that goes on.
    pub fn push(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            self.take(c, &mut out);
        }
        out
    }

    /// What was held back.
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        let rest = std::mem::take(&mut self.row);
        if self.line == Line::Row {
            self.held.push(rest);
            self.end_table(&mut out);
            out.pop();
        } else {
            self.end_table(&mut out);
            out.push_str(&rest);
        }
        *self = Self::new(self.width, self.colour);
        out
    }

    fn take(&mut self, c: char, out: &mut String) {
        if c == '\n' {
            return self.end_line(out);
        }
        if !c.is_whitespace() && self.start.len() < FENCE.len() {
            self.start.push(c);
        }
        match self.line {
            Line::Text => out.push(c),
            Line::Row => self.row.push(c),
            Line::Beginning if c.is_whitespace() => self.row.push(c),
            Line::Beginning if c == '|' && !self.fenced => {
                self.line = Line::Row;
                self.row.push(c);
            }
            Line::Beginning => {
                self.line = Line::Text;
                self.end_table(out);
                out.push_str(&std::mem::take(&mut self.row));
                out.push(c);
            }
        }
    }

    fn end_line(&mut self, out: &mut String) {
        if self.start == FENCE {
            self.fenced = !self.fenced;
        }
        let row = std::mem::take(&mut self.row);
        if self.line == Line::Row {
            self.held.push(row);
        } else {
            self.end_table(out);
            out.push_str(&row);
            out.push('\n');
        }
        self.start.clear();
        self.line = Line::Beginning;
    }

    fn end_table(&mut self, out: &mut String) {
        let held = std::mem::take(&mut self.held);
        for line in laid_out(&held, self.width, self.colour).unwrap_or(held) {
            out.push_str(&line);
            out.push('\n');
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Align {
    Left,
    Centre,
    Right,
}

/// The lines of a table; none where these are not the rows of one.
fn laid_out(rows: &[String], width: usize, colour: bool) -> Option<Vec<String>> {
    let [header, rule, body @ ..] = rows else { return None };
    let aligns: Vec<Align> = cells(rule).iter().map(|cell| align(cell)).collect::<Option<_>>()?;
    let header = cells(header);
    if header.len() != aligns.len() {
        return None;
    }
    let body: Vec<Vec<String>> = body
        .iter()
        .map(|row| {
            let mut row = cells(row);
            // A bar too many belongs to the text.
            let more = row.split_off(header.len().min(row.len()));
            if let (Some(last), false) = (row.last_mut(), more.is_empty()) {
                *last = format!("{last} | {}", more.join(" | "));
            }
            row.resize(header.len(), String::new());
            row
        })
        .collect();
    let measure = |text: &str| shown_width(text, colour);
    let of_column = |at: usize, measure: &dyn Fn(&str) -> usize| {
        std::iter::once(&header).chain(&body).map(|row| measure(&row[at])).max().unwrap_or_default()
    };
    let words = |text: &str| text.split(' ').map(&measure).max().unwrap_or_default().min(LONGEST_WORD);
    let natural: Vec<usize> = (0..header.len()).map(|at| of_column(at, &measure).max(1)).collect();
    let least: Vec<usize> = (0..header.len()).map(|at| of_column(at, &words).max(1)).collect();
    let room = width.saturating_sub(GAP * (header.len() - 1));
    let Some(widths) = fitting(&natural, &least, room) else { return Some(as_records(&header, &body)) };
    let heads: Vec<String> = header
        .iter()
        .map(|cell| if colour && !cell.is_empty() && !cell.contains("**") { format!("**{cell}**") } else { cell.clone() })
        .collect();
    let mut out = lines_of(&heads, &widths, &aligns, colour);
    out.push(widths.iter().map(|width| "─".repeat(*width)).collect::<Vec<_>>().join(&" ".repeat(GAP)));
    // When any cell wraps, blank lines separate the rows.
    let rows: Vec<Vec<String>> = body.iter().map(|row| lines_of(row, &widths, &aligns, colour)).collect();
    let is_loose = rows.iter().any(|row| row.len() > 1);
    for (at, row) in rows.into_iter().enumerate() {
        if is_loose && at > 0 {
            out.push(String::new());
        }
        out.extend(row);
    }
    Some(out)
}

/// How wide each column is, so that all fit; none where they cannot. Narrow ones keep their width, and wide ones share the rest.
fn fitting(natural: &[usize], least: &[usize], room: usize) -> Option<Vec<usize>> {
    let at_most = |most: usize| natural.iter().zip(least).map(|(natural, least)| (*natural).min(most).max(*least)).collect::<Vec<_>>();
    let widest = natural.iter().max().copied().unwrap_or_default();
    (1..=widest).rev().map(at_most).find(|widths| widths.iter().sum::<usize>() <= room)
}

/// Rows below each other, for tables that are wider than the terminal.
fn as_records(header: &[String], body: &[Vec<String>]) -> Vec<String> {
    let row = |row: &Vec<String>| {
        let named = header.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        named.map(|(name, cell)| if name.is_empty() { format!("- {cell}") } else { format!("- {name}: {cell}") }).collect::<Vec<_>>()
    };
    if body.is_empty() {
        return vec![header.join(", ")];
    }
    body.iter().map(row).collect::<Vec<_>>().join(&String::new())
}

/// One row, whose cells may take several lines.
fn lines_of(row: &[String], widths: &[usize], aligns: &[Align], colour: bool) -> Vec<String> {
    let cells: Vec<Vec<String>> = row.iter().zip(widths).map(|(cell, width)| wrapped(cell, *width, colour)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or_default();
    let line = |at: usize| {
        let mut line = String::new();
        for ((cell, width), align) in cells.iter().zip(widths).zip(aligns) {
            let text = cell.get(at).map_or("", String::as_str);
            let free = width.saturating_sub(shown_width(text, colour));
            let before = match align {
                Align::Left => 0,
                Align::Centre => free / 2,
                Align::Right => free,
            };
            line.push_str(&" ".repeat(before));
            line.push_str(text);
            line.push_str(&" ".repeat(free - before + GAP));
        }
        line.trim_end().to_owned()
    };
    (0..height).map(line).collect()
}

/// A cell in lines of at most this width. Bold and code that reach over the end of a line are closed there and go on in the next.
fn wrapped(cell: &str, width: usize, colour: bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in cell.split(' ').flat_map(|word| pieces(word, width, colour)) {
        let longer = if line.is_empty() { word.clone() } else { format!("{line} {word}") };
        if !line.is_empty() && shown_width(&longer, colour) > width {
            lines.push(std::mem::replace(&mut line, word));
        } else {
            line = longer;
        }
    }
    lines.push(line);
    let mut open = String::new();
    for line in &mut lines {
        line.insert_str(0, &open);
        open = open_marks(line);
        line.push_str(&open.chars().rev().collect::<String>());
    }
    lines
}

/// A word that is longer than a line, cut.
fn pieces(word: &str, width: usize, colour: bool) -> Vec<String> {
    if shown_width(word, colour) <= width {
        return vec![word.to_owned()];
    }
    let mut pieces = vec![String::new()];
    for c in word.chars() {
        let last = pieces.len() - 1;
        if shown_width(&pieces[last], false) + c.width().unwrap_or_default() > width && !pieces[last].is_empty() {
            pieces.push(c.to_string());
        } else {
            pieces[last].push(c);
        }
    }
    pieces
}

/// The marks that a line leaves open.
fn open_marks(line: &str) -> String {
    if line.matches('`').count() % 2 == 1 {
        return "`".to_owned();
    }
    if line.matches("**").count() % 2 == 1 { "**".to_owned() } else { String::new() }
}

/// The cells of a row. Bars behind a backslash belong to the text.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let mut cells = vec![String::new()];
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        let last = cells.len() - 1;
        match c {
            '\\' if chars.peek() == Some(&'|') => {
                chars.next();
                cells[last].push('|');
            }
            '|' => cells.push(String::new()),
            _ => cells[last].push(c),
        }
    }
    // Behind the last bar there is nothing.
    if row.ends_with('|') && !row.ends_with("\\|") {
        cells.pop();
    }
    cells.iter().map(|cell| cell.replace("<br>", " ").split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// What a cell of the second row says of its column; none where it is no such row.
fn align(cell: &str) -> Option<Align> {
    let dashes = cell.trim_matches(':');
    if dashes.is_empty() || !dashes.bytes().all(|byte| byte == b'-') {
        return None;
    }
    Some(match (cell.starts_with(':'), cell.ends_with(':')) {
        (true, true) => Align::Centre,
        (_, true) => Align::Right,
        _ => Align::Left,
    })
}

/// How much room a text takes, once its marks have become colours.
fn shown_width(text: &str, colour: bool) -> usize {
    let mut markup = Markup::default();
    let shown = if colour { markup.push(text) + &markup.finish() } else { text.to_owned() };
    let mut width = 0;
    let mut in_colour = false;
    for c in shown.chars() {
        match c {
            '\x1b' => in_colour = true,
            'm' if in_colour => in_colour = false,
            _ if in_colour => {}
            _ => width += c.width().unwrap_or_default(),
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, width: usize) -> String {
        let mut tables = Tables::new(width, true);
        let whole = tables.push(text) + &tables.finish();
        // However it is cut, it comes out the same.
        let cut: String = text.chars().map(|c| tables.push(&c.to_string())).collect();
        assert_eq!(cut + &tables.finish(), whole, "{text}");
        whole
    }

    #[test]
    fn columns_are_aligned() {
        let table =
            "A\n\n| Name | Height (m) | Note |\n|---|---:|:---:|\n| **Kestrel** [1] | 12.5 | `a` |\n| Owl | 100 | one \\| two |\n\nB";
        assert_eq!(
            shown(table, 60),
            "A\n\n**Name**         **Height (m)**    **Note**\n───────────  ──────────  ─────────\n**Kestrel** [1]        12.5      `a`\nOwl                 100  one | two\n\nB"
        );
        // With nothing to take the marks away, they take room.
        let mut tables = Tables::new(60, false);
        assert_eq!(tables.push("| a | b |\n|-|-|\n| **c** | d |\n") + &tables.finish(), "a      b\n─────  ─\n**c**  d\n");
    }

    #[test]
    fn wide_cells_take_several_lines() {
        let table = "| Key | Meaning |\n|---|---|\n| a | it is **said to be** so |\n| b | short |\n";
        assert_eq!(shown(table, 16), "**Key**  **Meaning**\n───  ───────────\na    it is **said**\n     **to be** so\n\nb    short\n");
        let table = "| Name | Width | Height | Depth |\n|---|---|---|---|\n| Box | twelve | eleven | ten |\n";
        assert_eq!(shown(table, 20), "- Name: Box\n- Width: twelve\n- Height: eleven\n- Depth: ten\n");
    }

    #[test]
    fn what_is_no_table_stays() {
        for text in ["| a bar\nand | text", "|a|b|\n|c|d|\n", "```\n| a |\n|---|\n| b |\n```\n", "  indented\n\n  \nx", "| a |\n", "|---"] {
            assert_eq!(shown(text, 40), text);
        }
        assert_eq!(shown("| a |\n|---|\n| b |", 40), "**a**\n─\nb");
    }
}
