//! What reads text: finding passages, judging what they hold, and knowing what an answer cites. Nothing here knows of
//! runs, models or settings.

pub mod answer_stream;
pub mod citations;
pub mod evidence;
pub mod hits;
mod judged;
pub mod markdown;
pub mod open_marks;
pub mod place;
pub mod quotes;
pub mod rank;
pub mod temporal;
pub mod text;
pub mod urls;
pub mod visible;

pub use judged::{Citation, Correction, CorrectionKind, Detection, SecondLook, Statement, StatementCounts, Support};
