use nexi_core::ids::{ThreadId, TurnId};
use nexi_core::ports::Page;
use nexi_core::protocol::Reasons;
use nexi_core::protocol::{
    Agreement, Citation, Compared, Correction, CorrectionKind, Effort, Ending, SecondLook, SecondOpinion, Source, Support, TurnState, Usage,
};
use nexi_store::history::StoredSource;

use super::*;

fn source(number: u32, title: &str, url: &str, date: Option<&str>) -> Source {
    let site = nexi_core::urls::site(url);
    Source {
        number,
        url: url.into(),
        title: title.into(),
        site,
        date: date.map(str::to_owned),
        cached_ms: None,
        cited: true,
        passages: Vec::new(),
    }
}

fn stored(source: &Source, byline: Option<&str>) -> StoredSource {
    let page = Page { url: source.url.clone(), title: source.title.clone(), byline: byline.map(str::to_owned), ..Page::default() };
    StoredSource { number: source.number, page, read_ms: 0 }
}

fn file() -> ThreadFile {
    let sources = vec![
        source(1, "The *bridge* <b>", "https://e.org/a", Some("2024-03-02")),
        source(2, "Spans", "https://f.org/b", None),
        source(3, "More spans", "https://f.org/c", None),
    ];
    let stored = vec![stored(&sources[0], Some("By Ann Miller and Bo Li")), stored(&sources[1], None), stored(&sources[2], None)];
    let answer = "It **opened** in 1931 [1][2].\n\n- green [3]\n- lost [9]\n- denied [1]\n- Nobody ever says this about bridges.\n\n| a | b |\n|---|---|\n| 1 | 2 |".to_owned();
    let supports = [Support::Supported, Support::PartlySupported, Support::NotSupported, Support::NotSupported, Support::Contradicted];
    let markers = nexi_core::citations::citations(&answer);
    let citations: Vec<Citation> = markers
        .iter()
        .zip(supports)
        .zip(0..)
        .map(|((marker, support), ordinal)| {
            let number = marker.numbers[0];
            let missing = if support == Support::PartlySupported { vec!["1931".to_owned()] } else { Vec::new() };
            let range = marker.range.clone();
            Citation { number, ordinal, start: range.start, end: range.end, known: number < 9, support, missing, ..Citation::default() }
        })
        .collect();
    let statements = nexi_core::citations::statements::judged(&answer, &markers, &citations, |_, _| false);
    let ending =
        Ending { sources, citations, statements, state: TurnState::Answered, reason: Reasons::default(), ..Ending::failed("", answer) };
    let turn = Turn {
        id: TurnId("0b".into()),
        thread: ThreadId("0a".into()),
        question: "When did it <open>?".into(),
        effort: Effort::M,
        mode: Default::default(),
        model: "m".into(),
        asked_ms: 1_700_000_000_000,
        duration_ms: 1500,
        ending,
        second: None,
        change: None,
        events: Vec::new(),
    };
    ThreadFile::of_turn("t", turn, stored)
}

fn text(file: &ThreadFile, format: Format, style: CitationStyle) -> String {
    match content(file, format, style) {
        Content::Text(text) => text,
        Content::Bytes(_) => panic!("{format:?} is no text"),
    }
}

