//! The network guard: which addresses a model, a page or a search result may make us visit.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use nexi_core::ports::{Cause, Failure};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

const PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// How long a name may take to be resolved before somebody else is asked for it.
const NAMES: Duration = Duration::from_secs(3);

/// Endings of names that mean something in a local network only.
const LOCAL: [&str; 10] =
    [".localhost", ".local", ".internal", ".home.arpa", ".lan", ".home", ".corp", ".intranet", ".private", ".localdomain"];

/// Decides which URLs may be fetched. Cheap to clone.
#[derive(PartialEq, Eq, Debug, Clone)]
pub struct Guard {
    /// `host` or `host:port`, lower case, that the user trusts although they are local.
    allowed: Arc<Vec<(String, Option<u16>)>>,
    /// Hosts of proxies: they may be resolved, and are not read.
    proxies: Arc<Vec<String>>,
    /// Names whose addresses the name service is not asked for.
    known: Arc<BTreeMap<String, Vec<IpAddr>>>,
}

/// Why a text is no address.
pub(crate) fn no_address(error: url::ParseError) -> Cause {
    match error {
        url::ParseError::RelativeUrlWithoutBase => Cause::NoScheme,
        error => Cause::NoAddress { message: error.to_string() },
    }
}

impl Guard {
    /// A guard that lets these private hosts through (`network.allowed_private_hosts`).
    pub fn new(allowed_private_hosts: &[String]) -> Self {
        let allowed = allowed_private_hosts
            .iter()
            .filter_map(|entry| {
                let url = Url::parse(&format!("http://{}/", entry.trim())).ok()?;
                // The standard port has to be asked for, since `url` drops it.
                let port = if entry.trim().ends_with(":80") { Some(80) } else { url.port() };
                Some((url.host_str()?.to_ascii_lowercase(), port))
            })
            .collect();
        Self { allowed: Arc::new(allowed), proxies: Arc::default(), known: Arc::default() }
    }

    /// With these proxies to go through, which may be local.
    pub(crate) fn through(self, proxies: Vec<String>) -> Self {
        Self { proxies: Arc::new(proxies), ..self }
    }

    /// With the addresses of these names, whatever the name service says.
    pub fn knowing(self, names: impl IntoIterator<Item = (String, Vec<IpAddr>)>) -> Self {
        Self { known: Arc::new(names.into_iter().collect()), ..self }
    }

