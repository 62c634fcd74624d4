nexi-ask-think-equals = think: write the level behind an equals sign: --think={ $level }
nexi-ask-private-follow-up = private: a follow-up is kept where its thread is; ask without --thread or --continue
nexi-ask-space-follow-up = space: a follow-up is asked in the space of its thread; nexi space move puts a thread into another one
nexi-ask-month-spent = This month's questions have cost { $spent }, and the limit is { $limit }. Ask anyway?
nexi-ask-not-asked = not asked: the monthly cost limit (max_cost_month) is reached
nexi-ask-second-built-in = second: the built-in researcher writes no answers of its own; name a model
nexi-ask-no-folder = save-report: { $path } is not a folder
nexi-ask-no-report = there is no report that could be saved
nexi-ask-not-resumed =
    .cancelled = id: this question was stopped, and only interrupted runs go on. Ask again in its thread: { $command }
    .failed = id: this question failed, and only interrupted runs go on. Ask again in its thread: { $command }
    .answered = id: this question has been answered, and only interrupted runs go on. Ask again in its thread: { $command }
nexi-ask-no-question = no question was given. Write one: nexi ask "Where are keys kept?"
nexi-ask-the-question = the question
nexi-ask-empty-input = the question on standard input is empty
nexi-ask-asking-second = asking { $model } for a second opinion…
nexi-ask-no-second = no second opinion: { $why }
nexi-ask-second-stopped = no second opinion: it was stopped
nexi-ask-saved = the report was saved as { $path }
nexi-ask-written-anew = (That was not the whole answer; it is written anew.)
nexi-ask-attached-thread = the attached thread
nexi-ask-waiting-for-input = waiting for the text on standard input; run with </dev/null if there is none
nexi-ask-input-unreadable = standard input cannot be read ({ $why })
nexi-ask-input-too-large = the text on standard input is larger than { $mib } MiB; save it as a file and use --attach
nexi-ask-input-not-text = what was piped in is not UTF-8 text; save it as a file and use --attach
nexi-ask-standard-input = Standard input
# Fields of a form that a tool server asks for.
nexi-ask-field-numbers = numbers
nexi-ask-field-number = number
nexi-ask-field-yes-no = [y/n]
nexi-ask-enter-yes-no = Enter y or n.
# Questions in the middle of a research.
nexi-ask-no-answer = No answer in time; the research goes on without it.
nexi-ask-form =
    { $server } asks: { $question }
    What you enter goes to this tool server, not to the model. Press Enter to skip a field or accept the value in brackets. * is required; :q declines.
nexi-ask-open-address =
    Private text (your documents or earlier answers) is part of this conversation, and the model wants to open an address that is not among the results:
    { "  " }{ $address }
    It may carry some of that text. Open it?
nexi-ask-send-search =
    The model wants to search the web for words found only in your documents or earlier answers:
    { "  " }{ $words }
    Send this search?
nexi-ask-run-command = The model wants to run your command { $tool }:
nexi-ask-use-tool = The model wants to use { $tool } from { $server }:
nexi-ask-leaks-to-command = This call may contain text found only in your documents, earlier answers or other tool results. Allowing it sends it to this command.
nexi-ask-leaks-to-server = This call may contain text found only in your documents, earlier answers or other tool results. Allowing it sends it to { $server }.
nexi-ask-may-change = This tool may change things.
nexi-ask-allow-call = Allow this call?
nexi-ask-ways =
    .always = y once, r for this research, a always, Enter no:
    .research = y once, r for this research, Enter no:
# The plan of a deep research.
nexi-ask-plan = Plan: { $title }
nexi-ask-plan-tools = Tools: { $tools }
nexi-ask-plan-tool =
    { $calls ->
        [one] { $tool } from { $server } (up to { $calls } call)
       *[other] { $tool } from { $server } (up to { $calls } calls)
    }
nexi-ask-plan-ways = Enter to start, 2 3 to drop tasks, + text to add one, q to cancel:
nexi-ask-plan-ways-tools = Enter to start, 2 3 to drop tasks, + text to add one, t to go without tools, q to cancel:
nexi-ask-plan-empty = That would leave no tasks; q cancels.
nexi-ask-plan-unclear = Enter task numbers, + and a task, or q.
