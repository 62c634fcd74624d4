//! The `nexi` program as a whole: real processes, real files, loopback servers.

mod ask;
mod corpus;
mod faults;
mod resume;
mod support;
