//! A SearXNG of the user's own: found where one is running, or started in a container when the
//! user wants that, shared by all processes of Nexi, and stopped when the last of them leaves.

mod runtime;

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use nexi_core::ports::{ContainerCause, Failure, Hit, Query, SearchBackend};
use nexi_core::settings::{Provider, Proxy, Route, Settings};
use nexi_store::{
    lock::{ProcessLease, is_alive, take_within},
    paths::expand_home,
};
use nexi_web::{
    Service,
    client::ApiClient,
    search::{Api, WebSearch},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use runtime::Runtime;

/// Where people have their instances.
const USUAL: [&str; 3] = ["http://localhost:8888", "http://localhost:8080", "http://localhost:4000"];
/// What is run where the settings name no image. SearXNG has no tag that stays: whoever wants the same
/// image for ever names one with its date and digest.
const IMAGE: &str = "docker.io/searxng/searxng:latest";
/// Memory that it may use where the settings say nothing, in MiB.
const MEMORY: u32 = 1024;
/// Processes and threads that it may have.
const PROCESSES: u32 = 256;
/// How long a command of the runtime may take.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(20);
/// How long fetching the image and starting it may take.
const START: Duration = Duration::from_secs(240);
/// How long the instance may take until it answers.
const READY: Duration = Duration::from_secs(60);
/// How long a failure is remembered, so that not every query tries the same again.
const REMEMBERED: Duration = Duration::from_secs(60);

/// How long leaving may wait for others.
const LEAVING: Duration = Duration::from_secs(3);
/// How long the removal of a container may take. Both runtimes give it ten seconds before they kill it.
const REMOVAL: Duration = Duration::from_secs(40);
/// Between two looks at whether the lock is free.
const PAUSE: Duration = Duration::from_millis(20);

/// Every container that this process may have joined.
static JOINED: Mutex<Vec<Weak<Container>>> = Mutex::new(Vec::new());

/// Leaves whatever container this process uses, for programs that end without dropping everything.
pub fn leave() {
    let joined = std::mem::take(&mut *JOINED.lock().unwrap_or_else(PoisonError::into_inner));
    for container in joined {
        if let Some(container) = container.upgrade() {
            container.leave();
        }
    }
}

/// What all processes know of the container, in one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    /// None while there is no container.
    runtime: Option<Runtime>,
    /// Of this computer.
    port: u16,
    /// Who uses it: the process, and the sign of life it gives.
    users: Vec<User>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct User {
    pid: u32,
    lifeline: String,
}

/// An instance that answers on this computer, with a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(rename = "FoundSearxng")]
pub struct Found {
    pub address: String,
    /// Whether it offers JSON, without which it cannot be used.
    pub json: bool,
}

/// Instances that answer at the usual addresses.
pub async fn detect(addresses: &[&str]) -> Vec<Found> {
    let Ok(client) = ApiClient::new(Duration::from_secs(2), &Route::default()) else { return Vec::new() };
    let stop = CancellationToken::new();
    let look = |address: &str| {
        let alive = client.get(&format!("{address}/healthz"));
        // Without a query no search engine is asked: what is refused is the form of the reply, or its lack.
        let form = client.get(&format!("{address}/search")).query(&[("format", "json")]);
        let (client, stop, address) = (client.clone(), stop.clone(), address.to_owned());
        async move {
            let reply = client.send("searxng", alive, &stop).await.ok()?;
            if !reply.is_success() || reply.body.trim() != "OK" {
                return None;
            }
            let reply = client.send("searxng", form, &stop).await.ok()?;
            let said = serde_json::from_str::<serde_json::Value>(&reply.body).unwrap_or_default();
            let json = said.get("error").or(said.get("results")).is_some();
            // One without JSON refuses with a page of its own; anything else is another service.
            let refuses = reply.status == 403 && reply.body.to_ascii_lowercase().contains("searx");
            (json || refuses).then_some(Found { address, json })
        }
    };
    futures::future::join_all(addresses.iter().map(|address| look(address))).await.into_iter().flatten().collect()
}

/// The same at the usual addresses.
pub async fn detect_usual() -> Vec<Found> {
    detect(&USUAL).await
}

/// This process's part in the container; given up with [`Container::leave`], or when it is dropped.
pub struct Container {
    data: PathBuf,
    lifeline: ProcessLease,
    joined: Mutex<Option<Runtime>>,
}

impl Container {
    /// Knows of no container yet. `data` is the data folder.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn new(data: &Path) -> Result<Arc<Self>, Failure> {
        let lifeline =
            ProcessLease::take(data).map_err(|error| Failure::because(ContainerCause::NoFolder { message: error.to_string() }))?;
        let container = Arc::new(Self { data: data.to_path_buf(), lifeline, joined: Mutex::new(None) });
        JOINED.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&container));
        Ok(container)
    }

    fn folder(&self) -> PathBuf {
        self.data.join("searxng")
    }

    /// The container's name: one for each data folder, because that is where processes agree.
    fn name(&self) -> String {
        let path = dunce::canonicalize(&self.data).unwrap_or_else(|_| self.data.clone());
        let hash = path
            .to_string_lossy()
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("nexi-searxng-{:08x}", hash >> 32)
    }

    /// The address of the container, which is started where there is none.
    async fn join(&self, settings: &Settings, provider: &Provider) -> Result<String, Failure> {
        let _only = self.lock().await?;
        let mut state = self.read();
        let alive = |user: &User| is_alive(&self.data, &user.lifeline);
        state.users.retain(|user| user.lifeline != self.lifeline.id() && alive(user));
        let known = match state.runtime {
            Some(runtime) => match self.is_running(runtime).await {
                Ok(true) => Some(runtime),
                // With nobody using it, it does not matter what has become of it.
                Err(failure) if !state.users.is_empty() => return Err(failure),
                _ => None,
            },
            None => None,
        };
        let runtime = match known {
            Some(runtime) => runtime,
            None => Runtime::find().await?,
        };
        // Noted before it is there: whatever happens from here on, somebody knows whom to stop.
        state.runtime = Some(runtime);
        state.users.push(User { pid: std::process::id(), lifeline: self.lifeline.id().to_owned() });
        self.write(&state)?;
        *self.joined.lock().unwrap_or_else(PoisonError::into_inner) = Some(runtime);
        if known.is_none() {
            self.start(runtime, settings, provider).await?;
        }
        // Asked each time: a container that was started again has another one.
        state.port = self.port(runtime).await?;
        self.write(&state)?;
        let address = format!("http://127.0.0.1:{}", state.port);
        self.wait_for(runtime, &address).await?;
        Ok(address)
    }

    async fn start(&self, runtime: Runtime, settings: &Settings, provider: &Provider) -> Result<(), Failure> {
        let folder = self.folder();
        let failed = |error: std::io::Error| Failure::because(ContainerCause::SettingsUnwritten { message: error.to_string() });
        std::fs::create_dir_all(&folder).map_err(failed)?;
        // The address of a proxy may hold a password.
        #[cfg(unix)]
        std::fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o700)).map_err(failed)?;
        let file = folder.join("settings.yml");
        std::fs::write(&file, configuration(settings, provider)?).map_err(failed)?;
        // Read by a user of the container, whatever files are made readable for here.
        #[cfg(unix)]
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o644)).map_err(failed)?;
        // One that was left behind, by a process that was killed.
        let name = self.name();
        let _ = runtime.run(&["rm", "-f", "-v", &name], COMMAND_TIMEOUT).await;
        // The one file and not the folder, which the container would make its own.
        let volume = format!("{}:/etc/searxng/settings.yml:ro", file.display());
        let memory = format!("{}m", provider.memory_mib.unwrap_or(MEMORY));
        let processes = PROCESSES.to_string();
        let image = provider.image.as_deref().map(str::trim).filter(|image| !image.is_empty()).unwrap_or(IMAGE);
        let args = [
            "run",
            "-d",
            "--name",
            &name,
            "--label",
            "app=nexi",
            "-p",
            "127.0.0.1::8080",
            "-v",
            &volume,
            "--cap-drop",
            "ALL",
            "--cap-add",
            "CHOWN",
            "--cap-add",
            "SETGID",
            "--cap-add",
            "SETUID",
            "--security-opt",
            "no-new-privileges",
            "--memory",
            &memory,
            "--pids-limit",
            &processes,
            image,
        ];
        tracing::info!(runtime = runtime.program(), "starting SearXNG");
        runtime.run(&args, START).await.map(|_| ())
    }

    async fn port(&self, runtime: Runtime) -> Result<u16, Failure> {
        let told = runtime.run(&["port", &self.name(), "8080/tcp"], COMMAND_TIMEOUT).await;
        let port = |told: &String| told.lines().find_map(|line| line.trim().rsplit(':').next()?.parse().ok());
        if let Some(port) = told.as_ref().ok().and_then(port) {
            return Ok(port);
        }
        if self.is_running(runtime).await == Ok(false) {
            return Err(runtime.last_words(&self.name()).await);
        }
        told?;
        Err(Failure::because(ContainerCause::NoPort { runtime: runtime.program().to_owned() }))
    }

    /// A runtime that does not answer says nothing about the container, which others may use.
    async fn is_running(&self, runtime: Runtime) -> Result<bool, Failure> {
        let name = self.name();
        let told = runtime.run(&["ps", "--filter", &format!("name={name}"), "--format", "{{.Names}}"], COMMAND_TIMEOUT).await?;
        Ok(told.lines().any(|line| line.trim() == name))
    }

    async fn wait_for(&self, runtime: Runtime, address: &str) -> Result<(), Failure> {
        let begun = Instant::now();
        let mut looked = begun;
        while begun.elapsed() < READY {
            match detect(&[address]).await.first() {
                Some(found) if found.json => return Ok(()),
                Some(_) => {
                    return Err(Failure::because(ContainerCause::NoJson));
                }
                None => tokio::time::sleep(Duration::from_millis(250)).await,
            }
            // One that has ended is not waited for.
            if looked.elapsed() > Duration::from_secs(2) {
                looked = Instant::now();
                if self.is_running(runtime).await == Ok(false) {
                    return Err(runtime.last_words(&self.name()).await);
                }
            }
        }
        Err(Failure::because(ContainerCause::NotAnswering))
    }

    /// Takes this process out; the last one has the container stopped, and does not wait for that.
    pub fn leave(&self) {
        let Some(runtime) = self.joined.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        let Ok(lock) = self.open_lock() else { return };
        // Whoever holds it longer is starting the container anew, and will miss us.
        if take_within(&lock, LEAVING).is_err() {
            return;
        }
        let mut state = self.read();
        state.users.retain(|user| user.lifeline != self.lifeline.id() && is_alive(&self.data, &user.lifeline));
        // The runtime stays noted: should the container not go away, the next one finds it.
        if let Err(error) = self.write(&state) {
            tracing::warn!(%error, "the state of SearXNG could not be kept");
        }
        if state.users.is_empty() {
            tracing::info!("stopping SearXNG");
            runtime.remove(&self.name(), lock);
        }
    }

    fn read(&self) -> State {
        let text = std::fs::read_to_string(self.folder().join("state.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn write(&self, state: &State) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(state).unwrap_or_default();
        std::fs::write(self.folder().join("state.json"), text)
            .map_err(|error| Failure::because(ContainerCause::StateUnwritten { message: error.to_string() }))
    }

    fn open_lock(&self) -> std::io::Result<File> {
        std::fs::create_dir_all(self.folder())?;
        OpenOptions::new().create(true).truncate(false).write(true).open(self.folder().join("lock"))
    }

    /// One process at a time starts, joins or stops.
    async fn lock(&self) -> Result<File, Failure> {
        let failed = |error: std::io::Error| Failure::because(ContainerCause::Unattended { message: error.to_string() });
        let file = self.open_lock().map_err(failed)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
                Err(TryLockError::WouldBlock) => tokio::time::sleep(PAUSE).await,
            }
            let state = self.read();
            // Without users, it is the removal of the last one's container that takes so long.
            if let (Some(runtime), true, true) = (state.runtime, state.users.is_empty(), begun.elapsed() > REMOVAL) {
                return Err(Failure::because(ContainerCause::NotRemoved { runtime: runtime.program().to_owned() }));
            }
            if begun.elapsed() > START + READY {
                return Err(Failure::because(ContainerCause::BusyElsewhere));
            }
        }
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        self.leave();
    }
}

