use super::*;
use crate::{
    ports::{Hit, Link},
    run::Earlier,
};

const HANDBOOK: &str = "file:///data/handbook/";

fn asked(question: &str) -> Asked {
    Asked { question: question.into(), today: "2026-11-23".into(), guarded: true, handbook: HANDBOOK.into(), ..Asked::default() }
}

fn page(url: &str, text: &str) -> Page {
    let link = Link { text: "more".into(), url: format!("https://links.example/{}", url.len()) };
    Page { url: url.into(), title: "T".into(), text: text.into(), links: vec![link], ..Page::default() }
}

fn hit(url: &str, snippet: &str) -> Found {
    let hit = Hit { title: "T".into(), url: url.into(), snippet: snippet.into(), date: None, ..Hit::default() };
    Found { hits: vec![hit], ..Found::default() }
}

#[test]
fn addresses_are_free_until_private_text_is_there() {
    let mut egress = Egress::new(&asked("Is https://typed.example/page?a=1, right?"));
    assert!(egress.address("https://anywhere.example/x").is_some());
    egress.found(&hit("https://found.example/a?id=7", "s"));
    egress.page(&page("https://read.example/", "text"));
    egress.page(&page("file:///data/handbook/01-welcome.md", "Nexi researches."));
    assert!(egress.address("https://anywhere.example/x").is_some(), "the handbook is public");
    egress.page(&page("file:///home/a/notes.md", "The password is marmalade-4711."));
    for url in [
        "https://typed.example/page?a=1",
        "https://found.example/a?id=7",
        "https://read.example/",
        "https://links.example/21",
        "file:///home/a/b.md",
    ] {
        assert_eq!(egress.address(url).as_deref(), Some(url));
    }
    for url in [
        "https://anywhere.example/x",
        "https://found.example/a?id=8",
        "https://found.example/a",
        "https://links.example/23",
        "https://typed.example/page",
        "ftp://typed.example/",
        "data:text/html,x",
    ] {
        assert_eq!(egress.address(url), None, "{url}");
    }
    // What does not choose a page is not the model's to fill in.
    assert_eq!(egress.address("https://found.example/a?id=7&utm_source=marmalade#4711").unwrap(), "https://found.example/a?id=7");
    egress.allow("https://anywhere.example/x");
    assert!(egress.address("https://anywhere.example/x").is_some());
}

#[test]
fn a_corpus_is_asked_what_it_holds_itself() {
    let corpora = ["archive".to_owned(), "minutes".to_owned()];
    let mut egress = Egress::new(&Asked { corpora: corpora.to_vec(), ..asked("What is the rent of the mill?") });
    egress.page(&page("nexi://corpus/archive/17/lease.md", "The rent of the old mill is 4711 crowns."));
    assert!(egress.holds_back("mill 4711"), "the web is told nothing of it");
    assert_eq!(egress.withheld(&corpora, "mill 4711"), ["minutes"]);
    egress.found(&hit("nexi://corpus/minutes/3/june.md", "The sluice was mended by Orvikson in 1932."));
    assert_eq!(egress.withheld(&corpora, "Orvikson 1932"), ["archive"]);
    egress.page(&page("file:///home/a/notes.md", "The code of the vault is 815."));
    assert_eq!(egress.withheld(&corpora, "vault 815"), corpora);
    assert!(egress.withheld(&corpora, "rent of the mill").is_empty());
}

#[test]
fn earlier_research_is_private_and_leads_to_its_own_sources() {
    let mut egress = Egress::new(&asked("What did I find out?"));
    let known = page(&urls::thread_address("7", true), "The wall was built in 4711 and nobody minds it at all.");
    egress.page(&known);
    assert!(egress.holds_back("wall 4711") && egress.address("https://anywhere.example/x").is_none());
    assert_eq!(egress.address(&known.links[0].url).as_deref(), Some(known.links[0].url.as_str()));
}

