//! One server, while it runs or is reached.

use std::collections::BTreeMap;
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};
use std::time::Duration;

use nexi_core::{
    ports::{Failure, SignInCause, ToolCause},
    protocol::Form,
    text,
    user_tools::{Called, ToolDefinition},
};
use rmcp::{
    ClientCacheConfig, ClientHandler, RoleClient, ServiceExt,
    model::{
        CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientCapabilities, ClientConfig, ClientRequest,
        ElicitRequestParams, ElicitResult, ElicitationAction, ErrorData, Implementation, PaginatedRequestParams, ProgressNotificationParam,
        ProgressToken, ReadResourceRequestParams, Resource, ServerResult,
    },
    service::{ClientInitializeError, NotificationContext, PeerRequestOptions, RequestContext, RunningService, ServiceError},
    transport::{
        StreamableHttpClientTransport,
        async_rw::AsyncRwTransport,
        auth::AuthError,
        streamable_http_client::{InsufficientScopeError, StreamableHttpClientTransportConfig},
    },
};
use serde_json::Value;
use tokio::process::Child;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    Filled, Observer, Progress, cause, content, definition,
    program::{start, stderr_tail},
    short,
    sign_in::{self, SignInHttp, TokenStore},
    supervisor,
    supervisor::InputMode,
};

/// How long a server may take until it can be asked; its program may have to be downloaded first.
const START: Duration = Duration::from_secs(120);
/// How long listing its tools, or reading one document, may take.
const SHORT: Duration = Duration::from_secs(30);
/// How long a call may take, with all its signs of progress.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// Tools of one server that are looked at, and pages of their list.
const MAX_TOOLS: usize = 200;
const MAX_LISTS: usize = 20;
/// Bytes of one message of a server.
const MAX_MESSAGE: usize = 8 * 1024 * 1024;
/// How long a program has to end before nobody waits for it any longer.
const END: Duration = Duration::from_secs(6);

/// How a server is started or reached.
#[derive(Clone)]
pub enum Launch {
    /// A program that speaks on its standard input and output.
    Program { program: String, args: Vec<String>, env: BTreeMap<String, String> },
    /// An address, with the key or the tokens of a sign-in that go with every request.
    Address(Box<Address>),
}

/// A server that is reached over HTTP.
#[derive(Clone)]
pub struct Address {
    pub url: String,
    /// Sent as a bearer token; a sign-in is not looked for then.
    pub key: Option<String>,
    pub http: reqwest::Client,
    /// For what the server names when it signs people in.
    pub sign_in_http: SignInHttp,
    /// Where the tokens of a sign-in are kept.
    pub tokens: Arc<dyn TokenStore>,
}

/// A call that is going on.
struct Ongoing {
    id: u64,
    token: Option<ProgressToken>,
    observer: Arc<dyn Observer>,
    /// When the server last gave a sign of it; later while a form is being filled in.
    last: Instant,
    /// Whether the person is filling in a form of it.
    asks: bool,
    /// Cancelled when nobody waits for it any more.
    over: CancellationToken,
}

/// What hears what a server says by itself.
struct Client {
    server: String,
    ongoing: Arc<Mutex<Vec<Ongoing>>>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        // Neither sampling nor roots: a server gets no model and no folders.
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        ClientConfig::new(capabilities, Implementation::new("nexi", env!("CARGO_PKG_VERSION")))
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let observer = {
            let mut ongoing = self.ongoing.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(call) = ongoing.iter_mut().find(|call| call.token.as_ref() == Some(&params.progress_token)) else { return };
            call.last = Instant::now();
            call.observer.clone()
        };
        let message = params.message.map(|said| text::truncate(&nexi_core::visible::visible(&text::fold_space(&said)), 200));
        observer.progress(Progress { done: params.progress, total: params.total, message });
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let form = match request {
            ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
                let schema = serde_json::to_value(&requested_schema).unwrap_or_default();
                Form::of_schema(&self.server, &message, &schema)
            }
            // Nexi opens no address that a server wants opened.
            _ => None,
        };
        let Some((form, (id, observer, over))) = form.zip(self.asking()) else { return Ok(ElicitResult::new(ElicitationAction::Decline)) };
        let filled = tokio::select! {
            filled = observer.fill(form) => filled,
            // The server wants it no longer, or the call is over.
            () = context.ct.cancelled() => Filled::Cancelled,
            () = over.cancelled() => Filled::Cancelled,
        };
        self.asked(id);
        Ok(match filled {
            Filled::With(value) => ElicitResult::new(ElicitationAction::Accept).with_content(value),
            Filled::Declined => ElicitResult::new(ElicitationAction::Decline),
            Filled::Cancelled => ElicitResult::new(ElicitationAction::Cancel),
        })
    }
}

