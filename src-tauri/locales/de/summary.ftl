summary-summarising =
    { $turns ->
        [one] { $turns } frühere Frage wird zusammengefasst…
       *[other] { $turns } frühere Fragen werden zusammengefasst…
    }
summary-answered-with =
    { $turns ->
        [one] Mit einer Zusammenfassung von { $turns } früheren Frage beantwortet
       *[other] Mit einer Zusammenfassung von { $turns } früheren Fragen beantwortet
    }
summary-next =
    { $turns ->
        [one] Die nächste Frage beginnt mit einer Zusammenfassung von { $turns } früheren Frage
       *[other] Die nächste Frage beginnt mit einer Zusammenfassung von { $turns } früheren Fragen
    }
summary-filling = Frühere Fragen und Antworten füllen { $percent } % des Platzes, den das Modell für sie hat.
summary-summarise = Gespräch zusammenfassen
summary-working = Das Gespräch wird zusammengefasst…
summary-done = Gespräch zusammengefasst
summary-new-thread = Neues Gespräch beginnen
summary-new-topic = Das sieht nach einem anderen Thema aus.
