//! What the desktop window is sent besides the protocol of [`nexi_core::protocol`].

mod arriving;
mod updates;

pub use arriving::{AnswerBlocks, AnswerText, WatchMessage};
pub use updates::{PackageManager, Release, UpdateFailure, UpdateMeans, UpdateState, UpdateView};

use nexi_core::{
    ids::{ThreadId, TurnId},
    pricing, prompts,
    protocol::{Effort, Mode, Turn, TurnOutline},
    settings::{Problem, ProviderKind, Settings, VENDORS, Vendor, hide_keys},
};
use nexi_store::settings_file::told;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{AttachKind, BUILT_IN, Engine, EngineError, ThreadFacts, aside::blocking, handbook, render};

/// What the window shows before anything is asked.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Overview {
    /// No settings have been made yet.
    pub first_run: bool,
    pub model: String,
    pub effort: Effort,
    /// The models that a question can be put to, in order.
    pub models: Vec<ModelChoice>,
    /// Whether there is a web search to choose.
    pub has_web: bool,
    /// Whether there are documents besides the handbook.
    pub has_folders: bool,
    /// What is wrong in the settings file, where the defaults count.
    pub mistakes: Vec<String>,
    pub warnings: Vec<String>,
    pub version: String,
    pub settings_file: String,
    pub hotkey: String,
    pub offer_clipboard: bool,
    /// Whether keys are in a file that has not been opened yet.
    pub keys_locked: bool,
    /// Whether threads can be shared with a team.
    pub has_team: bool,
}

/// A model of the settings.
#[derive(Debug, Clone, Serialize, TS)]
pub struct ModelChoice {
    /// The provider's name, or `builtin`.
    pub name: String,
    pub label: String,
}

/// A thread as it is opened: every turn, the newest ones in full.
#[derive(Debug, Clone, Serialize, TS)]
pub struct ThreadView {
    pub thread: ThreadFacts,
    pub outlines: Vec<TurnOutline>,
    /// The last ones; the others are asked for when they come into sight.
    pub turns: Vec<TurnView>,
}

impl Engine {
    /// A turn with its answer rendered.
    ///
    /// # Errors
    /// When there is no such turn.
    pub async fn turn_view(&self, turn: &TurnId) -> Result<TurnView, EngineError> {
        let turn = self.turn(turn).await?;
        blocking(move || TurnView::new(turn)).await
    }
}

/// Something that a window should know although it did not ask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AppEvent {
    /// Show this thread, at this turn if one is named.
    OpenThread {
        thread: ThreadId,
        turn: Option<TurnId>,
    },
    /// Put this question into the field, where it waits to be asked.
    Question {
        question: String,
        mode: Mode,
    },
    /// Show this part of the window.
    OpenView {
        view: Part,
    },
    /// Look for this among the settings.
    FindSetting {
        text: String,
    },
    /// The list of threads is another one.
    ThreadsChanged,
    /// A backup has taken the library's place: what is shown may not be there any more.
    LibraryReplaced,
    SettingsChanged,
    /// Files of the folders are other ones now, and can be found.
    DocumentsChanged,
    /// The popup was shown.
    Shown {
        /// What was in it is too old to go on with.
        fresh: bool,
    },
    /// What is in the clipboard, where that is wanted.
    Clipboard {
        text: String,
    },
    /// Files were dropped on the window.
    Dropped {
        chips: Vec<Chip>,
    },
    /// Files are being dragged over the window, or no longer.
    Dragging {
        over: bool,
    },
    /// Threads were dropped on the window.
    Import {
        outcome: crate::import::ImportOutcome,
    },
    /// A watched question was checked.
    Checked {
        thread: ThreadId,
        /// The answer that says something new; none where nothing changed.
        turn: Option<TurnId>,
        /// The turn of a check that found nothing new, and is gone.
        removed: Option<TurnId>,
        question: String,
    },
    /// A hook was told of something, or it could not be.
    Delivered {
        hook: String,
        /// Why it will not be told any more; none where it was, or will be.
        trouble: Option<String>,
    },
    /// There is a new version of Nexi.
    UpdateFound {
        version: String,
    },
    /// Something could not be done, as a sentence.
    Failed {
        message: String,
    },
}

