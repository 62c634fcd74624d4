nexi-watch-busy = a question is being checked by another Nexi, or one in its thread is being answered; try again later
nexi-watch-every = checked every { $schedule } from now on, next on { $next }
nexi-watch-removed =
    { $count ->
        [one] { $count } question no longer watched
       *[other] { $count } questions no longer watched
    }
nexi-watch-no-feed = out: { $path } is there already and is no feed of Nexi; choose another name
nexi-watch-unwritable = out: { $path } could not be written ({ $why })
nexi-watch-no-question = question: write what to watch
nexi-watch-no-answer = not watched, because there is no answer that later ones could be compared with
nexi-watch-watched = watched as { $id }: checked every { $schedule }, next on { $next }, while Nexi is open or by nexi watch run
nexi-watch-paused = paused
nexi-watch-resumed = checked again from now on
nexi-watch-none-yet = No question is watched yet. To watch one: nexi watch add "What is the latest version of PostgreSQL?"
nexi-watch-pace = every { $schedule }, next on { $next }
nexi-watch-last = { $when }, { $what }
nexi-watch-not-checked-yet = not checked yet
nexi-watch-changed-of =
    { $checks ->
        [one] { $changes } of { $checks } check changed something
       *[other] { $changes } of { $checks } checks changed something
    }
nexi-watch-outcomes =
    .first = first answer
    .unchanged = nothing new
    .changed =
        { $count ->
            [one] { $count } statement changed
           *[other] { $count } statements changed
        }
    .not_checked = could not be checked: { $why }
nexi-watch-no-changes = Nothing has changed so far.
nexi-watch-checking = checking: { $question }
nexi-watch-gone = it is watched no longer
nexi-watch-on-battery = nothing is checked on battery (watched.on_battery)
nexi-watch-on-metered = nothing is checked on a metered network (watched.on_metered)
nexi-watch-none-due = No question is due.
