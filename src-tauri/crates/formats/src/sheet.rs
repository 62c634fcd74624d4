//! Tables: each row that says something, with the names of its columns.

mod annotations;

use std::io::Cursor;

use annotations::Annotations;
use calamine::{Data, Reader, Sheets, open_workbook_auto_from_rs};
use nexi_core::{place::Place, text::fold_space};

use crate::{Extracted, FormatError, Part, archive::Archive, word::properties};

/// Cells that are read of one document.
const MAX_CELLS: usize = 2_000_000;
/// Bytes of text that are kept of one document; tables have a place for every row.
const MAX_ROWS_TEXT: usize = 2 * 1024 * 1024;
/// Bytes of text that are kept of a cell.
const MAX_CELL: usize = 2000;
/// Lines that tell what stands between the values.
const LINES_LOOKED_AT: usize = 20;

pub(crate) fn extract(bytes: &[u8]) -> Result<Extracted, FormatError> {
    let mut book = open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|error| {
        let words = error.to_string().to_lowercase();
        if words.contains("password") || words.contains("encrypt") { FormatError::Encrypted } else { FormatError::Broken }
    })?;
    let mut archive = matches!(book, Sheets::Xlsx(_)).then(|| Archive::open(bytes)).transpose()?;
    let mut out = archive.as_mut().map(properties).transpose()?.unwrap_or_default();
    let mut annotations = archive.map(Annotations::new);
    let mut budget = Budget::default();
    for name in book.sheet_names() {
        let Ok(range) = book.worksheet_range(&name) else {
            out.unread.push(format!("“{name}”"));
            continue;
        };
        let Some(start) = range.start() else { continue };
        let own = annotations.as_mut().map(|annotations| annotations.of(&name)).unwrap_or_default();
        out.parts.push(Part::new(None, format!("# {name}")));
        let is_percentage = |row: u32, column: u32| own.percentages.contains(&(row, column));
        let rows = (start.0..).zip(range.rows()).map(|(number, row)| Row {
            is_words: row.iter().all(|cell| matches!(cell, Data::String(_) | Data::Empty)),
            values: (start.1..).zip(row).map(|(column, cell)| said(cell, is_percentage(number, column))).collect(),
            blank_before: 0,
            comments: own.comments.get(&number).cloned().unwrap_or_default(),
        });
        if !put(rows, &name, start, &mut budget, &mut out) {
            break;
        }
    }
    Ok(out)
}

/// Values that stand between commas, semicolons or tabs.
pub(crate) fn delimited(bytes: &[u8]) -> Result<Extracted, FormatError> {
    let text = crate::decode(bytes);
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter_of(&text)).from_reader(text.as_bytes());
    let mut out = Extracted::default();
    let rows = reader.records().map_while(Result::ok).map(|record| {
        let blank_before = blank_lines(text.as_bytes(), record.position().map_or(0, csv::Position::byte));
        let values: Vec<String> = record.iter().map(|value| nexi_core::text::truncate(&fold_space(value), MAX_CELL)).collect();
        let is_word = |value: &String| value.is_empty() || value.chars().next().is_some_and(char::is_alphabetic);
        Row { is_words: values.iter().all(is_word), values, blank_before, comments: Vec::new() }
    });
    put(rows, "", (0, 0), &mut Budget::default(), &mut out);
    Ok(out)
}

struct Row {
    values: Vec<String>,
    /// It holds no numbers, days or other values.
    is_words: bool,
    /// Empty rows in front of it that are not among the rows.
    blank_before: u32,
    /// What is noted on its cells.
    comments: Vec<String>,
}

/// The empty lines where a record is looked for: its reader leaves them out, but they are rows for every other program.
fn blank_lines(text: &[u8], at: u64) -> u32 {
    let (before, rest) = text.split_at(usize::try_from(at).unwrap_or_default().min(text.len()));
    // The rest of the end of the line before.
    let rest = rest.strip_prefix(b"\n").filter(|_| before.ends_with(b"\r")).unwrap_or(rest);
    let blank = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).filter(|byte| **byte == b'\n').count();
    u32::try_from(blank).unwrap_or(u32::MAX)
}

