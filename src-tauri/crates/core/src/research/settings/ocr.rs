//! Optical character recognition: whether scanned pages and pictures of the documents are read, and in which languages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Problem, Wrong};

/// How text is recognised on scanned pages and pictures, by Tesseract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct Ocr {
    /// Whether scanned pages and pictures are read.
    pub enabled: bool,
    /// Their languages, as Tesseract names them, such as `eng` and `deu`; the first one counts most.
    pub languages: Vec<String>,
    /// Whether pages are read while the computer runs on its battery.
    pub on_battery: bool,
}

impl Default for Ocr {
    fn default() -> Self {
        Self { enabled: false, languages: vec!["eng".into()], on_battery: false }
    }
}

impl Ocr {
    /// All languages as Tesseract takes them.
    pub fn code(&self) -> String {
        self.languages.join("+")
    }

    pub(super) fn check(&self, out: &mut Vec<Problem>) {
        const FIELD: &str = "ocr.languages";
        if self.languages.is_empty() {
            out.push(Problem::new(FIELD, Wrong::NoOcrLanguage));
        }
        // `script/Latin` and `chi_sim` are names, too.
        let is_name = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '-'))
        };
        for name in self.languages.iter().filter(|name| !is_name(name)) {
            out.push(Problem::new(FIELD, Wrong::OcrLanguage { name: name.to_owned() }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_languages_are_checked() {
        let problems = |languages: &[&str]| {
            let ocr = Ocr { languages: languages.iter().map(|name| (*name).to_owned()).collect(), ..Ocr::default() };
            let mut out = Vec::new();
            ocr.check(&mut out);
            out.len()
        };
        assert_eq!((problems(&["eng", "chi_sim", "script/Latin"]), Ocr::default().code().as_str()), (0, "eng"));
        assert_eq!((problems(&[]), problems(&["-c", "eng+deu", "../x", ""])), (1, 4));
    }
}
