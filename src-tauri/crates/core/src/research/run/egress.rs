//! What may leave this computer once private text is part of a conversation.
//!
//! Private are the person's documents, what is looked up in the library, and answers that rest on them; the handbook is
//! not. From then on the model reaches only addresses of the ledger (search results, links of web pages that were read,
//! sources of earlier answers that were read, addresses that the person typed), and a query with a number or with wording
//! that stands in private text alone is held back. The rule trusts no model: whatever a poisoned document makes it ask
//! for, private text is not part of it.

mod fingerprints;
mod grants;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use fingerprints::{fingerprint, fingerprints, is_coded, rewritten};
use grants::Grants;

use super::{
    Asked,
    numbers::Numbers,
    tokens::tokens,
    writings::{decodings, percent_decoded},
};
use crate::{
    ports::{Found, Page},
    protocol::Turn,
    settings::tools::COMMANDS,
    urls::{self, page_key},
    user_tools::UserTool,
};

/// What the rule knows of a run. Without [`Asked::guarded`] it lets everything pass.
#[derive(Debug, Clone, Default)]
pub(super) struct Egress {
    guarded: bool,
    /// Addresses of the handbook begin with this; empty where there is none.
    handbook: String,
    /// Whether the conversation holds private text.
    private: bool,
    /// What may be fetched: the key of each page and its address, byte for byte.
    ledger: BTreeMap<String, String>,
    /// Fingerprints of tokens and wordings.
    secret: HashSet<u64>,
    public: HashSet<u64>,
    numbers: Numbers,
    /// Which of the person's own tools may be called.
    pub(super) grants: Grants,
    /// The same for each tool server and each corpus: what it returned itself is no secret before it.
    servers: BTreeMap<String, Egress>,
    /// Which server or corpus this one is about.
    own: Option<String>,
}

impl Egress {
    /// For a run with this question, its earlier turns and their sources.
    pub(super) fn new(asked: &Asked) -> Self {
        let mut out = Self::towards(None, asked);
        if out.guarded {
            let names = asked.tools.iter().filter(|tool| !tool.local).map(|tool| party(&tool.server, &tool.tool));
            let names = names.chain(asked.corpora.iter().map(|name| of_corpus(name)));
            out.servers = names.map(|name| (name.clone(), Self::towards(Some(name), asked))).collect();
        }
        out
    }

    /// What may go to the web, or to this server or corpus.
    fn towards(own: Option<String>, asked: &Asked) -> Self {
        let mut out = Self { guarded: asked.guarded, handbook: asked.handbook.clone(), own, ..Self::default() };
        if !out.guarded {
            return out;
        }
        out.typed(&asked.question);
        // The prompt tells the model what day and what time it is.
        out.text(asked.now(), false);
        if let Some(summary) = &asked.summary {
            out.read(&summary.text, summary.private);
        }
        for earlier in &asked.earlier {
            out.typed(&earlier.question);
            out.read(&earlier.answer, earlier.private);
        }
        for known in &asked.known {
            out.page(&known.page);
        }
        for memory in &asked.memories {
            out.typed(memory);
        }
        out.typed(&asked.instructions);
        for attachment in &asked.attached {
            attachment.allow(&mut out);
        }
        out
    }

    /// What the person wrote may go anywhere, and so may they.
    pub(super) fn typed(&mut self, text: &str) {
        if !self.guarded {
            return;
        }
        self.text(text, false);
        for address in addresses(text) {
            self.allow(address);
        }
        self.servers.values_mut().for_each(|server| server.typed(text));
    }

    /// The person lets this address be fetched.
    pub(super) fn allow(&mut self, url: &str) {
        self.ledger.entry(page_key(url)).or_insert_with(|| url.to_owned());
        self.servers.values_mut().for_each(|server| server.allow(url));
    }

