team-pill = Team
team-share = Mit dem Team teilen…
team-share-title = Mit dem Team teilen
team-share-help = Alle, die die Team-Bibliothek nutzen, finden dieses Gespräch und können es lesen, mit seinen Quellen und allem, was Sie später darin fragen. Ihre Erinnerungen und Anweisungen bleiben hier.
team-role = Nur Mitglieder dieser Rolle
team-role-help = Lassen Sie das Feld leer, um mit allen zu teilen.
team-documents = Auch Antworten, die auf meinen Dokumenten beruhen
team-documents-help = Die zitierten Stellen werden geteilt, der Rest der Dokumente nicht.
team-go = Teilen
team-cancel = Abbrechen
team-done = Geteilt
team-done-later = Das wird gesendet, sobald die Datenbank erreichbar ist.
team-shared = geteilt
team-shared-help = Alle, die die Team-Bibliothek nutzen, können dieses Gespräch lesen.
team-shared-with = Die Mitglieder von { $role } können dieses Gespräch lesen.
team-held =
    { $count ->
        [one] { $count } Antwort wird zurückgehalten, weil sie auf Ihren Dokumenten beruht oder auf eine solche folgt.
       *[other] { $count } Antworten werden zurückgehalten, weil sie auf Ihren Dokumenten beruhen oder auf eine solche folgen.
    }
team-waiting = Ein Teil wartet darauf, gesendet zu werden.
team-include = Zurückgehaltene Antworten teilen…
team-withdraw = Nicht mehr teilen
team-withdrawn = Nicht mehr geteilt. Kopien, die andere gemacht haben, bleiben bei ihnen.
team-found = In der Team-Bibliothek
team-show-all = Alle zeigen
team-nothing = Nichts in der Team-Bibliothek passt.
team-empty = Noch hat niemand ein Gespräch geteilt.
team-count =
    { $count ->
        [one] { $count } Gespräch in der Team-Bibliothek
       *[other] { $count } Gespräche in der Team-Bibliothek
    }
team-first-of = Die ersten { $count } Gespräche der Team-Bibliothek
team-more = Mehr zeigen
team-you = Sie
team-of = { $author } hat dieses Gespräch geteilt.
team-of-yourself = Sie haben dieses Gespräch geteilt. Es ist nicht mehr unter Ihren eigenen.
team-continue = In meinen Gesprächen weiterführen
team-continued = In Ihre Gespräche kopiert
team-origin = nach { $author }
team-origin-help = Dieses Gespräch führt eines weiter, das { $author } geteilt hat.
team-library = Team-Bibliothek
team-library-help = In dieser Datenbank können Gespräche geteilt werden, und die der anderen findet man in der Bibliothek. Datenbanken fügen Sie unter Suche hinzu.
team-no-library = Keine
team-no-database = Fügen Sie zuerst unter Suche eine PostgreSQL-Datenbank hinzu, oder treten Sie mit nexi team join einer bei.
team-sharing =
    { $count ->
        [0] Sie teilen keine Gespräche.
        [one] Sie teilen { $count } Gespräch.
       *[other] Sie teilen { $count } Gespräche.
    }
team-share-space = Mit dem Team teilen
team-share-space-help = Alle Gespräche dieses Bereichs werden geteilt, die jetzigen und alle, die noch kommen. Antworten, die auf Ihren Dokumenten beruhen, werden zurückgehalten.
team-unshare-space = Nicht mehr teilen
team-space-shared = Mit dem Team geteilt
