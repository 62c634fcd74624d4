//! A folder of real pages, served on loopback and found by their words.

use std::path::Path;

use crate::{SearchServer, Site};

/// Characters of a page that its snippet has.
const SNIPPET: usize = 600;

/// Serves the HTML files of a folder, and a search that finds them by title and beginning.
pub async fn serve_pages(folder: &Path) -> (Site, SearchServer) {
    let mut pages: Vec<(String, String)> = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of pages").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        pages.push((format!("/{name}"), std::fs::read_to_string(entry.path()).expect("a page")));
    }
    pages.sort();
    let served: Vec<(&str, &str)> = pages.iter().map(|(path, html)| (path.as_str(), html.as_str())).collect();
    let site = Site::start(&served).await;
    let found: Vec<(String, String, String)> = pages
        .iter()
        .map(|(path, html)| {
            let title = path[1..].trim_end_matches(".html").replace('_', " ");
            let words = html.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text.trim());
            let text: String = words.collect::<Vec<_>>().join(" ");
            (title, site.url(path), text.chars().take(SNIPPET).collect())
        })
        .collect();
    let list: Vec<(&str, &str, &str)> = found.iter().map(|(title, url, text)| (title.as_str(), url.as_str(), text.as_str())).collect();
    let search = SearchServer::ranking(&list).await;
    (site, search)
}
