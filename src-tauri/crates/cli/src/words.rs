//! The words of an answer on a terminal, as they come.

use anyhow::Result;
use nexi_messages::say;
use unicode_width::UnicodeWidthChar;

use crate::args::Format;
use crate::echo::Hushed;
use crate::output::{TerminalStyle, Typesetter, columns, print, print_line, rows};
use crate::progress::Progress;

/// Columns from one stop of a tab to the next.
const TAB: usize = 8;

/// What of an answer stands on the terminal.
pub struct Words {
    live: bool,
    columns: Option<usize>,
    pub typesetter: Typesetter,
    /// As it was sent.
    text: String,
    /// The answer is being written, and the progress line would be in its way.
    pub are_coming: bool,
    /// Where the cursor is, below and right of where the answer begins.
    place: Place,
    /// Something else was printed below them, which must stay.
    is_followed: bool,
    /// While they come.
    hushed: Option<Hushed>,
}

impl Words {
    pub fn new(looks: TerminalStyle, format: Format) -> Self {
        Self {
            live: looks.live && format == Format::Text,
            columns: looks.columns,
            typesetter: Typesetter::new(looks),
            text: String::new(),
            are_coming: false,
            place: Place::default(),
            is_followed: false,
            hushed: None,
        }
    }

    /// The next piece.
    ///
    /// # Errors
    /// When it cannot be printed.
    pub fn show(&mut self, text: &str, progress: &Progress) -> Result<()> {
        if !self.live {
            return Ok(());
        }
        if !self.are_coming {
            progress.clear();
            self.are_coming = true;
            self.hushed = Hushed::new();
        }
        self.text.push_str(text);
        let piece = self.typesetter.push(text);
        self.put(&piece)
    }

    /// What was shown was not the answer after all.
    ///
    /// # Errors
    /// When it cannot be said.
    pub fn start_over(&mut self) -> Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        self.finish()?;
        self.text.clear();
        print_line(&format!("\n{}\n", say!("nexi-ask-written-anew")))?;
        (self.place, self.is_followed) = (Place::default(), false);
        Ok(())
    }

    /// All of it has come, or nothing more for now.
    ///
    /// # Errors
    /// When what was held back cannot be printed.
    pub fn finish(&mut self) -> Result<()> {
        let was_coming = std::mem::take(&mut self.are_coming);
        self.hushed = None;
        let rest = self.typesetter.finish();
        if self.text.is_empty() || !was_coming {
            return Ok(());
        }
        self.put(&rest)?;
        if self.place.column == 0 { Ok(()) } else { self.put("\n") }
    }

    /// What stands on the terminal; none where nothing was to be shown.
    pub fn shown(&self) -> Option<&str> {
        self.live.then_some(self.text.as_str())
    }

    /// Something that has to stay is printed below them.
    pub fn stand_above_something(&mut self) {
        self.is_followed |= !self.text.is_empty();
    }

    /// Takes the answer from the terminal, so that it can be printed with marks of how it is supported; whether it did. One
    /// that has begun to leave the screen stays.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub fn take_back(&mut self) -> Result<bool> {
        let fits = rows().is_some_and(|rows| (1..rows.saturating_sub(1)).contains(&self.place.row));
        // Of another width, the terminal has broken the lines anew.
        let is_as_wide = self.columns.is_some() && self.columns == columns();
        if !self.live || !is_as_wide || self.is_followed || !fits || self.text.is_empty() {
            return Ok(false);
        }
        print(&format!("\x1b[{}F\x1b[J", self.place.row))?;
        Ok(true)
    }

    fn put(&mut self, piece: &str) -> Result<()> {
        self.place.after(piece, self.columns.unwrap_or(usize::MAX));
        print(piece)
    }
}

/// A place on the terminal, counted from where the answer begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Place {
    row: usize,
    column: usize,
}

impl Place {
    /// Where the cursor is after this text on a terminal of so many columns; what controls the terminal takes no room.
    fn after(&mut self, text: &str, columns: usize) {
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            match character {
                '\n' => *self = Self { row: self.row + 1, column: 0 },
                '\r' => self.column = 0,
                '\t' => self.column = ((self.column / TAB + 1) * TAB).min(columns.saturating_sub(1)),
                '\x1b' => skip_sequence(&mut characters),
                _ => {
                    let width = character.width().unwrap_or_default();
                    if self.column + width > columns {
                        *self = Self { row: self.row + 1, column: 0 };
                    }
                    self.column += width;
                }
            }
        }
    }
}

/// Goes past an escape sequence, of which the first character was taken: colours end with a letter, links with `ESC \`.
fn skip_sequence(characters: &mut std::str::Chars<'_>) {
    match characters.next() {
        Some('[') => drop(characters.find(|character| ('@'..='~').contains(character))),
        Some(']') => {
            while let Some(character) = characters.next() {
                if character == '\x07' {
                    return;
                }
                if character == '\x1b' {
                    characters.next();
                    return;
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_is_followed() {
        let place = |text: &str| {
            let mut place = Place::default();
            place.after(text, 10);
            (place.row, place.column)
        };
        assert_eq!(place("abc"), (0, 3));
        assert_eq!(place("abc\n"), (1, 0));
        assert_eq!(place("a\tb"), (0, 9));
        assert_eq!(place("a\t\t"), (0, 9), "a tab ends at the edge");
        assert_eq!(place("0123456789"), (0, 10), "the cursor waits at the edge");
        assert_eq!(place("0123456789\n"), (1, 0));
        assert_eq!(place("0123456789a"), (1, 1));
        assert_eq!(place("日本語日本"), (0, 10));
        assert_eq!(place("a日本語日本"), (1, 2), "wide characters are not cut");
        assert_eq!(place("\x1b[1;36mabc\x1b[0m"), (0, 3));
        assert_eq!(place("\x1b]8;;https://example.org\x1b\\[1]\x1b]8;;\x1b\\."), (0, 4));
    }
}
