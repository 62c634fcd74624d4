//! No form of any address leads to a sentinel on this machine, directly or by a redirect.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use nexi_core::ports::{Fault, ReadRequest, Validators};
use nexi_core::settings::{Proxy, Route};
use nexi_testkit::{End, RawServer};
use nexi_web::Guard;
use nexi_web::client::{Got, PageClient};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Listens on every address of this machine at a port that pages may be read from.
async fn sentinel() -> (u16, Arc<AtomicUsize>) {
    let hits = Arc::new(AtomicUsize::new(0));
    for port in [8080, 8443, 80] {
        let Ok(listener) = TcpListener::bind(("::", port)).await else { continue };
        // Where one socket does not take both families, the other gets its own.
        let other = TcpListener::bind(("0.0.0.0", port)).await.ok();
        for listener in [Some(listener), other].into_iter().flatten() {
            let hits = hits.clone();
            tokio::spawn(async move {
                while let Ok((socket, _)) = listener.accept().await {
                    hits.fetch_add(1, Ordering::SeqCst);
                    drop(socket);
                }
            });
        }
        return (port, hits);
    }
    panic!("none of the ports 8080, 8443 and 80 is free on this machine");
}

/// Every way to write an IPv4 address that some program understands.
fn spellings(ip: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = ip.octets();
    let number = u32::from(ip);
    let (high, low) = (number >> 16, number & 0xffff);
    let wide = |text: &str| {
        text.chars().map(|c| char::from_u32(c as u32 + 0xfee0).filter(|_| c.is_ascii_digit()).unwrap_or(c)).collect::<String>()
    };
    let dotted = ip.to_string();
    vec![
        dotted.clone(),
        format!("{dotted}."),
        format!("{number}"),
        format!("0x{number:x}"),
        format!("0X{number:08X}"),
        format!("0{number:o}"),
        format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("000{a:o}.{b}.0x{c:x}.{d}"),
        format!("{a}.{}", number & 0x00ff_ffff),
        format!("{a}.{b}.{low}"),
        format!("{a:#x}.{b}.{low:#x}"),
        wide(&dotted),
        dotted.replace('.', "。"),
        dotted.replace('.', "．"),
        dotted.replace('.', "%2e"),
        dotted.chars().map(|c| format!("%{:02x}", c as u32)).collect(),
        format!("user:password@{dotted}"),
        format!("example.org@{dotted}"),
        format!("example.org%40@{dotted}"),
        format!("[::ffff:{dotted}]"),
        format!("[::ffff:{high:x}:{low:x}]"),
        format!("[0:0:0:0:0:ffff:{high:x}:{low:x}]"),
        format!("[::{dotted}]"),
        format!("[::{high:x}:{low:x}]"),
        format!("[::ffff:0:{high:x}:{low:x}]"),
        format!("[64:ff9b::{high:x}:{low:x}]"),
        format!("[64:ff9b:1::{high:x}:{low:x}]"),
        format!("[2002:{high:x}:{low:x}::1]"),
        format!("[2001:0:4136:e378:8000:63bf:{:x}:{:x}]", !high & 0xffff, !low & 0xffff),
    ]
}

fn forms(port: u16) -> BTreeSet<String> {
    let mut hosts: Vec<String> = Vec::new();
    for ip in ["127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.5.4", "192.168.1.1", "169.254.169.254", "100.64.0.1"] {
        hosts.extend(spellings(ip.parse().expect("an address")));
    }
    hosts.extend(
        [
            "localhost",
            "LOCALHOST",
            "localhost.",
            "LocalHost..",
            "a.localhost",
            "printer.local",
            "router.internal",
            "nas.home.arpa",
            "[::1]",
            "[::]",
            "[0:0:0:0:0:0:0:1]",
            "[fe80::1]",
            "[fec0::1]",
            "[fc00::1]",
            "[fd12:3456::1]",
            "[ff02::1]",
            "[2001:db8::1]",
            "[100::1]",
            "[2001::1]",
            "224.0.0.1",
            "255.255.255.255",
            "240.0.0.1",
            "192.0.0.8",
            "198.18.0.1",
            "192.88.99.1",
            "203.0.113.5",
            "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
            "ｌｏｃａｌｈｏｓｔ",
            "127.0.0.1%00.example.org",
            "127.0.0.1\t",
            "0",
            "0x7f.1",
            "127.1",
            "ip6-localhost",
        ]
        .map(str::to_owned),
    );
    let mut out: BTreeSet<String> = hosts.iter().map(|host| format!("http://{host}:{port}/secret")).collect();
    for odd in [
        "http:127.0.0.1:{port}/",
        "http:/127.0.0.1:{port}/",
        "http:\\\\127.0.0.1:{port}/",
        "http://127.0.0.1:{port}\\@example.org/",
        "http://example.org\\@127.0.0.1:{port}/",
        "hTTp://127.0.0.1:{port}/",
        " http://127.0.0.1:{port}/",
        "http://127.0.0.1:{port}#@example.org/",
        "http://127.0.0.1:{port}?@example.org/",
        "ht\ntp://127.0.0.1:{port}/",
        "http://127.0.\n0.1:{port}/",
        "//127.0.0.1:{port}/",
        "ftp://127.0.0.1:{port}/",
        "ws://127.0.0.1:{port}/",
        "gopher://127.0.0.1:{port}/_x",
        "dict://127.0.0.1:{port}/",
        "file:///etc/passwd",
        "jar:http://127.0.0.1:{port}/!/",
        "data:text/html,x",
        "javascript:alert(1)",
        "view-source:http://127.0.0.1:{port}/",
        "blob:http://127.0.0.1:{port}/x",
        "unix:/run/docker.sock",
        "http://[::1",
        "http://127.0.0.1:22/",
        "http://example.org:25/",
        "http://:{port}/",
        "http://%00127.0.0.1:{port}/",
    ] {
        out.insert(odd.replace("{port}", &port.to_string()));
    }
    out
}

