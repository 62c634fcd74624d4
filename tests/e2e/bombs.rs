//! Pages that are made to exhaust whoever reads them. Each is over within 30 seconds, costs at most
//! 150 MB, and leaves the run alive.

use std::io::Write;
use std::process::Child;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use nexi_testkit::{End, LlmServer, RawServer, Scripted};
use serde_json::json;

use crate::support::{KEY, Place, json as parsed, web_settings};

const MEMORY: u64 = 150 * 1024;
const TIME: Duration = Duration::from_secs(30);

fn page(headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

fn packed(headers: &str, body: &[u8]) -> Vec<u8> {
    page(&format!("{headers}content-length: {}\r\n", body.len()), body)
}

fn pdf(body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/pdf\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// A PDF file of these objects, the first of which is the catalogue.
fn pdf_of(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"%PDF-1.5\n".to_vec();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        out.extend(format!("{} 0 obj\n", index + 1).bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let start = out.len();
    out.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for offset in offsets {
        out.extend(format!("{offset:010} 00000 n \n").bytes());
    }
    out.extend(format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF", objects.len() + 1).bytes());
    out
}

fn stream(dictionary: &str, bytes: &[u8]) -> Vec<u8> {
    let mut out = format!("<< {dictionary} /Length {} >>\nstream\n", bytes.len()).into_bytes();
    out.extend(bytes);
    out.extend(b"\nendstream");
    out
}

/// A PDF of one page with this content, and further objects.
fn pdf_page(content: Vec<u8>, resources: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>".to_vec(),
        format!("<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << {resources} >> >>").into_bytes(),
        content,
    ];
    objects.extend_from_slice(more);
    pdf_of(&objects)
}

fn brotli(plain: &[u8]) -> Vec<u8> {
    use tokio::io::AsyncWriteExt;
    let plain = plain.to_vec();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let mut encoder = async_compression::tokio::write::BrotliEncoder::with_quality(Vec::new(), async_compression::Level::Fastest);
            encoder.write_all(&plain).await.expect("packed");
            encoder.shutdown().await.expect("packed");
            encoder.into_inner()
        })
    })
    .join()
    .expect("packed")
}

/// What a server sends, how it ends (never, where there is no end), and its name.
fn bombs() -> Vec<(&'static str, Vec<u8>, Option<End>)> {
    let much = vec![b' '; 200 * 1024 * 1024];
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&much).unwrap();
    let gzip = gzip.finish().unwrap();
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
    zlib.write_all(&much).unwrap();
    let zlib = zlib.finish().unwrap();
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::best());
    raw.write_all(&much).unwrap();
    let raw = raw.finish().unwrap();
    let mut twice = GzEncoder::new(Vec::new(), Compression::best());
    twice.write_all(&gzip).unwrap();
    let twice = twice.finish().unwrap();
    // Honest compression of a page that is a bomb only once it is understood.
    let mut deep = GzEncoder::new(Vec::new(), Compression::fast());
    deep.write_all("<div><ul><li><table><tr><td>".repeat(250_000).as_bytes()).unwrap();
    let deep = deep.finish().unwrap();
    let mut feed = String::from("<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">");
    for level in 1..12 {
        let before = if level == 1 { "a".to_owned() } else { format!("e{}", level - 1) };
        feed.push_str(&format!("<!ENTITY e{level} \"{}\">", format!("&{before};").repeat(10)));
    }
    feed.push_str("]><rss version=\"2.0\"><channel><title>&e11;</title><item><title>&e11;</title></item></channel></rss>");
    let xml = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/rss+xml\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{feed}",
        feed.len()
    );
    let json = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{}", "[".repeat(400_000));
    let chunks =
        format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n{}", "1\r\nx\r\n".repeat(400_000));
    let form = |name: &str| {
        stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /A {name} >> >>"), b"/A Do /A Do")
    };
    vec![
        ("gzip, a thousand times its size", packed("content-encoding: gzip\r\n", &gzip), Some(End::Close)),
        ("zlib, a thousand times its size", packed("content-encoding: deflate\r\n", &zlib), Some(End::Close)),
        ("deflate, a thousand times its size", packed("content-encoding: deflate\r\n", &raw), Some(End::Close)),
        ("brotli, a million times its size", packed("content-encoding: br\r\n", &brotli(&much)), Some(End::Close)),
        ("gzip in gzip", packed("content-encoding: gzip, gzip\r\n", &twice), Some(End::Close)),
        ("gzip that says nothing of the gzip inside", packed("content-encoding: gzip\r\n", &twice), Some(End::Close)),
        ("a body without end", page("", "<p>more and more</p>".repeat(5000).as_bytes()), None),
        ("headers without end", format!("HTTP/1.1 200 OK\r\n{}", "x-more: and more\r\n".repeat(5000)).into_bytes(), None),
        ("a length of a terabyte", page("content-length: 1099511627776\r\n", &[b'x'; 1000]), Some(End::Hang)),
        ("chunks of one byte", chunks.into_bytes(), Some(End::Hang)),
        ("a million and a half nested elements", packed("content-encoding: gzip\r\n", &deep), Some(End::Close)),
        (
            "one tag of two megabytes",
            page("", format!("<p {}>x", (0..200_000).map(|n| format!("a{n} ")).collect::<String>()).as_bytes()),
            Some(End::Close),
        ),
        (
            "a table of ten thousand columns",
            page("", "<table><tr><td colspan=10000 rowspan=10000><table>".repeat(20_000).as_bytes()),
            Some(End::Close),
        ),
        ("a billion laughs", xml.into_bytes(), Some(End::Close)),
        ("nested JSON", json.into_bytes(), Some(End::Close)),
        (
            "a page that redirects to itself",
            b"HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
            Some(End::Close),
        ),
        ("silence after the headers", page("content-length: 1000\r\n", b"<p>"), Some(End::Hang)),
        ("a PDF with a packed gigabyte", pdf(&pdf_page(stream("/Filter /FlateDecode", &zlib), "", &[])), Some(End::Close)),
        ("a PDF with bombs in bombs", pdf(&pdf_page(stream("/Filter [/FlateDecode /FlateDecode]", &twice), "", &[])), Some(End::Close)),
        (
            "a PDF that is its own parent",
            {
                let objects = [
                    b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
                    b"<< /Type /Pages /Kids [3 0 R] /Count 1 /Parent 2 0 R >>".to_vec(),
                    b"<< /Type /Page /Parent 2 0 R >>".to_vec(),
                ];
                pdf(&pdf_of(&objects))
            },
            Some(End::Close),
        ),
        (
            "a PDF of pictures in pictures",
            pdf(&pdf_page(stream("", b"/A Do"), "/XObject << /A 5 0 R >>", &[form("6 0 R"), form("5 0 R")])),
            Some(End::Close),
        ),
    ]
}

