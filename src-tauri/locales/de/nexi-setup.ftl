nexi-setup-needs-terminal = setup stellt Fragen und braucht ein Terminal; ohne: nexi model add DIENST < key.txt, nexi docs add ORDNER
nexi-setup-answers-now = Zurzeit antwortet: { $model }
nexi-setup-who = Wer soll antworten?
nexi-setup-service = Ein Modell eines Dienstes: Fügen Sie einen API-Schlüssel ein
nexi-setup-local = Ein lokales Modell ({ $state })
nexi-setup-built-in = Der eingebaute Rechercheur: ohne Modell, zitiert Seiten und Dokumente
nexi-setup-as-it-is = Alles so lassen
nexi-setup-number = Nummer [3]:
nexi-setup-no-such-number = { $typed } ist weder 1 noch 2 noch 3
nexi-setup-not-connected = es wurde kein Modell verbunden; noch einmal versuchen: nexi model add
nexi-setup-folder = Ein Ordner mit Dokumenten, die durchsucht werden sollen, etwa ~/Dokumente (Eingabe für keinen):
nexi-setup-ready = Bereit. Fragen Sie etwas: nexi ask "…", oder nexi für eine Sitzung. Um etwas zu ändern: nexi setup, nexi config edit
nexi-setup-local-models =
    { $count ->
        [one] { $service }: { $count } Modell
       *[other] { $service }: { $count } Modelle
    }
nexi-setup-no-local = keins läuft
nexi-setup-start-local = Hier läuft kein Programm mit Modellen. Nexi sucht nach { $services }: Starten Sie eines und wählen Sie noch einmal 2, oder nennen Sie seine Adresse mit: nexi model add --base-url ADRESSE
nexi-setup-which-local = Welches?
nexi-setup-no-local-number = { $typed } ist keine der Zahlen 1 bis { $count }
nexi-setup-local-number = Nummer [1]:
nexi-setup-key-for-folder = Das sieht nach einem API-Schlüssel von { $service } aus und nicht nach einem Ordner. Um ihn zu verbinden, führen Sie aus: nexi model add