#[test]
fn three_styles_name_the_same_sources() {
    let text = |style| text(&file(), Format::Markdown, style);
    let numbered = text(CitationStyle::Numbered);
    assert!(numbered.starts_with("# When did it \\<open\\>?\n\nIt **opened** in 1931 [1][2]≈."), "{numbered}");
    assert!(
        numbered.contains("- [1] By Ann Miller and Bo Li. The \\*bridge\\* \\<b\\>. e.org. 2024-03-02. <https://e.org/a>"),
        "{numbered}"
    );
    assert!(numbered.ends_with("*2023-11-14 · m · medium effort · 1.5 s*\n"), "{numbered}");
    let mut hostile = file();
    hostile.turns[0].ending = Ending::failed("", "<img src=x onerror=a> and `<b>` at <https://e.org>\n```\n<i>\n```");
    let markdown = self::text(&hostile, Format::Markdown, CitationStyle::Numbered);
    assert!(markdown.contains("&lt;img src=x onerror=a> and `<b>` at `https://e.org`\n```\n<i>\n```"), "{markdown}");
    let notes = text(CitationStyle::Footnotes);
    assert!(notes.contains("in 1931 [^1][^2]≈.") && notes.contains("[^3]: More spans") && notes.contains("lost [9]?"), "{notes}");
    let dates = text(CitationStyle::AuthorDate);
    assert!(dates.contains("in 1931 (Miller 2024; f.org n.d.a)≈.") && dates.contains("green (f.org n.d.b)"), "{dates}");
    assert!(dates.find("- f.org n.d.a").unwrap() < dates.find("- Miller 2024").unwrap(), "{dates}");
}

#[test]
fn pages_hold_nothing_that_runs_and_say_what_was_found() {
    let html = text(&file(), Format::Html, CitationStyle::Numbered);
    for wanted in [
        "<title>When did it &lt;open&gt;?</title>",
        "<a class=\"cite\" href=\"#s0-1\" title=\"Supported\">[1]</a><a class=\"cite partly\"",
        "title=\"Partly supported. Not in the source: 1931\"",
        "<a class=\"cite unsupported\"",
        "<a class=\"cite contradicted\"",
        "data-support=\"uncited\"",
        "<p class=\"checked\">1 of 5 statements supported (1 contradicted, 2 not supported, 1 without a citation, 1 citation has no source).</p>",
        "<span class=\"unknown\"",
        "id=\"s0-1\"><b>1</b>",
        "default-src 'none'",
    ] {
        assert!(html.contains(wanted), "{wanted}\n{html}");
    }
    assert!(!html.contains("<script") && !html.contains("The *bridge* <b>"));
    let mut hostile = file();
    hostile.turns[0].ending.sources[0].url = "javascript:alert(1)".into();
    assert!(!text(&hostile, Format::Html, CitationStyle::Footnotes).contains("href=\"javascript"));
}

#[test]
fn answers_are_copied_in_three_forms() {
    let turn = &file().turns[0];
    assert_eq!(
        answer_text(turn, CopyForm::Plain),
        "It opened in 1931 [1][2].\n\n- green [3]\n- lost [9]\n- denied [1]\n- Nobody ever says this about bridges.\n\na\tb\n1\t2"
    );
    assert!(answer_text(turn, CopyForm::WithSources).contains("Sources:\n[1] The *bridge* <b> - https://e.org/a"));
    assert_eq!(answer_text(turn, CopyForm::Markdown), turn.ending.answer);
}

/// The parts of a Word document, as they are packed.
fn parts(file: &ThreadFile, style: CitationStyle) -> std::collections::BTreeMap<String, String> {
    let Content::Bytes(bytes) = content(file, Format::Docx, style) else { panic!("no document") };
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    names
        .into_iter()
        .map(|name| {
            let text = std::io::read_to_string(archive.by_name(&name).unwrap()).unwrap();
            (name, text)
        })
        .collect()
}

/// The words of a Word document, its notes behind them.
fn words_of(file: &ThreadFile, style: CitationStyle) -> String {
    let parts = parts(file, style);
    let words = |name: &str| -> String {
        let text = parts.get(name).map_or("", String::as_str).replace("</w:p>", "\n");
        text.split('<').map(|piece| piece.split_once('>').map_or("", |(_, words)| words)).collect()
    };
    words("word/document.xml") + &words("word/footnotes.xml")
}

