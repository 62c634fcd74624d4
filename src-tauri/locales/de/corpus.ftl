# What is wrong with a database. The codes are those of nexi_postgres::DatabaseProblem.
corpus-problem =
    .bad_address = to: Das ist keine Adresse einer PostgreSQL-Datenbank, etwa postgres://USER@HOST/DATABASE ({ $message })
    .password_in_address = to: Lassen Sie das Passwort aus der Adresse weg, wo andere Programme es lesen können; setzen Sie PGPASSWORD, oder geben Sie es ein, wenn Sie gefragt werden
    .unencrypted = to: { $host } ist ein anderer Computer, und sslmode=disable würde alles unverschlüsselt senden; lassen Sie es weg
    .unreached = Die Datenbank auf { $host } war nicht zu erreichen ({ $message }). Läuft sie, und stimmt der Port der Adresse?
    .no_tls = { $host } bietet keine verschlüsselte Verbindung an, oder dem Zertifikat wird nicht vertraut ({ $message }). Lassen Sie dort TLS einrichten, oder fügen Sie das Zertifikat zu denen dieses Systems hinzu.
    .password_missing = { $user } braucht ein Passwort. Setzen Sie PGPASSWORD.
    .wrong_password = { $host } hat { $user } nicht eingelassen. Prüfen Sie Benutzer und Passwort.
    .no_database = Es gibt keine Datenbank „{ $name }“. Legen Sie sie erst an, zum Beispiel mit createdb { $name }.
    .old_server = Das ist PostgreSQL { $found }; ein Korpus braucht Version 15 oder neuer.
    .no_corpus = In dieser Datenbank gibt es kein Korpus, oder Sie dürfen es nicht sehen. Legen Sie eines mit nexi corpus create an, oder lassen Sie sich in nexi_reader aufnehmen.
    .corpus_exists = In dieser Datenbank gibt es schon ein Korpus. Eine Gruppe kommt dazu, wenn Sie ihre Rolle nennen: --group ROLE
    .other_version = Dieses Korpus hat Version { $found }, und dieses Nexi kennt Version { $known }. Nehmen Sie das Nexi, das dazu gehört.
    .no_group = group: Dieses Korpus hat keine Gruppe für die Rolle „{ $role }“; nexi corpus create --group legt Gruppen an
    .no_role = group: In dieser Datenbank gibt es keine Rolle „{ $role }“; legen Sie sie erst an, zum Beispiel mit createuser --no-login { $role }
    .not_allowed = Die Datenbank erlaubt { $user } das nicht ({ $message }). Mitglieder von nexi_reader dürfen ein Korpus durchsuchen, die von nexi_writer dürfen es füllen.
    .gone = Die Datenbank ist verschwunden ({ $message }). Was schon gelesen war, bleibt; führen Sie den Befehl noch einmal aus.
    .refused = Die Datenbank hat abgelehnt: { $message }
