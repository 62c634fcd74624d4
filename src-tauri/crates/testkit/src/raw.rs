//! A server below HTTP: it says the same bytes to everybody, whatever is asked.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::End;

/// Bytes on a socket.
pub struct RawServer {
    /// `127.0.0.1:port`.
    pub host: String,
}

impl RawServer {
    /// Sends these bytes to every connection, then ends it so.
    pub async fn start(bytes: Vec<u8>, end: End) -> Self {
        Self::serve(bytes, Some(end)).await
    }

    /// Sends these bytes again and again, for as long as anybody listens.
    pub async fn endless(bytes: Vec<u8>) -> Self {
        Self::serve(bytes, None).await
    }

    async fn serve(bytes: Vec<u8>, end: Option<End>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free loopback port");
        let host = listener.local_addr().expect("a bound port").to_string();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(talk(socket, bytes.clone(), end));
            }
        });
        Self { host }
    }
}

async fn talk(mut socket: TcpStream, bytes: Vec<u8>, end: Option<End>) {
    let mut request = [0; 4096];
    let _ = socket.read(&mut request).await;
    let _ = socket.write_all(&bytes).await;
    match end {
        None => while socket.write_all(&bytes).await.is_ok() {},
        Some(End::Close) => drop(socket.shutdown().await),
        Some(End::Hang) => {
            tokio::time::sleep(Duration::from_secs(3600)).await;
        }
        Some(End::Reset) => {
            // With nothing lingering the connection is reset and not closed.
            #[allow(deprecated)]
            let _ = socket.set_linger(Some(Duration::ZERO));
        }
    }
}
