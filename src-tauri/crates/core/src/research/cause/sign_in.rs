//! Why a sign-in to a tool server did not come about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Fault;

/// What went wrong with a sign-in. Sentences follow the name of the server, and a colon.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SignInCause {
    #[error("its sign-in lacks the scope {scope}. Add it to scopes of this server in the settings file, and sign in again")]
    LacksScope { scope: String },
    #[error("its sign-in lacks a right. Add it to scopes of this server in the settings file, and sign in again")]
    LacksRight,
    #[error("its sign-in did not respond within a minute")]
    Slow,
    #[error("its sign-in has moved from {before} to {now}. If that is right, sign out first")]
    Moved { before: String, now: String },
    #[error(
        "its provider does not let programs register themselves. Register Nexi there with the redirect address http://127.0.0.1:PORT/callback, and set client_id and redirect_port of this server in the settings file; a client secret is stored with nexi tools secret SERVER client_secret"
    )]
    NoRegistration,
    #[error("it named no address to sign in at")]
    NoAddress,
    #[error("this is not the address that the browser ended up at; paste all of it")]
    OtherAddress,
    #[error("nobody signed in within {minutes} minutes")]
    TimedOut { minutes: u64 },
    #[error("its sign-in uses an address that is not safe: {address}")]
    UnsafeAddress { address: String },
    #[error("its sign-in uses an address that is not visited: {address} ({message})")]
    UnvisitedAddress { address: String, message: String },
    #[error("it offers no sign-in. If it needs a key, store that with nexi tools secret")]
    NotOffered,
    #[error("the sign-in is no longer valid; sign in again")]
    Expired,
    /// What the place of keys says.
    #[error("{message}")]
    NotKept { message: String },
    #[error("its sign-in is not safe enough: it does not support PKCE with S256")]
    NoPkce,
    #[error("its sign-in is of a kind that Nexi does not support (no response type \"code\")")]
    NoCodes,
    #[error("its provider calls itself {named} and not {wanted}, so nothing was sent or stored")]
    OtherProvider { named: String, wanted: String },
    #[error("its provider does not say that it is {wanted}, so nothing was sent or stored")]
    UnnamedProvider { wanted: String },
    #[error("its provider did not register Nexi ({message})")]
    NotRegistered { message: String },
    #[error("its provider gave no token that Nexi can use ({message}); try again, or ask the provider")]
    UnusableToken { message: String },
    #[error("its provider gave an empty token, or one with characters that no request takes; try again, or ask the provider")]
    BadToken,
    #[error("the sign-in could not be renewed ({message}); try again later, or sign in again")]
    NotRenewed { message: String },
    #[error("its provider could not be asked: {servers}")]
    ProviderUnreached { servers: String },
    #[error("the description of its sign-in could not be read: {message}")]
    NoDescription { message: String },
    #[error("the sign-in failed: {message}")]
    Failed { message: String },
    #[error(
        "port {port} of this computer, where the browser comes back, cannot be used: {message}; choose another redirect_port for this server, and register it with the provider"
    )]
    PortTaken { port: u16, message: String },
    #[error("the port for the sign-in was closed")]
    PortClosed,
    #[error("the sign-in was declined")]
    Declined,
    #[error("the sign-in was declined: {said}")]
    DeclinedSaying { said: String },
    #[error("its provider refused the sign-in: {said}")]
    Refused { said: String },
    #[error("the browser came back without a code; try again")]
    NoCode,
}

impl SignInCause {
    /// What it means for those who decide what to do next.
    pub(super) fn fault(&self) -> Fault {
        match self {
            Self::LacksScope { .. }
            | Self::LacksRight
            | Self::NoRegistration
            | Self::NotOffered
            | Self::Expired
            | Self::NotKept { .. }
            | Self::NotRegistered { .. }
            | Self::UnusableToken { .. }
            | Self::BadToken => Fault::Key,
            Self::Slow | Self::NotRenewed { .. } | Self::ProviderUnreached { .. } | Self::NoDescription { .. } => Fault::Transient,
            Self::Moved { .. }
            | Self::UnsafeAddress { .. }
            | Self::UnvisitedAddress { .. }
            | Self::OtherProvider { .. }
            | Self::UnnamedProvider { .. }
            | Self::Declined
            | Self::DeclinedSaying { .. } => Fault::Forbidden,
            _ => Fault::Other,
        }
    }
}