/// The instance's settings, with the person's own file laid over ours. JSON is YAML, too.
fn configuration(settings: &Settings, provider: &Provider) -> Result<String, Failure> {
    let mut outgoing = json!({});
    if let Proxy::Url(address) = Proxy::parse(&settings.network.proxy) {
        outgoing["proxies"] = json!({"all://": [address]});
    }
    let secret: String = (0..4).map(|_| uuid::Uuid::new_v4().simple().to_string()).collect();
    let mut value = json!({
        "use_default_settings": true,
        "general": {"instance_name": "Nexi"},
        "server": {"secret_key": secret, "limiter": false, "image_proxy": false, "public_instance": false},
        "search": {"formats": ["html", "json"]},
        "outgoing": outgoing
    });
    if let Some(path) = &provider.settings_file {
        let path = expand_home(path);
        let shown = || path.display().to_string();
        let unread = |error: std::io::Error| ContainerCause::SettingsFile { path: shown(), message: error.to_string() };
        let text = std::fs::read_to_string(&path).map_err(|error| Failure::because(unread(error)))?;
        let no_yaml = |error: serde_norway::Error| ContainerCause::SettingsNoYaml { path: shown(), message: error.to_string() };
        let own: Value = serde_norway::from_str(&text).map_err(|error| Failure::because(no_yaml(error)))?;
        if !own.is_object() && !own.is_null() {
            return Err(Failure::because(ContainerCause::SettingsEmpty { path: shown() }));
        }
        lay_over(&mut value, own);
        // Without it nothing that is found could be read.
        if let Some(formats) = value["search"]["formats"].as_array_mut().filter(|formats| !formats.contains(&json!("json"))) {
            formats.push(json!("json"));
        }
    }
    Ok(serde_json::to_string_pretty(&value).unwrap_or_default())
}