    async fn addresses(&self, name: &str) -> std::io::Result<Vec<IpAddr>> {
        match self.known.get(name) {
            Some(known) => Ok(known.clone()),
            None => Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect()),
        }
    }

    /// Parses an address and checks all that can be known without asking the name service. User
    /// name and password are dropped.
    ///
    /// # Errors
    /// A sentence that says why the address is not visited.
    pub fn check(&self, text: &str) -> Result<Url, Failure> {
        let url = self.check_host(text)?;
        let port = url.port_or_known_default().unwrap_or(0);
        if !self.trusts(&url) && !PORTS.contains(&port) {
            return Err(Failure::because(Cause::Port { port: port.to_string() }));
        }
        Ok(url)
    }

    /// [`check`](Self::check) for what is no page, so that its port may be any.
    ///
    /// # Errors
    /// As for `check`.
    pub fn check_host(&self, text: &str) -> Result<Url, Failure> {
        let mut url = Url::parse(text.trim()).map_err(|error| Failure::because(no_address(error)))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Failure::because(Cause::Scheme { scheme: url.scheme().to_owned() }));
        }
        let _ = url.set_username("");
        let _ = url.set_password(None);
        let port = url.port_or_known_default().unwrap_or(0);
        let host = match url.host() {
            Some(Host::Domain(name)) if name.trim_end_matches('.').is_empty() => return Err(Failure::because(Cause::NoHost)),
            Some(host) => host.to_owned(),
            None => return Err(Failure::because(Cause::NoHost)),
        };
        if self.is_allowed(url.host_str().unwrap_or_default(), Some(port)) {
            return Ok(url);
        }
        if self.is_allowed(url.host_str().unwrap_or_default(), None) {
            // The resolver trusts this name for the sake of another port.
            return Err(private());
        }
        if url.host_str().is_some_and(|host| self.proxies.iter().any(|proxy| proxy == host)) {
            return Err(private());
        }
        match host {
            Host::Ipv4(ip) if !is_global(IpAddr::V4(ip)) => return Err(private()),
            Host::Ipv6(ip) if !is_global(IpAddr::V6(ip)) => return Err(private()),
            Host::Domain(name) if is_local_name(&name) => return Err(private()),
            _ => {}
        }
        Ok(url)
    }

    /// [`check`](Self::check) for an address that somebody else is to visit: a proxy or a reader service. Its name is
    /// resolved here first, since theirs may lead elsewhere; a name that this computer cannot resolve passes, because
    /// behind some proxies none can be.
    ///
    /// # Errors
    /// As for `check`, and where the host is one that the user trusts, or any of the name's addresses is private.
    pub async fn check_for_others(&self, text: &str) -> Result<Url, Failure> {
        let url = self.check(text)?;
        if self.trusts(&url) {
            return Err(Failure::because(Cause::NotHandedOn));
        }
        if let Some(Host::Domain(name)) = url.host() {
            let found = tokio::time::timeout(NAMES, self.addresses(name)).await;
            all_global(found.into_iter().flatten().flatten())?;
        }
        Ok(url)
    }

    /// Whether requests may go through a proxy, which resolves names itself.
    pub(crate) fn has_proxies(&self) -> bool {
        !self.proxies.is_empty()
    }

    /// Whether the user trusts any host of the local network.
    pub(crate) fn trusts_any(&self) -> bool {
        !self.allowed.is_empty()
    }

    /// Whether this address is one of the local network's that the user trusts.
    pub(crate) fn trusts(&self, url: &Url) -> bool {
        self.is_allowed(url.host_str().unwrap_or_default(), url.port_or_known_default())
    }

    fn is_allowed(&self, host: &str, port: Option<u16>) -> bool {
        let host = host.to_ascii_lowercase();
        self.allowed.iter().any(|(known, known_port)| *known == host && (known_port.is_none() || port.is_none() || *known_port == port))
    }
}

/// How [`Cause::Private`] begins; [`crate::client`] knows it by that in the words of the resolver.
pub(crate) const PRIVATE: &str = "the address belongs to a private network";

fn private() -> Failure {
    Failure::because(Cause::Private)
}

/// A single label is a neighbour's name, too: it is looked for in the search domains of the local network.
fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    !name.contains('.') || LOCAL.iter().any(|ending| name.ends_with(ending))
}

fn all_global(mut found: impl Iterator<Item = IpAddr>) -> Result<(), Failure> {
    if found.all(is_global) { Ok(()) } else { Err(private()) }
}

/// Resolves names for the guarded client and drops every address that is not global, at the moment
/// of connecting: a name that changes its address between check and use gains nothing.
impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let found = guard.addresses(&host).await?;
            let trusted = guard.is_allowed(&host, None) || guard.proxies.contains(&host);
            let kept: Vec<SocketAddr> = found.into_iter().filter(|ip| trusted || is_global(*ip)).map(|ip| SocketAddr::new(ip, 0)).collect();
            if kept.is_empty() {
                return Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, private().message).into());
            }
            Ok(Box::new(kept.into_iter()) as Addrs)
        })
    }
}

/// Whether an address belongs to the public internet.
pub fn is_global(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_global_v4(ip),
        IpAddr::V6(ip) => is_global_v6(ip),
    }
}

fn is_global_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    !(ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_multicast()
        || ip.is_broadcast()
        || ip.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (18..20).contains(&b)))
}

