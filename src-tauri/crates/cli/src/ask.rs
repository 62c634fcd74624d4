//! `nexi ask` and `nexi resume`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::Result;
use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::core::protocol::{Event, Mode, TurnState};
use nexi_engine::report::StreamLine;
use nexi_engine::{AskOptions, Engine, EngineError, OpinionLimits, Subscription};
use nexi_messages::say;

use crate::args::{Ask, Common, Format, How, Output, Resume, Usage};
use crate::line::{sanitized, short};
use crate::output::{Shown, TerminalStyle, failure, has_marks, note, print_stream, print_turn};
use crate::progress::Progress;
use crate::start::Interrupts;
use crate::words::Words;
use crate::{attach, desktop, exit, permit, plan, space, start, template};

/// Largest question taken from standard input, in bytes.
const MAX_INPUT: u64 = 1024 * 1024;

/// Asks, waits, prints.
pub async fn ask(ask: Ask, common: Common) -> Result<u8> {
    if let (true, Some(first)) = (ask.how.think.is_some(), ask.question.first())
        && ["auto", "off", "low", "medium", "high"].contains(&first.as_str())
    {
        return Err(Usage(say!("nexi-ask-think-equals", level = first)).into());
    }
    let typed = if ask.template.is_none() { Some(question(&ask.question)?) } else { None };
    let piped = if typed.is_some() && is_from_input(&ask.question) { None } else { attach::piped().await? };
    let engine = start::open_with_keys(&common).await?;
    let question = match (&ask.template, typed) {
        (Some(name), _) => template::question(&engine, name, &ask.question).await?,
        (None, typed) => typed.unwrap_or_default(),
    };
    let thread = match (&ask.thread, ask.continue_newest) {
        (Some(id), _) => Some(engine.find_thread(id).await?),
        (None, true) => Some(engine.thread_of(None).await?),
        (None, false) => None,
    };
    if thread.is_some() && ask.how.private {
        return Err(Usage(say!("nexi-ask-private-follow-up")).into());
    }
    if thread.is_some() && ask.how.space.is_some() {
        return Err(Usage(say!("nexi-ask-space-follow-up")).into());
    }
    if ask.open {
        desktop::can_be_shown()?;
    }
    check_folder(ask.save_report.as_ref())?;
    let mut options = options(&engine, question, thread, &ask.how).await?;
    options.attachments.extend(piped);
    let mut second = ask.second.as_deref().map(|name| second(&engine, name, &ask.how)).transpose()?;
    let interrupts = Interrupts::new()?;
    let (run, over_month) = begin(&engine, options).await?;
    // Who has agreed to go over the limit has agreed for the second opinion, too.
    if let Some(second) = &mut second {
        second.limits.over_month |= over_month;
    }
    let wanted = Wanted { output: ask.output, second: second.as_ref(), report_folder: ask.save_report.as_deref() };
    let outcome = follow(&engine, run, interrupts, wanted, &common).await?;
    // The answer is there, whatever becomes of the window.
    if ask.open
        && outcome.code != exit::CANCELLED
        && let Err(error) = desktop::show(&common, &outcome.thread)
    {
        note(&failure(&error));
    }
    Ok(outcome.code)
}

/// Begins a run, and says whether it goes over the monthly cost limit: where that is reached, somebody at a terminal decides.
async fn begin(engine: &Engine, options: AskOptions) -> Result<(Subscription, bool)> {
    match engine.ask(options.clone()).await {
        Err(EngineError::MonthIsSpent { spent, limit }) if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() => {
            let dollars = |amount: u64| format!("${:.2}", amount as f64 / 1e6);
            let question = say!("nexi-ask-month-spent", spent = dollars(spent), limit = dollars(limit));
            if !start::agreed(&question).await? {
                return Err(Usage(say!("nexi-ask-not-asked")).into());
            }
            Ok((engine.ask(AskOptions { over_month: true, ..options }).await?, true))
        }
        begun => Ok((begun?, false)),
    }
}

