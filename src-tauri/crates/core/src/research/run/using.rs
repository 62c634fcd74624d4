//! Calls of the person's own tools: each one is granted first, and what it returns is a source like any other.

use serde_json::Value;

use super::{
    Effect, Key, ToolResult,
    machine::{Phase, Run},
    results,
    round::{CallState, Done, UserCall, Work, no_time},
    streaming,
};
use crate::{
    ports::{Failure, Page, ToolCause},
    protocol::{Event, Outgoing},
    text,
    tools::PageMode,
    user_tools::{Called, GrantScope, UserTool, shown_arguments},
};

/// Bytes of a result that are shown whole.
const SHOWN_WHOLE: usize = 32 * 1024;
/// Bytes of what a tool says of its own failure.
const MAX_ERROR: usize = 1000;
/// Bytes of a description that are shown with a question.
const MAX_ABOUT: usize = 600;
/// Characters of the arguments in the title of a result.
const MAX_TITLE: usize = 60;
/// Pages of one result.
const MAX_PAGES: usize = 16;

impl UserCall {
    fn outgoing(&self, private: bool) -> Outgoing {
        Outgoing::Call {
            server: self.tool.server.clone(),
            tool: self.tool.tool.clone(),
            arguments: shown_arguments(&self.arguments),
            reads: self.tool.reads,
            lasting: self.tool.reads && !private && !self.tool.fleeting,
            private,
            about: text::truncate(&self.tool.description, MAX_ABOUT),
        }
    }
}

