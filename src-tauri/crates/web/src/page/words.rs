//! What class names, ids and headings say about the part of a page they stand on.

/// What a class list or an id says about a part of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It surrounds the text.
    Surroundings,
    /// What readers wrote.
    Comments,
    /// It describes a picture.
    Caption,
    /// It is a lead, or leads to other pages.
    Teaser,
    /// It may surround the text; its looks decide.
    Perhaps,
}

/// What a class list or an id means, if it says anything.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    let mut found = None;
    let mut previous = String::new();
    if names_content(name) {
        return None;
    }
    for word in words(name) {
        if SURROUNDINGS.contains(&word.as_str())
            || SURROUNDINGS_BEGINNINGS.iter().any(|start| word.starts_with(start))
            || PAIRS.contains(&(previous.as_str(), word.as_str()))
        {
            return Some(Meaning::Surroundings);
        }
        if word.starts_with("comment") || word.starts_with("kommentar") || matches!(word.as_str(), "disqus" | "respond" | "commento") {
            found = Some(Meaning::Comments);
        } else if matches!(word.as_str(), "caption" | "credit" | "credits" | "bildunterschrift" | "legende") {
            found = found.or(Some(Meaning::Caption));
        } else if word.starts_with("teaser") {
            found = found.or(Some(Meaning::Teaser));
        } else if PERHAPS.contains(&word.as_str()) && !matches!(previous.as_str(), "label" | "overflow" | "has" | "no") {
            found = found.or(Some(Meaning::Perhaps));
        }
        previous = word;
    }
    found
}

/// Whether a class list or id names the text itself.
pub(super) fn names_content(name: &str) -> bool {
    any_pair(name, CONTENT, CONTENT_PAIRS)
}

/// Whether a class list or id names what stands before the text and belongs to it.
pub(super) fn names_lead(name: &str) -> bool {
    any_pair(name, LEAD, LEAD_PAIRS)
}

/// Whether a heading announces other pages.
pub(super) fn announces_more(heading: &str) -> bool {
    let heading = heading.trim().trim_end_matches([':', '.', '!', '?', '…', '»', '>']).trim().to_lowercase();
    heading.chars().count() <= 60 && (MORE_WHOLE.contains(&heading.as_str()) || MORE.iter().any(|start| heading.starts_with(start)))
}

/// Whether a line that is a link for the most part leads to another page.
pub(super) fn begins_as_announcement(line: &str) -> bool {
    let line = line.trim_start().to_lowercase();
    MORE.iter().chain(MORE_WHOLE).any(|start| line.starts_with(start))
}

/// Whether a line says who made a picture.
pub(super) fn is_credit(line: &str) -> bool {
    let line = line.trim_start_matches(['(', '[', ' ']);
    let first = line.split([' ', ':', '/', '|']).next().unwrap_or_default().to_lowercase();
    let rest = line.get(first.len()..).unwrap_or_default().trim_start();
    let named = matches!(
        first.as_str(),
        "foto"
            | "fotos"
            | "photo"
            | "photos"
            | "bild"
            | "bilder"
            | "image"
            | "images"
            | "bildquelle"
            | "bildnachweis"
            | "fotocredit"
            | "symbolbild"
            | "symbolfoto"
            | "titelbild"
            | "credit"
            | "credits"
            | "crédit"
            | "crédits"
    );
    line.starts_with('©') || (named && rest.starts_with([':', '©', '/', '|']))
}

/// Whether a class list is that of something that no eye is meant to see, or that serves writing.
pub(super) fn names_unseen(name: &str) -> bool {
    any_pair(
        name,
        &["copyright", "credit", "credits", "editsection", "visuallyhidden"],
        &[("sr", "only"), ("screen", "reader"), ("visually", "hidden"), ("edit", "section")],
    )
}

/// Whether a name is that of a fold or a tab, behind which there is text.
pub(super) fn names_fold(name: &str) -> bool {
    any_pair(
        name,
        &["accordion", "collapse", "collapsible", "collapsed", "faq", "expandable", "tabpanel", "tabcontent", "tabpane"],
        &[("tab", "panel"), ("tab", "content"), ("tab", "pane"), ("panel", "body")],
    )
}