impl Client {
    /// The one call that goes on: a server does not say for which one it asks. None where there are several, which may be
    /// of other threads, or where its form is open already.
    fn asking(&self) -> Option<(u64, Arc<dyn Observer>, CancellationToken)> {
        let mut ongoing = self.ongoing.lock().unwrap_or_else(PoisonError::into_inner);
        let [call] = ongoing.as_mut_slice() else { return None };
        if std::mem::replace(&mut call.asks, true) {
            return None;
        }
        Some((call.id, call.observer.clone(), call.over.clone()))
    }

    fn asked(&self, id: u64) {
        let mut ongoing = self.ongoing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(call) = ongoing.iter_mut().find(|call| call.id == id) {
            call.asks = false;
            call.last = Instant::now();
        }
    }
}

/// A server that can be asked.
pub(crate) struct Connection {
    server: String,
    service: RunningService<RoleClient, Client>,
    ongoing: Arc<Mutex<Vec<Ongoing>>>,
    calls: AtomicU64,
    program: Option<Child>,
}

impl Connection {
    /// Starts or reaches a server.
    pub(crate) async fn open(server: &str, launch: &Launch, cancel: &CancellationToken) -> Result<Self, Failure> {
        let ongoing = Arc::new(Mutex::new(Vec::new()));
        let client = Client { server: server.to_owned(), ongoing: ongoing.clone() };
        let (service, program) = match launch {
            Launch::Program { program, args, env } => {
                let mut child = start(InputMode::All, program, args, env)?;
                let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take()) else {
                    return Err(Failure::because(ToolCause::NoPipes));
                };
                let said = tokio::spawn(stderr_tail(errors));
                let transport = AsyncRwTransport::new_client(output, input).with_max_line_length(MAX_MESSAGE);
                let service = within(START, cancel, client.serve(transport)).await?;
                match service {
                    Ok(service) => (service, Some(child)),
                    Err(error) => return Err(not_started(program, &error.to_string(), said).await),
                }
            }
            Launch::Address(address) => (reach(client, server, address, cancel).await?, None),
        };
        // What a server lists is compared with what was approved, and never with what it listed before.
        service.peer().set_response_cache_config(ClientCacheConfig::disabled()).await;
        Ok(Self { server: server.to_owned(), service, ongoing, calls: AtomicU64::new(0), program })
    }

    pub(crate) fn is_open(&self) -> bool {
        !self.service.is_closed() && !self.service.peer().is_transport_closed()
    }

    /// Its tools, each once, in the order of its list.
    pub(crate) async fn tools(&self, cancel: &CancellationToken) -> Result<Vec<ToolDefinition>, Failure> {
        let mut out: Vec<ToolDefinition> = Vec::new();
        let mut cursor = None;
        for _ in 0..MAX_LISTS {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let list = within(SHORT, cancel, self.service.peer().list_tools(Some(params))).await?;
            let list = list.map_err(|error| failure(&self.server, &error))?;
            for tool in list.tools.into_iter().filter_map(definition::of) {
                if out.len() < MAX_TOOLS && !out.iter().any(|known| known.name == tool.name) {
                    out.push(tool);
                }
            }
            cursor = list.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(out)
    }

    /// Calls a tool; `time_limit` is counted anew with each sign of progress.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: &Value,
        time_limit: Duration,
        observer: Arc<dyn Observer>,
        cancel: &CancellationToken,
    ) -> Result<Called, Failure> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments.as_object().cloned().unwrap_or_default());
        let id = self.calls.fetch_add(1, Ordering::Relaxed);
        let over = CancellationToken::new();
        let call = Ongoing { id, token: None, observer, last: Instant::now(), asks: false, over: over.clone() };
        self.ongoing.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        let _over = Over { id, ongoing: &self.ongoing, over };
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let handle = self.service.peer().send_cancellable_request(request, PeerRequestOptions::no_options()).await;
        let handle = handle.map_err(|error| failure(&self.server, &error))?;
        let (request, token) = (handle.id.clone(), handle.progress_token.clone());
        if let Some(call) = self.ongoing.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().find(|call| call.id == id) {
            call.token = Some(token);
        }
        let began = Instant::now();
        let reply = handle.await_response();
        tokio::pin!(reply);
        let stopped = loop {
            let until = self.call_ends(id, time_limit).min(began + LONGEST);
            tokio::select! {
                reply = &mut reply => return self.result(reply.map_err(|error| failure(&self.server, &error))?, cancel).await,
                () = cancel.cancelled() => break Failure::cancelled(),
                () = tokio::time::sleep_until(until) => {
                    if self.call_ends(id, time_limit).min(began + LONGEST) <= Instant::now() {
                        break Failure::because(ToolCause::SilentCall { seconds: time_limit.as_secs() });
                    }
                }
            }
        };
        let _ = self.service.peer().notify_cancelled(CancelledNotificationParam::new(Some(request), Some("no longer wanted".into()))).await;
        Err(stopped)
    }

    fn call_ends(&self, id: u64, time_limit: Duration) -> Instant {
        let ongoing = self.ongoing.lock().unwrap_or_else(PoisonError::into_inner);
        match ongoing.iter().find(|call| call.id == id) {
            // A person who fills in a form has as long as the run has.
            Some(call) if call.asks => Instant::now() + time_limit,
            Some(call) => call.last + time_limit,
            None => Instant::now() + time_limit,
        }
    }

    async fn result(&self, reply: ServerResult, cancel: &CancellationToken) -> Result<Called, Failure> {
        let ServerResult::CallToolResult(result) = reply else {
            return Err(Failure::because(ToolCause::UnreadableReply));
        };
        let (mut called, links) = content::read(result);
        for link in &links {
            self.follow(link, &mut called, cancel).await;
        }
        content::limit(&mut called);
        Ok(called)
    }

    /// Reads a document that a result links to.
    async fn follow(&self, link: &Resource, called: &mut Called, cancel: &CancellationToken) {
        let read = within(SHORT, cancel, self.service.peer().read_resource(ReadResourceRequestParams::new(link.uri.clone()))).await;
        match read {
            Ok(Ok(found)) => {
                for contents in found.contents {
                    content::document(contents, Some(content::name(link)), &mut called.pages, &mut called.left_out);
                }
            }
            Ok(Err(_)) | Err(_) => called.left_out.push(format!("the document {} (could not be read)", content::name(link))),
        }
    }

    /// Ends it; what a program started ends, too.
    pub(crate) async fn close(mut self) {
        let _ = tokio::time::timeout(END, self.service.close()).await;
        if let Some(mut program) = self.program.take() {
            // Its input is closed now, by which the supervisor knows.
            let _ = tokio::time::timeout(END, program.wait()).await;
        }
    }
}

