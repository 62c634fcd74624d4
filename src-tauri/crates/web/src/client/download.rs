//! Large files from an address that is known, checked by their hash: what is not the very file is thrown away.

use std::path::Path;
use std::time::Duration;

use data_encoding::HEXLOWER;
use nexi_core::ports::{Cause, Failure};
use nexi_core::settings::Route;
use reqwest::header::RANGE;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;

use super::{CONNECT, builder, transport_failure, unusable};

/// How long nothing may come.
const IDLE: Duration = Duration::from_secs(60);
/// Publishers of large files send the visitor on to where they are kept.
const MOST_REDIRECTS: usize = 5;

/// A file to be fetched.
#[derive(Debug, Clone, Copy)]
pub struct Download<'a> {
    pub url: &'a str,
    /// In bytes.
    pub size: u64,
    /// In hexadecimal digits.
    pub sha256: &'a str,
}

impl Download<'_> {
    /// Fetches the file to `path`, beginning where an earlier attempt ended. `progress` is told the bytes that are there.
    /// A file that is there already and is the right one is not fetched again.
    ///
    /// # Errors
    /// When the address cannot be reached, sends something else than the file, the disk refuses, or the download is
    /// stopped; what has come is kept for the next time.
    pub async fn fetch(
        &self,
        path: &Path,
        route: &Route,
        progress: &(dyn Fn(u64) + Send + Sync),
        cancel: &CancellationToken,
    ) -> Result<(), Failure> {
        if self.is_at(path).await {
            progress(self.size);
            return Ok(());
        }
        tokio::select! {
            () = cancel.cancelled() => Err(Failure::cancelled()),
            done = self.fetch_now(path, route, progress) => done,
        }
    }

    async fn fetch_now(&self, path: &Path, route: &Route, progress: &(dyn Fn(u64) + Send + Sync)) -> Result<(), Failure> {
        let failed =
            |error: std::io::Error| Failure::because(Cause::Unwritable { path: path.display().to_string(), message: error.to_string() });
        if let Some(folder) = path.parent() {
            tokio::fs::create_dir_all(folder).await.map_err(failed)?;
        }
        let part = path.with_extension("part");
        let mut there = tokio::fs::metadata(&part).await.map_or(0, |found| found.len());
        if there >= self.size {
            there = 0;
        }
        let client = builder(route)?
            .redirect(reqwest::redirect::Policy::limited(MOST_REDIRECTS))
            .https_only(self.url.starts_with("https:"))
            .connect_timeout(2 * CONNECT)
            .read_timeout(IDLE)
            // The hash is that of the file, not of a packed one.
            .no_gzip()
            .no_brotli()
            .build()
            .map_err(|error| unusable(&error))?;
        let host = url::Url::parse(self.url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
        let broken = |error: reqwest::Error| {
            let failure = transport_failure(&error.without_url());
            let cause = Cause::FileUnfetched { host: host.clone(), cause: Box::new(failure.cause()) };
            Failure { said: failure.said, ..Failure::because(cause) }
        };
        let mut request = client.get(self.url);
        if there > 0 {
            request = request.header(RANGE, format!("bytes={there}-"));
        }
        let mut response = request.send().await.map_err(broken)?;
        let status = response.status().as_u16();
        if !response.status().is_success() {
            return Err(Failure { status: Some(status), ..Failure::because(Cause::FileStatus { host, status }) });
        }
        // Not every server begins in the middle.
        let appends = status == 206 && there > 0;
        let mut file =
            tokio::fs::OpenOptions::new().create(true).write(true).append(appends).truncate(!appends).open(&part).await.map_err(failed)?;
        let mut done = if appends { there } else { 0 };
        while let Some(chunk) = response.chunk().await.map_err(broken)? {
            done += chunk.len() as u64;
            if done > self.size {
                break;
            }
            file.write_all(&chunk).await.map_err(failed)?;
            progress(done);
        }
        file.sync_all().await.map_err(failed)?;
        drop(file);
        if done < self.size {
            return Err(Failure::because(Cause::FileEndedEarly { host }));
        }
        if !self.is_at(&part).await {
            tokio::fs::remove_file(&part).await.map_err(failed)?;
            return Err(Failure::because(Cause::OtherFile { host }));
        }
        tokio::fs::rename(&part, path).await.map_err(failed)
    }

    /// Whether the file is the one that is wanted.
    async fn is_at(&self, path: &Path) -> bool {
        let Ok(mut file) = tokio::fs::File::open(path).await else { return false };
        if file.metadata().await.map_or(0, |found| found.len()) != self.size {
            return false;
        }
        let (mut hash, mut buffer) = (Sha256::new(), vec![0; 256 * 1024]);
        loop {
            match file.read(&mut buffer).await {
                Ok(0) => return HEXLOWER.encode(&hash.finalize()) == self.sha256,
                Ok(count) => hash.update(&buffer[..count]),
                Err(_) => return false,
            }
        }
    }
}
