//! One try to deliver.

use nexi_messages::say;
use std::time::Duration;

use data_encoding::BASE64;
use nexi_core::{
    ports::{Failure, OwnCause},
    protocol::DeliveryOutcome,
    settings::{Hook, Wrong},
    text,
};
use nexi_store::{history::DueDelivery, paths::expand_home, settings_file};
use nexi_tools::run_program;
use nexi_web::client::ApiClient;
use secrecy::{ExposeSecret, SecretString};
use standardwebhooks::{HEADER_WEBHOOK_ID, HEADER_WEBHOOK_SIGNATURE, HEADER_WEBHOOK_TIMESTAMP, Webhook};
use tokio_util::sync::CancellationToken;

use super::{body, known_secret};
use crate::{EngineError, driver::now_ms, engine::Engine, sentences, wiring};

/// Seconds between one try and the next, as the Standard Webhooks recommend: three days in all.
const PAUSES: [u64; 9] = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600];
/// How often a program is started that took Nexi along when it ended.
const STARTS: u32 = 3;

/// What came of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tried {
    Settled(DeliveryOutcome),
    /// It could not even be tried, which counts for nothing.
    NotYet(String),
}

impl Engine {
    /// Tries to deliver; what went wrong is part of the outcome.
    pub(super) async fn attempt(&self, hook: &Hook, due: &DueDelivery) -> Tried {
        let secret = match (&hook.url, hook.signed) {
            (Some(_), true) => match known_secret(&due.hook).await {
                Ok(secret) => secret,
                Err(error) => return Tried::NotYet(error.to_string()),
            },
            _ => None,
        };
        let outcome = match &hook.url {
            Some(_) if hook.signed && secret.is_none() => failed(due, say!("hooks-why.no-secret", name = &due.hook), None),
            Some(url) => self.post(url, hook, secret, due).await,
            None => start(hook, due).await,
        };
        match &outcome {
            DeliveryOutcome::Delivered => tracing::info!(hook = due.hook, attempts = due.attempts, "a hook was told"),
            // An address can hold a secret, and what a program says may be anything.
            other => {
                tracing::warn!(hook = due.hook, attempts = due.attempts, gone = *other == DeliveryOutcome::Gone, "a hook was not told");
            }
        }
        Tried::Settled(outcome)
    }

    async fn post(&self, url: &str, hook: &Hook, secret: Option<SecretString>, due: &DueDelivery) -> DeliveryOutcome {
        let reply = match self.send(url, hook, secret, due).await {
            Ok(reply) => reply,
            Err(error) => return failed(due, error.to_string(), None),
        };
        match reply.status {
            200..300 => DeliveryOutcome::Delivered,
            410 => DeliveryOutcome::Gone,
            300..400 => failed(due, say!("hooks-why.moved", status = reply.status.to_string()), None),
            status => {
                let said = text::truncate_chars(&text::fold_space(&nexi_core::visible::visible(&reply.body)), 200);
                let status = status.to_string();
                let message = match said.is_empty() {
                    true => say!("hooks-why.answered", status = status),
                    false => say!("hooks-why.answered-saying", status = status, said = said),
                };
                failed(due, message, reply.retry_after)
            }
        }
    }

    async fn send(
        &self,
        url: &str,
        hook: &Hook,
        secret: Option<SecretString>,
        due: &DueDelivery,
    ) -> Result<nexi_web::client::ApiReply, EngineError> {
        let route = wiring::route(&self.settings())?;
        let client = ApiClient::new(Duration::from_secs(hook.timeout.into()), &route.to(url))?;
        let (id, moment) = (format!("msg_{}", due.id), now_ms() / 1000);
        let mut request = client
            .post(url)
            .header("content-type", "application/json")
            .header(HEADER_WEBHOOK_ID, &id)
            .header(HEADER_WEBHOOK_TIMESTAMP, moment.to_string());
        if let Some(secret) = secret {
            let signature = Webhook::new(secret.expose_secret()).and_then(|webhook| webhook.sign(&id, moment, due.body.as_bytes()));
            let signature = signature.map_err(|error| Failure::because(OwnCause::HookSecret { message: error.to_string() }))?;
            request = request.header(HEADER_WEBHOOK_SIGNATURE, signature);
        }
        Ok(client.hand_over(request.body(due.body.clone())).await?)
    }
}