/// A page of a document as a picture.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct PageView {
    /// From 1.
    pub number: u32,
    /// As an address that holds the picture itself.
    pub image: String,
    /// Where the marked words stand: left, top, width and height as shares of the page.
    pub marks: Vec<[f64; 4]>,
}

impl From<crate::documents::PagePicture> for PageView {
    fn from(page: crate::documents::PagePicture) -> Self {
        let image = format!("data:{};base64,{}", page.media_type, data_encoding::BASE64.encode(&page.picture));
        Self { number: page.number, image, marks: page.marks }
    }
}

/// Something that can be given along with a question; its number stands for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Chip {
    pub id: u32,
    pub kind: AttachKind,
    pub label: String,
    /// Where it is, or what it does.
    pub note: String,
}

/// A part of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Library,
    Help,
    Keys,
    Documents,
    Search,
    Models,
    Reading,
    Answers,
    Tools,
    Effort,
    Usage,
    Deep,
    Prompts,
    Memory,
    Spaces,
    Watched,
    Hooks,
    Templates,
    App,
    Network,
    Privacy,
    Data,
    About,
}

/// What the desktop can do here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct DesktopView {
    pub hotkey: HotkeyView,
    pub tray: bool,
    pub wayland: bool,
    /// What a compositor without a portal can bind to a key.
    pub popup_command: String,
}

/// How the hotkey stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct HotkeyView {
    pub wanted: String,
    pub state: HotkeyState,
    /// A sentence for the person; empty when it works.
    pub message: String,
    /// Others that would work.
    pub offers: Vec<String>,
}

/// How the hotkey stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum HotkeyState {
    /// None is set.
    #[default]
    Off,
    /// It is about to take the place of the one before, which may still work.
    Registering,
    Works,
    Paused,
    /// Another program has it, or it is none.
    Refused,
    /// This desktop lets no program have one.
    Unavailable,
}

/// Something wrong with a setting, as a sentence.
#[derive(Debug, Clone, Serialize, TS)]
pub struct ProblemView {
    /// Such as `providers.work.base_url`.
    pub field: String,
    /// What would be right; it follows the name of the field.
    pub message: String,
}

impl ProblemView {
    pub fn of(problem: &Problem) -> Self {
        Self { field: hide_keys(&problem.field), message: told::wrong(&problem.wrong) }
    }
}

/// Everything the settings window shows.
#[derive(Debug, Clone, Serialize, TS)]
pub struct SettingsView {
    pub settings: Settings,
    pub defaults: Settings,
    /// What is wrong with the file, and what in it has no effect.
    pub problems: Vec<ProblemView>,
    pub warnings: Vec<ProblemView>,
    pub settings_file: String,
    pub data_folder: String,
    pub version: String,
    pub prompts: Vec<PromptView>,
    pub kinds: Vec<KindView>,
    /// Services of models with a preset.
    pub vendors: Vec<VendorView>,
    /// The day on which prices were taken over, as `YYYY-MM-DD`.
    pub prices: String,
}

/// A prompt that can be changed.
#[derive(Debug, Clone, Serialize, TS)]
pub struct PromptView {
    pub name: String,
    /// Ours.
    pub text: String,
    /// Names in braces that must stay in it.
    pub placeholders: Vec<String>,
}

/// A kind of provider.
#[derive(Debug, Clone, Serialize, TS)]
pub struct KindView {
    pub kind: ProviderKind,
    /// Its name as the service writes it.
    pub label: String,
    pub answers: bool,
    pub finds: bool,
    pub reads: bool,
    /// Whether its name alone is enough to use it.
    pub known: bool,
    /// Whether it is still offered to somebody who does not have it yet.
    pub offered: bool,
    pub needs_key: bool,
    /// Its own address, where it has one.
    pub base_url: Option<String>,
    /// Where a key is made.
    pub key_page: Option<String>,
}

/// A service of models with a preset.
#[derive(Debug, Clone, Serialize, TS)]
pub struct VendorView {
    pub vendor: Vendor,
    /// Whether it cannot be asked without a key.
    pub needs_key: bool,
}

/// A page of the handbook.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Chapter {
    pub name: String,
    pub title: String,
    pub html: String,
}

