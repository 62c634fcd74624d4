//! The main text of a web page.

use nexi_core::{ports::Failure, text};
use url::Url;

use crate::html;

/// Deeper pages are refused: parsers that build a tree are quadratic in depth.
const MAX_DEPTH: usize = 512;
/// With fewer words than this the other extractor is asked, too.
const FEW_WORDS: usize = 60;
/// How long a page may take to be understood.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);
/// Stack of the thread that parses; recursive parsers overflow the usual one before [`MAX_DEPTH`].
const STACK: usize = 32 * 1024 * 1024;

/// What a page says, without what surrounds it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Article {
    pub title: String,
    pub byline: Option<String>,
    /// `YYYY-MM-DD`
    pub date: Option<String>,
    /// Markdown.
    pub text: String,
}

/// Extracts the main text of an HTML page, on a thread of its own.
///
/// # Errors
/// When the page is nested too deeply or holds no text.
pub async fn article(page: String, url: Url) -> Result<Article, Failure> {
    let (send, receive) = tokio::sync::oneshot::channel();
    std::thread::Builder::new()
        .name("extract".into())
        .stack_size(STACK)
        .spawn(move || {
            let _ = send.send(extract(&page, &url));
        })
        .map_err(|error| Failure::new(format!("no thread to read it on ({error})")))?;
    let understood = tokio::time::timeout(PATIENCE, receive).await;
    understood
        .map_err(|_| Failure::new("the page takes too long to be understood"))?
        .map_err(|_| Failure::new("the page could not be understood"))?
}

fn extract(page: &str, url: &Url) -> Result<Article, Failure> {
    if html::depth(page) > MAX_DEPTH {
        return Err(Failure::new("the page is nested too deeply to be read safely"));
    }
    let mut article = with_trafilatura(page, url);
    if text::word_count(&article.text) < FEW_WORDS {
        let other = with_readability(page, url);
        if text::word_count(&other.text) > text::word_count(&article.text) {
            article.text = other.text;
        }
        article.byline = article.byline.or(other.byline);
        article.date = article.date.or(other.date);
        if article.title.is_empty() {
            article.title = other.title;
        }
    }
    if text::word_count(&article.text) < FEW_WORDS {
        let whole = html::to_markdown(page);
        // A short page is better read whole than cut to nothing.
        if text::word_count(&whole.text) > text::word_count(&article.text) && text::word_count(&whole.text) < 20 * FEW_WORDS {
            article.text = whole.text;
        }
        if article.title.is_empty() {
            article.title = whole.title;
        }
    }
    if article.text.trim().is_empty() {
        return Err(Failure::new("the page has no readable text"));
    }
    Ok(article)
}

fn with_trafilatura(page: &str, url: &Url) -> Article {
    let mut options = trafilatura::Options::default().with_fallback(false).with_links(false).with_images(false).with_exclude_comments(true);
    options.original_url = Some(url.clone());
    let Ok(found) = trafilatura::extract(page, &options) else { return Article::default() };
    let some = |text: &str| Some(text::fold_space(text)).filter(|text| !text.is_empty());
    Article {
        title: text::fold_space(&found.metadata.title),
        byline: some(&found.metadata.author),
        date: found.metadata.date.map(|date| date.to_string()).filter(|date| is_stated(page, url, date)),
        text: html::to_markdown(&found.content_html).text,
    }
}

/// Whether the page or its address states this day in a form that machines read. A day that was
/// guessed from the words of the text is as often a room number.
fn is_stated(page: &str, url: &Url, date: &str) -> bool {
    let day = date.get(..10).unwrap_or_default();
    let (Some(year), Some(month)) = (day.get(..4), day.get(5..7)) else { return false };
    let in_address = [format!("/{year}/{month}/"), format!("/{year}-{month}-"), day.replace('-', "")]
        .iter()
        .any(|part| url.path().contains(part.as_str()));
    in_address || page.contains(day) || page.contains(&day.replace('-', "/"))
}

fn with_readability(page: &str, url: &Url) -> Article {
    let config = dom_smoothie::Config { max_elements_to_parse: 50_000, ..Default::default() };
    let Ok(mut reader) = dom_smoothie::Readability::new(page, Some(url.as_str()), Some(config)) else { return Article::default() };
    let Ok(found) = reader.parse() else { return Article::default() };
    Article {
        title: text::fold_space(&found.title),
        byline: found.byline.map(|byline| text::fold_space(&byline)),
        date: found.modified_time.or(found.published_time).and_then(|time| time.get(..10).map(str::to_owned)),
        text: html::to_markdown(&found.content).text,
    }
}
