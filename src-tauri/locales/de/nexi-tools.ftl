nexi-tools-not-started = Es wurde nichts gestartet.
nexi-tools-to-approve = freigeben: nexi tools approve { $name }
nexi-tools-allowed = Nexi fragt vor diesen Aufrufen nicht mehr, außer wenn sie privaten Text enthalten: { $tool }
nexi-tools-asked = Nexi fragt vor jedem dieser Aufrufe: { $tool }
nexi-tools-none-approved-named = tool: { $server } hat kein freigegebenes Werkzeug namens „{ $tool }“; nexi tools listet sie auf
nexi-tools-revoked = { $tool } von { $server } ist nicht mehr freigegeben.
nexi-tools-signed-out = Von { $name } abgemeldet.
nexi-tools-was-signed-out = Sie waren bei { $name } nicht angemeldet.
nexi-tools-removed = { $name } entfernt
nexi-tools-command = Ihr Befehl { $name }
nexi-tools-tool = { $tool } von { $server }
nexi-tools-none-yet =
    Noch gibt es keine Werkzeuge. Einen Server hinzufügen: nexi tools add files -- npx -y @modelcontextprotocol/server-filesystem ~/Dokumente
    Die eines anderen Programms importieren: nexi tools import
nexi-tools-server-states =
    .off = ausgeschaltet
    .changed = seit der Freigabe geändert; geben Sie ihn noch einmal frei
    .none-approved = keine Werkzeuge freigegeben
    .on = an
nexi-tools-reads = liest
nexi-tools-may-change = kann etwas ändern
nexi-tools-always = immer erlaubt
nexi-tools-no-program = command: Schreiben Sie das Programm hinter --, zum Beispiel nexi tools add files -- npx -y SERVER, oder geben Sie --url an
nexi-tools-bad-variable = env: „{ $pair }“ muss wie NAME=WERT aussehen
nexi-tools-store-value = speichern Sie den Wert von { $variable }: nexi tools secret { $name } { $variable }
nexi-tools-added = { $name } hinzugefügt.
nexi-tools-added-unapproved = { $name } hinzugefügt. Seine Werkzeuge freigeben: nexi tools approve { $name }
nexi-tools-not-listed = { $name } wurde hinzugefügt, aber seine Werkzeuge ließen sich noch nicht auflisten; sobald es geht: nexi tools approve { $name }
nexi-tools-session-keys = keys: Die Einstellungen behalten Schlüssel nur für eine Sitzung, und die Anmeldung würde mit diesem Befehl enden; legen Sie Schlüssel in den Schlüsselbund (nexi config unset keys) oder in eine Datei mit Passphrase (nexi config set keys file)
nexi-tools-sign-in = Um sich bei { $name } unter { $host } anzumelden, öffnen Sie diese Adresse in Ihrem Browser:
nexi-tools-no-browser = hier konnte kein Browser gestartet werden
nexi-tools-waiting = wartet auf den Browser… Ist er auf einem anderen Computer, fügen Sie die Adresse, bei der er endet, hier ein und drücken Sie Eingabe. (Strg+C bricht ab)
nexi-tools-cancelled = Die Anmeldung wurde abgebrochen.
nexi-tools-signed-in = Bei { $name } angemeldet.
nexi-tools-to-see = seine Werkzeuge ansehen: { $command }
nexi-tools-approve-say-yes = yes: Ohne Terminal ergänzen Sie --yes, um die Werkzeuge freizugeben
nexi-tools-not-started-yet = Es wurde nichts gestartet. Die Werkzeuge später freigeben: nexi tools approve { $name }. Den Server entfernen: nexi tools remove { $name }
nexi-tools-not-offered = tools: { $name } bietet kein Werkzeug namens „{ $tool }“ an; nexi tools test { $name } listet auf, was der Server anbietet
nexi-tools-none-offered = { $name } bietet keine Werkzeuge an.
nexi-tools-approve =
    { $count ->
        [one] { $count } Werkzeug freigeben? Nexi fragt weiterhin vor jedem Aufruf.
       *[other] { $count } Werkzeuge freigeben? Nexi fragt weiterhin vor jedem Aufruf.
    }
nexi-tools-none-approved = Es wurde kein Werkzeug freigegeben.
nexi-tools-approved =
    { $count ->
        [one] { $count } Werkzeug freigegeben
       *[other] { $count } Werkzeuge freigegeben
    }
nexi-tools-too-many = { $count } Werkzeuge sind freigegeben, und Modellen werden höchstens { $most } angeboten; entziehen Sie denen die Freigabe, die Sie nicht brauchen
nexi-tools-will-connect = Nexi wird sich mit dieser Adresse verbinden:
nexi-tools-will-run = Nexi wird dieses Programm starten:
nexi-tools-continue = Fortfahren?
nexi-tools-you-approved = Sie haben freigegeben: { $launch }
nexi-tools-states =
    .new = neu
    .approved = freigegeben
    .changed = seit der Freigabe geändert
    .gone = nicht mehr angeboten
nexi-tools-no-description = (keine Beschreibung)
nexi-tools-arguments = Argumente: { $schema }
nexi-tools-secret-removed = Geheimnis entfernt.
nexi-tools-secret-stored = Geheimnis gespeichert.
nexi-tools-key-of = der Schlüssel für { $name }
nexi-tools-value-of = der Wert von { $variable } für { $name }
nexi-tools-hidden = { $what } (verdeckt):
nexi-tools-none-found = In Claude Desktop, Cursor und VS Code wurden keine Werkzeugserver gefunden.
nexi-tools-not-found = names: In Claude Desktop, Cursor und VS Code wurde kein Server namens „{ $name }“ gefunden
nexi-tools-found = { $name } ({ $program }): { $launch }
nexi-tools-import = Importieren?
nexi-tools-already-added = schon hinzugefügt
nexi-tools-name-in-use = der Name ist schon vergeben; benennen Sie jenen Server um, oder entfernen Sie ihn zuerst
nexi-tools-approve-imported = ihre Werkzeuge freigeben: nexi tools approve NAME
nexi-tools-to-import = einige importieren: nexi tools import NAME…
nexi-tools-unknown = name: Es gibt keinen Werkzeugserver „{ $name }“; bekannte Server: { $known }
nexi-tools-unknown-none = name: Es gibt keinen Werkzeugserver „{ $name }“; fügen Sie mit nexi tools add einen hinzu
