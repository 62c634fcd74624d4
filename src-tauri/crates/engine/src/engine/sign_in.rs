//! Signing in to tool servers, in the person's browser.

use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

use nexi_core::{ports::Failure, settings::Problem};
use nexi_store::keys as store_keys;
use nexi_tools::SignIn;
use tokio_util::sync::CancellationToken;

use super::{Engine, blocking};
use crate::{EngineError, toolbox};

/// Sign-ins that wait for the browser, by server.
pub(super) type SignIns = HashMap<String, PendingSignIn>;

/// One that waits: it can be finished once, and cancelled at any time.
pub(super) struct PendingSignIn {
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
            let message = format!("{name} is a program; only servers at an address have a sign-in");
            return Err(EngineError::Invalid(Problem::new("server", message)));
        };
        self.cancel_sign_in(name);
        let reach = self.reach(&self.settings());
        let begun = toolbox::begin_sign_in(name, &url, &server, &reach).await.map_err(|failure| of_server(name, failure))?;
        let address = begun.address().to_string();
        self.sign_ins()
            .insert(name.to_owned(), PendingSignIn { address: address.clone(), begun: Some(begun), cancel: CancellationToken::new() });
        Ok(address)
    }

    /// Waits until the person has signed in, with `pasted` for the address at which a browser ended elsewhere, and keeps
    /// what that yields with the keys.
    ///
    /// # Errors
    /// When no sign-in has begun, the person declines, cancels or takes too long, or the place of keys takes nothing.
    pub async fn finish_sign_in(&self, name: &str, pasted: impl Future<Output = String>) -> Result<(), EngineError> {
        let waiting = self.sign_ins().get_mut(name).and_then(|pending| Some((pending.begun.take()?, pending.cancel.clone())));
        let Some((begun, cancel)) = waiting else {
            return Err(EngineError::Invalid(Problem::new("server", format!("no sign-in to {name} has begun"))));
        };
        let done = begun.finish(pasted, &cancel).await;
        if !cancel.is_cancelled() {
            self.sign_ins().remove(name);
        }
        // What is open by now was reached without it.
        self.inner.servers.stop(name).await;
        Ok(done.map_err(|failure| of_server(name, failure))?)
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

    /// Forgets a sign-in.
    ///
    /// # Errors
    /// When there is no such server, or the place of keys cannot be reached.
    pub async fn sign_out(&self, name: &str) -> Result<(), EngineError> {
        self.tool_server(name)?;
        let kept = toolbox::secret_name(name, toolbox::SIGN_IN);
        blocking(move || store_keys::remove(&kept)).await??;
        self.inner.servers.stop(name).await;
        Ok(())
    }

    /// Whether tokens of a sign-in are kept for a server. Takes a while where the keyring has to be unlocked.
    ///
    /// # Errors
    /// When there is no such server, or the place of keys cannot be reached.
    pub async fn is_signed_in(&self, name: &str) -> Result<bool, EngineError> {
        self.tool_server(name)?;
        let kept = toolbox::secret_name(name, toolbox::SIGN_IN);
        Ok(blocking(move || store_keys::find(&kept, None)).await??.is_some())
    }

    fn sign_ins(&self) -> MutexGuard<'_, SignIns> {
        self.inner.sign_ins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn of_server(name: &str, failure: Failure) -> Failure {
    Failure { message: format!("{name}: {}", failure.message), ..failure }
}