/// Who is asked for a second opinion, and for how much.
pub struct Second {
    model: String,
    limits: OpinionLimits,
}

fn second(engine: &Engine, name: &str, how: &How) -> Result<Second> {
    let model = start::model_named(&engine.settings(), name)?;
    if model == "builtin" {
        return Err(Usage(say!("nexi-ask-second-built-in")).into());
    }
    Ok(Second { model, limits: OpinionLimits { max_cost: how.max_cost, any_cost: how.any_cost, over_month: how.over_month } })
}

/// A folder for reports that is none is told before minutes of research.
fn check_folder(folder: Option<&PathBuf>) -> Result<()> {
    let is_none = |folder: &&PathBuf| {
        let above = folder.parent().filter(|above| !above.as_os_str().is_empty());
        if folder.exists() { !folder.is_dir() } else { above.is_some_and(|above| !above.is_dir()) }
    };
    match folder.filter(is_none) {
        Some(folder) => Err(Usage(say!("nexi-ask-no-folder", path = sanitized(&folder.display().to_string()))).into()),
        None => Ok(()),
    }
}

/// A note below the words that have come.
fn note_below(words: &mut Words, progress: &Progress, text: &str) {
    progress.clear();
    words.stand_above_something();
    note(text);
}

/// Writes the report of a turn into a file, where that is wanted: in this folder, or by the settings
/// for every deep run that may leave something on the disk. None where it is not, the path or what failed where it is.
async fn save_report(engine: &Engine, turn: &TurnId, has_answer: bool, folder: Option<&Path>) -> Option<Result<PathBuf>> {
    let here = Path::new(".");
    if folder.is_none() && engine.report_wanted(turn).await.is_none() {
        return None;
    }
    if !has_answer {
        let missing = say!("nexi-ask-no-report");
        // Where a folder was named, it is an error.
        return match folder {
            Some(_) => Some(Err(anyhow::anyhow!(missing))),
            None => {
                note(&missing);
                None
            }
        };
    }
    // A folder that was named is the right one; the one we happen to be in may not be.
    let chosen = folder.filter(|folder| *folder != here);
    Some(engine.save_report(turn, chosen, here).await.map_err(Into::into))
}

/// Finishes an interrupted run.
pub async fn resume(resume: Resume, common: Common) -> Result<u8> {
    let engine = start::open_with_keys(&common).await?;
    let interrupts = Interrupts::new()?;
    check_folder(resume.save_report.as_ref())?;
    let run = match engine.resume(resume.id.as_deref()).await {
        Err(error) => return Err(why_not_resumed(&engine, resume.id.as_deref(), error).await),
        Ok(run) => run,
    };
    let wanted = Wanted { output: resume.output, second: None, report_folder: resume.save_report.as_deref() };
    Ok(follow(&engine, run, interrupts, wanted, &common).await?.code)
}

/// Why a run cannot be finished: one that ended has nothing left to do, and is asked again.
async fn why_not_resumed(engine: &Engine, id: Option<&str>, error: EngineError) -> anyhow::Error {
    let Some(id) = id else { return error.into() };
    let Ok(turn) = engine.find_turn(id).await else { return error.into() };
    let Ok(turn) = engine.turn(&turn).await else { return error.into() };
    let again = format!("nexi ask --thread {} \"…\"", short(turn.id.as_str()));
    Usage(match turn.ending.state {
        TurnState::Interrupted | TurnState::Running => return error.into(),
        TurnState::Cancelled => say!("nexi-ask-not-resumed.cancelled", command = again),
        TurnState::Failed => say!("nexi-ask-not-resumed.failed", command = again),
        _ => say!("nexi-ask-not-resumed.answered", command = again),
    })
    .into()
}

