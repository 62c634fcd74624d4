# What stands around an answer: on the terminal, in exports and for MCP clients.
answers-newest =
    .today = Newest source: { $day }, today.
    .days =
        { $count ->
            [one] Newest source: { $day }, { $count } day old.
           *[other] Newest source: { $day }, { $count } days old.
        }
    .months =
        { $count ->
            [one] Newest source: { $day }, { $count } month old.
           *[other] Newest source: { $day }, { $count } months old.
        }
    .years =
        { $count ->
            [one] Newest source: { $day }, { $count } year old.
           *[other] Newest source: { $day }, { $count } years old.
        }
answers-all-supported =
    { $count ->
        [1] The statement is supported by its source
        [2] Both statements are supported by their sources
       *[other] All { $count } statements are supported by their sources
    }
answers-some-supported =
    { $count ->
        [one] { $supported } of { $count } statement supported
       *[other] { $supported } of { $count } statements supported
    }
answers-counts =
    .contradicted = { $count } contradicted
    .not_supported = { $count } not supported
    .partly_supported = { $count } partly supported
    .uncited = { $count } without a citation
    .unknown =
        { $count ->
            [one] { $count } citation has no source
           *[other] { $count } citations have no source
        }
answers-counted = { $head }.
answers-counted-with = { $head } ({ $rest }).
answers-changed-since = Changed since { $day }
answers-before = before: { $statement }
answers-differs = differs:
answers-only-first = only the first says: { $statement }
answers-only-second = only the second says: { $statement }
answers-agreements =
    .agrees = { $count } the same
    .similar = { $count } similar
    .differs = { $count } different
    .only_first = { $count } only in the first answer
    .only_second = { $count } only in the second
answers-nothing-to-compare = no statements to compare
answers-second-opinion = Second opinion by { $model }: { $counts }.
answers-second-look = After a second look, { $what }.
answers-second-look-failed = The model's second look at doubtful statements failed.
answers-looked-again =
    .corrected =
        { $count ->
            [one] { $count } was corrected
           *[other] { $count } were corrected
        }
    .recited =
        { $count ->
            [one] { $count } cites another source now
           *[other] { $count } cite another source now
        }
    .struck =
        { $count ->
            [one] { $count } was struck out
           *[other] { $count } were struck out
        }
    .confirmed =
        { $count ->
            [one] { $count } was confirmed
           *[other] { $count } were confirmed
        }
answers-line = (line { $number })
answers-lines = (lines { $range })
answers-fetched = (fetched on { $day })
answers-citations-supported = ({ $supported } of { $all } citations supported)
answers-support =
    .supported = supported
    .partly_supported = partly supported
    .not_supported = not supported
    .contradicted = contradicted
    .uncited = no citation
# The same where there is room, and of a number that no source has.
answers-legend =
    .supported = supported
    .partly_supported = partly supported
    .not_supported = not supported by the source
    .contradicted = contradicted by the source
    .uncited = no citation
    .unknown = there is no source with this number
    .changed = changed after a second look
answers-titles =
    .supported = Supported
    .partly_supported = Partly supported
    .not_supported = Not supported by the source
    .contradicted = Contradicted by the source
    .uncited = No citation
    .unknown = There is no source with this number
    .changed = Changed after a second look
answers-title-missing = { $title }. Not in the source: { $missing }
answers-sources = Sources
answers-sources-below = Sources:
answers-method = How this was researched
answers-method-line = How this was researched: { $facts }
answers-not-established = Not established:
answers-not-established-line = Not established: { $what }
answers-rounds =
    { $count ->
        [one] { $count } round
       *[other] { $count } rounds
    }
answers-researchers =
    { $count ->
        [one] { $count } researcher
       *[other] { $count } researchers
    }
answers-searches =
    { $count ->
        [one] { $count } search
       *[other] { $count } searches
    }
answers-pages =
    { $count ->
        [one] { $count } page read
       *[other] { $count } pages read
    }
answers-pages-but = { $pages } ({ $count } could not be read)
answers-seconds = { $count } s
answers-minutes = { $minutes } min { $seconds } s
answers-tokens = { $count } tokens
answers-opinion = Second opinion
answers-they-differ = They differ. This answer: { $first } The other: { $second }
answers-only-this = Only this answer says: { $statement }
answers-only-other = Only the other says: { $statement }
answers-effort =
    { $effort ->
        [s] small effort
        [l] large effort
       *[m] medium effort
    }
answers-deep = deep
answers-saved-as = Saved as { $path }
# What the built-in researcher says around its quotations.
answers-built-in =
    .also = Also in the sources:
    .doubtful = No source answers the whole question. The closest passage:
    .other = I found nothing that answers this question. The closest passage is about something else:
    .nothing = I found nothing relevant to this question.
    .no-search = None of the searches could be carried out.
    .no-results = The searches had no results.
    .no-page = There were results, but none of the pages could be read.
    .other-things = The pages I read are about other things.
    .failed = Not every search worked:
    .advice = Add folders with documents, try other words, or connect a model in Settings.
# In answers and reports that no model has written.
answers-own =
    .no-source = No source answers the question. These were read:
    .key-findings = Key findings
    .not-established = What could not be established
# What would be right in a field of a form.
answers-field =
    .required = This field is required.
    .text = Enter text.
    .yes_no = Choose yes or no.
    .number = Enter a number.
    .whole_number = Enter a whole number.
    .at_least = Enter { $least } or more.
    .at_most = Enter { $most } or less.
    .not_listed = Choose from the list.