/// Lays settings over others: tables are merged, everything else is replaced.
fn lay_over(below: &mut Value, above: Value) {
    match (below, above) {
        (Value::Object(below), Value::Object(above)) => {
            for (name, value) in above {
                lay_over(below.entry(name).or_insert(Value::Null), value);
            }
        }
        (_, Value::Null) => {}
        (below, above) => *below = above,
    }
}

/// The container as a search backend: it is started when it is first asked.
pub struct ContainerSearch {
    name: String,
    provider: Provider,
    container: Arc<Container>,
    settings: Settings,
    /// Made when the address is known.
    shared: Arc<nexi_web::Shared>,
    inner: tokio::sync::Mutex<Inner>,
}

#[derive(Default)]
enum Inner {
    #[default]
    Unknown,
    Ready(Arc<WebSearch>),
    Failed(Failure, Instant),
}

impl ContainerSearch {
    /// Asks the container under this name of the settings.
    pub fn new(name: &str, provider: Provider, container: Arc<Container>, settings: &Settings, shared: Arc<nexi_web::Shared>) -> Self {
        Self { name: name.to_owned(), provider, container, settings: settings.clone(), shared, inner: tokio::sync::Mutex::default() }
    }

    async fn ready(&self) -> Result<Arc<WebSearch>, Failure> {
        let mut inner = self.inner.lock().await;
        match &*inner {
            Inner::Ready(ready) => return Ok(ready.clone()),
            Inner::Failed(failure, at) if at.elapsed() < REMEMBERED => return Err(failure.clone()),
            _ => {}
        }
        // A task of its own: a run that is stopped must not leave a container that nobody knows of.
        let (container, settings, provider) = (self.container.clone(), self.settings.clone(), self.provider.clone());
        let joined = tokio::spawn(async move { container.join(&settings, &provider).await }).await;
        match joined.unwrap_or_else(|_| Err(Failure::because(ContainerCause::Broke))) {
            Ok(address) => {
                let client = ApiClient::new(Duration::from_secs(self.settings.provider_timeout.into()), &Route::default())?;
                let service = Service::new(self.name.clone(), &address, client, self.shared.clone());
                let ready = Arc::new(WebSearch::new(Api::Searxng, service, self.settings.search.clone()));
                *inner = Inner::Ready(ready.clone());
                Ok(ready)
            }
            Err(failure) => {
                let failure = failure.of_service(&self.name);
                *inner = Inner::Failed(failure.clone(), Instant::now());
                Err(failure)
            }
        }
    }
}

