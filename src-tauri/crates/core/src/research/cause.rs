//! Why something that a run asked for failed, as data: pages and services here, what else there is in files of its own.

mod container;
mod database;
mod own;
mod sign_in;
mod tool;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use container::ContainerCause;
pub use database::DatabaseCause;
pub use own::OwnCause;
pub use sign_in::SignInCause;
pub use tool::ToolCause;

/// What went wrong. The sentence of each is English, for models and logs; people read the one that `causes.ftl` has by the
/// same code. Those of pages follow a colon and begin small; those of services are whole sentences.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Cause {
    /// A sentence of which nothing else is known.
    #[error("{message}")]
    Words { message: String },
    #[error("the run was stopped")]
    Cancelled,

    // What is not of the web.
    #[error("{why}")]
    Tool { why: ToolCause },
    #[error("{why}")]
    SignIn { why: SignInCause },
    #[error("{why}")]
    Container { why: ContainerCause },
    #[error("{why}")]
    Own { why: OwnCause },
    #[error("{why}")]
    Database { why: DatabaseCause },

    // Addresses that are not visited.
    #[error("this is not an address ({message})")]
    NoAddress { message: String },
    /// Most likely a path, or words.
    #[error("this is not an address, which would begin with https:// or http://")]
    NoScheme,
    #[error("only http and https pages are read, not {scheme}:")]
    Scheme { scheme: String },
    #[error("pages are not read from port {port}")]
    Port { port: String },
    #[error("the address has no host")]
    NoHost,
    #[error("the address belongs to a private network; to read it, add the host to network.allowed_private_hosts in Settings")]
    Private,
    #[error("a host of the local network is not handed to a proxy or a reader service")]
    NotHandedOn,
    #[error("the site's robots.txt disallows this page")]
    RobotsForbidden,
    #[error("the file is not in one of the folders that may be read")]
    NotInFolders,
    #[error("this question is asked of documents alone, and addresses of the web are not read")]
    DocumentsAlone,
    #[error("no reader takes {scheme}: addresses")]
    NoReader { scheme: String },
    #[error("it was requested twice in this call")]
    AskedTwice,
    #[error("this batch takes {room} pages; ask again in the next one")]
    BatchFull { room: u32 },
    #[error("there was no time left for it")]
    NoTime,

    // The way to a site or a service.
    #[error("it did not answer in time")]
    InTime,
    #[error("it took longer than {seconds} s")]
    TooSlow { seconds: u64 },
    #[error("it could not be reached ({message})")]
    Unreached { message: String },
    /// The name leads into a private network.
    #[error("it could not be reached ({message})")]
    UnreachedPrivate { message: String },
    #[error("the connection broke ({message})")]
    Broke { message: String },
    #[error("the connection broke before the page was complete")]
    BrokeOff,
    #[error("no secure connection could be made ({message})")]
    NoSecureConnection { message: String },
    #[error(
        "no secure connection can be set up ({message}); install the certificates of this system (on Linux the package ca-certificates)"
    )]
    NoCertificates { message: String },
    #[error("the proxy's address (network.proxy) cannot be used")]
    ProxyAddress,
    #[error("the proxy wants a user name and password (407)")]
    ProxySignIn,
    #[error("a file of network.root_certificates holds no certificate in PEM form")]
    NoPem,

    // Sites and their pages.
    #[error("the site's rules for robots could not be read")]
    RobotRules,
    #[error("it redirects to something that is not an address")]
    BadRedirect,
    #[error("it redirects more than five times")]
    ManyRedirects,
    #[error("the site does not let us in ({status})")]
    LockedOut { status: u16 },
    #[error("the page does not exist ({status})")]
    NoPage { status: u16 },
    #[error("the site asks to slow down (429)")]
    SlowDown { seconds: Option<u64> },
    #[error("the site had a server error ({status})")]
    SiteTrouble { status: u16 },
    #[error("the site answered with {status}")]
    SiteStatus { status: u16 },
    #[error("the site says that the page has not changed, but there is no cached copy")]
    Unchanged,
    #[error("it is larger than pages may be (2 MiB sent, 8 MiB unpacked)")]
    TooLarge,
    #[error("it is packed in a way that is not known ({packing})")]
    UnknownPacking { packing: String },
    #[error("it is not text")]
    NotText,
    #[error("it is not text but {kind}")]
    NotTextBut { kind: String },
    #[error("the page has no readable text")]
    NoText,
    #[error("the site asks whether we are a robot")]
    AsksForRobots,
    #[error("the page shows its text only with JavaScript")]
    ScriptsOnly,
    #[error("the site wants us to log in")]
    WantsLogin,
    #[error("the site shows a question about cookies in place of its text")]
    CookieNotice,
    #[error("the page could not be understood")]
    NotUnderstood,
    /// As journals held it before there were reasons.
    #[error("the PDF could not be read: {message}")]
    Pdf { message: String },
    #[error("the PDF is protected by a password")]
    PdfProtected,
    #[error("the PDF holds no text: its pages are pictures, or its fonts do not say what their letters are")]
    PdfNoText,
    #[error("the PDF is damaged")]
    PdfDamaged,
    #[error("the PDF is too large or too complex to be read")]
    PdfTooComplex,
    #[error("reading the PDF took too long")]
    PdfTooSlow,

    // Services, by their names.
    /// What is wrong with the way to a service.
    #[error("{service}: {cause}")]
    OfService { service: String, cause: Box<Cause> },
    /// A service's own words, behind what they mean.
    #[error("{cause} It says: {said}")]
    Saying { cause: Box<Cause>, said: String },
    #[error("{cause} It is asked again in {}.", time(*seconds))]
    AgainIn { cause: Box<Cause>, seconds: u64 },
    /// What one of several readers had.
    #[error("{reader} could not read {url}: {cause}")]
    Unread { reader: String, url: String, cause: Box<Cause> },
    /// What each of several had, all of which failed.
    #[error("{}", all(causes))]
    All { causes: Vec<Cause> },
    #[error("{service} needs an API key. Set {variable}, or store one in Settings.")]
    NeedsKey { service: String, variable: String },
    #[error("{service} refused the API key ({status}). Check it in Settings.")]
    KeyRefused { service: String, status: u16 },
    #[error("{service} refused the API key.")]
    KeyRefusedBare { service: String },
    #[error("{service} refused the API key, or needs one ({status}). Check it in Settings.")]
    KeyRefusedOrMissing { service: String, status: u16 },
    #[error("{service} does not know the API key (404). Check it in Settings.")]
    KeyUnknown { service: String },
    #[error("The account at {service} has no balance left. Add credit at the service, or use another one.")]
    NoBalance { service: String },
    #[error("{}", limited(service, *seconds))]
    Limited { service: String, seconds: Option<u64> },
    #[error(
        "{service} refuses programs: its limiter is on, which allows four searches an hour. Switch it off (server.limiter in its settings.yml) or use another instance."
    )]
    LimiterOn { service: String, seconds: Option<u64> },
    #[error("{service} does not offer JSON. Add json to search.formats in its settings.yml.")]
    JsonOff { service: String },
    #[error("{service} had no results. These of its engines did not answer: {engines}.")]
    EnginesSilent { service: String, engines: String },
    #[error("{service} refused the request ({status}).")]
    Refused { service: String, status: u16 },
    #[error("{service} refused the request.")]
    RefusedBare { service: String },
    #[error("{service} did not accept the request ({status}).")]
    NotAccepted { service: String, status: u16 },
    #[error("{service} did not carry out the search.")]
    NotCarriedOut { service: String },
    #[error("{service} has nothing at this address (404). Check the address in Settings.")]
    NothingThere { service: String },
    #[error("{service} gave up on this page (408).")]
    GaveUp { service: String },
    #[error("{service} could not read this page.")]
    CouldNotRead { service: String },
    #[error("{service} could not read this page: {why}")]
    CouldNotReadWhy { service: String, why: String },
    #[error("{service} refuses this content.")]
    ContentRefused { service: String },
    #[error("{service} sent no text for this page")]
    NoTextSent { service: String },
    #[error("{service} is busy ({status}).")]
    Busy { service: String, status: u16 },
    #[error("{service} had a server error ({status}).")]
    ServerError { service: String, status: u16 },
    #[error("{service} sent more than 8 MiB")]
    TooMuch { service: String },
    #[error("{service} sent something else instead of JSON. Check its address in Settings.")]
    NoJson { service: String },
    #[error("{service} sent a web page instead of JSON. Check its address in Settings.")]
    PageForJson { service: String },
    #[error("{service} sent something else than results.")]
    NoResults { service: String },
    #[error("{service} sent a page that is not understood.")]
    OddPage { service: String },
    #[error("{service}: its reply has no list at {place:?}. Check results in Settings.")]
    NoList { service: String, place: String },
    #[error("{service}: none of its {count} results has an address at {place:?}. Check link in Settings.")]
    NoLinks { service: String, count: usize, place: String },
    #[error("the body of this backend is not JSON; see Settings")]
    BadBody,
    #[error("{service} sent something other than {texts} vectors. Check that the model is an embedding model.")]
    NoVectors { service: String, texts: usize },
    #[error("the catalog could not be fetched")]
    NoCatalog,
    #[error("no database accepts this query; enter an ID or a product name")]
    NotAskable,

    // Files that are fetched.
    #[error("The file could not be fetched from {host}: {cause}.")]
    FileUnfetched { host: String, cause: Box<Cause> },
    #[error("The file could not be fetched: {host} answered {status}.")]
    FileStatus { host: String, status: u16 },
    #[error("The connection to {host} ended early. Try again: what has come is kept.")]
    FileEndedEarly { host: String },
    #[error("{host} sent another file than the one that Nexi knows. It was thrown away.")]
    OtherFile { host: String },
    #[error("{path} cannot be written ({message}).")]
    Unwritable { path: String, message: String },
}

