//! Proxies, certificates and HTTP/2.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use nexi_core::ports::{Fault, ReadRequest, Validators};
use nexi_core::settings::{Proxy, Route};
use nexi_web::Guard;
use nexi_web::client::{ApiClient, Got, PageClient};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::{ServerConfig, crypto::aws_lc_rs, pki_types::PrivateKeyDer};
use tokio_util::sync::CancellationToken;

const PAGE: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 14\r\nconnection: close\r\n\r\n<p>Proxied</p>";

/// Answers a request; what it was is noted before the answer goes out.
async fn reply(mut socket: TcpStream, note: impl FnOnce(String)) {
    let mut request = vec![0; 8192];
    let length = socket.read(&mut request).await.unwrap_or(0);
    note(String::from_utf8_lossy(&request[..length]).lines().next().unwrap_or_default().to_owned());
    let _ = socket.write_all(PAGE.as_bytes()).await;
    let _ = socket.shutdown().await;
}

/// The first line of each request that a proxy got.
type Seen = Arc<Mutex<Vec<String>>>;

async fn http_proxy() -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, seen) = (listener.local_addr().unwrap(), Seen::default());
    let lines = seen.clone();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            reply(socket, |line| lines.lock().unwrap().push(line)).await;
        }
    });
    (format!("http://{address}"), seen)
}

async fn socks_proxy() -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, seen) = (listener.local_addr().unwrap(), Seen::default());
    let lines = seen.clone();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut hello = [0; 2];
            socket.read_exact(&mut hello).await.unwrap();
            let mut methods = vec![0; hello[1] as usize];
            socket.read_exact(&mut methods).await.unwrap();
            socket.write_all(&[5, 0]).await.unwrap();
            let mut head = [0; 4];
            socket.read_exact(&mut head).await.unwrap();
            assert_eq!((head[0], head[1], head[3]), (5, 1, 3), "a connection to a name, which the proxy resolves");
            let length = socket.read_u8().await.unwrap();
            let mut name = vec![0; length as usize];
            socket.read_exact(&mut name).await.unwrap();
            let port = socket.read_u16().await.unwrap();
            socket.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).await.unwrap();
            lines.lock().unwrap().push(format!("{}:{port}", String::from_utf8_lossy(&name)));
            reply(socket, |_| {}).await;
        }
    });
    (format!("socks5h://{address}"), seen)
}

fn request(url: &str) -> ReadRequest {
    ReadRequest { url: url.parse().unwrap(), ahead: None, validators: Validators::default() }
}

