//! URLs as names of pages: the same page, however it was written.

use percent_encoding::percent_decode_str;
use url::Url;

/// Query parameters that follow people around and never choose a page.
const TRACKING: &[&str] =
    &["fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "mc_cid", "mc_eid", "igshid", "_ga", "ref_src"];

/// The key under which a page is known within a run: no fragment, no tracking parameters, no
/// default port, no trailing slash.
pub fn page_key(url: &str) -> String {
    let Ok(mut parsed) = Url::parse(url.trim()) else {
        return url.trim().to_owned();
    };
    parsed.set_fragment(None);
    // Not decoded: two addresses that differ in bytes nobody can read are two pages.
    let kept: Option<Vec<String>> = parsed.query().map(|query| {
        let is_tracking = |part: &&str| {
            let name = part.split('=').next().unwrap_or_default();
            name.starts_with("utm_") || TRACKING.contains(&name)
        };
        query.split('&').filter(|part| !part.is_empty() && !is_tracking(part)).map(str::to_owned).collect()
    });
    if let Some(kept) = kept {
        let query = kept.join("&");
        parsed.set_query((!query.is_empty()).then_some(&query));
    }
    let text = parsed.to_string();
    match text.strip_suffix('/') {
        Some(short) if parsed.path() != "/" && parsed.query().is_none() => short.to_owned(),
        _ => text,
    }
}

/// The key under which search results are the same page: like [`page_key`], and without regard to
/// `www.` and mobile hosts, to AMP copies, to http or https, and to a slash at the end.
pub fn result_key(url: &str) -> String {
    let Ok(mut parsed) = Url::parse(&page_key(url)) else {
        return url.trim().to_owned();
    };
    if let Some(original) = amp_original(&parsed) {
        parsed = original;
    }
    let host = parsed.host_str().unwrap_or_default().to_owned();
    let bare = ["www.", "m.", "mobile.", "amp."].iter().find_map(|prefix| host.strip_prefix(prefix)).filter(|rest| rest.contains('.'));
    let host = bare.unwrap_or(&host);
    let path = parsed.path().trim_end_matches('/');
    let path = ["/amp", ".amp", ".amp.html"].iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path);
    let path = path.strip_prefix("/amp/").map_or_else(|| path.to_owned(), |rest| format!("/{rest}"));
    let path = path.strip_suffix("/index.html").or(path.strip_suffix("/index.php")).unwrap_or(&path);
    let is_amp = |part: &&str| matches!(*part, "amp" | "amp=" | "amp=1" | "amp=true" | "outputType=amp");
    let query: Vec<&str> = parsed.query().unwrap_or_default().split('&').filter(|part| !part.is_empty() && !is_amp(part)).collect();
    let port = parsed.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{host}{port}{path}?{}", query.join("&"))
}

/// The page behind the address of an AMP cache, such as `https://example-org.cdn.x/c/s/example.org/a`.
fn amp_original(url: &Url) -> Option<Url> {
    let path = url.path();
    let after = ["/c/s/", "/v/s/", "/amp/s/"].iter().find_map(|start| path.strip_prefix(start))?;
    let is_host = after.split('/').next().is_some_and(|host| host.contains('.'));
    is_host.then(|| Url::parse(&format!("https://{after}")).ok())?
}

/// Whether an address is of this host or one below it.
pub fn host_is(url: &str, host: &str) -> bool {
    let Some(own) = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_ascii_lowercase)) else { return false };
    // As addresses write it: `münchen.de` is `xn--mnchen-3ya.de`.
    let host = host.trim().trim_end_matches('.').trim_start_matches("www.");
    let Some(host) = Url::parse(&format!("http://{host}/")).ok().and_then(|url| url.host_str().map(str::to_ascii_lowercase)) else {
        return false;
    };
    own == host || own.strip_suffix(host.as_str()).is_some_and(|rest| rest.ends_with('.'))
}

/// The path of a file's address; none for others.
pub fn file_path(url: &str) -> Option<std::path::PathBuf> {
    Url::parse(url).ok().filter(|url| url.scheme() == "file")?.to_file_path().ok()
}

/// The scheme of addresses that only Nexi knows: texts that a person gave it, and its own threads.
pub const OWN: &str = "nexi:";
const TEXT: &str = "nexi://text/";
const THREAD: &str = "nexi://thread/";
const PRIVATE_THREAD: &str = "nexi://private-thread/";
const TOOL: &str = "nexi://tool/";
const PUBLIC_TOOL: &str = "nexi://public-tool/";
const CORPUS: &str = "nexi://corpus/";
const SHARED: &str = "nexi://shared/";
const PUBLIC_SHARED: &str = "nexi://public-shared/";

/// The address of a text that a person gave along with a question. `id` tells it from others of the thread.
pub fn text_address(id: &str) -> String {
    format!("{TEXT}{id}")
}

/// The address of a thread as a source; `private` says that its answers rest on private text.
pub fn thread_address(id: &str, private: bool) -> String {
    format!("{}{id}", if private { PRIVATE_THREAD } else { THREAD })
}