/// Whether a name is that of a column beside the text.
pub(super) fn names_sidebar(name: &str) -> bool {
    name.split_whitespace()
        .any(|class| matches!(class, "sidebar" | "side-bar" | "sidebar-right" | "sidebar-left" | "right-sidebar" | "left-sidebar"))
}

/// Whether a class list is that of the numbers beside lines of code.
pub(super) fn names_line_numbers(name: &str) -> bool {
    name.split_whitespace().any(|class| {
        matches!(class, "gutter" | "lineno" | "linenos" | "linenodiv" | "rouge-gutter" | "line-numbers" | "line-number" | "blob-num")
    })
}

fn any_pair(name: &str, single: &[&str], pairs: &[(&str, &str)]) -> bool {
    let mut previous = String::new();
    for word in words(name) {
        if single.contains(&word.as_str()) || pairs.contains(&(previous.as_str(), word.as_str())) {
            return true;
        }
        previous = word;
    }
    false
}

/// The words of a name, in lower case: `articleBody article__text` has four.
fn words(name: &str) -> impl Iterator<Item = String> + '_ {
    name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).flat_map(|part| {
        let mut out: Vec<String> = Vec::with_capacity(2);
        let mut was_lower = false;
        for c in part.chars() {
            if (c.is_ascii_uppercase() && was_lower) || out.is_empty() {
                out.push(String::new());
            }
            was_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
            if let Some(word) = out.last_mut() {
                word.push(c.to_ascii_lowercase());
            }
        }
        out
    })
}

const SURROUNDINGS: &[&str] = &[
    "ad",
    "addthis",
    "addtoany",
    "ads",
    "adsense",
    "adslot",
    "affiliate",
    "anzeige",
    "banner",
    "bottombar",
    "breadcrumb",
    "byline",
    "consent",
    "copyright",
    "cta",
    "donate",
    "donation",
    "flyout",
    "ftr",
    "gdpr",
    "masthead",
    "mediathek",
    "menu",
    "metanav",
    "mobilemenu",
    "navbar",
    "navi",
    "nextread",
    "noprint",
    "offcanvas",
    "pager",
    "permalink",
    "pingback",
    "poll",
    "popup",
    "promo",
    "promobox",
    "promotion",
    "readmore",
    "recirc",
    "ribbon",
    "searchform",
    "seealso",
    "shariff",
    "sitemap",
    "skyscraper",
    "sponsor",
    "sponsored",
    "subnav",
    "suggestions",
    "tagcloud",
    "taglist",
    "topbar",
    "trackback",
    "trending",
    "tweet",
    "visuallyhidden",
    "warenkorb",
];

const SURROUNDINGS_BEGINNINGS: &[&str] = &[
    "breadcrumb",
    "cookie",
    "footer",
    "navigation",
    "newsletter",
    "pagination",
    "recommend",
    "related",
    "share",
    "sharing",
    "sidebar",
    "social",
    "advert",
    "subscri",
];

/// Words that mean surroundings on parts that also look like them.
const PERHAPS: &[&str] = &[
    "dropdown",
    "modal",
    "overlay",
    "toolbar",
    "tooltip",
    "abo",
    "aside",
    "author",
    "autor",
    "bio",
    "dialog",
    "disclaimer",
    "email",
    "embed",
    "feedback",
    "foot",
    "forum",
    "hidden",
    "hide",
    "legal",
    "login",
    "meta",
    "metadata",
    "more",
    "nav",
    "notification",
    "paywall",
    "popular",
    "print",
    "rail",
    "rating",
    "ratings",
    "recent",
    "register",
    "search",
    "shop",
    "signup",
    "skip",
    "slideshow",
    "swiper",
    "tag",
    "tags",
    "toc",
    "widget",
    "widgets",
];

const PAIRS: &[(&str, &str)] = &[
    ("sr", "only"),
    ("screen", "reader"),
    ("author", "box"),
    ("author", "info"),
    ("about", "author"),
    ("author", "bio"),
    ("post", "meta"),
    ("entry", "meta"),
    ("article", "meta"),
    ("read", "next"),
    ("next", "post"),
    ("prev", "post"),
    ("post", "nav"),
    ("most", "read"),
    ("most", "viewed"),
    ("also", "like"),
    ("entry", "footer"),
    ("post", "footer"),
    ("see", "also"),
    ("read", "more"),
    ("post", "tags"),
    ("entry", "tags"),
];