/// The most memory that a process and those it started had at one moment, in KiB.
pub fn watch(child: &mut Child) -> u64 {
    let pid = child.id();
    let mut most = 0;
    while child.try_wait().expect("a child").is_none() {
        let children: u64 = std::fs::read_dir(format!("/proc/{pid}/task"))
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
            .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>())
            .map(|grandchild| peak(grandchild, pid))
            .sum();
        most = most.max(peak(pid, std::process::id()) + children);
        std::thread::sleep(Duration::from_millis(4));
    }
    most
}

/// The most memory of a process so far, in KiB. One that has only just been spawned still has its
/// parent's memory, and its parent's command line; what it has is not counted yet.
fn peak(pid: u32, parent: u32) -> u64 {
    let command = |pid: u32| std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    if command(pid) == command(parent) {
        return 0;
    }
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    value.map_or(0, |value| value.trim_end_matches("kB").trim().parse().unwrap_or(0))
}

/// Reads a page with the whole program; what it cost, and what the model was told.
async fn read(bytes: Vec<u8>, end: Option<End>) -> (u64, Duration, String) {
    let server = match end {
        Some(end) => RawServer::start(bytes, end).await,
        None => RawServer::endless(bytes).await,
    };
    let script =
        vec![Scripted::Calls(vec![("web_get", json!({"urls": [format!("http://{}/page", server.host)]}))]), Scripted::Text("Read.")];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let settings = web_settings(&model.base_url, "http://127.0.0.1:1", &server.host, "provider_timeout = 60");
    let (memory, took, report) = tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        let began = Instant::now();
        let mut child = place.nexi(&["ask", "x?", "--json"]).spawn().expect("nexi runs");
        let memory = watch(&mut child);
        (memory, began.elapsed(), parsed(&child.wait_with_output().expect("an end")))
    })
    .await
    .expect("no panic");
    assert_eq!(report["state"], json!("answered"), "the run goes on: {report}");
    let last = model.requests().pop().expect("a request");
    let told = last["messages"].as_array().expect("messages").iter().find(|message| message["role"] == "tool").expect("a result");
    (memory, took, told["content"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn bombs_do_not_go_off() {
    let (base, _, _) = read(page("content-length: 6\r\n", b"<p>One"), Some(End::Close)).await;
    let bombs = bombs();
    let count = bombs.len();
    assert!(count >= 20);
    let mut worst = (0, "");
    let mut reads = tokio::task::JoinSet::new();
    let turns = std::sync::Arc::new(tokio::sync::Semaphore::new(6));
    for (name, bytes, end) in bombs {
        let turns = turns.clone();
        reads.spawn(async move {
            let _turn = turns.acquire_owned().await.expect("a turn");
            (name, read(bytes, end).await)
        });
    }
    while let Some(done) = reads.join_next().await {
        let (name, (memory, took, told)) = done.expect("no panic");
        let more = memory.saturating_sub(base);
        println!("{name}: {} MB more, {:.1} s; {}", more / 1024, took.as_secs_f64(), told.lines().nth(1).unwrap_or_default());
        assert!(took < TIME + Duration::from_secs(4), "{name} took {took:?}");
        assert!(more <= MEMORY, "{name} cost {} MB", more / 1024);
        assert!(told.len() < 100_000, "{name}: {} bytes for the model", told.len());
        worst = worst.max((more, name));
    }
    println!("{count} bombs; the worst, {}, cost {} MB", worst.1, worst.0 / 1024);
}
