# The line that moves while a question is answered, and what MCP clients are told.
nexi-progress-exploring = exploring
nexi-progress-planning = planning
nexi-progress-percent = { $percent }%
nexi-progress-deep =
    { $researchers ->
        [one] { $far } · round { $round } · { $researchers } researcher
       *[other] { $far } · round { $round } · { $researchers } researchers
    }
nexi-progress-step = step { $step }/{ $most }
nexi-progress-seconds = { $seconds } s
nexi-progress-summarising =
    { $count ->
        [one] summarising { $count } earlier question
       *[other] summarising { $count } earlier questions
    }
nexi-progress-indexing = indexing documents { $done }/{ $all }
nexi-progress-attached = reading what is attached
nexi-progress-thinking = thinking
nexi-progress-phases =
    .planning = making a plan
    .approving = waiting for you
    .researching = round { $round }
    .evaluating = is it enough?
    .synthesizing = writing the report
nexi-progress-plan = the plan: { $tasks }
nexi-progress-begins = { $researcher } begins: { $task }
nexi-progress-ended = { $researcher } has ended
nexi-progress-of-researcher = { $researcher } { $what }
nexi-progress-hears = { $to } hears of { $from }
nexi-progress-enough = it is enough
nexi-progress-another-round =
    { $count ->
        [one] another round: { $count } task
       *[other] another round: { $count } tasks
    }
nexi-progress-searching = searching: { $queries }
nexi-progress-results =
    { $count ->
        [one] { $count } result for { $query }
       *[other] { $count } results for { $query }
    }
nexi-progress-reading = reading { $site }
nexi-progress-read = read { $title }
nexi-progress-unread = could not read { $site }: { $why }
nexi-progress-tool = { $tool } from { $server }
nexi-progress-using = using { $tool }
nexi-progress-done-of = { $done } of { $all }
nexi-progress-some-tool = a tool
nexi-progress-tool-failed = a tool failed: { $what }
nexi-progress-tool-returned = the tool has returned
nexi-progress-form = { $server } asks something
nexi-progress-not-sent = not sent to the web because it contains words from your documents or earlier answers: { $query }
nexi-progress-waiting = waiting for you: { $tool }
nexi-progress-held-back = held back
nexi-progress-held-back-what = held back: { $what }
nexi-progress-let-through = let through
nexi-progress-writing = writing
nexi-progress-filling = Earlier questions and answers fill { $percent } % of the room the model has for them. To make room: nexi history summarise
nexi-progress-compacting = summarising to make room
nexi-progress-extracting = taking in { $site }
nexi-progress-checking =
    { $count ->
        [one] looking again at { $count } statement
       *[other] looking again at { $count } statements
    }
nexi-progress-reasoning = reasoning
nexi-progress-tokens = { $count } tokens
nexi-progress-context = context { $used }/{ $most }
nexi-progress-pages =
    { $count ->
        [one] { $count } page
       *[other] { $count } pages
    }
nexi-progress-pages-read =
    { $count ->
        [one] { $count } page read
       *[other] { $count } pages read
    }
nexi-progress-compact =
    .step = [step { $number }
    .round = [round { $number }
nexi-progress-error = error: { $what }
