//! The tools of the person's own that a run may call, and how they are called.

mod tokens;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use nexi_core::{
    ports::{Failure, Fault, ToolCause},
    settings::{Route, Settings, ToolCommand, ToolServer, tools::COMMANDS},
    user_tools::{Called, ToolDefinition, offered_name},
};
use nexi_store::{History, Paths, keys, paths::expand_home};
use nexi_tools::{Address, ClientIdentity, Launch, Observer, Servers, SignIn, SignInClient, SignInHttp, run_command};
use nexi_web::client::{self, service_client};
use secrecy::ExposeSecret;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use tokens::KeptTokens;

/// What a run may call, by the names that models use. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Toolbox {
    tools: Arc<HashMap<String, Entry>>,
    servers: Servers,
    reach: ServerAccess,
    /// Whether somebody watches who can fill in a form.
    pub(crate) may_ask: bool,
    /// Where approvals are looked up before each call; none in an empty one.
    history: Option<Arc<History>>,
}

#[derive(Clone)]
enum Entry {
    Server { name: String, server: Box<ToolServer>, approved: Box<ToolDefinition> },
    Command(Box<ToolCommand>),
}

impl Toolbox {
    pub(crate) fn new(servers: Servers, reach: ServerAccess, history: Arc<History>) -> Self {
        Self { tools: Arc::default(), servers, reach, may_ask: false, history: Some(history) }
    }

    /// The same with those of these tools that `offered` names: of servers as they were approved, and commands.
    pub(crate) fn with(self, settings: &Settings, approved: &[(String, ToolDefinition)], offered: impl Fn(&str) -> bool) -> Self {
        let of_servers = approved.iter().filter_map(|(server, definition)| {
            let known = Box::new(settings.tools.get(server)?.clone());
            let entry = Entry::Server { name: server.clone(), server: known, approved: Box::new(definition.clone()) };
            Some((offered_name(server, &definition.name), entry))
        });
        let commands = settings.commands.iter().filter(|(_, command)| command.enabled);
        let commands = commands.map(|(name, command)| (offered_name(COMMANDS, name), Entry::Command(Box::new(command.clone()))));
        Self { tools: Arc::new(of_servers.chain(commands).filter(|(name, _)| offered(name)).collect()), ..self }
    }

    /// The same without the tools that do not fit.
    pub(crate) fn only(self, fits: impl Fn(&str) -> bool) -> Self {
        let tools = self.tools.iter().filter(|(name, _)| fits(name)).map(|(name, entry)| (name.clone(), entry.clone()));
        Self { tools: Arc::new(tools.collect()), ..self }
    }

    /// The same where somebody watches who can fill in a form, or nobody.
    pub(crate) fn asking(self, may_ask: bool) -> Self {
        Self { may_ask, ..self }
    }

    /// Calls a tool by the name that models use.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: &Value,
        observer: Arc<dyn Observer>,
        cancel: &CancellationToken,
    ) -> Result<Called, Failure> {
        match self.tools.get(tool) {
            None => Err(Failure::because(ToolCause::NotApproved)),
            Some(Entry::Command(command)) => {
                let program = expand_home(&command.program).to_string_lossy().into_owned();
                run_command(&ToolCommand { program, ..(**command).clone() }, arguments, cancel).await
            }
            Some(Entry::Server { name, server, approved }) => {
                // It may have been taken back since the run began.
                if !self.is_approved(name, server, approved).await {
                    return Err(Failure::because(ToolCause::NotApproved));
                }
                let launch = launch(name, server, self.reach.clone()).await?;
                let time_limit = Duration::from_secs(server.timeout.into());
                self.servers.call(name, &server.launch(), &launch, approved, arguments, time_limit, observer, cancel).await
            }
        }
    }
}

impl Toolbox {
    async fn is_approved(&self, name: &str, server: &ToolServer, approved: &ToolDefinition) -> bool {
        let Some(history) = self.history.clone() else { return false };
        let (name, launch, approved) = (name.to_owned(), server.launch(), approved.clone());
        let found = tokio::task::spawn_blocking(move || {
            history.approved_tools(&name, &launch).map(|tools| tools.iter().any(|tool| tool.definition == approved))
        });
        matches!(found.await, Ok(Ok(true)))
    }
}

/// How a server is started or reached, with what is secret about it. Takes a while where the keyring has to be unlocked.
pub(crate) async fn launch(name: &str, server: &ToolServer, reach: ServerAccess) -> Result<Launch, Failure> {
    let (name, server) = (name.to_owned(), server.clone());
    let found = tokio::task::spawn_blocking(move || find(&name, &server, &reach));
    found.await.unwrap_or_else(|_| Err(Failure::because(ToolCause::NoKeys)))
}

