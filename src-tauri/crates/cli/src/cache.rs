//! `nexi cache`: the pages kept from earlier runs.

use anyhow::Result;
use nexi_messages::{decimal, say};

use crate::args::{Cache, Common};
use crate::output::{print_json, print_line};
use crate::{exit, start};

/// Tells what is kept of pages, or forgets it.
pub async fn run(cache: Cache, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    if cache.clear {
        engine.clear_pages().await?;
    }
    let (pages, bytes) = engine.kept_pages().await?.unwrap_or_default();
    if cache.json {
        print_json(&serde_json::json!({"pages": pages, "bytes": bytes}))?;
        return Ok(exit::ANSWERED);
    }
    print_line(&say!("nexi-terminal-pages-kept", count = pages, size = decimal(bytes as f64 / 1e6, 1)))?;
    Ok(exit::ANSWERED)
}
