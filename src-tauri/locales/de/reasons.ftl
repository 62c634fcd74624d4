# Warum ein Lauf so geendet hat. Die Namen sind die von EndReason; mehrere davon stehen hintereinander.
reasons-why =
    .cost_limit = Die Kostengrenze von { $cost } ist fast erreicht.
    .token_limit = Die Grenze von { $tokens } Token ist fast erreicht.
    .limit_near = Die Grenze für diese Frage ist fast erreicht.
    .step_limit =
        { $steps ->
            [one] Die Grenze von { $steps } Schritt ist erreicht.
           *[other] Die Grenze von { $steps } Schritten ist erreicht.
        }
    .time_target = Die vorgesehene Zeit ist um.
    .answer_wanted = Sie wollten die Antwort jetzt haben.
    .report_wanted = Sie wollten den Bericht jetzt haben.
    .cancelled = Angehalten. Was gefunden wurde, bleibt erhalten.
    .same_calls = Das Modell hat dreimal hintereinander dasselbe verlangt.
    .context_full = Das Kontextfenster des Modells ist voll.
    .reply_cut_off = Die letzte Antwort des Modells wurde an seiner Ausgabegrenze abgeschnitten.
    .refused = Der Anbieter des Modells hat es abgelehnt, diese Frage zu beantworten.
    .report_refused = Der Anbieter des Modells hat es abgelehnt, den Bericht zu schreiben.
    .no_report = Das Modell hat keinen Bericht geschrieben.
    .nothing_sent = Das Modell hat zweimal nichts gesendet. Versuchen Sie es noch einmal, oder wählen Sie in den Einstellungen ein anderes Modell.
    .thoughts_cut_off = Das Modell hat alle { $tokens } Token seiner Antwort für das Nachdenken verbraucht und nichts geantwortet. Lassen Sie es weniger nachdenken, erhöhen Sie max_output_tokens in den Einstellungen, oder verwenden Sie ein anderes Modell.
    .model_failed = { $message }
    .researchers_failed = Alle Rechercheure von Runde { $round } sind gescheitert:
    .researchers_stopped = Sie haben die Rechercheure von Runde { $round } angehalten.
    .all_researchers_stopped = Sie haben alle Rechercheure angehalten, bevor einer etwas gefunden hatte.
    .no_researcher_found_anything = Keiner der Rechercheure hat etwas gefunden.
    .not_finished = Der Lauf wurde angehalten, bevor er fertig war.
    .stopped_by_person = Sie haben ihn angehalten; was er gelesen hatte, bleibt erhalten.
    .not_started = Er wurde nicht begonnen.
    .interrupted = Nexi wurde mitten in diesem Lauf geschlossen. Nichts, was es erhalten hatte, ist verloren.
    .breaks_off = Dort bricht die Antwort ab.
    .without_model = Diese Antwort ist ohne das Modell aus den Quellen zusammengestellt.
    .no_answer_written = Das Modell hat keine Antwort geschrieben.
    .no_answer_and_no_page = Es war noch keine Seite gelesen und keine Antwort geschrieben.
    .no_complete_answer = Das Modell hat keine vollständige Antwort geschrieben; die Quellen, die es gelesen hat, bleiben erhalten.
    .nothing_left_for_answer = Für die Antwort selbst blieb nichts übrig; die Quellen, die das Modell gelesen hat, bleiben erhalten. Erhöhen Sie die Grenze in den Einstellungen.
    .answer_uses_what_was_found = Diese Antwort nutzt, was bis dahin gefunden war.
    .report_uses_what_was_found = Dieser Bericht nutzt, was bis dahin gefunden war.
    .broke_down = Diese Recherche ist abgebrochen. Bitte melden Sie das; was sie gelesen hatte, bleibt erhalten.
    .not_saved = Diese Recherche wurde beendet, weil sie nicht gespeichert werden konnte: { $why }
    .journal_unreadable = Was von dieser Recherche aufgeschrieben wurde, ist nicht lesbar. Stellen Sie die Frage noch einmal.
    .answer_cut_there = Dort ist die Antwort abgeschnitten.
    .answer_cut_off = Die Antwort ist abgeschnitten: Das Modell hat seine Ausgabegrenze erreicht. Erhöhen Sie max_output_tokens in den Einstellungen.
    .report_cut_off = Der Bericht ist abgeschnitten: Das Modell hat seine Ausgabegrenze erreicht. Erhöhen Sie max_output_tokens in den Einstellungen.
    .report_cut_with_findings = Dort ist er abgeschnitten; was die Rechercheure abgegeben hatten, steht darunter.
    .report_without_sources = Der Bericht des Modells nennt keine Quelle. Was die Rechercheure abgegeben hatten, steht darunter.
    .findings_instead = Dies ist, was die Rechercheure gefunden hatten.
    .no_report_yet = Es gab noch keinen Bericht; die gelesenen Quellen bleiben erhalten.
    .put_together = Was die Rechercheure bis dahin gelesen hatten, ist hier zusammengestellt.
    .nothing_found_yet = Bis dahin war nichts gefunden.
    .nothing_answers = Keine Quelle beantwortet die Frage.
    .taken_over = { $why } { $model } hat geantwortet.
    .unread_attachments =
        { $count ->
            [one] { $names } konnte nicht gelesen werden; die Antwort stützt sich daher nicht darauf.
           *[other] { $names } konnten nicht gelesen werden; die Antwort stützt sich daher nicht darauf.
        }
    .own_knowledge = Es wurde keine Seite gelesen. Diese Antwort kommt aus dem Wissen des Modells.
    .told = { $text }
    .unknown = Eine neuere Version von Nexi hat den Grund vermerkt.

# Hinter dem, warum Anhänge nicht gelesen werden konnten.
reasons-not-resting-on =
    { $count ->
        [one] Die Antwort stützt sich nicht darauf.
       *[other] Die Antwort stützt sich auf nichts davon.
    }
