deep-phases =
    .planning = Making a plan
    .approving = Waiting for you
    .researching = Researching
    .evaluating = Checking what was found
    .synthesizing = Writing the report
deep-exploring = exploring further
deep-round-running = round { $round } of about { $target }
deep-rounds =
    { $count ->
        [one] { $count } round
       *[other] { $count } rounds
    }
deep-round-title = Round { $round }
deep-researchers =
    { $count ->
        [one] { $count } researcher
       *[other] { $count } researchers
    }
deep-heard = has read report { $reports }
deep-states =
    .running = Waiting
    .answered = Done
    .partial = Done, at a limit
    .nothing_found = Found nothing
    .cancelled = Stopped
    .failed = Failed
    .interrupted = Interrupted
deep-progress = Research progress
deep-details = Task and steps
deep-report = Report
deep-finish = Finish now
deep-finish-title = Write the report now, with what has been found
deep-stop-one = Stop this researcher. What it has read is kept.
deep-plan = The plan
deep-plan-help = edit anything, then start.
deep-begin = Start
deep-add-task = Add a task
deep-task-title = Short title
deep-task-goal = What to find out
deep-no-task = Write what at least one task is to find out.
deep-title-of = Title of task { $n }
deep-goal-of = What to find out in task { $n }
deep-remove-task = Remove task { $n }
deep-save-report = Save report
deep-save-report-title = Save the report as a file, with its sources and labels
deep-saved = Saved as { $path }
deep-method = How this was researched
deep-open = Not established
deep-contents = Contents
deep-fold-all = Fold all
deep-unfold-all = Unfold all
deep-searches =
    { $count ->
        [one] { $count } search
       *[other] { $count } searches
    }
deep-pages-read =
    { $count ->
        [one] { $count } page read
       *[other] { $count } pages read
    }
deep-unread = { $count } could not be read
