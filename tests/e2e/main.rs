//! The `nexi` program as a whole: real processes, real files, loopback servers.

mod ask;
mod bombs;
mod corpus;
mod engine;
mod faults;
mod limits;
mod models;
mod reach;
mod resume;
mod support;
mod wire;