/// All texts and numbers of the arguments, and the names of their fields, as they would leave.
fn leaving(arguments: &Value) -> String {
    fn names(value: &Value, out: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| names(item, out)),
            Value::Object(fields) => fields.iter().for_each(|(name, value)| {
                out.push(name.clone());
                names(value, out);
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut out = values(arguments);
    names(arguments, &mut out);
    out.join(" ")
}

/// All texts and numbers of the arguments.
fn values(arguments: &Value) -> Vec<String> {
    fn add(value: &Value, out: &mut Vec<String>) {
        match value {
            Value::String(text) => out.push(text.clone()),
            Value::Number(number) => out.push(number.to_string()),
            Value::Array(items) => items.iter().for_each(|item| add(item, out)),
            Value::Object(fields) => fields.values().for_each(|value| add(value, out)),
            Value::Null | Value::Bool(_) => {}
        }
    }
    let mut out = Vec::new();
    add(arguments, &mut out);
    out
}

impl Run {
    /// The tool of this name that the run may use.
    pub(super) fn user_tool(&self, name: &str) -> Option<&UserTool> {
        self.asked.tools.iter().find(|tool| tool.name == name)
    }

    /// Begins a call, or holds it back until the person has granted it.
    pub(super) fn call(&mut self, key: Key, name: &str, arguments: Value, out: &mut Vec<Effect>) -> Work {
        let Some(tool) = self.user_tool(name) else {
            return Work::Ready(ToolResult::Error { message: format!("There is no tool {name:?}.") });
        };
        let tool = tool.clone();
        if !self.egress.grants.takes_call(&tool.name) {
            let message = format!("All calls of {name} that the plan allows have been made. Go on without it.");
            return Work::Ready(ToolResult::Error { message });
        }
        // What a tool is given may come back: its result is public only where that was.
        let carries = self.egress.holds_back_call(&tool, &leaving(&arguments));
        let public = tool.public && !carries;
        let mut using = UserCall { tool: Box::new(tool), arguments, public, state: CallState::Running };
        let (server, tool) = (using.tool.server.clone(), using.tool.tool.clone());
        out.push(Effect::Emit(Event::Calling { step: key.step, call: key.call, server, tool, arguments: using.arguments.to_string() }));
        let private = !using.tool.local && carries;
        let granted = using.tool.granted || self.egress.grants.has(&using.tool.name);
        if granted && !private {
            self.begin_call(key, &using, out);
            return Work::UserCall(using);
        }
        let what = using.outgoing(private);
        if self.asked.may_ask {
            using.state = CallState::Held;
            self.hold(key, what, out);
        } else {
            let failure = Failure::because(refused(private));
            self.hold(key, what, out);
            out.push(not_called(key, &failure));
            using.state = CallState::Done(Err(failure));
        }
        Work::UserCall(using)
    }

    fn begin_call(&mut self, key: Key, using: &UserCall, out: &mut Vec<Effect>) {
        if !using.tool.local {
            // What follows is looked at together with it.
            self.egress.sends_call(&using.tool, &leaving(&using.arguments));
        }
        self.awaited.expect(Effect::Call { key, tool: using.tool.name.clone(), arguments: using.arguments.clone() }, out);
    }

    /// The person has decided about a call, or nobody did in time. False where there is no such call.
    pub(super) fn call_permitted(&mut self, key: Key, allowed: bool, scope: GrantScope, out: &mut Vec<Effect>) -> bool {
        let Some(mut using) = self.take_user_call(key) else { return false };
        if allowed {
            // What changes things is asked about each time.
            if !scope.is_once() && using.tool.reads {
                self.egress.grants.give(&using.tool.name);
            }
            using.state = CallState::Running;
            self.begin_call(key, &using, out);
        } else {
            let failure = Failure::because(ToolCause::NotAllowed);
            out.push(not_called(key, &failure));
            using.state = CallState::Done(Err(failure));
        }
        self.put_user_call(key, using);
        true
    }

    /// A call came back.
    pub(super) fn called(&mut self, key: Key, result: Result<Called, Failure>, out: &mut Vec<Effect>) {
        let Some(mut using) = self.take_user_call(key) else { return };
        let result = result.and_then(|called| match called.failed {
            false => Ok(called),
            true => {
                let said = called.pages.first().map(|page| text::truncate(page.text.trim(), MAX_ERROR));
                Err(Failure::because(said.map_or(ToolCause::NoReason, |said| ToolCause::Said { said })))
            }
        });
        let done = result.map(|result| {
            let Called { pages, left_out, .. } = result;
            let title = title(&using.tool, &using.arguments);
            let numbers: Vec<u32> =
                pages.into_iter().take(MAX_PAGES).map(|page| self.keep_result(key, &using, &title, page, out)).collect();
            Done { numbers, left_out }
        });
        let (numbers, failure) = match &done {
            Ok(done) => (done.numbers.as_slice(), None),
            Err(failure) => (&[][..], Some(failure)),
        };
        // What a server says of a failure, and names of what was left out, are its words as well.
        for said in failure.iter().map(|failure| &failure.message).chain(done.iter().flat_map(|done| &done.left_out)) {
            let page = Page { url: using.tool.address(said, using.public), text: said.clone(), ..Page::default() };
            self.egress.page(&page);
        }
        if !numbers.is_empty() {
            out.push(streaming::sources(&self.book, &[]));
        }
        out.push(called(key, numbers, failure));
        using.state = CallState::Done(done);
        self.put_user_call(key, using);
        self.settle(out);
    }

    fn keep_result(&mut self, key: Key, using: &UserCall, own: &str, page: Page, out: &mut Vec<Effect>) -> u32 {
        let title = if page.title.is_empty() { own.to_owned() } else { text::truncate(&text::fold_space(&page.title), 300) };
        // The server does not choose where a source leads to.
        let url = using.tool.address(&page.text, using.public);
        let page = Page { url: url.clone(), title: title.clone(), links: Vec::new(), ..page };
        let words = text::word_count(&page.text) as u32;
        self.egress.page(&page);
        let number = self.book.add(&url, page);
        out.push(Effect::Emit(Event::PageRead { step: key.step, url, title, number, words }));
        number
    }

    fn take_user_call(&mut self, key: Key) -> Option<UserCall> {
        match &mut self.phase {
            Phase::Acting(round) => round.take_user_call(key),
            _ => None,
        }
    }

    fn put_user_call(&mut self, key: Key, using: UserCall) {
        if let Phase::Acting(round) = &mut self.phase {
            round.put_user_call(key, using);
        }
    }

    /// What the model reads of a call.
    pub(super) fn call_result(&self, using: UserCall) -> ToolResult {
        let name = using.tool.name;
        match using.state {
            CallState::Held | CallState::Running => {
                ToolResult::Called { tool: name, pages: Vec::new(), left_out: Vec::new(), error: Some(no_time().message) }
            }
            CallState::Done(Err(failure)) => {
                ToolResult::Called { tool: name, pages: Vec::new(), left_out: Vec::new(), error: Some(failure.message) }
            }
            CallState::Done(Ok(Done { numbers, left_out })) => {
                let wanted = leaving(&using.arguments);
                let known = numbers.iter().filter_map(|number| Some((*number, &self.book.get(*number)?.page)));
                let pages = known
                    .map(|(number, page)| {
                        let mode = if page.text.len() <= SHOWN_WHOLE { PageMode::Full } else { PageMode::Passages };
                        results::read_page(page, number, results::show(page, &self.asked.question, &wanted, mode))
                    })
                    .collect();
                ToolResult::Called { tool: name, pages, left_out, error: None }
            }
        }
    }
}

/// What the text of a result is called: its tool with the arguments.
fn title(tool: &UserTool, arguments: &Value) -> String {
    let given = text::truncate_chars(&text::fold_space(&values(arguments).join(", ")), MAX_TITLE);
    let given = if given.is_empty() { given } else { format!(" ({given})") };
    format!("{}{given}", tool.tool)
}

fn called(key: Key, numbers: &[u32], failure: Option<&Failure>) -> Effect {
    let (error, cause) = (failure.map(|failure| failure.message.clone()), failure.and_then(|failure| failure.cause.clone()));
    Effect::Emit(Event::Called { step: key.step, call: key.call, numbers: numbers.to_vec(), error, cause, refused: false })
}

/// A call that is not made.
fn not_called(key: Key, why: &Failure) -> Effect {
    let (error, cause) = (Some(why.message.clone()), why.cause.clone());
    Effect::Emit(Event::Called { step: key.step, call: key.call, numbers: Vec::new(), error, cause, refused: true })
}

/// Why a call is not made where nobody can be asked.
fn refused(private: bool) -> ToolCause {
    if private { ToolCause::HoldsPrivate } else { ToolCause::NobodyAsked }
}
