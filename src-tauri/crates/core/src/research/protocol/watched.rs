//! Questions that are asked again by themselves, and what changed between two of their answers.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Effort, Focus, Mode};
use crate::ids::{ThreadId, TurnId};

const HOUR: u32 = 60;
const DAY: u32 = 24 * HOUR;
const YEAR: u32 = 365 * DAY;

/// How often a question is asked again. As text it is `6h`, `1d`, `2w` or `1d at 08:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Schedule {
    /// Minutes between two checks: an hour at least, a year at most.
    pub minutes: u32,
    /// The minute of the day, by the clock of this computer; only with whole days.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub at: Option<u16>,
}

impl Schedule {
    /// So many whole days, or none where it is counted in hours.
    pub fn days(self) -> Option<u32> {
        self.minutes.is_multiple_of(DAY).then_some(self.minutes / DAY)
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.days() {
            Some(days) if days.is_multiple_of(7) => write!(f, "{}w", days / 7)?,
            Some(days) => write!(f, "{days}d")?,
            None => write!(f, "{}h", self.minutes / HOUR)?,
        }
        self.at.map_or(Ok(()), |at| write!(f, " at {:02}:{:02}", at / 60, at % 60))
    }
}

/// What is wrong with a schedule. Follows the name of its field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ScheduleProblem {
    #[error("must be hours, days or weeks, such as 6h, 1d, 2w or 1d at 08:00, and not \"{text}\"")]
    Form { text: String },
    #[error("must be an hour at least and a year at most")]
    Range,
    #[error("a time of day needs whole days or weeks, such as 1d at 08:00")]
    TimeOfDay,
}

impl FromStr for Schedule {
    type Err = ScheduleProblem;

    fn from_str(text: &str) -> Result<Self, ScheduleProblem> {
        let wrong = || ScheduleProblem::Form { text: text.to_owned() };
        let (every, at) = match text.trim().split_once("at") {
            Some((every, at)) => (every.trim(), Some(at.trim())),
            None => (text.trim(), None),
        };
        let unit = every.chars().last().ok_or_else(wrong)?;
        let count: u32 = every.strip_suffix(unit).and_then(|count| count.trim().parse().ok()).ok_or_else(wrong)?;
        let each = match unit {
            'h' => HOUR,
            'd' => DAY,
            'w' => 7 * DAY,
            _ => return Err(wrong()),
        };
        let minutes = count.checked_mul(each).filter(|minutes| (HOUR..=YEAR).contains(minutes));
        let minutes = minutes.ok_or(ScheduleProblem::Range)?;
        let at = at.map(|at| minute_of_day(at).ok_or_else(wrong)).transpose()?;
        if at.is_some() && !minutes.is_multiple_of(DAY) {
            return Err(ScheduleProblem::TimeOfDay);
        }
        Ok(Self { minutes, at })
    }
}

fn minute_of_day(text: &str) -> Option<u16> {
    let (hours, minutes) = text.split_once(':')?;
    let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)
}

/// How a watched question is asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct WatchedHow {
    pub effort: Option<Effort>,
    #[serde(default)]
    pub mode: Mode,
    #[serde(default)]
    pub focus: Focus,
    /// The name of a provider, or `builtin`; none takes the settings' order.
    pub provider: Option<String>,
    /// What one check may cost, in US dollars; none takes the settings'.
    pub max_cost: Option<f64>,
    /// No cost limit counts, because the price of the model is not known.
    #[serde(default)]
    pub any_cost: bool,
    /// Folders to search besides those of the settings.
    #[serde(default)]
    pub folders: Vec<String>,
    /// Whether those alone are searched.
    #[serde(default)]
    pub only_folders: bool,
    /// Hosts of the web to search, and no others.
    #[serde(default)]
    pub sites: Vec<String>,
}

/// Why a question could not be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum NotChecked {
    /// The run gave no answer, or could not begin.
    Failed,
    /// The limit of all watched questions, or that of everything, is reached for this month.
    MonthIsSpent,
    /// The price of the model is not known, so that no limit can be held.
    PriceUnknown,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CheckOutcome {
    /// The first answer, which later ones are compared with.
    First,
    Unchanged,
    /// The answer says something new; it is this turn.
    Changed {
        turn: TurnId,
        statements: u32,
    },
    NotChecked {
        why: NotChecked,
        /// What the service or the run said, as a sentence.
        message: String,
    },
}

/// A question that is asked again by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct WatchedQuestion {
    pub id: String,
    /// Where its answers stand.
    pub thread: ThreadId,
    pub question: String,
    pub how: WatchedHow,
    pub schedule: Schedule,
    pub paused: bool,
    #[ts(type = "number")]
    pub created_ms: i64,
    /// When it is to be checked again, in Unix milliseconds.
    #[ts(type = "number")]
    pub next_ms: i64,
    /// When it was checked last; none where it never was.
    #[ts(type = "number | null")]
    pub checked_ms: Option<i64>,
    pub outcome: Option<CheckOutcome>,
    /// The answer that the next one is compared with.
    pub compared_with: Option<TurnId>,
    /// Checks in a row that gave no answer.
    pub failures: u32,
    pub checks: u32,
    pub changes: u32,
    /// What its checks have cost, in millionths of a US dollar.
    #[ts(type = "number")]
    pub spent: u64,
}

/// A statement of an answer that the one before it did not make, nor its sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct NewStatement {
    /// As plain text without citations.
    pub text: String,
    /// Byte of the answer where it begins.
    #[ts(type = "number")]
    pub start: usize,
    /// Byte just behind it, its citations included.
    #[ts(type = "number")]
    pub end: usize,
    /// What the answer before it said instead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub before: Option<String>,
}

/// What changed since an earlier answer to the same question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct AnswerChange {
    /// The earlier answer.
    pub since: TurnId,
    /// When it was asked for, in Unix milliseconds.
    #[ts(type = "number")]
    pub since_ms: i64,
    /// In the order of the answer.
    pub statements: Vec<NewStatement>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_read_and_written() {
        for (text, minutes, at, shown) in [
            ("6h", 360, None, "6h"),
            ("24h", 1440, None, "1d"),
            (" 14d ", 14 * 1440, None, "2w"),
            ("1d at 08:00", 1440, Some(480), "1d at 08:00"),
            ("1w at 7:05", 7 * 1440, Some(425), "1w at 07:05"),
        ] {
            let schedule: Schedule = text.parse().unwrap();
            assert_eq!((schedule.minutes, schedule.at, schedule.to_string().as_str()), (minutes, at, shown));
        }
        for wrong in ["", "h", "0h", "30m", "1.5d", "daily", "400d", "6h at 08:00", "1d at 24:00", "1d at 8", "5000000000h", "1日"] {
            assert!(wrong.parse::<Schedule>().is_err(), "{wrong}");
        }
    }
}