/// What stands between the values: of most lines of the beginning the same number, and as many as possible.
fn delimiter_of(text: &str) -> u8 {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(LINES_LOOKED_AT).collect();
    let score = |delimiter: &u8| {
        let counts: Vec<usize> = lines.iter().map(|line| line.bytes().filter(|byte| byte == delimiter).count()).collect();
        let alike = |count: usize| counts.iter().filter(|other| **other == count).count();
        counts.iter().filter(|count| **count > 0).map(|count| (alike(*count), *count)).max().unwrap_or_default()
    };
    [b',', b';', b'\t'].into_iter().max_by_key(score).unwrap_or(b',')
}

/// Whether these are words and consecutive years, as the columns of a table over years are called.
fn are_years(values: &[String]) -> bool {
    let year = |value: &String| value.parse::<i32>().ok().filter(|year| value.len() == 4 && (1500..2200).contains(year));
    let years: Vec<i32> = values.iter().filter_map(year).collect();
    let others_are_words = values.iter().all(|value| year(value).is_some() || !value.bytes().any(|byte| byte.is_ascii_digit()));
    others_are_words && years.len() > 1 && years.windows(2).all(|pair| (pair[1] - pair[0]).abs() == 1)
}

/// What has been read of a document.
#[derive(Default)]
struct Budget {
    cells: usize,
    bytes: usize,
}

/// Adds the rows that say something; those behind a row that names columns have its names. A title may stand in front of
/// it, but no row that is as wide: that one is the first of a table without names. False when no more is read.
fn put(rows: impl Iterator<Item = Row>, sheet: &str, start: (u32, u32), budget: &mut Budget, out: &mut Extracted) -> bool {
    let mut header: Option<Vec<String>> = None;
    let (mut widest, mut blank) = (1, 0);
    for (index, row) in rows.enumerate() {
        blank += row.blank_before;
        budget.cells += row.values.len();
        if budget.cells > MAX_CELLS || budget.bytes > MAX_ROWS_TEXT {
            out.cut = true;
            return false;
        }
        let Some(from) = row.values.iter().position(|value| !value.is_empty()) else { continue };
        let to = row.values.iter().rposition(|value| !value.is_empty()).unwrap_or(from);
        let number = start.0 + u32::try_from(index).unwrap_or(u32::MAX).saturating_add(blank) + 1;
        let column = |at: usize| column(start.1 + u32::try_from(at).unwrap_or(u32::MAX));
        let cells =
            if from == to { format!("{}{number}", column(from)) } else { format!("{}{number}:{}{number}", column(from), column(to)) };
        let mut text = match &header {
            Some(names) => with_names(names, &row.values),
            None => row.values.iter().filter(|value| !value.is_empty()).cloned().collect::<Vec<_>>().join(" | "),
        };
        for comment in &row.comments {
            text.push_str(&format!("; {comment}"));
        }
        let filled = row.values.iter().filter(|value| !value.is_empty()).count();
        if header.is_none() && filled > widest && (row.is_words || are_years(&row.values)) {
            header = Some(row.values);
        }
        widest = widest.max(filled);
        budget.bytes += text.len();
        out.parts.push(Part::new(Place::Row { sheet: sheet.to_owned(), cells }, text));
    }
    true
}

/// `Name: Bolts; Price: 3.2`
fn with_names(names: &[String], values: &[String]) -> String {
    let named = values.iter().enumerate().filter(|(_, value)| !value.is_empty()).map(|(at, value)| match names.get(at) {
        Some(name) if !name.is_empty() => format!("{name}: {value}"),
        _ => value.clone(),
    });
    named.collect::<Vec<_>>().join("; ")
}

