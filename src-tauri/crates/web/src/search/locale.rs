//! Languages and countries in the words of each service. What a service does not know is left out:
//! most refuse the whole request for it.

use nexi_core::settings::SearchOptions;

use super::primary;

/// Brave's languages (brave-search-mcp-server 2.1.4).
#[rustfmt::skip]
const BRAVE_LANGUAGES: &[&str] = &[
    "ar", "eu", "bn", "bg", "ca", "zh-hans", "zh-hant", "hr", "cs", "da", "nl", "en", "en-gb", "et", "fi", "fr", "gl", "de", "gu", "he", "hi",
    "hu", "is", "it", "jp", "kn", "ko", "lv", "lt", "ms", "ml", "mr", "nb", "pl", "pt-br", "pt-pt", "pa", "ro", "ru", "sr", "sk", "sl", "es",
    "sv", "ta", "te", "th", "tr", "uk", "vi",
];
/// Brave's countries (the same).
#[rustfmt::skip]
const BRAVE_COUNTRIES: &[&str] = &[
    "AR", "AU", "AT", "BE", "BR", "CA", "CL", "DK", "FI", "FR", "DE", "HK", "IN", "ID", "IT", "JP", "KR", "MY", "MX", "NL", "NZ", "NO", "CN",
    "PL", "PT", "PH", "RU", "SA", "ZA", "ES", "SE", "CH", "TW", "TR", "GB", "US",
];
/// DuckDuckGo's regions, country first (SearXNG's engine traits of August 2026).
#[rustfmt::skip]
const DUCKDUCKGO: &[(&str, &str)] = &[
    ("bg-BG", "bg-bg"), ("ca-ES", "es-ca"), ("cs-CZ", "cz-cs"), ("da-DK", "dk-da"), ("de-AT", "at-de"), ("de-CH", "ch-de"), ("de-DE", "de-de"),
    ("el-GR", "gr-el"), ("en-AU", "au-en"), ("en-CA", "ca-en"), ("en-GB", "uk-en"), ("en-IE", "ie-en"), ("en-IL", "il-en"), ("en-IN", "in-en"),
    ("en-MY", "my-en"), ("en-NZ", "nz-en"), ("en-PH", "ph-en"), ("en-PK", "pk-en"), ("en-SG", "sg-en"), ("en-US", "us-en"), ("en-ZA", "za-en"),
    ("es-AR", "ar-es"), ("es-CL", "cl-es"), ("es-CO", "co-es"), ("es-ES", "es-es"), ("es-MX", "mx-es"), ("es-PE", "pe-es"), ("es-US", "us-es"),
    ("et-EE", "ee-et"), ("fi-FI", "fi-fi"), ("fr-BE", "be-fr"), ("fr-CA", "ca-fr"), ("fr-CH", "ch-fr"), ("fr-FR", "fr-fr"), ("hr-HR", "hr-hr"),
    ("hu-HU", "hu-hu"), ("id-ID", "id-en"), ("is-IS", "is-is"), ("it-IT", "it-it"), ("ja-JP", "jp-jp"), ("ko-KR", "kr-kr"), ("lt-LT", "lt-lt"),
    ("lv-LV", "lv-lv"), ("nb-NO", "no-no"), ("nl-BE", "be-nl"), ("nl-NL", "nl-nl"), ("pl-PL", "pl-pl"), ("pt-BR", "br-pt"), ("pt-PT", "pt-pt"),
    ("ro-RO", "ro-ro"), ("ru-RU", "ru-ru"), ("sk-SK", "sk-sk"), ("sl-SI", "sl-sl"), ("sv-SE", "se-sv"), ("th-TH", "th-en"), ("tr-TR", "tr-tr"),
    ("uk-UA", "ua-uk"), ("vi-VN", "vn-en"), ("zh-CN", "cn-zh"), ("zh-HK", "hk-tzh"), ("zh-TW", "tw-tzh"),
];
/// No region.
const EVERYWHERE: &str = "wt-wt";

/// The region that fits both language and country; a language or a country alone says enough only
/// where there is one region for it.
pub(super) fn duckduckgo(options: &SearchOptions) -> &'static str {
    let language = options.language.as_deref().unwrap_or_default();
    let wanted = normal(language);
    let (of_language, own_country) = wanted.split_once('-').unwrap_or((&wanted, ""));
    let of_country = options.country.as_deref().map_or_else(|| own_country.to_owned(), str::to_ascii_uppercase);
    let fits = |(locale, _): &&(&str, &str)| {
        let (language, country) = locale.split_once('-').unwrap_or((locale, ""));
        (of_language.is_empty() || of_language == language) && (of_country.is_empty() || of_country == country)
    };
    if of_language.is_empty() && of_country.is_empty() {
        return EVERYWHERE;
    }
    let mut found = DUCKDUCKGO.iter().filter(fits);
    match (found.next(), found.next()) {
        (Some((_, region)), None) => region,
        // A country with several languages: that of the language, else none.
        _ => EVERYWHERE,
    }
}

