//! Where in a document something stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A place in a document that is not a file of lines. Numbers count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Place {
    Page {
        number: u32,
    },
    Slide {
        number: u32,
    },
    /// A heading, and what stands below it.
    Section {
        name: String,
    },
    /// Of a text without headings.
    Paragraph {
        number: u32,
    },
    /// Of a book.
    Chapter {
        name: String,
    },
    /// A row of a table; `cells` is its first and last cell, such as `A3:D3`. Without a name where there is one sheet.
    Row {
        sheet: String,
        cells: String,
    },
    /// Of a notebook.
    Cell {
        number: u32,
    },
    /// One of several messages, by its sender, day and subject.
    Message {
        name: String,
    },
    /// Of a recording, as `0:01:12`.
    Time {
        at: String,
    },
}

/// As in `nexi ask` and in exports: `p. 3`, `slide 3`, `Budget!A3:D3`.
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Page { number } => write!(f, "p. {number}"),
            Place::Slide { number } => write!(f, "slide {number}"),
            Place::Section { name } | Place::Chapter { name } => write!(f, "“{name}”"),
            Place::Row { sheet, cells } if sheet.is_empty() => f.write_str(cells),
            Place::Row { sheet, cells } => write!(f, "{sheet}!{cells}"),
            Place::Paragraph { number } => write!(f, "paragraph {number}"),
            Place::Cell { number } => write!(f, "cell {number}"),
            Place::Message { name } => f.write_str(name),
            Place::Time { at } => f.write_str(at),
        }
    }
}

/// The part of a document that a passage fills: what reading takes as a range, and what people call it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct PassagePlace {
    /// The first and last of its lines; of its pages where `place` is one; else of the document's places. From 1.
    pub from: u32,
    pub to: u32,
    /// What the first is called, where the document has more than lines.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<Place>,
}

impl PassagePlace {
    /// How people write it: `lines 3-9`, `pp. 3-4`, `paragraphs 2-5`, `from A3:D3`. Of several sections, chapters or messages,
    /// only the first is named.
    pub fn label(&self) -> String {
        let more = self.to.saturating_sub(self.from);
        let range = |from: u32| format!("{from}-{}", from.saturating_add(more));
        match &self.place {
            None if more == 0 => format!("line {}", self.from),
            None => format!("lines {}", range(self.from)),
            Some(Place::Page { number }) if more > 0 => format!("pp. {}", range(*number)),
            Some(Place::Slide { number }) if more > 0 => format!("slides {}", range(*number)),
            Some(Place::Paragraph { number }) if more > 0 => format!("paragraphs {}", range(*number)),
            Some(Place::Cell { number }) if more > 0 => format!("cells {}", range(*number)),
            Some(place @ Place::Row { .. }) if more > 0 => format!("from {place}"),
            Some(place) => place.to_string(),
        }
    }
}

/// How a model reads it, which passes the numbers to `document_read`: `lines 3-9`, `pages 3-4`, `place 7, “Methods”`.
impl std::fmt::Display for PassagePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = match &self.place {
            None => "line",
            Some(Place::Page { .. }) => "page",
            Some(_) => "place",
        };
        if self.from == self.to {
            write!(f, "{unit} {}", self.from)?;
        } else {
            write!(f, "{unit}s {}-{}", self.from, self.to)?;
        }
        match &self.place {
            None | Some(Place::Page { .. }) => Ok(()),
            Some(place) => write!(f, ", {place}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_models_are_told_where_a_passage_stands() {
        let told = |from, to, place| {
            let place = PassagePlace { from, to, place };
            (place.label(), place.to_string())
        };
        let said = |label: &str, model: &str| (label.to_owned(), model.to_owned());
        assert_eq!(told(3, 3, None), said("line 3", "line 3"));
        assert_eq!(told(3, 9, None), said("lines 3-9", "lines 3-9"));
        assert_eq!(told(3, 4, Some(Place::Page { number: 3 })), said("pp. 3-4", "pages 3-4"));
        assert_eq!(told(2, 5, Some(Place::Paragraph { number: 2 })), said("paragraphs 2-5", "places 2-5, paragraph 2"));
        let section = Place::Section { name: "Fees".into() };
        assert_eq!(told(2, 2, Some(section)), said("“Fees”", "place 2, “Fees”"));
    }
}
