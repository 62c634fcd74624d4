//! The `nexi` program as a whole: real processes, real files, loopback servers. Signals, pipes and terminals are those of Unix.

#![cfg(unix)]
#![allow(clippy::disallowed_macros, reason = "tests print figures")]

mod ask;
mod asked;
mod attach;
mod audit;
mod backups;
mod bombs;
mod check;
mod commands;
mod connect;
mod corpus;
mod deep;
mod documents;
mod earlier;
mod egress;
mod engine;
mod faults;
#[path = "../quality/figure.rs"]
mod figure;
mod handbook;
mod hooks;
mod hostile;
mod language;
mod library;
mod limits;
mod long;
mod mcp;
mod mcp_http;
mod meaning;
mod memory;
mod models;
mod quoting;
mod reach;
mod resume;
mod room;
#[cfg(unix)]
mod searxng;
mod session;
mod sign_in;
mod spaces;
mod support;
mod templates;
mod terminal;
mod tools;
mod usage;
mod watched;
mod wire;
mod zoo;
