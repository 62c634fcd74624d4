watched-watch = Watch this question…
watched-watch-note = Ask it again automatically and tell you when the answer changes
watched-title = Watch a question
watched-question = Question
watched-stands-alone = Write it so that it can be understood without the rest of the thread.
watched-every = How often
watched-time = At
watched-start = Watch
watched-started = Watching. You are told when the answer changes.
watched-without-limit = Watch without a cost limit
watched-stop = Stop watching
watched-stopped = No longer watched
watched-sign = Watched
watched-schedule =
    .form = must be hours, days or weeks, such as 6h, 1d, 2w or 1d at 08:00, and not "{ $text }"
    .range = must be an hour at least and a year at most
    .time_of_day = a time of day needs whole days or weeks, such as 1d at 08:00
watched-schedules =
    .hours6 = Every 6 hours
    .day = Every day
    .week = Every week
    .weeks4 = Every 4 weeks
watched-pace =
    .hours =
        { $count ->
            [1] Every hour
           *[other] Every { $count } hours
        }
    .days =
        { $count ->
            [1] Every day
           *[other] Every { $count } days
        }
    .weeks =
        { $count ->
            [1] Every week
           *[other] Every { $count } weeks
        }
    .at = { $pace } at { $time }
watched-changed-since = Changed since { $day }
watched-before = Before:
watched-changed = The answer changed: { $question }
watched-changed-more =
    { $others ->
        [one] The answer changed: { $question } (and { $others } other answer)
       *[other] The answer changed: { $question } (and { $others } other answers)
    }
watched-show = Show
watched-all = Watched questions
watched-none = No question is watched. To watch one, choose “Watch this question…” in the menu below its answer.
watched-pause = Pause
watched-resume = Resume
watched-paused = Paused
watched-check = Check now
watched-checking = Checking…
watched-remove = Stop watching
watched-feed = Feed
watched-feed-help = All changes as an Atom file for feed readers. nexi watch feed --out FILE writes it again, for example each hour.
watched-save-feed = Save feed
watched-feed-saved = Saved as { $path }
watched-last =
    .never = Not checked yet
    .first = { $when }: first answer
    .unchanged = { $when }: nothing new
    .changed =
        { $count ->
            [one] { $when }: { $count } statement changed
           *[other] { $when }: { $count } statements changed
        }
    .failed = { $when }: could not be checked. { $message }
watched-checks =
    { $count ->
        [one] { $count } check
       *[other] { $count } checks
    }
watched-changes =
    { $count ->
        [one] { $count } change
       *[other] { $count } changes
    }
watched-next = Next check: { $when }
# Why a check failed.
watched-failed =
    .month = Watched questions have cost { $spent } this month, and the limit (watched.max_cost_month) is { $limit }.
    .no-answer = The check ended without an answer.
    .no-model = The model could not be asked; the built-in researcher's quotations cannot be compared with its answers.
# The feed that other programs read.
watched-atom =
    .title = Nexi: watched questions
    .before = before: { $statement }