fn said(cell: &Data, is_percentage: bool) -> String {
    let text = match cell {
        Data::Empty | Data::Error(_) => String::new(),
        Data::String(text) | Data::DateTimeIso(text) => fold_space(text),
        Data::DurationIso(text) => clock(text),
        Data::Int(number) if is_percentage => annotations::percentage(*number as f64),
        Data::Float(number) if is_percentage => annotations::percentage(*number),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::Bool(true) => "yes".into(),
        Data::Bool(false) => "no".into(),
        Data::DateTime(time) if time.is_duration() => duration(time.as_f64()),
        Data::DateTime(time) => moment(time.as_f64(), time.to_ymd_hms_milli()),
    };
    nexi_core::text::truncate(&text, MAX_CELL)
}

fn moment(days: f64, (year, month, day, hour, minute, second, _): (u16, u8, u8, u8, u8, u8, u16)) -> String {
    let time = format!("{hour:02}:{minute:02}:{second:02}");
    if days < 1.0 {
        return time;
    }
    let date = format!("{year:04}-{month:02}-{day:02}");
    if days.fract() == 0.0 { date } else { format!("{date} {time}") }
}

fn duration(days: f64) -> String {
    let seconds = (days * 86_400.0).round() as i64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// `PT14H20M00S` as `14:20:00`.
fn clock(iso: &str) -> String {
    let parts: Option<Vec<u32>> = iso.strip_prefix("PT").and_then(|rest| {
        rest.split_inclusive(['H', 'M', 'S']).map(|part| part.trim_end_matches(['H', 'M', 'S']).split('.').next()?.parse().ok()).collect()
    });
    match parts.as_deref() {
        Some([hours, minutes, seconds]) => format!("{hours}:{minutes:02}:{seconds:02}"),
        _ => iso.to_owned(),
    }
}

/// `A` for 0, `AA` for 26.
fn column(mut at: u32) -> String {
    let mut out = String::new();
    loop {
        out.insert(0, char::from(b'A' + u8::try_from(at % 26).unwrap_or_default()));
        at /= 26;
        if at == 0 {
            return out;
        }
        at -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        for (at, letters) in [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA"), (16_383, "XFD")] {
            assert_eq!(column(at), letters);
        }
    }

    fn rows_of(text: &str) -> Vec<String> {
        let part = |part: Part| match part.place {
            Some(Place::Row { cells, .. }) => format!("{cells} {}", part.text),
            _ => part.text,
        };
        delimited(text.as_bytes()).unwrap().parts.into_iter().map(part).collect()
    }

    #[test]
    fn columns_have_the_names_that_stand_above_them() {
        assert_eq!(rows_of("Land,2022,2023\nOryxland,n/a,offen\nDodoland,7,9\n")[2], "A3:C3 Land: Dodoland; 2022: 7; 2023: 9");
        assert_eq!(rows_of("id1,city2\nAnna,Berlin\nMaria,Bremen\n")[2], "A3:B3 id1: Maria; city2: Bremen");
        assert_eq!(rows_of("1,Bolts\n2,Nuts\nthree,Nails\n4,Screws\n")[3], "A4:B4 4 | Screws", "it has no names");
        assert_eq!(
            rows_of("Sales of June\n\nItem;Price\nBolts;12,50\n\nNuts;3,10\n"),
            ["A1 Sales of June", "A3:B3 Item | Price", "A4:B4 Item: Bolts; Price: 12,50", "A6:B6 Item: Nuts; Price: 3,10",]
        );
        assert_eq!(rows_of("a,b\r\n1,2\r\n\r\n3,4\r\n")[2], "A4:B4 a: 3; b: 4");
        assert_eq!(rows_of("a,b\n\"x\ny\",2\nz,3\n")[2], "A3:B3 a: z; b: 3", "a cell of two lines is one row");
    }

    #[test]
    fn durations_may_be_longer_than_a_day() {
        assert_eq!(duration(1.5), "36:00:00");
    }
}
