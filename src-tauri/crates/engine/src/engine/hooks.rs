//! Hooks: webhooks and programs that are called after research.

mod attempt;
mod body;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures::FutureExt;
use nexi_core::{
    ids::TurnId,
    ports::{Failure, OwnCause},
    protocol::{Delivery, DeliveryOutcome, HookEvent, TurnState},
    settings::Hook,
};
use nexi_messages::say;
use nexi_store::{
    history::DueDelivery,
    keys::{self as store_keys, KeyError, KeyringState},
    settings_file::Change,
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{Mutex as AsyncMutex, Notify};
use tokio::task::JoinSet;
use ts_rs::TS;

use attempt::Tried;

use super::{
    Engine, blocking,
    foreign_tools::{command_of, is_address},
    settings::entry_change,
};
use crate::{
    EngineError,
    driver::{Afterwards, now_ms},
};

/// Deliveries that go on at the same time.
const AT_ONCE: usize = 4;
/// Between two looks for what another process has put into the queue.
const PAUSE: Duration = Duration::from_secs(60);
/// Longer than any delivery takes besides its own time limit, in milliseconds.
const LEEWAY: i64 = 30_000;
/// For how long nothing is tried that cannot be tried yet, in milliseconds.
const NOT_YET: i64 = 300_000;

/// What is delivered by this process.
#[derive(Default)]
pub(super) struct Deliveries {
    /// One round after the other.
    round: AsyncMutex<()>,
    /// Something was put into the queue.
    queued: Notify,
}

/// A hook as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct HookView {
    pub name: String,
    pub hook: Hook,
    /// Where deliveries go, on one line.
    pub target: String,
    /// Deliveries that are still to be made.
    pub waiting: u32,
    /// The newest one that was tried.
    pub last: Option<Delivery>,
}

/// A hook as a person enters it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct NewHook {
    pub name: String,
    /// An address, or a program with its arguments as one would type them.
    pub target: String,
    pub on: Vec<HookEvent>,
    pub signed: bool,
}

impl NewHook {
    /// Its name, and what the settings say of it.
    ///
    /// # Errors
    /// When the target is empty or its quotation marks are not closed.
    pub fn parsed(&self) -> Result<(String, Hook), EngineError> {
        let mut hook = Hook { on: self.on.clone(), ..Hook::default() };
        let target = self.target.trim();
        if is_address(target) {
            hook.url = Some(target.to_owned());
            hook.signed = self.signed;
        } else if looks_like_address(target) {
            return Err(EngineError::invalid("target", say!("arguments-hook.with_scheme", target = target)));
        } else {
            (hook.command, hook.args) = command_of("target", target)?;
        }
        Ok((self.name.trim().to_owned(), hook))
    }
}

