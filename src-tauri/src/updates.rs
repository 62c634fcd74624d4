//! New versions of Nexi: looked for when a person asks, or once a day where they turned that on, and installed when they say
//! so. The version before and a copy of the library are kept.

mod failure;
mod means;
mod previous;

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nexi_engine::render;
use nexi_engine::views::{AppEvent, Release, UpdateFailure, UpdateMeans, UpdateState, UpdateView};
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_updater::{Update, UpdaterExt};

use crate::app::state;
use crate::windows::MAIN;
use previous::{Draft, Previous};

/// The start of the app is not the moment for it.
const FIRST: Duration = Duration::from_secs(5);
/// How often it is considered whether a day is over.
const PAUSE: Duration = Duration::from_secs(3600);
/// Between two looks.
const DAY_MS: i64 = 86_400_000;
/// How long connecting and each piece of a reply may take.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Where releases are listed, and the public half of the key that they are signed with: told to what is built for others.
const RELEASES: Option<&str> = option_env!("NEXI_RELEASES_URL");
const KEY: Option<&str> = option_env!("NEXI_RELEASES_KEY");

/// How far an update is, in this process.
#[derive(Default)]
pub(crate) struct Updates {
    state: Mutex<UpdateState>,
    found: Mutex<Option<Update>>,
    /// Whether Nexi begins again when it ends.
    restarts: AtomicBool,
    /// The arguments that name the settings file and the data folder, where the start named them.
    places: Vec<String>,
}

impl Updates {
    pub(crate) fn new(places: Vec<String>) -> Self {
        Self { places, ..Self::default() }
    }

    fn state(&self) -> MutexGuard<'_, UpdateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn found(&self) -> MutexGuard<'_, Option<Update>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on to another state, unless something is under way or done that this would disturb.
    fn begin(&self, next: UpdateState) -> bool {
        let mut state = self.state();
        let is_free = !matches!(
            *state,
            UpdateState::Checking | UpdateState::Downloading { .. } | UpdateState::Installing { .. } | UpdateState::Ready { .. }
        );
        if is_free {
            *state = next;
        }
        is_free
    }
}

/// Where releases are listed, and the key. A program that was not built for others can be told at its start.
fn origin() -> Option<(String, String)> {
    let told = |name: &str, built: Option<&str>| {
        let now = if cfg!(debug_assertions) { std::env::var(name).ok() } else { None };
        now.or_else(|| built.map(str::to_owned)).filter(|value| !value.is_empty())
    };
    Some((told("NEXI_RELEASES_URL", RELEASES)?, told("NEXI_RELEASES_KEY", KEY)?))
}

/// Everything that is shown of new versions. Blocks.
pub(crate) fn view<R: Runtime>(app: &AppHandle<R>) -> UpdateView {
    let version = app.package_info().version.to_string();
    let state = app.state::<Updates>().state().clone();
    let known = means::app_image().and_then(|_| Previous::read(&kept(app)));
    let previous = known.map(|previous| previous.version).filter(|previous| *previous != version);
    UpdateView { version, means: means::means(), can_look: origin().is_some(), ends: cfg!(windows), state, previous }
}

/// Where the version before is kept.
fn kept<R: Runtime>(app: &AppHandle<R>) -> PathBuf {
    state(app).engine.paths().data.join("previous")
}

/// Looks whether there is a new version.
pub(crate) async fn check<R: Runtime>(app: &AppHandle<R>) {
    let updates = app.state::<Updates>();
    let Some((url, key)) = origin() else { return };
    if !updates.begin(UpdateState::Checking) {
        return;
    }
    let found = look(app, &url, key).await;
    let next = match &found {
        Ok(Some(update)) => UpdateState::Available { release: release_of(update) },
        Ok(None) => UpdateState::Current,
        Err(failure) => UpdateState::Failed { failure: failure.clone(), release: None },
    };
    *updates.found() = found.unwrap_or_default();
    *updates.state() = next;
}

async fn look<R: Runtime>(app: &AppHandle<R>, url: &str, key: String) -> Result<Option<Update>, UpdateFailure> {
    let unusable = |why: String| UpdateFailure::Unreachable { why };
    let endpoint = url.parse().map_err(|error: url::ParseError| unusable(error.to_string()))?;
    let way_out = state(app).engine.way_out().map_err(|error| unusable(error.to_string()))?;
    let ending = app.clone();
    let updater = app
        .updater_builder()
        .endpoints(vec![endpoint])
        .map_err(|error| failure::of_check(&error))?
        .pubkey(key)
        .configure_client(move |client| {
            way_out(client.connect_timeout(TIME_LIMIT).read_timeout(TIME_LIMIT).https_only(!cfg!(debug_assertions)))
        })
        .on_before_exit(move || {
            crate::end(&ending);
            ending.cleanup_before_exit();
        })
        .build()
        .map_err(|error| failure::of_check(&error))?;
    updater.check().await.map_err(|error| failure::of_check(&error))
}

/// What is told of a release. Its list names the page besides what the updater knows of.
fn release_of(update: &Update) -> Release {
    let page = update.raw_json.get("page").and_then(|page| page.as_str());
    let page = page.filter(|page| page.starts_with("https://")).map(str::to_owned);
    Release { version: update.version.clone(), notes: update.body.as_deref().map(render::document).unwrap_or_default(), page }
}

/// The address of the page of the release that was found.
pub(crate) fn page<R: Runtime>(app: &AppHandle<R>) -> Option<String> {
    app.state::<Updates>().found().as_ref().and_then(|update| release_of(update).page)
}