impl Cause {
    /// What it means for those who decide what to do next.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Cancelled => Fault::Cancelled,
            Self::Scheme { .. }
            | Self::Port { .. }
            | Self::NoHost
            | Self::Private
            | Self::NotHandedOn
            | Self::RobotsForbidden
            | Self::NotInFolders
            | Self::UnreachedPrivate { .. } => Fault::Forbidden,
            Self::NeedsKey { .. }
            | Self::KeyRefused { .. }
            | Self::KeyRefusedBare { .. }
            | Self::KeyRefusedOrMissing { .. }
            | Self::KeyUnknown { .. } => Fault::Key,
            Self::NoBalance { .. } => Fault::Balance,
            Self::SlowDown { seconds } | Self::Limited { seconds, .. } | Self::LimiterOn { seconds, .. } => {
                Fault::Limited { seconds: *seconds }
            }
            Self::AgainIn { seconds, .. } => Fault::Limited { seconds: Some(*seconds) },
            Self::FileStatus { status: 429 | 500.., .. } => Fault::Transient,
            Self::InTime
            | Self::TooSlow { .. }
            | Self::Unreached { .. }
            | Self::Broke { .. }
            | Self::BrokeOff
            | Self::SiteTrouble { .. }
            | Self::Busy { .. }
            | Self::ServerError { .. }
            | Self::FileEndedEarly { .. } => Fault::Transient,
            Self::OfService { cause, .. } | Self::Saying { cause, .. } | Self::Unread { cause, .. } | Self::FileUnfetched { cause, .. } => {
                cause.fault()
            }
            Self::Tool { why } => why.fault(),
            Self::SignIn { why } => why.fault(),
            Self::Container { why } => why.fault(),
            Self::Own { why } => why.fault(),
            Self::Database { why } => why.fault(),
            Self::All { causes } => causes.first().map(Self::fault).unwrap_or_default(),
            _ => Fault::Other,
        }
    }

    /// With the service's own words behind it, where it said any.
    #[must_use]
    pub fn saying(self, words: Option<&str>) -> Self {
        match words {
            Some(words) => Self::Saying { cause: Box::new(self), said: crate::text::ended(words) },
            None => self,
        }
    }
}

