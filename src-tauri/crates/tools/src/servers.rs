//! Servers that are started when they are needed, and stopped when they are not.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nexi_core::{
    ports::{Failure, Fault, ToolCause},
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
    slots: Arc<Mutex<HashMap<String, Arc<Slot>>>>,
    watched: Arc<std::sync::atomic::AtomicBool>,
}

/// One server. What is asked of it is not asked under the lock, so that nobody waits for another's call.
#[derive(Default)]
struct Slot {
    state: Turn<State>,
    /// Cancelled when it is to be stopped, whatever it is doing.
    stop: CancellationToken,
}

#[derive(Default)]
struct State {
    /// The line it was started or reached by; another line is another server.
    line: String,
    open: Option<Arc<Connection>>,
    used: Option<Instant>,
}

impl Servers {
    /// The tools of a server, asked anew.
    ///
    /// # Errors
    /// When it cannot be started, reached or asked.
    pub async fn tools(&self, name: &str, line: &str, launch: &Launch, cancel: &CancellationToken) -> Result<Vec<ToolDefinition>, Failure> {
        let slot = self.slot(name);
        let work = async {
            let connection = self.open(&slot, name, line, launch, cancel).await?;
            connection.tools(cancel).await
        };
        kept_where_let_in(&slot, until_stopped(&slot, work).await).await
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
        time_limit: Duration,
        observer: Arc<dyn Observer>,
        cancel: &CancellationToken,
    ) -> Result<Called, Failure> {
        let slot = self.slot(name);
        let work = async {
            let connection = self.open(&slot, name, line, launch, cancel).await?;
            // What was approved is what is called: the list is asked for each time.
            let listed = connection.tools(cancel).await?;
            match listed.iter().find(|tool| tool.name == approved.name) {
                Some(tool) if tool == approved => {}
                Some(_) => return Err(Failure::because(ToolCause::Changed)),
                None => return Err(Failure::because(ToolCause::Gone)),
            }
            connection.call(&approved.name, arguments, time_limit, observer, cancel).await
        };
        kept_where_let_in(&slot, until_stopped(&slot, work).await).await
    }

    /// Stops a server, if it runs; whoever waits for it is told so.
    pub async fn stop(&self, name: &str) {
        let slot = self.slots.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        if let Some(slot) = slot {
            slot.stop.cancel();
            close(&mut *slot.state.lock().await).await;
        }
    }

    /// Stops all of them.
    pub async fn stop_all(&self) {
        let names: Vec<String> = self.slots.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect();
        futures::future::join_all(names.iter().map(|name| self.stop(name))).await;
    }

    fn slot(&self, name: &str) -> Arc<Slot> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).entry(name.to_owned()).or_default().clone()
    }

    async fn open(
        &self,
        slot: &Slot,
        name: &str,
        line: &str,
        launch: &Launch,
        cancel: &CancellationToken,
    ) -> Result<Arc<Connection>, Failure> {
        let mut state = slot.state.lock().await;
        state.used = Some(Instant::now());
        if state.line == line
            && let Some(open) = state.open.as_ref().filter(|open| open.is_open())
        {
            return Ok(open.clone());
        }
        close(&mut state).await;
        tracing::info!(server = name, "a tool server is started");
        let connection = Arc::new(Connection::open(name, launch, cancel).await?);
        state.line = line.to_owned();
        state.open = Some(connection.clone());
        drop(state);
        self.watch();
        Ok(connection)
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
                    let Ok(mut state) = slot.state.try_lock() else {
                        open += 1;
                        continue;
                    };
                    // Whoever calls holds the connection, too.
                    let busy = state.open.as_ref().is_some_and(|open| Arc::strong_count(open) > 1);
                    if busy {
                        state.used = Some(Instant::now());
                    } else if state.used.is_none_or(|used| used.elapsed() > IDLE) {
                        close(&mut state).await;
                    }
                    open += usize::from(state.open.is_some());
                }
                if open == 0 {
                    watched.store(false, std::sync::atomic::Ordering::Relaxed);
                    return;
                }
            }
        });
    }
}

/// Does this, unless the server is stopped meanwhile.
async fn until_stopped<T>(slot: &Slot, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::select! {
        done = work => done,
        () = slot.stop.cancelled() => Err(Failure::because(ToolCause::Stopped)),
    }
}

/// A server that no longer lets Nexi in is reached anew the next time, with what the person has entered by then.
async fn kept_where_let_in<T>(slot: &Slot, done: Result<T, Failure>) -> Result<T, Failure> {
    if done.as_ref().is_err_and(|failure| failure.fault == Fault::Key) {
        close(&mut *slot.state.lock().await).await;
    }
    done
}

async fn close(state: &mut State) {
    let Some(open) = state.open.take() else { return };
    // A call that goes on keeps it; its end closes it then.
    if let Some(connection) = Arc::into_inner(open) {
        connection.close().await;
    }
}
