//! Finding and reading against loopback servers.

mod contracts;
mod embedding;
mod pages;
mod politeness;
mod security;
mod ssrf;
mod way_out;