    /// A search came back.
    pub(super) fn found(&mut self, found: &Found) {
        if !self.guarded {
            return;
        }
        for hit in &found.hits {
            let is_own = self.is_own(&hit.url);
            let secret = !is_own && self.is_private(&hit.url);
            self.read(&hit.title, secret);
            self.read(&hit.snippet, secret);
            for passage in &hit.more {
                self.read(&passage.snippet, secret);
            }
            if secret {
                self.place(&hit.url);
            } else if !is_own {
                self.allow(&hit.url);
            }
        }
        self.servers.values_mut().for_each(|server| server.found(found));
    }

    /// A page was read. Links of private pages are private text, too: following one tells that it stands there.
    pub(super) fn page(&mut self, page: &Page) {
        if !self.guarded {
            return;
        }
        self.servers.values_mut().for_each(|server| server.page(page));
        if self.is_own(&page.url) && urls::corpus_of(&page.url).is_some() {
            // Anybody who fills the corpus can write anything: like a page of the web, it makes few numbers public.
            self.read(&page.title, false);
            self.read(&page.text, false);
            return;
        }
        if self.is_own(&page.url) {
            self.typed(&page.title);
            self.typed(&page.text);
            return;
        }
        let secret = self.is_private(&page.url);
        self.read(&page.title, secret);
        self.read(&page.text, secret);
        if secret {
            self.place(&page.url);
            for said in page.byline.iter().chain(&page.date) {
                self.text(said, true);
            }
        }
        let is_public_page = !secret && is_web(&page.url);
        if is_public_page {
            self.allow(&page.url);
        }
        if urls::is_public_tool(&page.url) {
            for address in addresses(&page.text) {
                self.allow(address);
            }
        }
        // What an earlier answer cites was read then, before anything of this conversation was known.
        if is_public_page || urls::thread_of(&page.url).is_some() {
            for link in &page.links {
                self.allow(&link.url);
            }
        }
    }

    /// The address to fetch where this one is asked for: the ledger's own bytes, so that nothing can be written into
    /// the parts of an address that do not choose a page. None where it has to be held back.
    pub(super) fn address(&self, url: &str) -> Option<String> {
        // What is no address at all goes nowhere.
        if !self.guarded || !self.private || !is_web(url) || url::Url::parse(url.trim()).is_err() {
            return Some(url.to_owned());
        }
        self.ledger.get(&page_key(url)).cloned()
    }

    /// Whether a query holds a number, or wording, that stands in private text alone, or something that may be such
    /// text in another writing.
    pub(super) fn holds_back(&self, query: &str) -> bool {
        if !self.guarded || !self.private {
            return false;
        }
        let query = percent_decoded(query);
        let mut asked = HashSet::new();
        let words = tokens(&query);
        for text in decodings(&query).iter().chain([&query]) {
            if self.numbers.are_in(text) {
                return true;
            }
            fingerprints(text, &mut asked, true);
            asked.extend(rewritten(&tokens(text)));
        }
        asked.iter().any(|print| self.secret.contains(print) && !self.public.contains(print))
            || words.iter().any(|token| is_coded(token) && !self.public.contains(&fingerprint([token.as_str()])))
    }

    /// The same for the arguments of a tool, which may be addresses as well.
    pub(super) fn holds_back_call(&self, tool: &UserTool, arguments: &str) -> bool {
        let known = self.servers.get(&party(&tool.server, &tool.tool)).unwrap_or(self);
        known.holds_back(arguments) || addresses(arguments).any(|address| known.address(address).is_none())
    }

    /// The arguments of a call leave this computer.
    pub(super) fn sends_call(&mut self, tool: &UserTool, arguments: &str) {
        match self.servers.get_mut(&party(&tool.server, &tool.tool)) {
            Some(known) => known.sends(arguments),
            None => self.sends(arguments),
        }
    }

    /// Those of these corpora that may not be asked this, for it holds private text that is not their own. The others are
    /// asked it.
    pub(super) fn withheld(&mut self, corpora: &[String], query: &str) -> Vec<String> {
        let may_not = |name: &&String| match self.servers.get_mut(&of_corpus(name)) {
            Some(known) if known.holds_back(query) => true,
            Some(known) => {
                known.sends(query);
                false
            }
            None => false,
        };
        corpora.iter().filter(may_not).cloned().collect()
    }

