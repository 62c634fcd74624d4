nexi-config-imported =
    { $count ->
        [one] { $count } Einstellung importiert: { $fields }
       *[other] { $count } Einstellungen importiert: { $fields }
    }
nexi-config-no-name = „{ $field }“ ist keine Einstellung; verwenden Sie eine Form wie providers.work.model oder models."gpt-4.1".input
nexi-config-to-reset = { $field }: Um zur Vorgabe zurückzukehren, führen Sie nexi config unset { $field } aus
nexi-config-not-json = { $field }: Das ist kein gültiges JSON ({ $why })
nexi-config-unknown =
    .meant = { $field }: Diese Einstellung gibt es nicht; meinten Sie { $meant }?
    .known = { $field }: Diese Einstellung gibt es nicht; es gibt { $known }
    .listed = { $field }: Diese Einstellung gibt es nicht; nexi config get listet alle auf
    .explained = { $field }: Diese Einstellung gibt es nicht; nexi config explain listet alle auf
    .not_there = { $field }: Diese Einstellung gibt es nicht, und die Datei enthält keine solche
nexi-config-unchanged = { $problems }; es wurde nichts geändert
nexi-config-model-unused = { $name } ist verbunden, aber noch wird ihm keine Frage gestellt: nexi model use { $name }
nexi-config-search-unused = { $name } ist verbunden, aber noch wird nicht damit gesucht: { $command }
nexi-config-editor-not-started = der Editor „{ $program }“ konnte nicht gestartet werden ({ $why }); setzen Sie EDITOR
nexi-config-editor-failed = der Editor „{ $program }“ endete mit einem Fehler; die Datei ist, wie er sie hinterlassen hat
# Neun Zeichen: Die Werte stehen untereinander.
nexi-config-value = Wert:
nexi-config-default = Vorgabe:
nexi-config-now = Jetzt:
nexi-config-not-set = nicht gesetzt
nexi-config-empty = leer