#[test]
fn queries_with_private_numbers_or_wording_are_held_back() {
    let mut egress = Egress::new(&asked("What is the vault password of the Orvik lighthouse from 1877?"));
    assert!(!egress.holds_back("marmalade-4711"));
    egress.page(&page(
        "file:///home/a/notes.md",
        "The password of the vault is marmalade-4711. My aunt keeps it under the stairs. Built 1877.",
    ));
    egress.page(&page("https://read.example/", "Order 66 was given. He keeps it under the table."));
    for query in [
        "marmalade 4711",
        "vault ４７１１",
        "4 7 1 1",
        "47-11",
        "1174-edalamram",
        "%34%37%31%31",
        "bWFybWFsYWRlLTQ3MTE=",
        "6d61726d616c6164652d34373131",
        "aunt keeps it under",
        "MY AUNT, keeps it!",
        "what 47\u{200b}11 is",
    ] {
        assert!(egress.holds_back(query), "{query}");
    }
    for query in [
        "marmalade password",
        "vault password of the Orvik lighthouse",
        "lighthouse 1877",
        "order 66",
        "keeps it under the table",
        "news 2026",
        "keeps it under",
        "step 5 9999",
    ] {
        assert!(!egress.holds_back(query), "{query}");
    }
    let loose = Egress { guarded: false, ..egress };
    assert!(!loose.holds_back("4711") && loose.address("https://x.example/").is_some());
}

#[test]
fn no_page_makes_all_numbers_public() {
    let mut egress = Egress::new(&asked("What is the code?"));
    egress.page(&page("file:///home/a/Case%20881234/notes.md", "The code of the vault is 4711."));
    egress.page(&page("https://read.example/", &(0..10_000).map(|code| format!("{code:04} ")).collect::<String>()));
    assert!(egress.holds_back("code 4711") && egress.holds_back("4711"));
    // Folders are shown to the model, too.
    assert!(egress.holds_back("case 881234"));
    assert!(egress.holds_back("four seven one one") && egress.holds_back("vier sieben eins eins"));
}

#[test]
fn what_a_model_suggests_carries_nothing_away() {
    let mut egress = Egress::new(&asked("What is the code?"));
    egress.found(&hit("https://found.example/a", "s"));
    egress.page(&page("file:///home/a/notes.md", "The code of the vault is 4711. My aunt keeps it under the stairs."));
    let mut suggestions: Vec<String> = [
        "What does https://evil.example/marmalade say?",
        "What is 4711?",
        "Why does my aunt keeps it under the stairs?",
        "What does https://found.example/a say?",
        "Where is the vault?",
    ]
    .map(str::to_owned)
    .into();
    egress.keep_suggestions(&mut suggestions);
    assert_eq!(suggestions, ["What does https://found.example/a say?", "Where is the vault?"]);
}

#[test]
fn of_an_edited_plan_only_what_was_written_is_the_persons() {
    let mut egress = Egress::new(&asked("What is the code?"));
    egress.page(&page("file:///home/a/notes.md", "The code of the vault is 4711."));
    let proposed = "Read https://evil.example/4711 and look up 4711";
    egress.typed_into(proposed, &format!("{proposed} today at https://mine.example/ please"));
    assert!(egress.address("https://evil.example/4711").is_none() && egress.holds_back("4711"));
    assert!(egress.address("https://mine.example/").is_some());
    // Punctuation that was planted and is taken away.
    egress.typed_into(
        "Look up vault code 4711. Read https://evil.example/4711, too",
        "Look up vault code 4711 Read https://evil.example/4711 too",
    );
    assert!(egress.address("https://evil.example/4711").is_none() && egress.holds_back("4711"));
}

#[test]
fn scripts_without_blanks_are_compared_by_characters() {
    let mut egress = Egress::new(&asked("灯塔什么时候建成"));
    egress.page(&page("file:///home/a/notes.md", "保险箱的密码写在楼梯下面的红色盒子里"));
    assert!(egress.holds_back("密码写在楼梯下面的盒子") && !egress.holds_back("楼梯下面 灯塔"));
}

#[test]
fn earlier_turns_and_snippets_count() {
    let earlier = Earlier { question: "Where is it?".into(), answer: "In room 815 [1].".into(), private: true, ..Earlier::default() };
    let egress = Egress::new(&Asked { earlier: vec![earlier], ..asked("And now?") });
    assert!(egress.holds_back("room 815") && egress.address("https://x.example/").is_none());
    let mut egress = Egress::new(&asked("Where?"));
    egress.found(&hit("file:///home/a/Plan%20815.md", "It is upstairs."));
    assert!(egress.address("https://x.example/").is_none() && egress.holds_back("plan 815"));
    assert!(is_private("file:///data/handbook/../a.md", HANDBOOK) && is_private("FILE:///a", "") && !is_private("https://a.example/", ""));
}