fn through(proxy: &str) -> Route {
    Route { proxy: Proxy::parse(proxy), roots: Vec::new() }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_services_go_through_the_proxy() {
    let cancel = CancellationToken::new();
    for (proxy, seen, page, api) in [
        {
            let (proxy, seen) = http_proxy().await;
            (proxy, seen, "GET http://pages.example/a HTTP/1.1", "GET http://api.example/b HTTP/1.1")
        },
        {
            let (proxy, seen) = socks_proxy().await;
            (proxy, seen, "pages.example:80", "api.example:80")
        },
    ] {
        let client = PageClient::new(Guard::new(&[]), &through(&proxy)).unwrap();
        let got = client.get(&request("http://pages.example/a"), &cancel).await;
        let Ok(Got::Page(fetched)) = got else { panic!("{got:?}") };
        assert_eq!(fetched.body, b"<p>Proxied</p>");
        // The guard stands before the proxy all the same.
        for local in ["http://127.0.0.1/", "http://localhost/", "http://10.0.0.1/", "http://[::1]/", "http://intranet/", "http://nas.lan/"]
        {
            assert_eq!(client.get(&request(local), &cancel).await.unwrap_err().fault, Fault::Forbidden);
        }
        let services = ApiClient::new(Duration::from_secs(5), &through(&proxy)).unwrap();
        services.send("x", services.get("http://api.example/b"), &cancel).await.unwrap();
        assert_eq!(*seen.lock().unwrap(), [page, api]);
    }
}

/// A proxy and a reader service resolve names themselves: one that leads into a private network here is theirs never.
#[tokio::test(flavor = "multi_thread")]
async fn names_that_lead_into_a_private_network_are_not_handed_on() {
    let (proxy, seen) = http_proxy().await;
    let names = [
        ("wiki.example.org", vec!["10.1.2.3"]),
        ("mixed.example.org", vec!["93.184.215.14", "192.168.1.7"]),
        ("v6.example.org", vec!["fd00::7"]),
        ("cloud.example.org", vec!["169.254.169.254"]),
        ("pages.example.org", vec!["93.184.215.14"]),
    ]
    .map(|(name, found)| (name.to_owned(), found.iter().map(|ip| ip.parse().unwrap()).collect()));
    let guard = Guard::new(&[]).knowing(names);
    let cancel = CancellationToken::new();
    let client = PageClient::new(guard.clone(), &through(&proxy)).unwrap();
    for name in ["wiki", "mixed", "v6", "cloud"] {
        let address = format!("http://{name}.example.org/secret");
        assert_eq!(client.get(&request(&address), &cancel).await.unwrap_err().fault, Fault::Forbidden, "{name}");
        assert_eq!(guard.check_for_others(&address).await.unwrap_err().fault, Fault::Forbidden, "{name}");
    }
    assert_eq!(seen.lock().unwrap().len(), 0);
    assert!(client.get(&request("http://pages.example.org/a"), &cancel).await.is_ok());
    // Behind some proxies no name can be resolved here.
    assert!(client.get(&request("http://unknown.example/a"), &cancel).await.is_ok());
    assert_eq!(seen.lock().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn this_machine_is_reached_without_the_proxy() {
    let (proxy, seen) = http_proxy().await;
    let (near, here) = http_proxy().await;
    let host = near.trim_start_matches("http://").to_owned();
    let client = PageClient::new(Guard::new(&[host]), &through(&proxy)).unwrap();
    assert!(client.get(&request(&format!("{near}/a")), &CancellationToken::new()).await.is_ok());
    let services = ApiClient::new(Duration::from_secs(5), &through(&proxy)).unwrap();
    assert!(services.send("x", services.get(&format!("{near}/b")), &CancellationToken::new()).await.is_ok());
    assert_eq!((seen.lock().unwrap().len(), here.lock().unwrap().len()), (0, 2));
}

/// A server with a certificate of its own making; which protocol was agreed on is noted.
async fn tls_server() -> (u16, String, Seen) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let mut config = ServerConfig::builder_with_provider(aws_lc_rs::default_provider().into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, agreed) = (listener.local_addr().unwrap().port(), Seen::default());
    let protocols = agreed.clone();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            if let Ok(stream) = acceptor.accept(socket).await {
                let protocol = stream.get_ref().1.alpn_protocol().unwrap_or_default();
                protocols.lock().unwrap().push(String::from_utf8_lossy(protocol).into_owned());
            }
        }
    });
    (port, made.cert.pem(), agreed)
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_of_the_user_are_trusted_and_http2_is_offered() {
    let (port, pem, agreed) = tls_server().await;
    let cancel = CancellationToken::new();
    let ask = async |roots: Vec<Vec<u8>>| {
        let client = ApiClient::new(Duration::from_secs(5), &Route { proxy: Proxy::None, roots }).unwrap();
        // Nothing is answered: the handshake is what counts.
        client.send("x", client.get(&format!("https://localhost:{port}/")), &cancel).await.unwrap_err().message
    };
    let refused = ask(Vec::new()).await;
    assert!(refused.contains("certificate") || refused.contains("UnknownIssuer"), "{refused}");
    assert_eq!(agreed.lock().unwrap().len(), 0);
    ask(vec![pem.clone().into_bytes()]).await;
    assert_eq!(*agreed.lock().unwrap(), ["h2"]);
    // Pages, too.
    let route = Route { proxy: Proxy::None, roots: vec![pem.into_bytes()] };
    let client = PageClient::new(Guard::new(&[format!("localhost:{port}")]), &route).unwrap();
    let _ = client.get(&request(&format!("https://localhost:{port}/")), &cancel).await;
    assert_eq!(agreed.lock().unwrap().last().map(String::as_str), Some("h2"));
    assert!(
        ApiClient::new(
            Duration::from_secs(5),
            &Route { proxy: Proxy::None, roots: vec![b"-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----".to_vec()] }
        )
        .is_err()
    );
    assert!(PageClient::new(Guard::new(&[]), &through("http://")).is_err());
}