/// `nb-NO` for `no`, `zh-CN` for `zh-hans`, the country in capitals.
fn normal(language: &str) -> String {
    let lower = language.to_ascii_lowercase().replace('_', "-");
    match lower.as_str() {
        "no" | "nn" | "no-no" => "nb".into(),
        "zh-hans" => "zh-CN".into(),
        "zh-hant" => "zh-TW".into(),
        _ => match lower.split_once('-') {
            Some((language, country)) => format!("{language}-{}", country.to_ascii_uppercase()),
            None => lower,
        },
    }
}

/// Brave's name of a language; none where it has none.
pub(super) fn brave_language(language: &str) -> Option<&'static str> {
    let lower = language.to_ascii_lowercase().replace('_', "-");
    let word = match lower.as_str() {
        "ja" => "jp",
        "no" | "nn" => "nb",
        "pt" => "pt-pt",
        "zh" | "zh-cn" | "zh-sg" => "zh-hans",
        "zh-tw" | "zh-hk" => "zh-hant",
        other => other,
    };
    let find = |word: &str| BRAVE_LANGUAGES.iter().copied().find(|known| *known == word);
    find(word).or_else(|| find(&primary(word)))
}

pub(super) fn brave_country(country: &str) -> Option<&'static str> {
    BRAVE_COUNTRIES.iter().copied().find(|known| known.eq_ignore_ascii_case(country))
}

/// What SearXNG takes: two or three letters, with a country of two or without.
pub(super) fn searxng(language: &str) -> Option<String> {
    let language = language.replace('_', "-");
    let (first, rest) = language.split_once('-').map_or((language.as_str(), None), |(first, rest)| (first, Some(rest)));
    let letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let fits = matches!(first.len(), 2 | 3) && letters(first) && rest.is_none_or(|rest| rest.len() == 2 && letters(rest));
    match (fits, rest) {
        (true, Some(rest)) => Some(format!("{}-{}", first.to_ascii_lowercase(), rest.to_ascii_uppercase())),
        (true, None) => Some(first.to_ascii_lowercase()),
        // A script says nothing there; the language alone does.
        (false, Some(_)) => searxng(first),
        (false, None) => None,
    }
}

/// Google's codes, as Jina, Serper and SerpAPI take them.
pub(super) fn google(language: &str) -> String {
    let lower = language.to_ascii_lowercase().replace('_', "-");
    match lower.as_str() {
        "he" => "iw".into(),
        "nb" | "nn" => "no".into(),
        "jv" => "jw".into(),
        "zh" | "zh-hans" | "zh-sg" => "zh-cn".into(),
        "zh-hant" | "zh-hk" => "zh-tw".into(),
        "pt-br" | "pt-pt" | "zh-cn" | "zh-tw" => lower,
        _ => primary(&lower),
    }
}

/// The first part of Wikipedia's address.
pub(super) fn wikipedia(language: &str) -> String {
    match primary(language).as_str() {
        "nb" => "no".into(),
        "gsw" => "als".into(),
        "fil" => "tl".into(),
        other => other.to_owned(),
    }
}

/// `Accept-Language` for services that look at it.
pub(super) fn accepted(language: Option<&str>) -> String {
    let wanted = normal(language.unwrap_or("en-US"));
    let first = primary(&wanted);
    if first == wanted { format!("{first};q=0.9,en;q=0.5") } else { format!("{wanted},{first};q=0.9") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(language: Option<&str>, country: Option<&str>) -> SearchOptions {
        SearchOptions { language: language.map(str::to_owned), country: country.map(str::to_owned), ..SearchOptions::default() }
    }

    #[test]
    fn every_service_gets_its_own_words_or_none() {
        let region = |language, country| duckduckgo(&options(language, country));
        assert_eq!(region(Some("pt-BR"), Some("br")), "br-pt");
        assert_eq!(region(Some("de"), Some("ch")), "ch-de");
        assert_eq!(region(Some("en"), Some("gb")), "uk-en");
        assert_eq!(region(Some("no"), None), "no-no");
        assert_eq!(region(Some("de"), Some("us")), "wt-wt");
        assert_eq!(region(None, Some("ch")), "wt-wt", "two languages");
        assert_eq!(region(None, None), "wt-wt");
        assert_eq!((brave_language("no"), brave_language("pt-BR"), brave_language("de-AT")), (Some("nb"), Some("pt-br"), Some("de")));
        assert_eq!((brave_language("el"), brave_country("us"), brave_country("gr")), (None, Some("US"), None));
        assert_eq!((searxng("pt-br"), searxng("zh-Hans"), searxng("xyzzy")), (Some("pt-BR".into()), Some("zh".into()), None));
        assert_eq!((google("he"), google("en-GB"), google("zh")), ("iw".into(), "en".into(), "zh-cn".into()));
        assert_eq!((wikipedia("nb"), wikipedia("pt-BR")), ("no".into(), "pt".into()));
        assert_eq!((accepted(Some("de")), accepted(None)), ("de;q=0.9,en;q=0.5".into(), "en-US,en;q=0.9".into()));
        assert_eq!(BRAVE_LANGUAGES.len(), 50);
    }
}