/// What is encoded of a name that stands in an address.
const NAME: &percent_encoding::AsciiSet = &percent_encoding::NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// The address of what a tool of the person's own returned; `public` says that it is nobody's private text.
pub fn tool_address(server: &str, tool: &str, text: &str, public: bool) -> String {
    let begin = if public { PUBLIC_TOOL } else { TOOL };
    format!("{begin}{}/{}?result={:08x}", encoded(server), encoded(tool), fingerprint(text))
}

fn encoded(name: &str) -> String {
    percent_encoding::utf8_percent_encode(name, NAME).to_string()
}

fn decoded(name: &str) -> String {
    percent_decode_str(name).decode_utf8_lossy().into_owned()
}

/// The address of a document of a corpus: the name of the corpus in the settings, the number of the document, and the name
/// of its file, which is there for people alone.
pub fn corpus_address(corpus: &str, document: i64, file: &str) -> String {
    format!("{CORPUS}{}/{document}/{}", encoded(corpus), encoded(file))
}

/// The corpus and the number of the document that an address of [`corpus_address`] names.
pub fn corpus_of(url: &str) -> Option<(String, i64)> {
    let mut parts = url.strip_prefix(CORPUS)?.split('/');
    Some((decoded(parts.next()?), parts.next()?.parse().ok()?))
}

/// The address under which a file of this computer is shared with others: they see its name, and not where it lies. `public`
/// says that it is nobody's private text.
pub fn shared_address(file: &str, public: bool) -> String {
    format!("{}{:08x}/{}", if public { PUBLIC_SHARED } else { SHARED }, fingerprint(file), encoded(&site(file)))
}

/// Whether it is the address of a shared document that is nobody's private text.
pub fn is_public_shared(url: &str) -> bool {
    url.starts_with(PUBLIC_SHARED)
}

/// Whether a document stands at this address: a file of this computer, one of a corpus, or one that somebody else has.
pub fn is_document(url: &str) -> bool {
    url.starts_with("file:") || url.starts_with(CORPUS) || url.starts_with(SHARED) || is_public_shared(url)
}

/// The server and the tool that an address of [`tool_address`] names.
pub fn tool_of(url: &str) -> Option<(String, String)> {
    let rest = url.strip_prefix(TOOL).or_else(|| url.strip_prefix(PUBLIC_TOOL))?;
    let (server, tool) = rest.split('?').next()?.split_once('/')?;
    Some((decoded(server), decoded(tool)))
}

/// Whether it is the address of a result that is nobody's private text.
pub fn is_public_tool(url: &str) -> bool {
    url.starts_with(PUBLIC_TOOL)
}

/// FNV-1a: the same on every machine.
pub(crate) fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Whether an address is a name alone, which opens nothing outside of Nexi: of a text that a person gave, of what a tool
/// returned, or of a document of a corpus or of somebody else.
pub fn opens_nothing(url: &str) -> bool {
    url.starts_with(TEXT) || url.starts_with(CORPUS) || url.starts_with(SHARED) || is_public_shared(url) || tool_of(url).is_some()
}

/// Whether this is the address of a text or thread that a person gave along with a question.
pub fn is_attached(url: &str) -> bool {
    url.starts_with(TEXT) || thread_of(url).is_some()
}

/// The thread that an address of [`thread_address`] leads to.
pub fn thread_of(url: &str) -> Option<&str> {
    url.strip_prefix(THREAD).or_else(|| url.strip_prefix(PRIVATE_THREAD))
}

/// Whether it is the address of a thread that rests on nothing private.
pub fn is_public_thread(url: &str) -> bool {
    url.starts_with(THREAD)
}

/// What a source of Nexi's own is, which has no site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnSource {
    AttachedText,
    PastResearch,
    /// What a tool of this server returned.
    Tool(String),
}

/// What this address of Nexi's own leads to; none for pages and files.
pub fn own_source(url: &str) -> Option<OwnSource> {
    if url.starts_with(TEXT) {
        Some(OwnSource::AttachedText)
    } else if thread_of(url).is_some() {
        Some(OwnSource::PastResearch)
    } else {
        tool_of(url).map(|(server, _)| OwnSource::Tool(server))
    }
}

/// What a reader recognises a page by: the host without `www.`, or a file's name. Sources of Nexi's own are named in English,
/// for models; people read the catalogue's words.
pub fn site(url: &str) -> String {
    match own_source(url) {
        Some(OwnSource::AttachedText) => return "attached text".into(),
        Some(OwnSource::PastResearch) => return "past research".into(),
        Some(OwnSource::Tool(server)) => return format!("tool result, {server}"),
        None => {}
    }
    let Ok(parsed) = Url::parse(url) else {
        return url.to_owned();
    };
    if is_document(parsed.as_str()) {
        return decoded(parsed.path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default());
    }
    let host = parsed.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host).to_owned()
}