#[test]
fn a_word_document_has_headings_lists_tables_notes_and_links() {
    let file = file();
    let numbered = parts(&file, CitationStyle::Numbered);
    let mut dated = file.clone();
    (dated.created_ms, dated.title) = (1_700_000_000_000, "When did it <open>?".into());
    let about = &parts(&dated, CitationStyle::Numbered)["docProps/core.xml"];
    for wanted in ["<dc:title>When did it &lt;open&gt;?</dc:title>", "<dc:creator>Nexi</dc:creator>", "2023-11-14T22:13:20Z"] {
        assert!(about.contains(wanted), "{about}");
    }
    assert!(!about.contains("unknown"), "{about}");
    let document = &numbered["word/document.xml"];
    assert!(document.contains("<w:pStyle w:val=\"Heading1\" />") && document.contains("When did it &lt;open&gt;?"), "{document}");
    assert_eq!((document.matches("<w:numPr>").count(), document.matches("<w:tbl>").count()), (4, 1), "items and a table");
    assert_eq!(document.matches("w:hanging=").count(), 3, "each source is set in behind its first line");
    assert!(document.contains("<w:b />") && document.contains("<w:hyperlink"), "{document}");
    assert!(numbered["word/_rels/document.xml.rels"].contains("https://e.org/a"));
    assert!(numbered.keys().any(|name| name.contains("footer")) && numbered["word/numbering.xml"].contains("•"));
    let words = words_of(&file, CitationStyle::Numbered);
    assert!(
        words.contains("It opened in 1931 [1][2]") && words.contains("The *bridge* <b>".replace('<', "&lt;").replace('>', "&gt;").as_str()),
        "{words}"
    );
    let notes = parts(&file, CitationStyle::Footnotes);
    assert_eq!(notes["word/document.xml"].matches("<w:footnoteReference ").count(), 4, "the fifth has no source");
    assert!(notes["word/footnotes.xml"].contains("More spans"), "{}", notes["word/footnotes.xml"]);
    assert!(words_of(&file, CitationStyle::AuthorDate).contains("(Miller 2024"), "{}", words_of(&file, CitationStyle::AuthorDate));
}

#[test]
fn every_label_is_in_every_export() {
    let file = file();
    let turn = &file.turns[0];
    let line = "1 of 5 statements supported (1 contradicted, 2 not supported, 1 without a citation, 1 citation has no source).";
    let legend = "≈ partly supported · ✗ not supported by the source · ≠ contradicted by the source · ∅ no citation · ? there is no source with this number";
    let styles = [
        CitationStyle::Numbered,
        CitationStyle::Footnotes,
        CitationStyle::AuthorDate,
        CitationStyle::Apa,
        CitationStyle::Mla,
        CitationStyle::Chicago,
    ];
    let mut texts: Vec<String> = styles.into_iter().map(|style| text(&file, Format::Markdown, style)).collect();
    texts.extend([answer_text(turn, CopyForm::WithSources), report_text(turn), plain_text(&file)]);
    for text in texts {
        assert!(text.contains(line) && text.contains(legend), "{text}");
        for sign in ["≈", "✗", "≠", "Nobody ever says this about bridges. ∅", "?"] {
            assert!(text.split("statements supported").next().unwrap().contains(sign), "{sign}: {text}");
        }
    }
    for style in styles {
        // PDF is printed from it.
        let html = text(&file, Format::Html, style);
        for wanted in [
            line,
            "Partly supported",
            "Not supported by the source",
            "Contradicted by the source",
            "No citation",
            "There is no source with this number",
        ] {
            assert!(html.contains(wanted), "{wanted}: {html}");
        }
    }
    for style in styles {
        let words = words_of(&file, style);
        for wanted in [line, "≈", "✗", "≠", "∅", "? there is no source with this number", "≈ partly supported"] {
            assert!(words.contains(wanted), "{wanted}: {words}");
        }
    }
    let json = text(&file, Format::Json, CitationStyle::Numbered);
    for support in ["supported", "partly_supported", "not_supported", "contradicted", "uncited"] {
        assert!(json.contains(&format!("\"support\": \"{support}\"")), "{support}");
    }
}

