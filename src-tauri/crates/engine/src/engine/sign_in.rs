//! Signing in to tool servers, in the person's browser.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};

use nexi_core::ports::{Failure, Fault};
use nexi_messages::say;
use nexi_tools::{SIGN_IN_TIMEOUT, SignIn, TokenStore, is_signed_in};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Engine, blocking};
use crate::{EngineError, sentences, toolbox};

/// Sign-ins that wait for the browser, by server.
pub(super) type SignIns = HashMap<String, PendingSignIn>;

/// One that waits: it can be finished once, and cancelled at any time.
pub(super) struct PendingSignIn {
    /// Tells it from one that takes its place.
    id: Uuid,
    address: String,
    begun: Option<SignIn>,
    cancel: CancellationToken,
}

impl Engine {
    /// Begins a sign-in to the server at an address, which is the one that the person has seen, and says where the person
    /// signs in. One that is under way is over.
    ///
    /// # Errors
    /// When there is no such server, its address is another one by now, or it offers no sign-in.
    pub async fn begin_sign_in(&self, name: &str, launch: &str) -> Result<String, EngineError> {
        let server = self.tool_server(name)?;
        self.check_launch(&server, launch)?;
        let Some(url) = server.url.clone() else {
            return Err(EngineError::invalid("server", say!("arguments-tool.program_has_no_sign_in", name = name)));
        };
        self.cancel_sign_in(name);
        let begun = toolbox::begin_sign_in(name, &url, &server, &self.reach(&self.settings())).await;
        let begun = begun.map_err(|failure| failure.of_service(name))?;
        let (id, address) = (Uuid::now_v7(), begun.address().to_string());
        let pending = PendingSignIn { id, address: address.clone(), begun: Some(begun), cancel: CancellationToken::new() };
        let before = self.sign_ins().insert(name.to_owned(), pending);
        if let Some(before) = before {
            before.cancel.cancel();
        }
        // A sign-in that is never finished must not keep its port.
        let inner = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            tokio::time::sleep(SIGN_IN_TIMEOUT).await;
            if let Some(inner) = inner.upgrade() {
                Engine { inner }.sign_ins().retain(|_, pending| pending.id != id || pending.begun.is_none());
            }
        });
        Ok(address)
    }

    /// Waits until the person has signed in, with `pasted` for the address at which a browser ended up elsewhere, and
    /// keeps the tokens with the keys. `wrong` is called when some other address was pasted.
    ///
    /// # Errors
    /// When no sign-in has begun, the person declines, cancels or takes too long, or the place of keys takes nothing.
    pub async fn finish_sign_in(&self, name: &str, pasted: mpsc::Receiver<String>, wrong: impl Fn(&str) + Send) -> Result<(), EngineError> {
        let waiting = self.sign_ins().get_mut(name).and_then(|pending| Some((pending.id, pending.begun.take()?, pending.cancel.clone())));
        let Some((id, begun, cancel)) = waiting else {
            return Err(EngineError::invalid("server", say!("arguments-tool.no_sign_in", name = name)));
        };
        let done = begun.finish(pasted, sentences::callback_words(), move |why| wrong(&sentences::cause(&why)), &cancel).await;
        self.sign_ins().retain(|_, pending| pending.id != id);
        done.map_err(|failure| failure.of_service(name))?;
        // A key that was entered before would be sent in its place; what is open was reached without the sign-in, and is
        // stopped with the key.
        self.set_tool_secret(name, None, None).await
    }

    /// Where the person signs in to a server, while a sign-in waits.
    pub fn sign_in_address(&self, name: &str) -> Option<String> {
        self.sign_ins().get(name).map(|pending| pending.address.clone())
    }

    /// Ends a sign-in that waits.
    pub fn cancel_sign_in(&self, name: &str) {
        let pending = self.sign_ins().remove(name);
        if let Some(pending) = pending {
            pending.cancel.cancel();
        }
    }

    /// Forgets a sign-in, and ends one that waits. Tells whether there was any.
    ///
    /// # Errors
    /// When there is no such server, or the place of keys cannot be reached.
    pub async fn sign_out(&self, name: &str) -> Result<bool, EngineError> {
        self.tool_server(name)?;
        self.cancel_sign_in(name);
        self.inner.servers.stop(name).await;
        let tokens = self.reach(&self.settings()).tokens(name);
        let removed = blocking(move || {
            // A token that is being renewed would come back.
            let _turn = tokens.lock()?;
            let any = tokens.load()?.is_some();
            if any { tokens.clear().map(|()| true) } else { Ok(false) }
        });
        Ok(removed.await?.map_err(|message| Failure::of(Fault::Key, message))?)
    }

    /// Whether tokens of a sign-in are kept for the address of a server. Takes a while where the keyring has to be unlocked.
    ///
    /// # Errors
    /// When there is no such server, or the place of keys cannot be reached.
    pub async fn is_signed_in(&self, name: &str) -> Result<bool, EngineError> {
        let Some(url) = self.tool_server(name)?.url else { return Ok(false) };
        let tokens = self.reach(&self.settings()).tokens(name);
        let kept = blocking(move || tokens.load()).await?.map_err(|message| Failure::of(Fault::Key, message))?;
        Ok(kept.is_some_and(|kept| is_signed_in(&kept, &url)))
    }

    fn sign_ins(&self) -> MutexGuard<'_, SignIns> {
        self.inner.sign_ins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
