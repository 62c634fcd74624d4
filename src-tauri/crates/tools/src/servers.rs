//! Servers that are started when they are needed, and stopped when they are not.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nexi_core::{
    ports::Failure,
    user_tools::{Called, ToolDefinition},
};
use serde_json::Value;
use tokio::sync::Mutex as Turn;
use tokio_util::sync::CancellationToken;

use crate::{Launch, Observer, connection::Connection};

/// How long a server may have nothing to do.
const IDLE: Duration = Duration::from_secs(5 * 60);
/// How often that is looked at.
const LOOK: Duration = Duration::from_secs(30);

/// All servers of this process.
#[derive(Clone, Default)]
pub struct Servers {
    slots: Arc<Mutex<HashMap<String, Arc<Turn<Slot>>>>>,
    watched: Arc<std::sync::atomic::AtomicBool>,
}

#[derive(Default)]
struct Slot {
    /// The line it was started or reached by; another line is another server.
    line: String,
    open: Option<Arc<Connection>>,
    tools: Vec<ToolDefinition>,
    used: Option<Instant>,
}

impl Servers {
    /// The tools of a server, asked anew.
    ///
    /// # Errors
    /// When it cannot be started, reached or asked.
    pub async fn tools(&self, name: &str, line: &str, launch: &Launch, cancel: &CancellationToken) -> Result<Vec<ToolDefinition>, Failure> {
        let slot = self.slot(name);
        let mut slot = slot.lock().await;
        let (connection, listed) = self.open(&mut slot, name, line, launch, cancel).await?;
        if !listed {
            slot.tools = connection.tools(cancel).await?;
        }
        Ok(slot.tools.clone())
    }

    /// Calls a tool, if it is still the one that was approved.
    ///
    /// # Errors
    /// When the server cannot be started or reached, the tool is another one by now, or the call fails.
    #[expect(clippy::too_many_arguments, reason = "each is a thing of its own")]
    pub async fn call(
        &self,
        name: &str,
        line: &str,
        launch: &Launch,
        approved: &ToolDefinition,
        arguments: &Value,
        patience: Duration,
        observer: Arc<dyn Observer>,
        cancel: &CancellationToken,
    ) -> Result<Called, Failure> {
        let slot = self.slot(name);
        let connection = {
            let mut slot = slot.lock().await;
            let (connection, _) = self.open(&mut slot, name, line, launch, cancel).await?;
            // A list that has changed since is asked for again: what was approved is what is called.
            slot.tools = connection.tools(cancel).await?;
            match slot.tools.iter().find(|tool| tool.name == approved.name) {
                Some(tool) if tool == approved => {}
                Some(_) => return Err(Failure::new(CHANGED)),
                None => return Err(Failure::new(GONE)),
            }
            connection
        };
        let result = connection.call(&approved.name, arguments, patience, observer, cancel).await;
        slot.lock().await.used = Some(Instant::now());
        result
    }

    /// Stops a server, if it runs.
    pub async fn stop(&self, name: &str) {
        let slot = self.slots.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        if let Some(slot) = slot {
            close(&mut *slot.lock().await).await;
        }
    }

    /// Stops all of them.
    pub async fn stop_all(&self) {
        let all: Vec<_> = self.slots.lock().unwrap_or_else(PoisonError::into_inner).drain().collect();
        futures::future::join_all(all.into_iter().map(|(_, slot)| async move { close(&mut *slot.lock().await).await })).await;
    }

    fn slot(&self, name: &str) -> Arc<Turn<Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).entry(name.to_owned()).or_default().clone()
    }

    /// The connection, and whether its tools were listed just now.
    async fn open(
        &self,
        slot: &mut Slot,
        name: &str,
        line: &str,
        launch: &Launch,
        cancel: &CancellationToken,
    ) -> Result<(Arc<Connection>, bool), Failure> {
        slot.used = Some(Instant::now());
        if slot.line == line
            && let Some(open) = slot.open.as_ref().filter(|open| open.is_open())
        {
            return Ok((open.clone(), false));
        }
        close(slot).await;
        tracing::info!(server = name, "a tool server is started");
        let connection = Arc::new(Connection::open(name, launch, cancel).await?);
        slot.tools = connection.tools(cancel).await?;
        slot.line = line.to_owned();
        slot.open = Some(connection.clone());
        self.watch();
        Ok((connection, true))
    }

    /// Looks from time to time which of them have nothing to do.
    fn watch(&self) {
        if self.watched.swap(true, std::sync::atomic::Ordering::Relaxed) {
            return;
        }
        let (slots, watched) = (self.slots.clone(), self.watched.clone());
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(LOOK).await;
                let all: Vec<_> = slots.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
                let mut open = 0;
                for slot in all {
                    let Ok(mut slot) = slot.try_lock() else {
                        open += 1;
                        continue;
                    };
                    // Whoever calls holds the connection, too.
                    let busy = slot.open.as_ref().is_some_and(|open| Arc::strong_count(open) > 1);
                    if busy {
                        slot.used = Some(Instant::now());
                    } else if slot.used.is_none_or(|used| used.elapsed() > IDLE) {
                        close(&mut slot).await;
                    }
                    open += usize::from(slot.open.is_some());
                }
                if open == 0 {
                    watched.store(false, std::sync::atomic::Ordering::Relaxed);
                    return;
                }
            }
        });
    }
}

/// What is told where a tool is no longer what the person approved.
const CHANGED: &str =
    "its description or arguments have changed since it was approved; the person has to look at it again in Settings, Tools";
const GONE: &str = "its server no longer offers it";

async fn close(slot: &mut Slot) {
    let Some(open) = slot.open.take() else { return };
    // A call that goes on keeps it; its end closes it then.
    if let Some(connection) = Arc::into_inner(open) {
        connection.close().await;
    }
}