#[test]
fn what_a_second_look_changed_is_marked_in_every_export() {
    let mut file = file();
    let legend = "changed after a second look";
    assert!(!text(&file, Format::Markdown, CitationStyle::Numbered).contains(legend));
    let ending = &mut file.turns[0].ending;
    let end = ending.answer.find("1931 [1][2].").unwrap() + "1931 [1][2].".len();
    let correction = Correction { kind: CorrectionKind::Corrected, start: 0, end, before: "It opened in 1932 [1][2].".into() };
    ending.check = Some(Box::new(SecondLook { looked_at: 1, corrections: vec![correction], ..SecondLook::default() }));
    let turn = &file.turns[0];
    let markdown = text(&file, Format::Markdown, CitationStyle::Numbered);
    for text in [markdown, answer_text(turn, CopyForm::WithSources), plain_text(&file), words_of(&file, CitationStyle::Numbered)] {
        assert!(text.contains("1931 [1][2]≈. ✎") && text.contains("✎ changed after a second look"), "{text}");
    }
    let html = text(&file, Format::Html, CitationStyle::Numbered);
    assert!(html.contains("<span class=\"second-look\"") && html.contains("</span>Changed after a second look</li>"), "{html}");
}

#[test]
fn nothing_leaves_with_a_live_address() {
    let steal = "https://evil.example/?said=marmalade";
    let mut file = file();
    let turn = &mut file.turns[0];
    turn.question = format!("Is {steal} true?");
    turn.ending.answer = format!("It is. {steal} ![x]({steal}) <{steal}> [a picture]({steal})");
    (turn.ending.citations, turn.ending.statements) = Default::default();
    turn.ending.reason = format!("See {steal}").into();
    turn.ending.sources[0].title = format!("Title {steal}");
    turn.ending.method = Some(Box::new(nexi_core::protocol::Method { open: vec![steal.into()], ..Default::default() }));
    turn.second = Some(Box::new(opinion(&format!("It is not, says {steal}"))));
    let sources: Vec<String> = turn.ending.sources.iter().map(|source| source.url.clone()).collect();
    let turn = turn.clone();
    let styles = [CitationStyle::Numbered, CitationStyle::Footnotes, CitationStyle::AuthorDate];
    let mut texts: Vec<String> = styles.into_iter().map(|style| text(&file, Format::Markdown, style)).collect();
    texts.extend([report_text(&turn), labelled_answer(&turn).0, answer_text(&turn, CopyForm::Markdown)]);
    for text in texts {
        let options = nexi_core::markdown::options();
        let html = comrak::markdown_to_html(&text, &options);
        let live: Vec<&str> = html.split("<a href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let own = live.iter().filter(|url| url.starts_with("https://evil.example")).count();
        assert!(own <= 2, "the link and the picture that became one: {html}");
        assert!(
            live.iter()
                .all(|url| url.starts_with('#') || url.starts_with("https://evil.example") || sources.iter().any(|known| known == url))
        );
        assert!(text.contains("(evil.example)") && !html.contains("<img"), "{text}");
    }
}

/// What another model said: one statement is the same, one differs, one is its own.
fn opinion(own: &str) -> SecondOpinion {
    let compared = |agreement, first: Option<&str>, second: Option<&str>| Compared {
        agreement,
        first: first.map(str::to_owned),
        second: second.map(str::to_owned),
        missing: Vec::new(),
    };
    SecondOpinion {
        model: "other/large".into(),
        answer: String::new(),
        citations: Vec::new(),
        statements: Vec::new(),
        compared: vec![
            compared(Agreement::Agrees, Some("It is green."), Some("It is green.")),
            compared(Agreement::Differs, Some("It opened in 1931."), Some("It opened in 1913.")),
            compared(Agreement::OnlySecond, None, Some(own)),
        ],
        usage: Usage::default(),
    }
}

#[test]
fn a_second_opinion_is_in_every_export() {
    let mut file = file();
    file.turns[0].second = Some(Box::new(opinion("Painters *like* it.")));
    let wanted = ["other/large", "1 the same, 1 different, 1 only in the second", "It opened in 1913.", "Painters *like* it."];
    let markdown = plain::text(&text(&file, Format::Markdown, CitationStyle::Numbered));
    let report = plain::text(&report_text(&file.turns[0]));
    let words = words_of(&file, CitationStyle::Numbered);
    for text in [markdown, report, text(&file, Format::Html, CitationStyle::Numbered), words] {
        for wanted in wanted {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
    }
    assert!(text(&file, Format::Json, CitationStyle::Numbered).contains("\"agreement\": \"differs\""));
}

#[test]
fn names_of_files_are_tame_and_never_taken_twice() {
    assert_eq!(name("../../etc: What's  new?", "md"), "etc-whats-new.md");
    let long = name("How does a heat pump work in winter, and is it worth it in an old house with radiators?", "md");
    assert_eq!(long, "how-does-a-heat-pump-work-in-winter-and-is-it-worth-it-in-an.md", "no word is cut");
    assert_eq!(name(&"桥".repeat(90), "md").chars().count(), 63);
    assert_eq!(name("???", "md"), "nexi.md");
    let folder = tempfile::tempdir().unwrap();
    let first = new_file(folder.path(), "a.md").unwrap().0;
    let second = new_file(folder.path(), "a.md").unwrap().0;
    assert_eq!((first.file_name().unwrap(), second.file_name().unwrap()), ("a.md".as_ref(), "a (2).md".as_ref()));
}

/// The file of the other tests, with what a bibliography needs, and a document.
fn scholarly() -> ThreadFile {
    let mut file = file();
    file.sources[0].read_ms = 1_700_000_000_000;
    file.sources[0].page.site = Some("Journal of 100% {real} Bridges & Spans".into());
    file.sources[1].page.doi = Some("10.1000/182".into());
    file.sources[1].page.byline = Some("Ludwig van der Aldermoor".into());
    let document = source(4, "minutes_1926.pdf", "file:///home/ann/minutes_1926.pdf", Some("1926"));
    file.sources.push(stored(&document, None));
    file.turns[0].ending.sources.push(document);
    let mut uncited = source(5, "Not cited", "https://g.org/d", None);
    uncited.cited = false;
    file.turns[0].ending.sources.push(uncited);
    file
}

#[test]
fn bibliographies_are_what_their_readers_expect() {
    let bibtex = text(&scholarly(), Format::Bibtex, CitationStyle::Numbered);
    // The parser of BibLaTeX that Typst uses.
    let parsed = biblatex::Bibliography::parse(&bibtex).unwrap_or_else(|error| panic!("{error:?}\n{bibtex}"));
    assert_eq!(parsed.len(), 4, "what is not cited is not in it: {bibtex}");
    let first = parsed.get("miller2024").unwrap();
    use biblatex::ChunksExt;
    assert_eq!(first.title().unwrap().format_verbatim(), "The *bridge* <b>");
    assert_eq!(first.author().unwrap().iter().map(|person| person.name.as_str()).collect::<Vec<_>>(), ["Miller", "Li"]);
    assert_eq!(first.organization().unwrap()[0].format_verbatim(), "Journal of 100% {real} Bridges & Spans");
    assert_eq!(first.url().unwrap(), "https://e.org/a");
    assert!(bibtex.contains("urldate = {2023-11-14}") && bibtex.contains("month = {3}"), "{bibtex}");
    let article = parsed.get("vanderaldermoor").unwrap();
    assert_eq!((article.doi().unwrap().as_str(), &article.entry_type), ("10.1000/182", &biblatex::EntryType::Article));
    assert!(!bibtex.contains("/home/ann"), "the path of a file does not leave this computer");

    let ris = text(&scholarly(), Format::Ris, CitationStyle::Numbered);
    assert_eq!((ris.matches("TY  - ").count(), ris.matches("ER  - \r\n").count()), (4, 4));
    for wanted in
        ["TY  - ELEC\r\nTI  - The *bridge* <b>\r\nAU  - Miller, Ann\r\nAU  - Li, Bo\r\n", "DA  - 2024/03/02\r\n", "DO  - 10.1000/182\r\n"]
    {
        assert!(ris.contains(wanted), "{wanted}: {ris}");
    }
    let json = text(&scholarly(), Format::CslJson, CitationStyle::Numbered);
    let items: Vec<citationberg::json::Item> = serde_json::from_str(&json).unwrap();
    assert_eq!(items.len(), 4);
    let items: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(items[0]["issued"]["date-parts"], serde_json::json!([[2024, 3, 2]]));
    assert_eq!(
        (&items[1]["type"], &items[3]["type"], &items[3]["URL"]),
        (&"article-journal".into(), &"document".into(), &serde_json::Value::Null)
    );
}

#[test]
fn published_styles_cite_and_list_as_they_should() {
    for (style, cited, entry) in [
        (CitationStyle::Apa, "in 1931 (Aldermoor, n.d.; Miller & Li, 2024)≈.", "- Miller, A., & Li, B. (2024, March 2). *"),
        (CitationStyle::Mla, "in 1931 (Miller and Li; Aldermoor)≈.", "- Miller, Ann, and Bo Li. “"),
        (CitationStyle::Chicago, "in 1931 (Miller and Li 2024; Aldermoor, n.d.)≈.", "- Miller, Ann, and Bo Li. 2024. “"),
    ] {
        let markdown = text(&scholarly(), Format::Markdown, style);
        assert!(markdown.contains("f.org") && !markdown.contains("F.org") && !markdown.contains(",)"), "{markdown}");
        assert!(markdown.contains(cited) && markdown.contains(entry), "{style:?}: {markdown}");
        // Addresses are live, everything else is harmless, and a number without a source stays marked.
        assert!(markdown.contains("<https://e.org/a>") && markdown.contains("<https://doi.org/10.1000/182>"), "{markdown}");
        assert!(!markdown.contains("<b>") && markdown.contains("lost [9]?"), "{markdown}");
        let html = text(&scholarly(), Format::Html, style);
        assert!(
            html.contains("<a href=\"https://e.org/a\"") && html.contains("<i>") && !html.contains("<b>;") && html.contains("&lt;b&gt;"),
            "{style:?}: {html}"
        );
        assert!(html.contains("<a class=\"cite partly\"") && html.contains("<span class=\"unknown\""), "{html}");
    }
    assert_eq!(name("What? (2)", "csl.json"), "what-2.csl.json");
    let folder = tempfile::tempdir().unwrap();
    new_file(folder.path(), "a.csl.json").unwrap();
    assert_eq!(new_file(folder.path(), "a.csl.json").unwrap().0.file_name().unwrap(), "a (2).csl.json");
}

#[test]
fn a_file_is_called_by_its_name_once_and_a_site_by_its_own() {
    let mut file = file();
    let sources = &mut file.turns[0].ending.sources;
    for (source, stored) in sources.iter_mut().zip(&mut file.sources).skip(1).take(1) {
        (source.title, source.url, source.site) = ("prices.csv".into(), "file:///home/a/prices.csv".into(), String::new());
        (stored.page.title, stored.page.url) = (source.title.clone(), source.url.clone());
    }
    file.sources[2].page.site = Some("Mill Gazette".into());
    for style in [CitationStyle::Numbered, CitationStyle::Apa, CitationStyle::Mla, CitationStyle::Chicago] {
        let text = text(&file, Format::Markdown, style);
        let list = text.lines().filter(|line| line.to_lowercase().contains("prices.csv"));
        for line in list {
            assert!(!line.contains("Prices.csv"), "{style:?}: {line}");
            assert!(!line.contains("prices.csv. prices.csv"), "{style:?}: {line}");
        }
        assert!(text.contains("Mill Gazette"), "{style:?}: {text}");
    }
}