fn request(url: &url::Url) -> ReadRequest {
    ReadRequest { url: url.clone(), ahead: None, validators: Validators::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_leads_to_this_machine() {
    let (port, hits) = sentinel().await;
    let route = Route { proxy: Proxy::None, roots: Vec::new() };
    let cancel = CancellationToken::new();
    // The sentinel is there: whom the user trusts gets through to it.
    let trusting = PageClient::new(Guard::new(&[format!("127.0.0.1:{port}")]), &route).unwrap();
    let _ = trusting.get(&request(&format!("http://127.0.0.1:{port}/").parse().unwrap()), &cancel).await;
    assert_eq!(hits.swap(0, Ordering::SeqCst), 1, "the sentinel hears those who come");

    let forms = forms(port);
    let guard = Guard::new(&[]);
    let client = PageClient::new(guard.clone(), &route).unwrap();
    let mut tried = 0;
    for form in &forms {
        tried += 1;
        let Ok(url) = url::Url::parse(form.trim()) else { continue };
        let Err(failure) = client.get(&request(&url), &cancel).await else { panic!("{form} was read") };
        // Names that this machine does not know have no address to refuse.
        let unknown = url.domain().is_some() && failure.fault == Fault::Transient;
        assert!(failure.fault == Fault::Forbidden || unknown, "{form}: {failure}");
    }
    // The same by a redirect of a site that may be read.
    for form in forms.iter().filter(|form| form.is_ascii() && !form.contains(['\n', '\t', '\r'])) {
        tried += 1;
        let reply = format!("HTTP/1.1 302 Found\r\nlocation: {form}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        let site = RawServer::start(reply.into_bytes(), End::Close).await;
        let through = PageClient::new(Guard::new(std::slice::from_ref(&site.host)), &route).unwrap();
        let Err(_) = through.get(&request(&format!("http://{}/", site.host).parse().unwrap()), &cancel).await else {
            panic!("a redirect to {form} was followed")
        };
    }
    println!("{tried} forms were tried");
    assert!(tried >= 250, "{tried}");
    assert_eq!(hits.load(Ordering::SeqCst), 0, "connections to the sentinel");
    // What is public passes.
    for url in
        ["https://example.org/", "http://93.184.215.14/", "https://[2606:4700::1111]/", "http://1.1.1.1:8080/x", "https://münchen.example/"]
    {
        assert!(guard.check(url).is_ok(), "{url}");
    }
}

#[tokio::test]
async fn a_name_is_not_trusted_for_its_looks() {
    let route = Route { proxy: Proxy::None, roots: Vec::new() };
    let client = PageClient::new(Guard::new(&[]), &route).unwrap();
    // The name of this machine and those of its hosts file are not on any list; their addresses are.
    let hosts = std::fs::read_to_string("/etc/hosts").unwrap_or_default();
    let names: Vec<&str> = hosts.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split_whitespace().skip(1)).collect();
    for name in names {
        let Ok(url) = format!("http://{name}:8080/").parse() else { continue };
        if let Err(failure) = client.get(&request(&url), &CancellationToken::new()).await {
            assert!(matches!(failure.fault, Fault::Forbidden | Fault::Transient), "{name}: {failure}");
        } else {
            panic!("{name} was read");
        }
    }
    let read = client.get(&request(&"http://localhost.localdomain.invalid/".parse().unwrap()), &CancellationToken::new()).await;
    assert!(!matches!(read, Ok(Got::Page(_))));
}