async fn start(hook: &Hook, due: &DueDelivery) -> DeliveryOutcome {
    if due.attempts > STARTS {
        return DeliveryOutcome::Failed { message: say!("hooks-why.nexi-ended"), again_ms: None };
    }
    // It may stand in the settings since before this was refused.
    if hook.opening().is_some() {
        let message = settings_file::told::wrong(&Wrong::ReadAsProgram);
        return DeliveryOutcome::Failed { message, again_ms: None };
    }
    let program = expand_home(hook.command.as_deref().unwrap_or_default()).to_string_lossy().into_owned();
    let time_limit = Duration::from_secs(hook.timeout.into());
    let args = body::fill(&hook.args, &due.body);
    let done = run_program(&program, &args, &due.body, time_limit, &CancellationToken::new()).await;
    let message = match done {
        Ok(called) if !called.failed => return DeliveryOutcome::Delivered,
        Ok(called) => called.pages.into_iter().next().map(|page| text::truncate_chars(&page.text, 300)).unwrap_or_default(),
        Err(failure) => sentences::failure(&failure),
    };
    // What a program has done before it failed is not done twice.
    DeliveryOutcome::Failed { message, again_ms: None }
}

/// A failed request, and when the next one is made.
fn failed(due: &DueDelivery, message: String, wanted: Option<u64>) -> DeliveryOutcome {
    // Nobody waits for the next try of a test.
    let pause = due.event.and(PAUSES.get(due.attempts.saturating_sub(1) as usize));
    let longest = PAUSES[PAUSES.len() - 1];
    let again = |pause: u64| now_ms() + i64::try_from(pause.max(wanted.unwrap_or_default()).min(longest) * 1000).unwrap_or_default();
    DeliveryOutcome::Failed { message, again_ms: pause.map(|pause| again(*pause)) }
}

/// Whether this is a secret that requests can be signed with.
pub(super) fn is_secret(text: &str) -> bool {
    text.strip_prefix("whsec_").and_then(|text| BASE64.decode(text.as_bytes()).ok()).is_some_and(|key| (24..=64).contains(&key.len()))
}

#[cfg(test)]
mod tests {
    use nexi_core::protocol::HookEvent;

    use super::*;

    #[test]
    fn the_example_of_the_standard_is_signed_as_it_says() {
        // The example of the specification, github.com/standard-webhooks/standard-webhooks, libraries/rust 1.0.1.
        let secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
        assert!(is_secret(secret) && !is_secret("C2FVsBQIhrscChlQIMV+b5sSYspob7oD") && !is_secret("whsec_c2hvcnQ="));
        let body = br#"{"email":"test@example.com","username":"test_user"}"#;
        let signed = Webhook::new(secret).unwrap().sign("msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", 1_649_367_553, body).unwrap();
        assert_eq!(signed, "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=");
    }

    #[test]
    fn pauses_grow_and_end() {
        let due =
            |attempts| DueDelivery { id: "d".into(), hook: "h".into(), event: Some(HookEvent::Answered), body: String::new(), attempts };
        let pause = |attempts, wanted| match failed(&due(attempts), String::new(), wanted) {
            DeliveryOutcome::Failed { again_ms, .. } => again_ms.map(|again| (again - now_ms() + 500) / 1000),
            _ => None,
        };
        assert_eq!([1, 2, 9, 10].map(|attempts| pause(attempts, None)), [Some(5), Some(300), Some(86400), None]);
        assert_eq!((pause(1, Some(60)), pause(1, Some(1_000_000)), pause(2, Some(1))), (Some(60), Some(86400), Some(300)));
        let test = DueDelivery { event: None, ..due(1) };
        assert!(matches!(failed(&test, String::new(), None), DeliveryOutcome::Failed { again_ms: None, .. }));
    }
}
