# Why a run ended as it did. The names are those of EndReason; several of them stand one behind the other.
reasons-why =
    .cost_limit = The cost limit of { $cost } is almost reached.
    .token_limit = The token limit of { $tokens } is almost reached.
    .limit_near = The limit for this question is almost reached.
    .step_limit =
        { $steps ->
            [one] The limit of { $steps } step is reached.
           *[other] The limit of { $steps } steps is reached.
        }
    .time_target = The time target is reached.
    .answer_wanted = You asked for the answer now.
    .report_wanted = You asked for the report now.
    .cancelled = Stopped. What was found is kept.
    .same_calls = The model made the same calls three times in a row.
    .context_full = The model's context window is full.
    .reply_cut_off = The model's last reply was cut off at its output limit.
    .refused = The model's provider refused to answer this question.
    .report_refused = The model's provider refused to write the report.
    .no_report = The model wrote no report.
    .nothing_sent = The model sent nothing, twice. Try again, or choose another model in Settings.
    .thoughts_cut_off = The model used all { $tokens } tokens of its reply for thinking and wrote no answer. Let it think less, raise max_output_tokens in Settings, or use another model.
    .model_failed = { $message }
    .researchers_failed = All researchers of round { $round } failed:
    .researchers_stopped = You stopped the researchers of round { $round }.
    .all_researchers_stopped = You stopped every researcher before any had found something.
    .no_researcher_found_anything = None of the researchers found anything.
    .not_finished = It was stopped before it finished.
    .stopped_by_person = You stopped it; what it had read is kept.
    .not_started = It was not started.
    .interrupted = Nexi was closed in the middle of this run. Nothing it had received is lost.
    .breaks_off = The answer breaks off there.
    .without_model = This answer is put together from the sources, without the model.
    .no_answer_written = The model wrote no answer.
    .no_answer_and_no_page = No page had been read and no answer written.
    .no_complete_answer = The model wrote no complete answer; the sources it read are kept.
    .nothing_left_for_answer = Nothing was left for the answer itself; the sources it read are kept. Raise the limit in Settings.
    .answer_uses_what_was_found = This answer uses what had been found by then.
    .report_uses_what_was_found = This report uses what had been found by then.
    .broke_down = This run broke down. Please report it; what it had read is kept.
    .not_saved = This run was stopped because it could not be saved: { $why }
    .journal_unreadable = This run's journal cannot be read. Ask the question again.
    .answer_cut_there = The answer is cut off there.
    .answer_cut_off = The answer is cut off: the model reached its output limit. Raise max_output_tokens in Settings.
    .report_cut_off = The report is cut off: the model reached its output limit. Raise max_output_tokens in Settings.
    .report_cut_with_findings = It is cut off there; what the researchers had handed in stands below it.
    .report_without_sources = The model's report names no source. What the researchers had handed in stands below it.
    .findings_instead = This is what the researchers had found.
    .no_report_yet = There was no report yet; the sources that were read are kept.
    .put_together = What the researchers had read until then is put together here.
    .nothing_found_yet = Nothing had been found until then.
    .nothing_answers = No source answers the question.
    .taken_over = { $why } { $model } answered.
    .unread_attachments =
        { $count ->
            [one] { $names } could not be read, so the answer does not rest on it.
           *[other] { $names } could not be read, so the answer does not rest on them.
        }
    .own_knowledge = No page was read. This answer comes from the model's own knowledge.
    .told = { $text }
    .unknown = A newer version of Nexi noted why.

# Behind why attachments could not be read.
reasons-not-resting-on =
    { $count ->
        [one] The answer does not rest on it.
       *[other] The answer does not rest on them.
    }
