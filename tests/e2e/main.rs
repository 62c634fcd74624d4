//! The `nexi` program from outside, against loopback servers.

mod ask;
mod corpus;
mod engine;
mod faults;
mod limits;
mod models;
mod resume;
mod support;
mod wire;