impl From<ToolCause> for Cause {
    fn from(why: ToolCause) -> Self {
        Self::Tool { why }
    }
}

impl From<SignInCause> for Cause {
    fn from(why: SignInCause) -> Self {
        Self::SignIn { why }
    }
}

impl From<ContainerCause> for Cause {
    fn from(why: ContainerCause) -> Self {
        Self::Container { why }
    }
}

impl From<DatabaseCause> for Cause {
    fn from(why: DatabaseCause) -> Self {
        Self::Database { why }
    }
}

impl From<OwnCause> for Cause {
    fn from(why: OwnCause) -> Self {
        Self::Own { why }
    }
}

fn all(causes: &[Cause]) -> String {
    causes.iter().map(|cause| crate::text::ended(&cause.to_string())).collect::<Vec<_>>().join(" ")
}

fn limited(service: &str, seconds: Option<u64>) -> String {
    match seconds {
        Some(seconds) => format!("{service} asks to slow down and come back in {seconds} s."),
        None => format!("{service} asks to slow down."),
    }
}

fn time(seconds: u64) -> String {
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

/// What a failure means for those who decide what to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// It will not get better by asking again.
    #[default]
    Other,
    /// A service has no key, or refused the one it was given.
    Key,
    /// The account has no balance left.
    Balance,
    /// Asked too often; come back after so many seconds, where that was said.
    Limited { seconds: Option<u64> },
    /// Not reached, too slow, or in trouble: asking again may help.
    #[serde(rename = "passing")]
    Transient,
    /// An address that Nexi does not visit and asks no other service to visit.
    Forbidden,
    /// The run was stopped.
    Cancelled,
}

impl Fault {
    pub(super) fn is_other(&self) -> bool {
        *self == Fault::Other
    }
}