/// A question with what was chosen for it.
pub async fn options(engine: &Engine, question: String, thread: Option<ThreadId>, how: &How) -> Result<AskOptions> {
    let provider = how.model.as_deref().map(|name| start::model_named(&engine.settings(), name)).transpose()?;
    // A follow-up has the space of its thread.
    let space = match how.space.as_deref().filter(|_| thread.is_none() && !how.private) {
        Some(name) => Some(space::named(engine, name).await?.id),
        None => None,
    };
    Ok(AskOptions {
        question,
        thread,
        space,
        effort: how.effort,
        max_steps: how.max_steps,
        time_target: how.time_target,
        max_cost: how.max_cost,
        any_cost: how.any_cost,
        over_month: how.over_month,
        max_tokens: how.max_tokens,
        check: how.check,
        thinking: how.think,
        folders: how.docs.clone(),
        attachments: attach::all(engine, &how.attach).await?,
        attachments_of: None,
        provider,
        search: Vec::new(),
        focus: how.focus,
        private: how.private,
        may_ask: permit::can_be_asked(),
        for_others: false,
        anew: false,
        mode: if how.deep { Mode::Deep } else { Mode::Quick },
        // Where nobody can be asked, the plan is carried out at once.
        approve_plan: (!plan::can_be_shown()).then_some(false),
    })
}

/// Whether the question itself is read from standard input.
fn is_from_input(words: &[String]) -> bool {
    words.is_empty() || words == ["-"]
}

fn question(words: &[String]) -> Result<String> {
    if !is_from_input(words) {
        return Ok(words.join(" "));
    }
    if words.is_empty() && std::io::stdin().is_terminal() {
        return Err(Usage(say!("nexi-ask-no-question")).into());
    }
    let text = start::input(&say!("nexi-ask-the-question"), MAX_INPUT)?;
    if text.trim().is_empty() {
        return Err(Usage(say!("nexi-ask-empty-input")).into());
    }
    Ok(text)
}

/// What is wanted of a run besides its answer.
#[derive(Default)]
pub struct Wanted<'a> {
    pub output: Output,
    pub second: Option<&'a Second>,
    /// Where its report is saved; none leaves that to the settings.
    pub report_folder: Option<&'a Path>,
}

/// What came of a run.
pub struct Outcome {
    pub code: u8,
    pub thread: ThreadId,
}