impl Engine {
    /// All hooks, by name, with what came of their deliveries.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn hooks(&self) -> Result<Vec<HookView>, EngineError> {
        let mut all = self.hook_deliveries(None, u32::MAX).await?;
        all.sort_by_key(|delivery| std::cmp::Reverse(delivery.tried_ms));
        let view = |(name, hook): (String, Hook)| {
            let own = || all.iter().filter(|delivery| delivery.hook == name);
            HookView {
                target: hook.target(),
                waiting: u32::try_from(own().filter(|delivery| is_waiting(delivery)).count()).unwrap_or(u32::MAX),
                last: own().find(|delivery| delivery.outcome.is_some()).cloned(),
                name,
                hook,
            }
        };
        Ok(self.settings().hooks.into_iter().map(view).collect())
    }

    /// The newest deliveries of a hook, or of all.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn hook_deliveries(&self, hook: Option<&str>, limit: u32) -> Result<Vec<Delivery>, EngineError> {
        let hook = hook.map(str::to_owned);
        self.in_library(move |history| history.deliveries(hook.as_deref(), limit)).await
    }

    /// Whether a hook can be added.
    ///
    /// # Errors
    /// When the name is taken or something about it is wrong.
    pub fn check_new_hook(&self, name: &str, hook: &Hook) -> Result<(), EngineError> {
        if self.settings().hooks.contains_key(name) {
            return Err(EngineError::invalid("name", say!("arguments-hook.name_taken", name = name)));
        }
        self.check_changes(&[entry_change("hooks", name, hook)])
    }

    /// Adds a hook to the settings. For an address that is signed for, a secret is made; it is returned.
    ///
    /// # Errors
    /// As for [`check_new_hook`](Self::check_new_hook), or when the file or the place of keys cannot be written; nothing is
    /// added then.
    pub async fn add_hook(&self, name: &str, hook: &Hook) -> Result<Option<SecretString>, EngineError> {
        self.check_new_hook(name, hook)?;
        let secret = if hook.url.is_some() && hook.signed { Some(new_secret(name).await?) } else { None };
        self.change_settings(&[entry_change("hooks", name, hook)])?;
        Ok(secret)
    }

    /// Removes a hook with its secret and its deliveries.
    ///
    /// # Errors
    /// When there is no such hook, or the settings or the library cannot be written.
    pub async fn remove_hook(&self, name: &str) -> Result<(), EngineError> {
        let hook = self.hook(name)?;
        let (owned, account) = (name.to_owned(), secret_name(name));
        if hook.url.is_some() && hook.signed {
            match blocking(move || store_keys::remove(&account)).await? {
                // Where there is no keyring, there is no secret.
                Ok(()) | Err(KeyError::Keyring(KeyringState::Missing)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.in_library(move |history| history.drop_deliveries(&owned)).await?;
        self.change_settings(&[Change { path: vec!["hooks".into(), name.to_owned()], value: Value::Null }])?;
        Ok(())
    }

    /// Turns a hook on or off.
    ///
    /// # Errors
    /// When there is no such hook, or the settings cannot be written.
    pub fn set_hook_enabled(&self, name: &str, on: bool) -> Result<(), EngineError> {
        self.hook(name)?;
        // On is what is not written down.
        let value = if on { Value::Null } else { false.into() };
        self.change_settings(&[Change { path: vec!["hooks".into(), name.to_owned(), "enabled".into()], value }])?;
        Ok(())
    }

    /// The secret that the requests of a hook are signed with, for the receiver; made if there is none.
    ///
    /// # Errors
    /// When there is no such hook with an address, or the place of keys cannot be reached.
    pub async fn hook_secret(&self, name: &str) -> Result<SecretString, EngineError> {
        self.signing_hook(name)?;
        match known_secret(name).await? {
            Some(known) => Ok(known),
            None => new_secret(name).await,
        }
    }

    /// Gives a hook another secret: this one, or a new one.
    ///
    /// # Errors
    /// When there is no such hook with an address, the secret cannot be one, or the place of keys does not take it.
    pub async fn set_hook_secret(&self, name: &str, given: Option<SecretString>) -> Result<SecretString, EngineError> {
        self.signing_hook(name)?;
        let Some(given) = given else { return new_secret(name).await };
        if !attempt::is_secret(given.expose_secret()) {
            return Err(EngineError::invalid("secret", say!("arguments-hook.secret")));
        }
        keep_secret(name, given).await
    }

    /// Sends a hook a test and waits for what comes of it.
    ///
    /// # Errors
    /// When there is no such hook, or the library cannot be written.
    pub async fn test_hook(&self, name: &str) -> Result<Delivery, EngineError> {
        let hook = self.hook(name)?;
        let (owned, body, time_limit) = (name.to_owned(), body::test(now_ms()), time_limit_ms(&hook));
        let due = self
            .in_library(move |history| {
                let id = history.queue_delivery(&owned, None, None, &body, now_ms())?;
                history.take_this_delivery(&id, now_ms(), time_limit)
            })
            .await?;
        let due = due.ok_or_else(|| EngineError::invalid("hook", say!("arguments-hook.tested_elsewhere")))?;
        let tried = match self.attempt(&hook, &due).await {
            // Nobody waits for a test to be made another time.
            Tried::NotYet(message) => Tried::Settled(DeliveryOutcome::Failed { message, again_ms: None }),
            settled => settled,
        };
        self.settle(&due, tried).await?;
        let (name, id) = (name.to_owned(), due.id);
        let listed = self.in_library(move |history| history.deliveries(Some(&name), u32::MAX)).await?;
        listed.into_iter().find(|delivery| delivery.id == id).ok_or(EngineError::Gone)
    }

    /// What a run does when its ending is kept: its hooks' deliveries come into the queue.
    pub(super) fn tell_afterwards(&self, turn: TurnId) -> Afterwards {
        let engine = self.clone();
        Box::new(move |ending| {
            async move {
                engine.notify_outbox();
                let event = match ending.state {
                    TurnState::Answered | TurnState::Partial => HookEvent::Answered,
                    TurnState::Failed | TurnState::NothingFound => HookEvent::Failed,
                    // The person stopped it, or it goes on another time.
                    TurnState::Cancelled | TurnState::Running | TurnState::Interrupted => return,
                };
                engine.queue_deliveries(&turn, event).await;
            }
            .boxed()
        })
    }

    /// Puts what hooks are to be told of a turn into the queue. What goes wrong is logged: the turn is kept all the same.
    pub(super) async fn queue_deliveries(&self, turn: &TurnId, event: HookEvent) {
        let hooks = self.settings().hooks.into_iter().filter(|(_, hook)| hook.enabled && hook.on.contains(&event));
        let names: Vec<String> = hooks.map(|(name, _)| name).collect();
        if names.is_empty() {
            return;
        }
        let turn = turn.clone();
        let queued = self.in_library(move |history| {
            let (whole, now) = (history.turn(&turn)?, now_ms());
            let body = body::of_turn(whole, event, now)?;
            names.iter().try_for_each(|name| history.queue_delivery(name, Some(event), Some(&turn), &body, now).map(drop))
        });
        match queued.await {
            Ok(()) => self.inner.deliveries.queued.notify_one(),
            Err(error) => tracing::warn!(%error, "hooks will not be told of a run"),
        }
    }

    /// Delivers whatever is due to the hooks that are known here and turned on, and tells what came of each. Rounds of one
    /// process come one after the other; several processes share what there is. Nothing new is begun once `time_limit` is
    /// over.
    ///
    /// # Errors
    /// When the library cannot be read or written.
    pub async fn deliver_due(
        &self,
        time_limit: Option<Duration>,
        mut told: impl FnMut(&str, &DeliveryOutcome) + Send,
    ) -> Result<(), EngineError> {
        let _round = self.inner.deliveries.round.lock().await;
        let begun = Instant::now();
        let is_over = || time_limit.is_some_and(|time_limit| begun.elapsed() > time_limit);
        self.refresh_settings();
        let mut going = JoinSet::new();
        loop {
            let hooks = self.known_hooks();
            let names: Vec<String> = hooks.keys().cloned().collect();
            let longest = hooks.values().map(time_limit_ms).max().unwrap_or(LEEWAY);
            while going.len() < AT_ONCE && !is_over() {
                let known = names.clone();
                let Some(due) = self.in_library(move |history| history.take_delivery(&known, now_ms(), longest)).await? else { break };
                let Some(hook) = hooks.get(&due.hook).cloned() else { continue };
                let engine = self.clone();
                going.spawn(async move { (engine.attempt(&hook, &due).await, due) });
            }
            let Some(done) = going.join_next().await else { return Ok(()) };
            let Ok((outcome, due)) = done else { continue };
            let outcome = self.settle(&due, outcome).await?;
            told(&due.hook, &outcome);
        }
    }

    /// Notes what came of a try; an address that is gone is called no more.
    async fn settle(&self, due: &DueDelivery, tried: Tried) -> Result<DeliveryOutcome, EngineError> {
        let due = due.clone();
        if let Tried::Settled(DeliveryOutcome::Gone) = &tried
            && let Err(error) = self.set_hook_enabled(&due.hook, false)
        {
            tracing::warn!(%error, hook = due.hook, "a hook could not be turned off");
        }
        self.in_library(move |history| match tried {
            Tried::Settled(outcome) => history.settle_delivery(&due, &outcome).map(|()| outcome),
            Tried::NotYet(message) => {
                let again = now_ms() + NOT_YET;
                history.put_delivery_off(&due, &message, again)?;
                Ok(DeliveryOutcome::Failed { message, again_ms: Some(again) })
            }
        })
        .await
    }

    /// The hooks that are turned on here, and can be called: where keys are locked, signed requests wait.
    fn known_hooks(&self) -> BTreeMap<String, Hook> {
        let locked = self.keys_are_locked();
        let is_known = |hook: &Hook| hook.enabled && !(locked && hook.url.is_some() && hook.signed);
        self.settings().hooks.into_iter().filter(|(_, hook)| is_known(hook)).collect()
    }

    /// Delivers as it comes up, for as long as this process lives. Never ends.
    pub async fn keep_delivering(&self, mut told: impl FnMut(&str, &DeliveryOutcome) + Send) {
        loop {
            if let Err(error) = self.deliver_due(None, &mut told).await {
                tracing::warn!(%error, "hooks could not be told");
            }
            let wait = self
                .next_delivery()
                .await
                .map_or(PAUSE, |next| Duration::from_millis(u64::try_from(next - now_ms()).unwrap_or_default()).min(PAUSE));
            // What cannot be read or written is not tried without a pause.
            let wait = wait.max(Duration::from_millis(500));
            tokio::select! {
                () = self.inner.deliveries.queued.notified() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// When something is due to be delivered by this process, in Unix milliseconds.
    async fn next_delivery(&self) -> Option<i64> {
        let names: Vec<String> = self.known_hooks().into_keys().collect();
        if names.is_empty() {
            return None;
        }
        self.in_library(move |history| history.next_delivery(&names)).await.ok().flatten()
    }

    /// How long a delivery can take, by the settings.
    pub fn longest_delivery(&self) -> Duration {
        Duration::from_secs(self.known_hooks().values().map(|hook| hook.timeout.into()).max().unwrap_or_default())
    }

    /// Whether anything is due to be delivered now.
    pub async fn has_deliveries(&self) -> bool {
        self.next_delivery().await.is_some_and(|next| next <= now_ms()) || self.inner.deliveries.round.try_lock().is_err()
    }

    fn hook(&self, name: &str) -> Result<Hook, EngineError> {
        let settings = self.settings();
        settings.hooks.get(name).cloned().ok_or_else(|| {
            let known: Vec<&str> = settings.hooks.keys().map(String::as_str).collect();
            let message = match known.as_slice() {
                [] => say!("arguments-hook.none_at_all", name = name),
                known => say!("arguments-hook.none", name = name, known = known.join(", ")),
            };
            EngineError::invalid("name", message)
        })
    }

    fn signing_hook(&self, name: &str) -> Result<(), EngineError> {
        let hook = self.hook(name)?;
        let why = match hook.url {
            Some(_) if hook.signed => return Ok(()),
            Some(_) => say!("arguments-hook.not_signed", name = name),
            None => say!("arguments-hook.program_is_not_signed", name = name),
        };
        Err(EngineError::invalid("name", why))
    }
}

fn is_waiting(delivery: &Delivery) -> bool {
    matches!(delivery.outcome, None | Some(DeliveryOutcome::Failed { again_ms: Some(_), .. }))
}

/// Whether what was typed is rather an address whose beginning is missing than a program.
fn looks_like_address(target: &str) -> bool {
    let host = target.split(['/', ':']).next().unwrap_or_default();
    let is_host = |host: &str| host.contains('.') && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
    !target.contains(char::is_whitespace) && host.len() < target.len() && !host.starts_with('.') && is_host(host)
}

/// For how long nobody else may try.
fn time_limit_ms(hook: &Hook) -> i64 {
    i64::from(hook.timeout) * 1000 + LEEWAY
}

/// The name under which the secret of a hook is kept with the keys.
fn secret_name(name: &str) -> String {
    format!("hooks.{name}.secret")
}

/// The secret of a hook, if it has one.
async fn known_secret(name: &str) -> Result<Option<SecretString>, EngineError> {
    let account = secret_name(name);
    Ok(blocking(move || store_keys::find(&account, None)).await??)
}

async fn new_secret(name: &str) -> Result<SecretString, EngineError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| Failure::because(OwnCause::NoHookSecret { message: error.to_string() }))?;
    keep_secret(name, format!("whsec_{}", data_encoding::BASE64.encode(&bytes)).into()).await
}

async fn keep_secret(name: &str, secret: SecretString) -> Result<SecretString, EngineError> {
    let account = secret_name(name);
    Ok(blocking(move || store_keys::store(&account, &secret).map(|()| secret)).await??)
}
