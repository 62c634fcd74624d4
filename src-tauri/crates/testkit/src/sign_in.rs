//! A tool server that wants people to sign in, and the provider that signs them in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::site::{lock, serve};

/// Offers one tool, `whoami`, to whoever has signed in.
#[derive(Clone)]
pub struct SignInServer {
    pub base_url: String,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    base: String,
    behaviour: SignInBehaviour,
    made: usize,
    clients: BTreeSet<String>,
    /// Codes with the challenge and client they were given for.
    codes: BTreeMap<String, (String, String)>,
    access: BTreeSet<String>,
    refresh: BTreeSet<String>,
    refreshed: usize,
    token_requests: usize,
    registered: Vec<Value>,
    issued: Vec<String>,
}

/// How the provider behaves.
#[derive(Clone)]
pub struct SignInBehaviour {
    /// Seconds that a token is said to be valid.
    pub lifetime: u64,
    pub declines: bool,
    /// Whether programs may register themselves.
    pub registers: bool,
    /// Whether the server names a provider at all.
    pub offers: bool,
    /// The secret that the client `known` has to send.
    pub secret: Option<String>,
    /// Another place where tokens are given out.
    pub token_endpoint: Option<String>,
    /// Another provider that the server names.
    pub provider: Option<String>,
    /// What every request for tokens is answered with.
    pub token_error: Option<(u16, &'static str)>,
    /// A scope that every token lacks.
    pub wants_scope: Option<&'static str>,
}

impl Default for SignInBehaviour {
    fn default() -> Self {
        Self {
            lifetime: 3600,
            declines: false,
            registers: true,
            offers: true,
            secret: None,
            token_endpoint: None,
            provider: None,
            token_error: None,
            wants_scope: None,
        }
    }
}

impl SignInServer {
    /// Starts on a free port.
    pub async fn start() -> Self {
        let inner = Arc::new(Mutex::new(Inner::default()));
        let app = Router::new()
            .route("/.well-known/oauth-protected-resource/mcp", get(resource))
            .route("/.well-known/oauth-authorization-server", get(metadata))
            .route("/register", post(register))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            .route("/mcp", post(mcp))
            .with_state(inner.clone());
        let base_url = format!("http://{}", serve(app).await);
        lock(&inner).base.clone_from(&base_url);
        Self { base_url, inner }
    }

    /// Behaves like this from now on.
    pub fn behave(&self, behaviour: SignInBehaviour) {
        lock(&self.inner).behaviour = behaviour;
    }

    /// Takes no access token that was given so far.
    pub fn expire(&self) {
        lock(&self.inner).access.clear();
    }

    /// Takes nothing that was given so far.
    pub fn revoke(&self) {
        let mut inner = lock(&self.inner);
        inner.access.clear();
        inner.refresh.clear();
    }

    /// How often a token was renewed.
    pub fn refreshed(&self) -> usize {
        lock(&self.inner).refreshed
    }

    /// How often tokens were asked for.
    pub fn token_requests(&self) -> usize {
        lock(&self.inner).token_requests
    }

    /// What programs said of themselves when they registered.
    pub fn registered(&self) -> Vec<Value> {
        lock(&self.inner).registered.clone()
    }