fn find(name: &str, server: &ToolServer, reach: &ServerAccess) -> Result<Launch, Failure> {
    let secret = |variable: &str| secret(name, variable);
    if let Some(url) = &server.url {
        let http = service_client(&reach.route(url)?)?;
        let (sign_in_http, tokens) = (reach.sign_in_http(url), Arc::new(reach.tokens(name)));
        return Ok(Launch::Address(Box::new(Address { url: url.clone(), key: secret(BEARER)?, http, sign_in_http, tokens })));
    }
    let mut env: BTreeMap<String, String> = server.env.clone();
    for variable in &server.secrets {
        let value = secret(variable)?
            .ok_or_else(|| Failure::because(ToolCause::MissingSecret { variable: variable.clone(), server: name.to_owned() }))?;
        env.insert(variable.clone(), value);
    }
    let program = server.command.clone().unwrap_or_default();
    Ok(Launch::Program { program: expand_home(&program).to_string_lossy().into_owned(), args: server.args.clone(), env })
}

/// What servers at an address are reached with.
#[derive(Clone, Default)]
pub(crate) struct ServerAccess {
    /// None where the settings of the network hold a mistake.
    route: Option<Route>,
    allowed_private_hosts: Vec<String>,
    locks: PathBuf,
}

impl ServerAccess {
    /// `route` is none where the settings of the network hold a mistake.
    pub(crate) fn new(route: Option<Route>, settings: &Settings, paths: &Paths) -> Self {
        let allowed_private_hosts = settings.network.allowed_private_hosts.clone();
        Self { route, allowed_private_hosts, locks: paths.data.join("locks") }
    }

    fn route(&self, url: &str) -> Result<Route, Failure> {
        let no_route = || Failure::because(ToolCause::NetworkSettings);
        Ok(self.route.as_ref().ok_or_else(no_route)?.to(url))
    }

    /// Makes the client for what a server names when it signs people in.
    fn sign_in_http(&self, url: &str) -> SignInHttp {
        let (reach, url) = (self.clone(), url.to_owned());
        // Most servers need none, and setting up TLS reads all certificates of the system.
        let made: OnceLock<SignInClient> = OnceLock::new();
        Arc::new(move || {
            if let Some(made) = made.get() {
                return Ok(made.clone());
            }
            let client = client::SignInClient::new(&reach.route(&url)?, &reach.allowed_private_hosts, &url)?;
            let http = client.http.clone();
            Ok(made.get_or_init(|| SignInClient { http, allows: Arc::new(move |address| client.check(address)) }).clone())
        })
    }

    pub(crate) fn tokens(&self, name: &str) -> KeptTokens {
        KeptTokens { name: secret_name(name, SIGN_IN), lock: self.locks.join(format!("sign-in-{name}")) }
    }
}

/// Asks the server at an address where it signs people in.
pub(crate) async fn begin_sign_in(name: &str, url: &str, server: &ToolServer, reach: &ServerAccess) -> Result<SignIn, Failure> {
    let kept = name.to_owned();
    let found = tokio::task::spawn_blocking(move || secret(&kept, CLIENT_SECRET)).await;
    let secret = found.unwrap_or_else(|_| Err(Failure::because(ToolCause::NoKeys)))?;
    let identity = ClientIdentity { id: server.client_id.clone(), secret, port: server.redirect_port, scopes: server.scopes.clone() };
    SignIn::begin(url, identity, reach.sign_in_http(url), Arc::new(reach.tokens(name))).await
}

/// A secret of a server, if it is kept. Blocks.
fn secret(name: &str, variable: &str) -> Result<Option<String>, Failure> {
    let found = keys::find(&secret_name(name, variable), None);
    found.map_err(|error| Failure::of(Fault::Key, error.to_string())).map(|key| key.map(|key| key.expose_secret().to_owned()))
}

/// What the tokens of a sign-in are called among the secrets of a server.
pub(crate) const SIGN_IN: &str = "sign-in";
/// What the secret of a client is called that the person has registered with the provider of a server.
pub(crate) const CLIENT_SECRET: &str = "client_secret";
/// What the key of a server at an address is called among its secrets.
pub(crate) const BEARER: &str = "key";

/// The name under which a secret of a server is kept with the keys.
pub(crate) fn secret_name(server: &str, variable: &str) -> String {
    format!("tools.{server}.{variable}")
}