/// Watches a run until it ends, shows what it does and says, prints its answer and saves its report. Ctrl+C stops
/// the run; pressed again it no longer waits for it.
pub async fn follow(
    engine: &Engine,
    mut run: Subscription,
    mut interrupts: Interrupts,
    wanted: Wanted<'_>,
    common: &Common,
) -> Result<Outcome> {
    let Wanted { output, second, report_folder } = wanted;
    let looks = TerminalStyle::of(common);
    let mut progress = Progress::new(output.quiet, common);
    let mut words = Words::new(looks, output.format());
    let (turn, thread) = (run.turn().clone(), run.thread().clone());
    let mut permits = permit::Permits::default();
    let mut stops = 0;
    let mut clock = tokio::time::interval(std::time::Duration::from_millis(500));
    let state = loop {
        tokio::select! {
            _ = clock.tick() => if !words.are_coming && !permits.is_asking() {
                progress.tick();
            },
            said = permits.said() => {
                match said {
                    permit::PermitReply::Permit { held, allowed, scope } => engine.permit_as(&turn, held, allowed, scope),
                    permit::PermitReply::Form { id, values } => {
                        if let Err(error) = engine.fill_form(&turn, id, values) {
                            note(&failure(&error.into()));
                            engine.fill_form(&turn, id, None)?;
                        }
                    }
                }
                permits.ask_next(|| progress.clear());
            }
            () = interrupts.next() => {
                stops += 1;
                words.finish()?;
                words.stand_above_something();
                if stops > 1 {
                    progress.finish();
                    return Ok(Outcome { code: exit::CANCELLED, thread });
                }
                progress.note(&say!("nexi-terminal-stopping"));
                engine.cancel(&turn);
            }
            events = run.next() => {
                let Some(events) = events else { break TurnState::Failed };
                let mut ended = None;
                let mut proposed = None;
                for envelope in events {
                    if output.format() == Format::Jsonl {
                        print_stream(&StreamLine::Event(Box::new(envelope.clone())))?;
                    }
                    match &envelope.event {
                        Event::AnswerDelta { text } => words.show(text, &progress)?,
                        Event::AnswerReset => words.start_over()?,
                        // The clock goes on below the answer.
                        Event::Checking { .. } => words.finish()?,
                        Event::Sources { sources } => words.typesetter.lead_to(sources),
                        Event::Ended { ending } => ended = Some(ending.state),
                        Event::PlanMade { plan, waits: true } => proposed = Some(plan.clone()),
                        Event::ResearcherStarted { .. } => proposed = None,
                        _ => {}
                    }
                    permits.note(&envelope.event);
                    if !words.are_coming && !permits.is_asking() {
                        progress.show(&envelope);
                    }
                }
                if let Some(state) = ended {
                    break state;
                }
                permits.ask_next(|| progress.clear());
                if permits.is_asking() {
                    words.finish()?;
                    words.stand_above_something();
                }
                if let Some(plan) = proposed {
                    progress.clear();
                    tokio::select! {
                        said = plan::ask(plan) => match said? {
                            Some(plan) => engine.approve(&turn, plan)?,
                            None => engine.cancel(&turn),
                        },
                        () = interrupts.next() => {
                            stops += 1;
                            engine.cancel(&turn);
                        }
                    }
                }
            }
        }
    };
    words.finish()?;
    let mut ended = engine.turn(&turn).await?;
    let has_answer = !ended.ending.answer.trim().is_empty() && ended.ending.state != TurnState::NothingFound;
    if let Some(second) = second.filter(|_| has_answer && state != TurnState::Cancelled) {
        progress.note(&say!("nexi-ask-asking-second", model = &second.model));
        let opinion = engine.second_opinion(&turn, &second.model, second.limits);
        tokio::select! {
            opinion = opinion => match opinion {
                Ok(opinion) => ended.second = Some(Box::new(opinion)),
                // The first answer is there all the same.
                Err(error) => note_below(&mut words, &progress, &say!("nexi-ask-no-second", why = failure(&error.into()))),
            },
            () = interrupts.next() => note_below(&mut words, &progress, &say!("nexi-ask-second-stopped")),
        }
    }
    progress.finish();
    if !has_answer {
        words.stand_above_something();
    }
    let saved = save_report(engine, &turn, has_answer, report_folder).await;
    let report_file = saved.as_ref().and_then(|saved| saved.as_ref().ok());
    // The marks of support are known now.
    let is_taken_back = state != TurnState::Cancelled && !common.verbose && has_marks(&ended) && words.take_back()?;
    let shown = if is_taken_back { Shown::TakenBack } else { words.shown().map_or(Shown::Nothing, Shown::Text) };
    print_turn(engine, ended, output.format(), looks, shown, report_file).await?;
    let is_saved = match saved {
        None => true,
        Some(Ok(path)) => {
            note(&say!("nexi-ask-saved", path = path.display().to_string()));
            true
        }
        Some(Err(error)) => {
            note(&failure(&error));
            false
        }
    };
    let code = match state {
        TurnState::Answered | TurnState::Partial if !is_saved => exit::FAILED,
        // An exit code of 0 promises an answer.
        TurnState::Answered | TurnState::Partial if has_answer => exit::ANSWERED,
        TurnState::Answered | TurnState::Partial => exit::FAILED,
        TurnState::Cancelled => exit::CANCELLED,
        TurnState::NothingFound => exit::FAILED,
        TurnState::Running | TurnState::Failed | TurnState::Interrupted => exit::FAILED,
    };
    Ok(Outcome { code, thread })
}
