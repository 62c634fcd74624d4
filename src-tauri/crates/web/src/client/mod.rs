//! The HTTP clients: one guarded, for pages, one for services the user configured. Nothing else in
//! this crate builds a client.

mod api;
mod download;
mod page;
mod robots;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nexi_core::{
    ports::{Cause, Failure},
    settings::{Proxy, Route},
    text,
};

pub use api::{ApiClient, ApiReply, Rate};
pub(crate) use api::{limited, sentence};
pub use download::Download;
pub use page::{Fetched, Got, PageClient};

use crate::guard::Guard;

/// Who we say we are.
pub const USER_AGENT: &str = concat!("Nexi/", env!("CARGO_PKG_VERSION"), " (desktop research app)");

const CONNECT: Duration = Duration::from_secs(5);

/// The client for services of the settings, models among them: no redirects, which would carry keys
/// elsewhere, and no retries of its own. Made once a route.
///
/// # Errors
/// When TLS cannot be set up, or the proxy or a certificate cannot be used.
pub fn service_client(route: &Route) -> Result<reqwest::Client, Failure> {
    // Setting up TLS reads all certificates of the system. There are two at most, since the only
    // other one leads to this computer.
    static CLIENTS: Mutex<Vec<(Route, reqwest::Client)>> = Mutex::new(Vec::new());
    let mut clients = CLIENTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, http)) = clients.iter().find(|(known, _)| known == route) {
        return Ok(http.clone());
    }
    let http = builder(route)?.connect_timeout(2 * CONNECT).retry(reqwest::retry::never()).build().map_err(|error| unusable(&error))?;
    // Settings change seldom; what they were before is not needed again.
    clients.retain(|(known, _)| known.roots == route.roots);
    clients.truncate(1);
    clients.push((route.clone(), http.clone()));
    Ok(http)
}

/// What is sent with while a service signs a person in.
#[derive(Clone)]
pub struct SignInClient {
    /// Follows no redirects.
    pub http: reqwest::Client,
    /// None where the service itself is of the local network.
    guard: Option<Guard>,
}

impl SignInClient {
    /// A service that is not of the local network may name nothing of it, but for its own host.
    ///
    /// # Errors
    /// When TLS cannot be set up, or the proxy or a certificate cannot be used.
    pub fn new(route: &Route, allowed_private_hosts: &[String], service: &str) -> Result<Self, Failure> {
        if Guard::new(&[]).check_host(service).is_err() {
            return Ok(Self { http: service_client(route)?, guard: None });
        }
        // The service's own name may lead into a local network, too: the person entered it.
        let own = url::Url::parse(service).ok().and_then(|url| url.host_str().map(str::to_owned));
        let allowed: Vec<String> = allowed_private_hosts.iter().cloned().chain(own).collect();
        let guard = Guard::new(&allowed).through(page::proxy_hosts(&route.proxy));
        let builder = builder(route)?.dns_resolver(std::sync::Arc::new(guard.clone())).connect_timeout(2 * CONNECT);
        let http = builder.retry(reqwest::retry::never()).build().map_err(|error| unusable(&error))?;
        Ok(Self { http, guard: Some(guard) })
    }

    /// Whether an address that the service or its provider has named may be visited.
    ///
    /// # Errors
    /// A sentence that says why not.
    pub fn check(&self, address: &str) -> Result<(), Failure> {
        self.guard.as_ref().map_or(Ok(()), |guard| guard.check_host(address).map(drop))
    }
}

/// Why no client can be made: most often a bare system has no certificates of authorities.
fn unusable(error: &reqwest::Error) -> Failure {
    Failure::because(Cause::NoCertificates { message: error.to_string() })
}

/// A builder that takes this way out and follows no redirect by itself.
fn builder(route: &Route) -> Result<reqwest::ClientBuilder, Failure> {
    routed(reqwest::Client::builder().user_agent(USER_AGENT).redirect(reqwest::redirect::Policy::none()), route)
}

/// Has clients of somebody else take this way out.
///
/// # Errors
/// When TLS cannot be set up, or the proxy or a certificate cannot be used.
pub fn way_out(route: Route) -> Result<impl Fn(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send + Sync, Failure> {
    // What is wrong with it is said now.
    drop(routed(reqwest::Client::builder(), &route)?);
    Ok(move |builder| routed(builder, &route).expect("the same way was taken above"))
}

fn routed(mut builder: reqwest::ClientBuilder, route: &Route) -> Result<reqwest::ClientBuilder, Failure> {
    let unusable = |error: reqwest::Error| self::unusable(&error);
    let direct = reqwest::NoProxy::from_string("localhost,127.0.0.0/8,::1");
    match &route.proxy {
        Proxy::System => {}
        Proxy::None => builder = builder.no_proxy(),
        Proxy::Url(url) => {
            let proxy = reqwest::Proxy::all(url).map_err(|_| Failure::because(Cause::ProxyAddress))?;
            builder = builder.proxy(proxy.no_proxy(direct));
        }
    }
    let mut roots = Vec::new();
    for pem in &route.roots {
        let found = reqwest::Certificate::from_pem_bundle(pem).map_err(unusable)?;
        if found.is_empty() {
            return Err(Failure::because(Cause::NoPem));
        }
        roots.extend(found);
    }
    Ok(if roots.is_empty() { builder } else { builder.tls_certs_merge(roots) })
}

fn transport_failure(error: &reqwest::Error) -> Failure {
    let cause = text::truncate(&text::innermost(error), 160);
    // The resolver's own words: the name belongs to an address that is not visited.
    if cause.contains(crate::guard::PRIVATE) {
        return Failure::because(Cause::UnreachedPrivate { message: cause });
    }
    // A certificate does not get better by asking again, and is never passed over.
    if cause.contains("certificate") || cause.contains("UnknownIssuer") || cause.contains("HandshakeFailure") {
        return Failure::because(Cause::NoSecureConnection { message: cause });
    }
    let why = if error.is_timeout() {
        Cause::InTime
    } else if error.is_connect() {
        Cause::Unreached { message: cause.clone() }
    } else {
        Cause::Broke { message: cause.clone() }
    };
    Failure { said: (!error.is_timeout()).then_some(cause), ..Failure::because(why) }
}