fn is_global_v6(ip: Ipv6Addr) -> bool {
    if let Some(v4) = ip.to_ipv4_mapped() {
        return is_global_v4(v4);
    }
    let s = ip.segments();
    let embedded_or_special = ip.is_unspecified()
        || ip.is_loopback()
        || ip.is_multicast()
        || (s[0] & 0xfe00) == 0xfc00
        || (s[0] & 0xffc0) == 0xfe80
        || (s[0] & 0xffc0) == 0xfec0
        // Addresses that carry an IPv4 address: NAT64, 6to4, Teredo and its neighbours, IPv4-compatible.
        || (s[0] == 0x64 && s[1] == 0xff9b)
        || s[0] == 0x2002
        || s[0] == 0x2001 && (s[1] == 0 || s[1] == 0xdb8 || s[1] < 0x200)
        || s[..6] == [0; 6]
        || s[..5] == [0, 0, 0, 0, 0xffff]
        || s[0] == 0x100 && s[1..4] == [0; 3]
        || s[0] == 0x3fff && s[1] < 0x1000;
    !embedded_or_special && (s[0] & 0xe000) == 0x2000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_private_address_is_refused() {
        let guard = Guard::new(&[]);
        for url in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0177.0.0.1/",
            "http://127.1/",
            "http://0/",
            "http://１２７.0.0.1/",
            "http://localhost/",
            "http://LOCALHOST./",
            "http://a.localhost/",
            "http://printer.local/",
            "http://intranet/",
            "http://Wiki./",
            "http://nas.lan/",
            "http://git.corp:8080/",
            "http://10.1.2.3/",
            "http://172.16.0.1/",
            "http://192.168.1.1/",
            "http://169.254.169.254/latest/",
            "http://100.64.0.1/",
            "http://224.0.0.1/",
            "http://255.255.255.255/",
            "http://198.18.0.1/",
            "http://192.0.0.8/",
            "http://240.0.0.1/",
            "http://[::1]/",
            "http://[::]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "http://[::127.0.0.1]/",
            "http://[fe80::1]/",
            "http://[fd00::1]/",
            "http://[ff02::1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://[64:ff9b:1::1]/",
            "http://[2002:7f00:1::]/",
            "http://[2001::1]/",
            "http://[2001:db8::1]/",
            "http://[fec0::1]/",
            "http://[100::1]/",
            "http://user:pass@127.0.0.1/",
            "http://example.org:22/",
            "http://example.org:6379/",
            "https://example.org:8888/",
            "file:///etc/passwd",
            "ftp://example.org/",
            "javascript:alert(1)",
            "data:text/html,x",
            "gopher://example.org/",
            "http:///",
            "not a url",
        ] {
            assert!(guard.check(url).is_err(), "{url}");
        }
    }

    #[test]
    fn public_addresses_pass_without_their_password() {
        let guard = Guard::new(&[]);
        for url in [
            "https://example.org/a?b",
            "http://example.org:8080/",
            "http://93.184.215.14/",
            "https://[2606:4700::1111]/",
            "http://1.1.1.1:8443/",
        ] {
            assert!(guard.check(url).is_ok(), "{url}");
        }
        assert_eq!(guard.check("https://u:p@example.org/").unwrap().as_str(), "https://example.org/");
    }

    #[test]
    fn trusted_hosts_pass_and_only_they() {
        let guard = Guard::new(&["wiki.lan".into(), "127.0.0.1:4321".into(), "[::1]:80".into()]);
        assert!(guard.check("http://wiki.lan:9999/x").is_ok());
        assert!(guard.check("http://127.0.0.1:4321/").is_ok());
        assert!(guard.check("http://[::1]/").is_ok());
        assert!(guard.check("http://127.0.0.1:4322/").is_err());
        assert!(guard.check("http://[::1]:81/").is_err());
        assert!(Guard::new(&["wiki.lan:8080".into()]).check("http://wiki.lan/admin").is_err());
        assert!(guard.check("http://127.0.0.2:4321/").is_err());
    }

    #[tokio::test]
    async fn no_other_is_asked_for_a_name_with_a_private_address() {
        let found = |ips: &[&str]| all_global(ips.iter().map(|ip| ip.parse().unwrap()));
        assert!(found(&["93.184.215.14", "2606:4700::1111"]).is_ok() && found(&[]).is_ok());
        assert!(found(&["93.184.215.14", "10.0.0.7"]).is_err() && found(&["::1"]).is_err());
        let guard = Guard::new(&["wiki.lan".into(), "localhost".into()]);
        // What is trusted here is not for others, either.
        assert!(guard.check_for_others("http://localhost/").await.is_err() && guard.check_for_others("http://wiki.lan/").await.is_err());
        // Nobody here knows this name; a proxy may.
        assert!(guard.check_for_others("https://pages.example/").await.is_ok());
    }

    #[tokio::test]
    async fn names_that_resolve_to_private_addresses_are_refused() {
        let resolve = |guard: Guard| guard.resolve("localhost".parse().unwrap());
        assert!(resolve(Guard::new(&[])).await.is_err());
        assert!(resolve(Guard::new(&["localhost".into()])).await.is_ok());
    }
}
