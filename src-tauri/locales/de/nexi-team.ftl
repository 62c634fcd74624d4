nexi-team-created = Die Team-Bibliothek ist angelegt. Wer Gespräche teilt und die der anderen sieht, ist Mitglied von nexi_team.
nexi-team-renewed = Es gab schon eine Team-Bibliothek; sie ist jetzt auf dem neuesten Stand.
nexi-team-joined = { $name } ist jetzt Ihre Team-Bibliothek. Teilen Sie ein Gespräch mit nexi team share ID.
nexi-team-name-taken = die Einstellungen haben schon einen anderen Anbieter „{ $name }“; wählen Sie mit --as einen anderen Namen
nexi-team-password-not-kept = Das Passwort konnte nicht gespeichert werden ({ $why }). Speichern Sie es mit { $command }
nexi-team-shared = „{ $title }“ ist mit allen geteilt, die die Team-Bibliothek nutzen.
nexi-team-shared-with = „{ $title }“ ist mit den Mitgliedern von { $role } geteilt.
nexi-team-all-held = Von „{ $title }“ ist noch nichts geteilt.
nexi-team-bad-name = „{ $name }“ kann kein Anbieter heißen; nehmen Sie Buchstaben, Ziffern, - und _
nexi-team-space-shared =
    { $count ->
        [one] { $name } ist geteilt: { $count } Gespräch und alle, die noch kommen.
       *[other] { $name } ist geteilt: { $count } Gespräche und alle, die noch kommen.
    }
nexi-team-space-withdrawn = { $name } ist nicht mehr geteilt.
nexi-team-withdrawn = Zurückgezogen. Kopien, die andere gemacht haben, bleiben bei ihnen.
nexi-team-not-shared = kein geteiltes Gespräch hat eine ID, die mit { $id } beginnt oder endet
nexi-team-held =
    { $count ->
        [one] { $count } Antwort wird zurückgehalten, weil sie auf Ihren Dokumenten beruht oder auf eine solche folgt. Um auch sie zu teilen: { $command }
       *[other] { $count } Antworten werden zurückgehalten, weil sie auf Ihren Dokumenten beruhen oder auf eine solche folgen. Um auch sie zu teilen: { $command }
    }
nexi-team-waits =
    { $count ->
        [one] { $count } Änderung wartet darauf, gesendet zu werden.
       *[other] { $count } Änderungen warten darauf, gesendet zu werden.
    }
nexi-team-waits-because =
    { $count ->
        [one] { $count } Änderung wartet darauf, gesendet zu werden. { $why }
       *[other] { $count } Änderungen warten darauf, gesendet zu werden. { $why }
    }
nexi-team-all-told = Alles ist gesendet.
nexi-team-none = In Ihren Einstellungen gibt es keine Team-Bibliothek. Treten Sie einer mit nexi team join postgres://USER@HOST/DATENBANK bei, oder legen Sie eine mit nexi team create --to postgres://USER@HOST/DATENBANK an
nexi-team-library = Team-Bibliothek: { $name }
nexi-team-sharing =
    { $count ->
        [0] Sie teilen keine Gespräche
        [one] Sie teilen { $count } Gespräch
       *[other] Sie teilen { $count } Gespräche
    }
nexi-team-space = der Bereich { $name } ist geteilt
nexi-team-holding =
    { $count ->
        [one] { $count } Antwort wird zurückgehalten, weil sie auf Ihren Dokumenten beruht
       *[other] { $count } Antworten werden zurückgehalten, weil sie auf Ihren Dokumenten beruhen
    }
nexi-team-no-words = nennen Sie Wörter, nach denen gesucht wird
nexi-team-nothing = Nichts gefunden.
nexi-team-you = Sie
nexi-team-turns =
    { $count ->
        [one] { $count } Frage
       *[other] { $count } Fragen
    }
nexi-team-continued = In Ihre Gespräche kopiert. Fragen Sie weiter mit { $command }
