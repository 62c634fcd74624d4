//! HTML to Markdown in one pass over its tokens: no tree, so nothing in a page can make it slow
//! or deep, and every line of the result knows the line of the file it came from.

mod sink;

use html5ever::tokenizer::{Tokenizer, TokenizerOpts};

use crate::excess_attributes::{Deadline, feed, strip_excess_attributes};
use sink::Sink;

/// A converted page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Markdown {
    /// The `<title>`, or the first heading.
    pub title: String,
    pub text: String,
    /// For every line of `text` the line of the HTML it began in, from 1.
    pub lines: Vec<u32>,
}

/// Most bytes of Markdown that one page may become.
const MAX_OUTPUT: usize = 8 * 1024 * 1024;

/// Converts a page or a fragment. Navigation, scripts, forms and hidden parts are left out; line
/// breaks within paragraphs stay, so that line numbers do.
pub fn to_markdown(html: &str) -> Markdown {
    let tokenizer = Tokenizer::new(Sink::new(MAX_OUTPUT, html), TokenizerOpts::default());
    let deadline = Deadline::new();
    for (index, line) in strip_excess_attributes(html).split_inclusive('\n').enumerate() {
        // Fed line by line, because the tokenizer's own count is that of the end of a run.
        tokenizer.sink.set_line(u32::try_from(index).unwrap_or(u32::MAX - 1) + 1);
        feed(&tokenizer, line, &deadline);
    }
    tokenizer.end();
    tokenizer.sink.finish()
}

/// The text of a snippet with markup, such as search services send.
pub fn strip_tags(html: &str) -> String {
    nexi_core::text::fold_space(&to_markdown(html).text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structure_becomes_markdown() {
        let html = "<!doctype html><html><head><title>A &amp; B</title><style>p{}</style></head><body>\
            <nav><a href=/>Home</a></nav><h1>Title<a class=\"headerlink\" href=#x>¶</a></h1>\n<p>One <b>two</b>\nthree &lt;4&gt;.</p>\
            <ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><ol><li>x<li>y</ol>\
            <pre class=x><code class=\"language-rust\">let a = 1;\n  let b;</code></pre>\
            <table><tr><th>H<th>I</tr><tr><td>1<td>2</table><p>Use <code>run</code>.</p><script>alert('<p>no</p>')</script>\
            <div hidden>secret</div><div role=navigation>menu<div>deep</div></div><template>t</template><p>end<br>last</p><footer>foot</footer>";
        let page = to_markdown(html);
        assert_eq!(page.title, "A & B");
        assert_eq!(
            page.text,
            "# Title\n\nOne two\nthree <4>.\n\n- a\n  - b\n- c\n\n1. x\n2. y\n\n```rust\nlet a = 1;\n  let b;\n```\n\n| H | I |\n| --- | --- |\n| 1 | 2 |\n\nUse run.\n\nend\nlast"
        );
    }

    #[test]
    fn lines_lead_back_to_the_file() {
        let html = "<html>\n<body>\n<h1>Head</h1>\n\n<p>First\nsecond\nthird.</p>\n<p>\nFourth.</p>";
        let page = to_markdown(html);
        let pairs: Vec<(&str, u32)> = page.text.lines().zip(page.lines.iter().copied()).collect();
        assert_eq!(pairs, [("# Head", 3), ("", 5), ("First", 5), ("second", 6), ("third.", 7), ("", 9), ("Fourth.", 9)]);
    }

    #[test]
    fn inline_elements_keep_their_lines() {
        let page = to_markdown("<p>\nFirst line.\n<code>/var/lib</code>. Second\n-5 degrees\n<b>bold</b> end.</p>");
        let pairs: Vec<(&str, u32)> = page.text.lines().zip(page.lines.iter().copied()).collect();
        assert_eq!(pairs, [("First line.", 2), ("/var/lib. Second", 3), ("-5 degrees", 4), ("bold end.", 5)]);
    }

    #[test]
    fn text_that_looks_like_markup_stays_in_its_paragraph() {
        let page = to_markdown("<p>The list\n- is not one\n# nor a heading</p>");
        assert_eq!(nexi_core::text::blocks(&page.text).len(), 1, "{}", page.text);
    }

    #[test]
    fn hostile_pages_are_quick() {
        let deep = "<div>".repeat(100_000);
        assert_eq!(to_markdown(&deep).text, "");
        to_markdown(&"<ul><li>".repeat(50_000));
        to_markdown(&format!("<p {}>", "a=b ".repeat(100_000)));
    }
}
