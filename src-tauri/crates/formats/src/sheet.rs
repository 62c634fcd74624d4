//! Tables: each row that says something, with the names of its columns.

use std::io::Cursor;

use calamine::{Data, Reader, Sheets, open_workbook_auto_from_rs};
use nexi_core::{place::Place, text::fold_space};

use crate::{Extracted, FormatError, Part};

/// Cells that are read of one document.
const MAX_CELLS: usize = 2_000_000;
/// Bytes of text that are kept of one document; tables have a place for every row.
const MAX_ROWS_TEXT: usize = 2 * 1024 * 1024;
/// Bytes of text that are kept of a cell.
const MAX_CELL: usize = 2000;

pub(crate) fn extract(bytes: &[u8]) -> Result<Extracted, FormatError> {
    let mut book = open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|error| {
        let words = error.to_string().to_lowercase();
        if words.contains("password") || words.contains("encrypt") { FormatError::Encrypted } else { FormatError::Broken }
    })?;
    let mut out = match &book {
        Sheets::Xlsx(_) => crate::word::properties(&mut crate::archive::Archive::open(bytes)?)?,
        _ => Extracted::default(),
    };
    let mut budget = Budget::default();
    for name in book.sheet_names() {
        let Ok(range) = book.worksheet_range(&name) else { continue };
        let Some(start) = range.start() else { continue };
        out.parts.push(Part::new(None, format!("# {name}")));
        let rows = range.rows().map(|row| Row {
            is_words: row.iter().all(|cell| matches!(cell, Data::String(_) | Data::Empty)),
            values: row.iter().map(said).collect(),
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
    let first = text.lines().next().unwrap_or_default();
    let delimiter = [b'\t', b';', b','].into_iter().max_by_key(|delimiter| first.bytes().filter(|byte| byte == delimiter).count());
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter.unwrap_or(b',')).from_reader(text.as_bytes());
    let mut out = Extracted::default();
    let rows = reader.records().map_while(Result::ok).map(|record| {
        let values: Vec<String> = record.iter().map(|value| nexi_core::text::truncate(&fold_space(value), MAX_CELL)).collect();
        Row { is_words: values.iter().all(|value| !value.bytes().any(|byte| byte.is_ascii_digit())), values }
    });
    put(rows, "", (0, 0), &mut Budget::default(), &mut out);
    Ok(out)
}

struct Row {
    values: Vec<String>,
    /// It holds no numbers, days or other values.
    is_words: bool,
}

/// What has been read of a document.
#[derive(Default)]
struct Budget {
    cells: usize,
    bytes: usize,
}

/// Adds the rows that say something; those behind a row of words alone have its words as names of their columns. False
/// when no more is read.
fn put(rows: impl Iterator<Item = Row>, sheet: &str, start: (u32, u32), budget: &mut Budget, out: &mut Extracted) -> bool {
    let mut header: Option<Vec<String>> = None;
    for (index, row) in rows.enumerate() {
        budget.cells += row.values.len();
        if budget.cells > MAX_CELLS || budget.bytes > MAX_ROWS_TEXT {
            out.cut = true;
            return false;
        }
        let Some(from) = row.values.iter().position(|value| !value.is_empty()) else { continue };
        let to = row.values.iter().rposition(|value| !value.is_empty()).unwrap_or(from);
        let number = start.0 + u32::try_from(index).unwrap_or(u32::MAX) + 1;
        let column = |at: usize| column(start.1 + u32::try_from(at).unwrap_or(u32::MAX));
        let cells =
            if from == to { format!("{}{number}", column(from)) } else { format!("{}{number}:{}{number}", column(from), column(to)) };
        let text = match &header {
            Some(names) => with_names(names, &row.values),
            None => row.values.iter().filter(|value| !value.is_empty()).cloned().collect::<Vec<_>>().join(" | "),
        };
        // A single cell in front of a table is its title.
        if header.is_none() && to > from && row.is_words {
            header = Some(row.values);
        }
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

fn said(cell: &Data) -> String {
    let text = match cell {
        Data::Empty | Data::Error(_) => String::new(),
        Data::String(text) | Data::DateTimeIso(text) => fold_space(text),
        Data::DurationIso(text) => clock(text),
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

    #[test]
    fn durations_may_be_longer_than_a_day() {
        assert_eq!(duration(1.5), "36:00:00");
    }
}
