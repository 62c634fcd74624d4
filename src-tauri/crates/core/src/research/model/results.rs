//! What tool calls come back with.

use serde::{Deserialize, Serialize};

use crate::ports::{Failure, Found, Link};

/// The one result of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToolResult {
    Searches {
        searches: Vec<QueryResult>,
        /// Hosts whose results stand behind all others.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        demoted: Vec<String>,
        /// Hosts whose results stand in front of all others.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        preferred: Vec<String>,
    },
    Pages {
        pages: Vec<PageResult>,
    },
    /// What a researcher of a deep run is told in place of its first pages: what has been read
    /// already, and how many pages it may ask for now.
    Handshake {
        read: Vec<ReadBefore>,
        batch: u32,
    },
    /// What a tool of the person's own returned, or why it did not.
    Called {
        /// As it is offered to models.
        tool: String,
        pages: Vec<ReadPage>,
        /// What cannot be read, such as pictures.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        left_out: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        error: Option<String>,
    },
    /// One of the others, in the words that a provider is sent. Never part of a run.
    Rendered {
        text: String,
    },
    /// The call could not be carried out; the text says why.
    Error {
        message: String,
    },
}

/// A page that another researcher has read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadBefore {
    pub number: u32,
    pub title: String,
    pub url: String,
}

/// One query of a `web_search`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueryResult {
    pub query: String,
    pub found: Result<Found, Failure>,
    /// It was not sent to the web, because it held private text.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub documents_only: bool,
}

/// One page of a `web_get`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageResult {
    /// As it was asked for.
    pub url: String,
    pub page: Result<ReadPage, Failure>,
}

/// A page as the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadPage {
    pub number: u32,
    pub url: String,
    pub title: String,
    pub date: Option<String>,
    /// The whole text, or what was chosen of it.
    pub text: String,
    pub shown: Shown,
    /// The day it was fetched, where that was earlier than it was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fetched: Option<String>,
    /// Links of what is shown, so that the model can follow them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub links: Vec<Link>,
}

/// How the text of a [`ReadPage`] came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// It is all there is.
    Whole,
    /// The passages that rank best.
    Passages,
    /// Chunks, word for word.
    Chunks,
    /// The model's own summary.
    Extract,
    /// The first part, because nothing better could be had.
    Beginning,
    /// The lines or pages that were asked for.
    Range,
}