    /// Whether this stands where it may be sent.
    fn is_own(&self, url: &str) -> bool {
        let of_tool = || urls::tool_of(url).map(|(server, tool)| party(&server, &tool));
        let of = || urls::corpus_of(url).map(|(name, _)| of_corpus(&name)).or_else(of_tool);
        self.own.is_some() && self.own == of()
    }

    /// A query leaves this computer.
    pub(super) fn sends(&mut self, query: &str) {
        if self.guarded && self.private {
            self.numbers.sends(&percent_decoded(query));
        }
    }

    /// What the model suggests to ask next, without what may not leave: once it is pressed it is the person's own.
    pub(super) fn keep_suggestions(&self, suggestions: &mut Vec<String>) {
        suggestions.retain(|text| !self.holds_back(text) && addresses(text).all(|address| self.address(address).is_some()));
    }

    /// What the person wrote into a text that was not theirs: the words it did not have.
    pub(super) fn typed_into(&mut self, before: &str, after: &str) {
        let known: BTreeSet<String> = tokens(before).into_iter().collect();
        let words: Vec<&str> = after.split_whitespace().collect();
        // Another mark of punctuation makes no word anybody's own.
        let is_known = |word: &&str| tokens(word).iter().all(|token| known.contains(token));
        for own in words.split(is_known).filter(|own| !own.is_empty()) {
            self.typed(&own.join(" "));
        }
    }

    /// A text that others wrote, or that is private.
    fn read(&mut self, text: &str, secret: bool) {
        if secret {
            self.text(text, true);
            return;
        }
        let few_numbers = self.numbers.learn_from_outside(text);
        fingerprints(text, &mut self.public, few_numbers);
    }

    /// The folders and the name of a private document, which the model is shown.
    fn place(&mut self, url: &str) {
        let path = percent_encoding::percent_decode_str(url).decode_utf8_lossy().into_owned();
        self.text(path.split_once(':').map_or(path.as_str(), |(_, path)| path), true);
    }

    fn text(&mut self, text: &str, secret: bool) {
        self.private |= secret && !text.trim().is_empty();
        self.numbers.learn(text, secret);
        fingerprints(text, if secret { &mut self.secret } else { &mut self.public }, true);
    }

    fn is_private(&self, url: &str) -> bool {
        is_private(url, &self.handbook)
    }
}

/// Who gets the arguments of a tool: its server, or the one command.
fn party(server: &str, tool: &str) -> String {
    if server == COMMANDS { format!("{server}/{tool}") } else { server.to_owned() }
}

/// The same for a corpus; no server has such a name.
fn of_corpus(name: &str) -> String {
    format!("corpus {name}")
}

/// Whether what stands at this address is the person's own. `handbook` is how addresses of Nexi's handbook begin;
/// empty where there is none.
pub fn is_private(url: &str, handbook: &str) -> bool {
    let is_public = urls::is_public_thread(url)
        || urls::is_public_tool(url)
        || urls::is_public_shared(url)
        || (!handbook.is_empty() && url.starts_with(handbook) && !url.contains("/../"));
    !is_web(url) && !is_public
}

/// Whether the model of a finished turn was shown anything private, as [`is_private`] has it.
pub fn rests_on_private(turn: &Turn, handbook: &str) -> bool {
    turn.was_shown(|url| is_private(url, handbook))
}

/// Why a query was held back, for the model.
pub(super) const QUERY_HELD_BACK: &str =
    "the query holds a number or wording found only in private text, so it was not sent to the web; use other words";

fn is_web(url: &str) -> bool {
    let begins = |scheme: &str| url.trim_start().get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme));
    !begins("file:") && !begins(urls::OWN)
}

/// The web addresses in what a person wrote.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '“' | '”' | '`')).filter_map(|word| {
        let at = word.find("https://").or_else(|| word.find("http://"))?;
        Some(word[at..].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}', '\'', '’']))
    })
}

#[cfg(test)]
mod tests;