/// Every page of the handbook, rendered.
pub fn chapters() -> Vec<Chapter> {
    let chapter = |handbook::Chapter { name, text, .. }: &handbook::Chapter| Chapter {
        name: (*name).to_owned(),
        title: handbook::title(name),
        html: render::answer(text),
    };
    handbook::CHAPTERS.iter().map(chapter).collect()
}

/// The models of the settings, and the built-in researcher in any case.
pub fn models(settings: &Settings) -> Vec<ModelChoice> {
    let label = |name: &str| match settings.provider(name) {
        Some(provider) => format!("{} · {}", provider.model.unwrap_or_default(), settings.key_name(name)),
        None => BUILT_IN.to_owned(),
    };
    let mut names: Vec<&str> = settings.llm_backends.iter().map(String::as_str).collect();
    let favourites = settings.favourite_models.iter().map(String::as_str).filter(|name| settings.provider(name).is_some());
    names.extend(favourites.filter(|name| !settings.llm_backends.iter().any(|known| known == name)).collect::<Vec<_>>());
    let others = settings.providers.iter().filter(|(_, provider)| provider.kind.answers()).map(|(name, _)| name.as_str());
    names.extend(others.filter(|name| !settings.llm_backends.iter().any(|known| known == name)).collect::<Vec<_>>());
    if !names.contains(&"builtin") {
        names.push("builtin");
    }
    names.into_iter().map(|name| ModelChoice { name: name.to_owned(), label: label(name) }).collect()
}

/// Everything the settings window shows.
pub fn settings(engine: &Engine) -> SettingsView {
    engine.refresh_settings();
    SettingsView {
        settings: engine.settings(),
        defaults: Settings::default(),
        problems: engine.settings_problems().iter().map(ProblemView::of).collect(),
        warnings: engine.warnings().iter().map(ProblemView::of).collect(),
        settings_file: engine.paths().settings.display().to_string(),
        data_folder: engine.paths().data.display().to_string(),
        version: env!("CARGO_PKG_VERSION").into(),
        prompts: prompts::ALL
            .iter()
            .map(|spec| PromptView {
                name: spec.name.into(),
                text: spec.text.into(),
                placeholders: spec.required.iter().map(|name| (*name).to_owned()).collect(),
            })
            .collect(),
        kinds: ProviderKind::ALL.into_iter().map(kind).collect(),
        vendors: VENDORS.iter().map(|vendor| VendorView { vendor: *vendor, needs_key: vendor.needs_key() }).collect(),
        prices: pricing::source().1.to_owned(),
    }
}

fn kind(kind: ProviderKind) -> KindView {
    KindView {
        kind,
        label: kind.label().to_owned(),
        answers: kind.answers(),
        finds: kind.finds(),
        reads: kind.reads(),
        known: kind.needs_no_table(),
        offered: kind.is_offered(),
        needs_key: kind.default_key_env().is_some(),
        base_url: kind.default_base_url().map(str::to_owned),
        key_page: kind.key_page().map(str::to_owned),
    }
}

/// What became of a question.
#[derive(Debug, Clone, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Taken {
    Begun(Begun),
    /// There is a cost limit, and the price of this model is not known: the person decides.
    PriceUnknown {
        model: String,
        message: String,
    },
    /// The monthly cost limit is reached: the person decides.
    MonthIsSpent {
        /// In millionths of a US dollar, both of them.
        #[ts(type = "number")]
        spent: u64,
        #[ts(type = "number")]
        limit: u64,
        message: String,
    },
}

/// What became of a question that was to be watched.
#[derive(Debug, Clone, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum WatchTaken {
    Watched,
    /// The price of the model is not known; it can be watched without a limit.
    PriceUnknown {
        message: String,
    },
    /// It seems to be understood only with what was asked before it; the person may say that it stands alone.
    LeansOnContext {
        message: String,
    },
}

/// A run that has begun.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Begun {
    pub thread: ThreadId,
    pub turn: TurnId,
}

/// A turn with its answer as safe HTML.
#[derive(Debug, Clone, Serialize, TS)]
pub struct TurnView {
    pub turn: Turn,
    pub html: String,
    /// What another model answered, as safe HTML.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub second_html: Option<String>,
}

impl TurnView {
    /// A turn as it is kept.
    pub fn new(turn: Turn) -> Self {
        let second_html = turn.second.as_ref().map(|second| render::answer(&second.answer));
        Self { html: render::turn(&turn), second_html, turn }
    }
}