/// Reaches a server at an address.
async fn reach(
    client: Client,
    server: &str,
    address: &Address,
    cancel: &CancellationToken,
) -> Result<RunningService<RoleClient, Client>, Failure> {
    let Address { url, key, http, sign_in_http, tokens } = address;
    let mut config =
        StreamableHttpClientTransportConfig::with_uri(url.as_str()).max_sse_event_size(MAX_MESSAGE).max_json_response_size(MAX_MESSAGE);
    let signed_in = match key {
        Some(key) => {
            config = config.auth_header(key.as_str());
            None
        }
        None => within(START, cancel, sign_in::signed_in(url, http, sign_in_http, tokens)).await??,
    };
    let work = async {
        match signed_in {
            Some(http) => client.serve(StreamableHttpClientTransport::with_client(http, config)).await,
            None => client.serve(StreamableHttpClientTransport::with_client(http.clone(), config)).await,
        }
    };
    within(START, cancel, work).await?.map_err(|error| {
        let at_root = beginning(&error);
        let unreached = || Failure::because(ToolCause::Unreached { message: cause(at_root) });
        if error.is_authorization_required() { sign_in_needed(server) } else { refusal(at_root).unwrap_or_else(unreached) }
    })
}

/// Takes a call out of the list when nobody waits for it any more.
struct Over<'a> {
    id: u64,
    ongoing: &'a Mutex<Vec<Ongoing>>,
    over: CancellationToken,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.over.cancel();
        self.ongoing.lock().unwrap_or_else(PoisonError::into_inner).retain(|call| call.id != self.id);
    }
}

