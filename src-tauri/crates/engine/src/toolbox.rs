//! The tools of the person's own that a run may call, and how they are called.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use nexi_core::{
    ports::{Failure, Fault},
    settings::{Route, Settings, ToolCommand, ToolServer, tools::COMMANDS},
    user_tools::{Called, ToolDefinition, offered_name},
};
use nexi_store::{History, keys, paths::expand_home};
use nexi_tools::{Launch, Observer, Servers, run_command};
use secrecy::ExposeSecret;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// What a run may call, by the names that models use. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Toolbox {
    tools: Arc<HashMap<String, Entry>>,
    servers: Servers,
    route: Option<Route>,
    /// Whether somebody watches who can fill in a form.
    pub(crate) may_ask: bool,
    /// Where approvals are looked up before each call; none in an empty one.
    history: Option<Arc<History>>,
}

#[derive(Clone)]
enum Entry {
    Server { name: String, server: ToolServer, approved: Box<ToolDefinition> },
    Command(Box<ToolCommand>),
}

impl Toolbox {
    pub(crate) fn new(servers: Servers, route: Option<Route>, history: Arc<History>) -> Self {
        Self { tools: Arc::default(), servers, route, may_ask: false, history: Some(history) }
    }

    /// The same with those of these tools that `offered` names: of servers as they were approved, and commands.
    pub(crate) fn with(self, settings: &Settings, approved: &[(String, ToolDefinition)], offered: impl Fn(&str) -> bool) -> Self {
        let of_servers = approved.iter().filter_map(|(server, definition)| {
            let entry =
                Entry::Server { name: server.clone(), server: settings.tools.get(server)?.clone(), approved: Box::new(definition.clone()) };
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
            None => Err(Failure::of(Fault::Forbidden, NO_LONGER)),
            Some(Entry::Command(command)) => {
                let program = expand_home(&command.program).to_string_lossy().into_owned();
                run_command(&ToolCommand { program, ..(**command).clone() }, arguments, cancel).await
            }
            Some(Entry::Server { name, server, approved }) => {
                // It may have been taken back since the run began.
                if !self.is_approved(name, server, approved).await {
                    return Err(Failure::of(Fault::Forbidden, NO_LONGER));
                }
                let launch = launch(name, server, self.route.clone()).await?;
                let patience = Duration::from_secs(server.timeout.into());
                self.servers.call(name, &server.launch(), &launch, approved, arguments, patience, observer, cancel).await
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

const NO_LONGER: &str = "it is no longer among the tools that the user has approved";

/// How a server is started or reached, with what is secret about it. Takes a while where the keyring has to be unlocked.
pub(crate) async fn launch(name: &str, server: &ToolServer, route: Option<Route>) -> Result<Launch, Failure> {
    let (name, server) = (name.to_owned(), server.clone());
    let found = tokio::task::spawn_blocking(move || find(&name, &server, route));
    found.await.unwrap_or_else(|_| Err(Failure::new("its keys could not be looked up")))
}

fn find(name: &str, server: &ToolServer, route: Option<Route>) -> Result<Launch, Failure> {
    let secret = |variable: &str| {
        let found = keys::find(&secret_name(name, variable), None);
        found.map_err(|error| Failure::of(Fault::Key, error.to_string())).map(|key| key.map(|key| key.expose_secret().to_owned()))
    };
    if let Some(url) = &server.url {
        let route = route.ok_or_else(|| Failure::new("the settings of the network hold a mistake, so nothing is sent"))?;
        let http = nexi_web::client::service_client(&route.to(url))?;
        return Ok(Launch::Address { url: url.clone(), key: secret(BEARER)?, http });
    }
    let mut env: BTreeMap<String, String> = server.env.clone();
    for variable in &server.secrets {
        let value = secret(variable)?.ok_or_else(|| {
            Failure::of(Fault::Key, format!("the value of {variable} is missing; store it with: nexi tools secret {name} {variable}"))
        })?;
        env.insert(variable.clone(), value);
    }
    let program = server.command.clone().unwrap_or_default();
    Ok(Launch::Program { program: expand_home(&program).to_string_lossy().into_owned(), args: server.args.clone(), env })
}

/// What the key of a server at an address is called among its secrets.
pub(crate) const BEARER: &str = "key";

/// The name under which a secret of a server is kept with the keys.
pub(crate) fn secret_name(server: &str, variable: &str) -> String {
    format!("tools.{server}.{variable}")
}
