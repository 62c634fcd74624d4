nexi-eval-settings = settings
nexi-eval-check = check { $how }
nexi-eval-unreadable = { $file } cannot be read
nexi-eval-bad-line = { $file }: line { $line }: { $why }; write { $example }
nexi-eval-empty-question = { $file }: line { $line }: question: is empty
nexi-eval-empty = { $file }: has no questions; write one JSON object a line
nexi-eval-columns =
    .answered = answered
    .accepted = accepted
    .at_once = at once
    .statements = statements
    .supported = supported
    .uncited = uncited
    .corrected = corrected
    .tokens = tokens
    .cost = cost
    .time = time
nexi-eval-share = { $share } %
nexi-eval-seconds = { $seconds } s
nexi-eval-legend =
    { $count ->
        [one] { $count } question, { $judged } with known answers; "at once" is within { $words } words, time is the median.
       *[other] { $count } questions, { $judged } with known answers; "at once" is within { $words } words, time is the median.
    }
nexi-eval-built-in = { $name } quotes its sources, so that all its statements are supported.
