//! How the network is reached, and what of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Problem, Wrong};

/// What the network guard lets through, and the way out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct Network {
    /// `host` or `host:port` on the local network that pages may be read from.
    pub allowed_private_hosts: Vec<String>,
    /// `system`, `none`, or the address of a proxy (`http://`, `https://`, `socks5://`, `socks5h://`).
    pub proxy: String,
    /// Files with certificates (PEM) that are trusted besides the system's.
    pub root_certificates: Vec<String>,
    /// Whether pages that nobody has asked for yet are fetched only where robots.txt allows it.
    pub respect_robots: bool,
    /// The file says something about the network that cannot be understood. The defaults would lead out another way than
    /// the person chose, so nothing goes out until it is mended.
    #[serde(skip)]
    #[ts(skip)]
    pub is_unclear: bool,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            allowed_private_hosts: Vec::new(),
            proxy: "system".into(),
            root_certificates: Vec::new(),
            respect_robots: true,
            is_unclear: false,
        }
    }
}

/// The way out of this computer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Route {
    pub proxy: Proxy,
    /// Contents of certificate files (PEM).
    pub roots: Vec<Vec<u8>>,
}

impl Route {
    /// The way to this address: to services on this computer no proxy leads.
    pub fn to(&self, url: &str) -> Self {
        let url = url::Url::parse(url).ok();
        let is_near = match url.as_ref().and_then(url::Url::host) {
            Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
            Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
            Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            None => false,
        };
        let proxy = if is_near { Proxy::None } else { self.proxy.clone() };
        Self { proxy, roots: self.roots.clone() }
    }
}

/// Which proxy requests go through. Loopback addresses never go through one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Proxy {
    /// The one that the system or the environment names, if any.
    #[default]
    System,
    None,
    Url(String),
}

impl Proxy {
    /// Reads `network.proxy`.
    pub fn parse(text: &str) -> Self {
        match text.trim() {
            "" | "system" => Proxy::System,
            "none" => Proxy::None,
            url => Proxy::Url(url.to_owned()),
        }
    }
}

impl Network {
    pub(super) fn check(&self, out: &mut Vec<Problem>) {
        for (index, host) in self.allowed_private_hosts.iter().enumerate() {
            if !is_host(host) {
                let wrong = Wrong::PrivateHost { host: host.clone() };
                out.push(Problem::new(format!("network.allowed_private_hosts[{index}]"), wrong));
            }
        }
        if let Proxy::Url(proxy) = Proxy::parse(&self.proxy) {
            let parsed = url::Url::parse(&proxy).ok().filter(|url| url.host_str().is_some());
            if !parsed.is_some_and(|url| matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h")) {
                out.push(Problem::new("network.proxy", Wrong::Proxy));
            } else if proxy.contains('@') {
                out.push(Problem::new("network.proxy", Wrong::PasswordInProxy));
            }
        }
        for (index, path) in self.root_certificates.iter().enumerate() {
            if path.trim().is_empty() {
                out.push(Problem::new(format!("network.root_certificates[{index}]"), Wrong::EmptyCertificate));
            }
        }
    }
}

fn is_host(text: &str) -> bool {
    let trimmed = text.trim();
    !trimmed.is_empty()
        && !trimmed.contains(['/', '@', ' ', '?', '#', '*'])
        && url::Url::parse(&format!("http://{trimmed}/")).is_ok_and(|url| url.host_str().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_proxy_leads_to_this_computer() {
        let route = Route { proxy: Proxy::Url("http://proxy.lan:3128".into()), roots: vec![b"x".to_vec()] };
        for near in ["http://127.0.0.1:8888", "http://localhost:11434/v1", "http://[::1]/", "https://a.localhost/"] {
            assert_eq!(route.to(near), Route { proxy: Proxy::None, roots: route.roots.clone() }, "{near}");
        }
        for far in ["https://api.example.org", "http://192.168.1.2/", "http://localhost.example.org/", "no address"] {
            assert_eq!(route.to(far), route, "{far}");
        }
    }
}
