//! Finding and reading against loopback servers.

mod contracts;
mod pages;
mod politeness;
mod security;
mod ssrf;
mod way_out;