#[async_trait]
impl SearchBackend for ContainerSearch {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_free(&self) -> bool {
        true
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let ready = tokio::select! {
            ready = self.ready() => ready?,
            () = cancel.cancelled() => return Err(Failure::cancelled()),
        };
        ready.search(query, cancel).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_are_generated_and_hold_what_the_user_set() {
        let mut settings = Settings::default();
        let mut provider = Provider::new(nexi_core::settings::ProviderKind::Searxng);
        settings.network.proxy = "http://proxy.lan:3128".into();
        let text = configuration(&settings, &provider).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["search"]["formats"], json!(["html", "json"]));
        assert_eq!(value["outgoing"]["proxies"]["all://"], json!(["http://proxy.lan:3128"]));
        assert!(value["server"]["secret_key"].as_str().is_some_and(|key| key.len() == 128));
        assert_ne!(text, configuration(&settings, &provider).unwrap(), "every instance has a secret of its own");
        assert!(configuration(&Settings::default(), &provider).unwrap().contains("\"outgoing\": {}"));

        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.yml");
        let own = "# mine\nsearch:\n  formats: [html]\n  safe_search: 2\nengines:\n  - name: braveapi\n    engine: braveapi\n    api_key: 'k'\n    inactive: false\n";
        std::fs::write(&file, own).unwrap();
        provider.settings_file = Some(file.display().to_string());
        let value: Value = serde_json::from_str(&configuration(&settings, &provider).unwrap()).unwrap();
        assert_eq!(value["engines"][0]["api_key"], "k");
        assert_eq!((&value["search"]["formats"], &value["search"]["safe_search"]), (&json!(["html", "json"]), &json!(2)));
        assert_eq!(value["server"]["limiter"], false, "ours stays where the file says nothing");
        std::fs::write(&file, "search: [").unwrap();
        assert!(configuration(&settings, &provider).unwrap_err().message.contains("own.yml"));
    }
}
