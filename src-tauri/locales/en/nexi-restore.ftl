nexi-restore-unknown = backup: there is no "{ $name }"; there are { $known }
nexi-restore-unknown-none = backup: there is no "{ $name }"; there are none yet
nexi-restore-unchanged = Nothing was changed.
nexi-restore-kept-as-backup = the backup { $name }
nexi-restore-restored = Restored from { $name }: { $held }. The previous library is kept as { $kept }.
nexi-restore-intact = The library is intact; there is nothing to repair.
nexi-restore-damaged = The library is damaged: { $what }
nexi-restore-salvaging = The library is damaged. What can be read of it goes into a new one.
nexi-restore-salvaged = The new library holds { $held }. The damaged one is kept as { $kept }.
nexi-restore-salvaged-more =
    { $count ->
        [one] The new library holds { $held }, { $count } thread of them from the newest backup. The damaged one is kept as { $kept }.
       *[other] The new library holds { $held }, { $count } threads of them from the newest backup. The damaged one is kept as { $kept }.
    }
nexi-restore-in-use = Nexi is running. Close it everywhere, then try again.
nexi-restore-none = There are no backups yet. Nexi makes one a day once there is something to back up.
nexi-restore-line = { $name }  { $held }, { $size } MB
nexi-restore-held =
    { $threads ->
        [one] { $threads } thread with { $turns ->
            [one] { $turns } question
           *[other] { $turns } questions
        }
       *[other] { $threads } threads with { $turns ->
            [one] { $turns } question
           *[other] { $turns } questions
        }
    }
nexi-restore-say-yes = yes: without a terminal, say --yes to put the backup in the place of the library
nexi-restore-replace = Replace the library with the backup { $name } ({ $held })? The current one is kept.