/// The address that makes a browser scroll to `quote` and mark it (a text fragment).
/// Long quotes become first words and last words.
pub fn with_text_fragment(url: &str, quote: &str) -> String {
    let Ok(mut parsed) = Url::parse(url) else {
        return url.to_owned();
    };
    let words: Vec<&str> = quote.split_whitespace().collect();
    let directive = if words.is_empty() {
        return url.to_owned();
    } else if words.len() <= 12 {
        encode_directive(&words.join(" "))
    } else {
        let first = encode_directive(&words[..5].join(" "));
        let last = encode_directive(&words[words.len() - 5..].join(" "));
        format!("{first},{last}")
    };
    let anchor = parsed.fragment().map(str::to_owned).unwrap_or_default();
    parsed.set_fragment(None);
    format!("{parsed}#{anchor}:~:text={directive}")
}

fn encode_directive(text: &str) -> String {
    // Every byte that is not plainly a letter or digit; the specification gives "-" and "," a meaning.
    let mut out = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~') {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_lead_to_one_page_have_one_key() {
        let key = result_key("https://example.org/a/b");
        for url in [
            "http://example.org/a/b",
            "https://www.example.org/a/b/",
            "https://m.example.org/a/b?utm_campaign=x&fbclid=1",
            "https://amp.example.org/a/b#:~:text=word",
            "https://example.org/a/b/amp",
            "https://example.org/amp/a/b",
            "https://example.org/a/b.amp.html",
            "https://example.org/a/b?amp=1",
            "https://example-org.cdn.test/c/s/example.org/a/b",
            "https://example.org/a/b/index.html",
        ] {
            assert_eq!(result_key(url), key, "{url}");
        }
        for url in ["https://example.org/a/c", "https://example.org/a/b?id=2", "https://other.org/a/b", "https://news.example.org/a/b"] {
            assert_ne!(result_key(url), key, "{url}");
        }
        assert_ne!(result_key("https://m.org/a"), result_key("https://org/a"));
        assert!(host_is("https://xn--mnchen-3ya.de/x", "münchen.de"));
        assert_ne!(page_key("https://e.org/?q=%E4"), page_key("https://e.org/?q=%F6"));
        assert!(host_is("https://www.Example.org/x", "example.org") && !host_is("https://badexample.org/", "example.org"));
    }

    #[test]
    fn the_same_page_has_one_key() {
        let key = page_key("https://example.org/a?x=1");
        for other in
            ["https://example.org/a?x=1#part", "https://example.org:443/a?x=1&utm_source=mail", " https://example.org/a?fbclid=z&x=1 "]
        {
            assert_eq!(page_key(other), key, "{other}");
        }
        assert_ne!(page_key("https://example.org/a?x=2"), key);
        assert_eq!(page_key("https://example.org/a/"), page_key("https://example.org/a"));
    }

    #[test]
    fn sites_are_hosts_or_file_names() {
        assert_eq!(site("https://www.example.org/x"), "example.org");
        assert_eq!(site("file:///home/a/My%20notes+1.md"), "My notes+1.md");
        let shared = shared_address("file:///home/a/R%26D%20notes.pdf", false);
        assert!(shared.starts_with("nexi://shared/") && !shared.contains("home"), "{shared}");
        assert_eq!(site(&shared), "R&D notes.pdf");
        assert_eq!(site("file:///home/a/R%26D%20%2526%20more%20%C3%BC.pdf"), "R&D %26 more ü.pdf");
    }

    #[test]
    fn results_of_tools_have_addresses() {
        let address = tool_address("my files", "read/file", "text", false);
        assert_eq!(tool_of(&address), Some(("my files".to_owned(), "read/file".to_owned())));
        assert!(!is_public_tool(&address) && is_public_tool(&tool_address("a", "b", "text", true)));
        assert!(
            site(&address) == "tool result, my files"
                && opens_nothing(&address)
                && tool_address("my files", "read/file", "other", false) != address
        );
    }

    #[test]
    fn documents_of_a_corpus_have_addresses() {
        let address = corpus_address("our archive", 17, "R&D ü.pdf");
        assert_eq!(corpus_of(&address), Some(("our archive".to_owned(), 17)));
        assert_eq!(Url::parse(&address).unwrap().as_str(), address);
        assert!(site(&address) == "R&D ü.pdf" && opens_nothing(&address) && is_document(&address));
        for other in ["nexi://corpus/", "nexi://corpus/a", "nexi://corpus/a/b", "nexi://thread/17", "https://corpus/a/17"] {
            assert_eq!(corpus_of(other), None, "{other}");
        }
    }

    #[test]
    fn fragments_are_encoded_and_shortened() {
        assert_eq!(with_text_fragment("https://e.org/p#top", "a-b, c"), "https://e.org/p#top:~:text=a%2Db%2C%20c");
        let long = with_text_fragment("https://e.org/p", "one two three four five six seven eight nine ten eleven twelve thirteen");
        assert_eq!(long, "https://e.org/p#:~:text=one%20two%20three%20four%20five,nine%20ten%20eleven%20twelve%20thirteen");
    }
}