const CONTENT: &[&str] = &[
    "articlebody",
    "articlecontent",
    "articletext",
    "artikeltext",
    "bodytext",
    "contentbody",
    "entrycontent",
    "maincontent",
    "postbody",
    "postcontent",
    "posttext",
    "storybody",
    "storycontent",
    "storytext",
];

const CONTENT_PAIRS: &[(&str, &str)] = &[
    ("article", "body"),
    ("article", "content"),
    ("article", "text"),
    ("body", "content"),
    ("body", "text"),
    ("blog", "content"),
    ("content", "body"),
    ("content", "text"),
    ("entry", "body"),
    ("entry", "content"),
    ("entry", "text"),
    ("main", "content"),
    ("news", "content"),
    ("news", "text"),
    ("node", "content"),
    ("page", "content"),
    ("post", "body"),
    ("post", "content"),
    ("post", "text"),
    ("rich", "text"),
    ("single", "content"),
    ("story", "body"),
    ("story", "content"),
    ("text", "content"),
    ("theme", "content"),
];

const LEAD: &[&str] = &[
    "abstract",
    "chapo",
    "dek",
    "deck",
    "excerpt",
    "intro",
    "introduction",
    "kicker",
    "lead",
    "leadtext",
    "lede",
    "standfirst",
    "subheadline",
    "subline",
    "subtitle",
    "summary",
    "teaser",
    "vorspann",
    "einleitung",
];

const LEAD_PAIRS: &[(&str, &str)] = &[
    ("article", "header"),
    ("entry", "header"),
    ("post", "header"),
    ("content", "header"),
    ("page", "header"),
    ("article", "head"),
    ("sub", "title"),
    ("sub", "headline"),
];

/// Beginnings of headings over links to other pages.
const MORE: &[&str] = &[
    "more from",
    "more on",
    "more about",
    "read more",
    "read next",
    "read also",
    "see also",
    "you may also",
    "you might also",
    "further reading",
    "most read",
    "share this",
    "about the author",
    "leave a comment",
    "mehr zum thema",
    "mehr zu ",
    "mehr aus ",
    "mehr von ",
    "mehr über",
    "weitere artikel",
    "weitere beiträge",
    "weitere informationen",
    "weitere meldungen",
    "weitere news",
    "weitere themen",
    "lesen sie auch",
    "lesen sie mehr",
    "das könnte",
    "das thema könnte",
    "dies könnte",
    "auch interessant",
    "schon gelesen",
    "zum thema",
    "passend dazu",
    "top themen",
    "über den autor",
    "über die autor",
    "auch auf ",
    "à lire aussi",
    "a lire aussi",
    "lire aussi",
    "sur le même sujet",
    "articles similaires",
    "à voir aussi",
    "en savoir plus",
    "le puede interesar",
    "te puede interesar",
    "lea también",
    "leer más",
    "puedes ver",
    "noticias relacionadas",
    "artículos relacionados",
    "más información",
    "leia também",
    "veja também",
    "leggi anche",
    "potrebbe interessarti",
    "articoli correlati",
    "lees ook",
    "meer over",
    "читайте также",
    "zobacz także",
    "czytaj także",
];

/// Such headings as a whole.
const MORE_WHOLE: &[&str] = &[
    "related",
    "recommended",
    "latest ",
    "popular ",
    "trending",
    "comments",
    "tags",
    "subscribe",
    "weiterführende",
    "ähnliche",
    "verwandte",
    "top-themen",
    "meistgelesen",
    "neueste",
    "aktuelle ",
    "kommentare",
    "kommentieren",
    "schlagwörter",
    "teilen",
    "autor",
    "newsletter",
    "partager",
    "commentaires",
    "comentarios",
    "compartir",
    "gerelateerd",
    "похожие",
    "related articles",
    "related posts",
    "related links",
    "related content",
    "related stories",
    "related topics",
    "recommended for you",
    "recommended reading",
    "recommended articles",
    "popular posts",
];