/// Begins to download the version that was found and to put it in the place of this one.
pub(crate) fn install<R: Runtime>(app: &AppHandle<R>) {
    let updates = app.state::<Updates>();
    let Some(update) = updates.found().clone() else { return };
    let (version, release) = (update.version.clone(), release_of(&update));
    if means::means() != UpdateMeans::Itself || !updates.begin(UpdateState::Downloading { version: version.clone(), done: 0, total: None })
    {
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let updates = app.state::<Updates>();
        let next = match replace(&app, &updates, update).await {
            Ok(()) => UpdateState::Ready { version },
            Err(failure) => {
                let may_pass = !matches!(failure, UpdateFailure::BadSignature | UpdateFailure::OtherVersion { .. });
                UpdateState::Failed { failure, release: may_pass.then_some(release) }
            }
        };
        *updates.state() = next;
    });
}

async fn replace<R: Runtime>(app: &AppHandle<R>, updates: &Updates, update: Update) -> Result<(), UpdateFailure> {
    let version = update.version.clone();
    let bytes = update
        .download(
            |length, size| {
                if let UpdateState::Downloading { done, total, .. } = &mut *updates.state() {
                    (*done, *total) = (*done + length as u64, size);
                }
            },
            || {},
        )
        .await
        .map_err(|error| failure::of_download(&error))?;
    *updates.state() = UpdateState::Installing { version };
    state(app).engine.back_up_before_updating().await.map_err(|error| UpdateFailure::NoBackup { why: error.to_string() })?;
    let (kept, current) = (kept(app), app.package_info().version.to_string());
    let work = move || {
        let not_replaced = |error: std::io::Error| UpdateFailure::NotReplaced { why: error.to_string() };
        let program = means::app_image();
        let draft = program.map(|program| Draft::of(&kept, &program, &current)).transpose().map_err(not_replaced)?;
        update.install(bytes).map_err(|error| failure::of_install(&error))?;
        // The new version is there, whether or not the old one can be kept.
        if let Some(Err(error)) = draft.map(Draft::keep) {
            tracing::warn!(%error, "the version before could not be kept");
        }
        Ok(())
    };
    tokio::task::spawn_blocking(work).await.map_err(|error| UpdateFailure::NotReplaced { why: error.to_string() })?
}

/// Puts the version before back in the place of this one. It begins with the next start; where it cannot read the library of
/// this one, it offers a copy that it can read.
pub(crate) async fn go_back<R: Runtime>(app: &AppHandle<R>) {
    let updates = app.state::<Updates>();
    let kept = kept(app);
    let (Some(before), Some(program)) = (Previous::read(&kept), means::app_image()) else { return };
    let version = before.version.clone();
    if !updates.begin(UpdateState::Installing { version: version.clone() }) {
        return;
    }
    let done = tokio::task::spawn_blocking(move || before.put_back(&kept, &program)).await.unwrap_or_else(|error| Err(error.into()));
    let next = match done {
        Ok(()) => UpdateState::Ready { version },
        Err(error) => UpdateState::Failed { failure: UpdateFailure::NotReplaced { why: error.to_string() }, release: None },
    };
    *updates.state() = next;
}

/// Ends Nexi, which begins again.
pub(crate) fn restart<R: Runtime>(app: &AppHandle<R>) {
    app.state::<Updates>().restarts.store(true, Ordering::Relaxed);
    app.exit(0);
}

/// The very last thing: starts the version that is in place now, if that was wanted. What this one was started for, such as a
/// link, is done.
pub(crate) fn begin_again<R: Runtime>(app: &AppHandle<R>) {
    let updates = app.state::<Updates>();
    if !updates.restarts.load(Ordering::Relaxed) {
        return;
    }
    let Some(program) = means::app_image().or_else(|| std::env::current_exe().ok()) else { return };
    if let Err(error) = Command::new(&program).args(&updates.places).spawn() {
        tracing::error!(%error, program = %program.display(), "Nexi could not be started again");
    }
}

/// Looks once a day where that is wanted, and tells of a version that was not told of before. Never ends.
pub(crate) async fn keep_looking<R: Runtime>(app: AppHandle<R>) {
    tokio::time::sleep(FIRST).await;
    loop {
        look_daily(&app).await;
        tokio::time::sleep(PAUSE).await;
    }
}

async fn look_daily<R: Runtime>(app: &AppHandle<R>) {
    let (shared, updates) = (state(app), app.state::<Updates>());
    let (now, known) = (nexi_engine::now_ms(), shared.memory.get().updates);
    // A clock that was put back is no reason to wait for it.
    let is_due = now - known.looked_ms >= DAY_MS || now < known.looked_ms;
    // What somebody is looking at is not taken from them.
    let before = updates.state().clone();
    let is_calm = matches!(before, UpdateState::Idle | UpdateState::Current);
    if !shared.engine.settings().desktop.updates || origin().is_none() || !is_due || !is_calm {
        return;
    }
    check(app).await;
    let now_known = updates.state().clone();
    // Nobody has asked for this: without a network it is tried again in an hour.
    if matches!(now_known, UpdateState::Failed { .. }) {
        *updates.state() = before;
        return;
    }
    let mut told = known.told;
    if let UpdateState::Available { release } = now_known
        && told.as_ref() != Some(&release.version)
    {
        shared.post(MAIN, AppEvent::UpdateFound { version: release.version.clone() });
        told = Some(release.version);
    }
    shared.memory.change(|memory| memory.updates = crate::memory::Looked { looked_ms: now, told });
}
