summary-summarising =
    { $turns ->
        [one] Summarising { $turns } earlier question…
       *[other] Summarising { $turns } earlier questions…
    }
summary-answered-with =
    { $turns ->
        [one] Answered with a summary of { $turns } earlier question
       *[other] Answered with a summary of { $turns } earlier questions
    }
summary-next =
    { $turns ->
        [one] The next question starts from a summary of { $turns } earlier question
       *[other] The next question starts from a summary of { $turns } earlier questions
    }
summary-filling = Earlier questions and answers fill { $percent }% of the room the model has for them.
summary-summarise = Summarise thread
summary-working = Summarising the thread…
summary-done = Thread summarised
summary-new-thread = Start a new thread
summary-new-topic = This looks like another topic.