async fn within<T>(limit: Duration, cancel: &CancellationToken, work: impl Future<Output = T>) -> Result<T, Failure> {
    tokio::select! {
        done = work => Ok(done),
        () = cancel.cancelled() => Err(Failure::cancelled()),
        () = tokio::time::sleep(limit) => Err(Failure::because(ToolCause::NotAnswered { seconds: limit.as_secs() })),
    }
}

/// Why a program is no server, in its own words where it said any.
async fn not_started(program: &str, error: &str, said: JoinHandle<String>) -> Failure {
    let said = tokio::time::timeout(Duration::from_secs(3), said).await.ok().and_then(Result::ok).unwrap_or_default();
    let told = supervisor::told(&said);
    let program = program.to_owned();
    Failure::because(match (told, said.is_empty()) {
        (Some(told), _) => told,
        (None, true) => ToolCause::StoppedStarting { program, message: short(error) },
        (None, false) => ToolCause::StoppedSaying { program, said },
    })
}

/// The error that a connection failed with, which the SDK only names in its own.
fn beginning(error: &ClientInitializeError) -> &(dyn std::error::Error + 'static) {
    match error {
        ClientInitializeError::TransportError { error, .. } => error.error.as_ref(),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => beginning(fallback),
        other => other,
    }
}

/// What a sign-in has to do with an error, somewhere among what led to it.
fn refusal(error: &(dyn std::error::Error + 'static)) -> Option<Failure> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<AuthError>() {
            return Some(sign_in::failure(error));
        }
        if let Some(error) = error.downcast_ref::<InsufficientScopeError>() {
            let lacks = |scope| SignInCause::LacksScope { scope: short(scope) };
            return Some(Failure::because(error.get_required_scope().map_or(SignInCause::LacksRight, lacks)));
        }
        next = error.source();
    }
    None
}

/// How a person gets in.
fn sign_in_needed(server: &str) -> Failure {
    Failure::because(ToolCause::NeedsSignIn { server: server.to_owned() })
}

fn failure(server: &str, error: &ServiceError) -> Failure {
    match error {
        error if error.is_authorization_required() => sign_in_needed(server),
        ServiceError::McpError(error) => Failure::because(ToolCause::Answered { said: short(&error.message) }),
        ServiceError::TransportClosed => Failure::because(ToolCause::Closed),
        ServiceError::TransportSend(error) => {
            refusal(error).unwrap_or_else(|| Failure::because(ToolCause::NotSent { message: cause(error) }))
        }
        ServiceError::UnexpectedResponse => Failure::because(ToolCause::UnreadableReply),
        other => Failure::because(ToolCause::Said { said: short(&other.to_string()) }),
    }
}
