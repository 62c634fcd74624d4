nexi-template-kept = /{ $name } gespeichert
nexi-template-kept-fields = /{ $name } gespeichert (Felder: { $fields })
nexi-template-removed = /{ $name } entfernt
nexi-template-none-yet = Noch gibt es keine Vorlage. Eine anlegen: { $command }
nexi-template-unknown = template: Es gibt keine Vorlage namens „{ $name }“; nexi template listet sie auf
nexi-template-too-many = template: /{ $name } hat die Felder { $fields }; „{ $value }“ ist zu viel
nexi-template-no-fields = template: /{ $name } hat keine Felder; „{ $value }“ ist zu viel
nexi-template-missing = template: { $field } fehlt; schreiben Sie { $command }
