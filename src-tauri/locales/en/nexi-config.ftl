nexi-config-imported =
    { $count ->
        [one] { $count } setting imported: { $fields }
       *[other] { $count } settings imported: { $fields }
    }
nexi-config-no-name = "{ $field }" is not a setting; use a form such as providers.work.model or models."gpt-4.1".input
nexi-config-to-reset = { $field }: to reset it to its default, run nexi config unset { $field }
nexi-config-not-json = { $field }: this is not valid JSON ({ $why })
nexi-config-unknown =
    .meant = { $field }: there is no such setting; did you mean { $meant }?
    .known = { $field }: there is no such setting; there are { $known }
    .listed = { $field }: there is no such setting; nexi config get lists all
    .explained = { $field }: there is no such setting; nexi config explain lists all
    .not_there = { $field }: there is no such setting, and the file has none
nexi-config-unchanged = { $problems }; nothing was changed
nexi-config-model-unused = { $name } is connected, but no question is put to it yet: nexi model use { $name }
nexi-config-search-unused = { $name } is connected, but nothing is searched with it yet: { $command }
nexi-config-editor-not-started = the editor "{ $program }" could not be started ({ $why }); set EDITOR
nexi-config-editor-failed = the editor "{ $program }" ended with a failure; the file is as it left it
# Ten characters and a space behind them: the values stand below each other.
nexi-config-value = Value:
nexi-config-default = Default:
nexi-config-now = Now:
nexi-config-not-set = not set
nexi-config-empty = empty