    /// Every token that was given.
    pub fn issued(&self) -> Vec<String> {
        lock(&self.inner).issued.clone()
    }
}

type Shared = State<Arc<Mutex<Inner>>>;

async fn resource(State(inner): Shared) -> Response {
    let inner = lock(&inner);
    if !inner.behaviour.offers {
        return StatusCode::NOT_FOUND.into_response();
    }
    let base = &inner.base;
    let provider = inner.behaviour.provider.as_ref().unwrap_or(base);
    Json(json!({"resource": format!("{base}/mcp"), "authorization_servers": [provider], "scopes_supported": ["words"]})).into_response()
}

async fn metadata(State(inner): Shared) -> Response {
    let inner = lock(&inner);
    if !inner.behaviour.offers {
        return StatusCode::NOT_FOUND.into_response();
    }
    let base = &inner.base;
    let mut out = json!({
        "issuer": base, "authorization_endpoint": format!("{base}/authorize"), "token_endpoint": inner.behaviour.token_endpoint.clone().unwrap_or_else(|| format!("{base}/token")),
        "response_types_supported": ["code"], "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["none", "client_secret_post"],
    });
    if inner.behaviour.registers {
        out["registration_endpoint"] = json!(format!("{base}/register"));
    }
    Json(out).into_response()
}

async fn register(State(inner): Shared, Json(wanted): Json<Value>) -> Response {
    let mut inner = lock(&inner);
    let id = format!("client-{}", inner.clients.len());
    inner.clients.insert(id.clone());
    let mut out = wanted.clone();
    out["client_id"] = json!(id);
    inner.registered.push(wanted);
    (StatusCode::CREATED, Json(out)).into_response()
}

async fn authorize(State(inner): Shared, Query(asked): Query<BTreeMap<String, String>>) -> Response {
    let mut inner = lock(&inner);
    let value = |name: &str| asked.get(name).map_or("", String::as_str);
    let is_known = inner.clients.contains(value("client_id")) || (value("client_id") == "known" && inner.behaviour.secret.is_some());
    let is_right = value("response_type") == "code" && value("code_challenge_method") == "S256" && !value("state").is_empty();
    if !is_known || !is_right || value("resource") != format!("{}/mcp", inner.base) {
        return (StatusCode::BAD_REQUEST, format!("{asked:?}")).into_response();
    }
    inner.made += 1;
    let code = format!("code-{}", inner.made);
    inner.codes.insert(code.clone(), (value("code_challenge").to_owned(), value("client_id").to_owned()));
    let back = value("redirect_uri");
    let outcome = if inner.behaviour.declines { "error=access_denied".to_owned() } else { format!("code={code}") };
    Redirect::to(&format!("{back}?{outcome}&state={}", value("state"))).into_response()
}

async fn token(State(inner): Shared, Form(sent): Form<BTreeMap<String, String>>) -> Response {
    let mut inner = lock(&inner);
    inner.token_requests += 1;
    let value = |name: &str| sent.get(name).map_or("", String::as_str);
    let refused = |error: &str| (StatusCode::BAD_REQUEST, Json(json!({"error": error}))).into_response();
    if let Some((status, error)) = inner.behaviour.token_error {
        return (StatusCode::from_u16(status).unwrap_or_default(), Json(json!({"error": error}))).into_response();
    }
    if value("client_id") == "known" && sent.get("client_secret") != inner.behaviour.secret.as_ref() {
        return refused("invalid_client");
    }
    match value("grant_type") {
        "authorization_code" => {
            let Some((challenge, client)) = inner.codes.remove(value("code")) else { return refused("invalid_grant") };
            let digest = BASE64URL_NOPAD.encode(&Sha256::digest(value("code_verifier").as_bytes()));
            if digest != challenge || client != value("client_id") {
                return refused("invalid_grant");
            }
        }
        // Each is taken once.
        "refresh_token" if inner.refresh.remove(value("refresh_token")) => inner.refreshed += 1,
        _ => return refused("invalid_grant"),
    }
    inner.made += 1;
    let (access, refresh) = (format!("access-canary-{}", inner.made), format!("refresh-canary-{}", inner.made));
    inner.access.insert(access.clone());
    inner.refresh.insert(refresh.clone());
    inner.issued.extend([access.clone(), refresh.clone()]);
    let lifetime = inner.behaviour.lifetime;
    Json(json!({"access_token": access, "token_type": "Bearer", "expires_in": lifetime, "refresh_token": refresh, "scope": "words"}))
        .into_response()
}

async fn mcp(State(inner): Shared, headers: HeaderMap, body: Bytes) -> Response {
    let inner = lock(&inner);
    let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !sent.strip_prefix("Bearer ").is_some_and(|token| inner.access.contains(token)) {
        let challenge = format!("Bearer resource_metadata=\"{}/.well-known/oauth-protected-resource/mcp\"", inner.base);
        return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, challenge)]).into_response();
    }
    if let Some(scope) = inner.behaviour.wants_scope {
        let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"");
        return (StatusCode::FORBIDDEN, [(header::WWW_AUTHENTICATE, challenge)]).into_response();
    }
    let Ok(request) = serde_json::from_slice::<Value>(&body) else { return StatusCode::BAD_REQUEST.into_response() };
    let Some(id) = request.get("id") else { return StatusCode::ACCEPTED.into_response() };
    let result = match request["method"].as_str().unwrap_or_default() {
        "initialize" => json!({"protocolVersion": request["params"]["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "library", "version": "1"}}),
        "ping" => json!({}),
        "tools/list" => json!({"tools": [{"name": "whoami", "description": "Says whose card this is.",
            "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true}}]}),
        "tools/call" => json!({"content": [{"type": "text", "text": "The library card 4711 belongs to Ada Lund."}]}),
        _ => {
            return Json(json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "Method not found"}})).into_response();
        }
    };
    Json(json!({"jsonrpc": "2.0", "id": id, "result": result})).into_response()
}
