//! What is wrong with a setting or an argument, as data. The sentences are the catalogue's.

use schemars::JsonSchema;
use serde::Serialize;

use super::values::{Found, Kind};

/// Something wrong with a setting or an argument.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Such as `providers.work.base_url`.
    pub field: String,
    pub wrong: Wrong,
}

impl Problem {
    /// A problem with this field.
    pub fn new(field: impl Into<String>, wrong: Wrong) -> Self {
        Self { field: field.into(), wrong }
    }

    /// A problem that is not one of the settings' own; the sentence comes from the catalogue.
    pub fn told(field: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self::new(field, Wrong::Told { sentence: sentence.into() })
    }
}

/// What is wrong with a value. The code is the name of its message in `problems.ftl`, which is filled in with the fields
/// and follows the name of the setting.
///
/// Values may hold a key that was put into the wrong line: they are hidden where the sentence is made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Wrong {
    /// A sentence that somebody above the core has taken from the catalogue.
    Told {
        sentence: String,
    },

    // Any value.
    /// It is of another kind or outside of its limits.
    Unfit {
        #[serde(skip)]
        wanted: Kind,
        #[serde(skip)]
        found: Found,
    },
    /// It is none of many words, and much like one of them.
    Misspelt {
        word: String,
        meant: String,
    },
    /// It is none of many words; `known` lists them.
    NoWord {
        word: String,
        known: String,
    },
    /// The name of no setting.
    Unknown,
    /// The name of no setting, and much like one.
    MisspeltName {
        meant: String,
    },
    /// What serde says where nothing else is known about it.
    Unreadable {
        message: String,
    },
    /// The whole file; `message` is the parser's.
    NoToml {
        message: String,
    },
    EmptyFolder,
    EmptyFolderOrNone,
    LanguageCode,
    CountryCode,
    Dollars {
        example: String,
        found: String,
    },
    DollarsMonth,
    Share {
        found: String,
    },

    // Keys in places where they would be sent, shown or read.
    KeyInSettings,
    KeyInFile,
    KeyInToolSettings,
    KeyInHook,
    KeyInAddress,
    PasswordInAddress,
    PasswordInProxy,
    PasswordInServiceAddress,
    PasswordInDatabaseAddress,
    QueryInServiceAddress,
    KeyInHeader,

    // Addresses.
    NoAddress {
        value: String,
    },
    BrokenAddress {
        message: String,
    },
    Scheme {
        scheme: String,
    },
    ToolAddress,
    HookAddress,
    HttpsUnlessHere,
    HttpsUnlessNear,
    Https,
    Proxy,
    PrivateHost {
        host: String,
    },
    Site {
        site: String,
    },
    EmptyCertificate,

    // Models and services.
    EmptyChain {
        own: String,
    },
    MisspeltBackend {
        name: String,
        meant: String,
    },
    UnknownBackend {
        name: String,
        service: String,
        own: String,
    },
    UnfitBackend {
        name: String,
        kind: String,
    },
    NoSideModel {
        name: String,
    },
    NoTeamLibrary {
        name: String,
    },
    NoProviderKind {
        kinds: String,
    },
    NoServiceAddress,
    NoInstance,
    DatabaseAddress,
    NoEngineId,
    NoDescribedBackend,
    NoModel {
        example: String,
    },
    SearxngOnly,
    ManagedOnly,
    VariableOrKey,
    Image,
    Preset {
        name: String,
        known: String,
    },
    JsonAddress,
    JsonQuery,
    JsonBody,
    JsonField,
    HeaderName,
    NoEmbeddingModel,
    UnknownEmbedder {
        name: String,
    },
    NoVectors {
        name: String,
        kind: String,
    },
    NoModelOf {
        name: String,
    },
    Price,
    HalfPrice,
    Window,

    // Prompts and preferences.
    UnknownPrompt {
        known: String,
    },
    EmptyPrompt,
    PromptLacks {
        placeholder: String,
    },
    LongPrompt,
    LanguageName {
        most: usize,
    },
    NoOcrLanguage,
    OcrLanguage {
        name: String,
    },
    NoTool {
        name: String,
    },

    // Tool servers, commands and hooks.
    EntryName {
        most: usize,
    },
    ReservedName,
    FirstLetter,
    NoLaunch,
    NoTarget,
    ProgramAndAddress,
    HookProgramAndAddress,
    EmptyProgram,
    NoProgram,
    ProgramWithArgument,
    HookProgramWithField,
    ArgumentsOfAddress,
    HookArgumentsOfAddress,
    SignInOfProgram,
    EmptyClientId,
    Scope {
        scope: String,
    },
    Variable,
    NoVariable {
        name: String,
    },
    NoToolDescription,
    ReadAsProgram,
    ChoosesOption,
    ArgumentName,
    UnusedArgument {
        place: String,
        argument: String,
    },
    NoArgument {
        name: String,
    },
    NoEvents {
        known: String,
    },

    // The shortcut.
    NoKey,
    UnknownKey {
        key: String,
    },
    UnknownModifier {
        name: String,
    },
    NoModifier,
    /// Other programs or the desktop need these keys; `need` is a part of `problems-need` in the catalogue.
    Needed {
        need: &'static str,
    },
}
