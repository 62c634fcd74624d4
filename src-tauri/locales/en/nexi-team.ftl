nexi-team-created = The team library is there. Who shares threads and sees those of others is a member of nexi_team.
nexi-team-renewed = There was a team library already; it is up to date now.
nexi-team-joined = { $name } is your team library now. Share a thread with nexi team share ID.
nexi-team-name-taken = the settings have another provider "{ $name }"; choose another name with --as
nexi-team-password-not-kept = The password could not be stored ({ $why }). Store it with { $command }
nexi-team-shared = “{ $title }” is shared with everybody who uses the team library.
nexi-team-shared-with = “{ $title }” is shared with the members of { $role }.
nexi-team-all-held = Nothing of “{ $title }” is shared yet.
nexi-team-bad-name = "{ $name }" cannot be the name of a provider; use letters, digits, - and _
nexi-team-space-shared =
    { $count ->
        [one] { $name } is shared: { $count } thread, and those that come.
       *[other] { $name } is shared: { $count } threads, and those that come.
    }
nexi-team-space-withdrawn = { $name } is shared no longer.
nexi-team-withdrawn = Withdrawn. Copies that others have made stay with them.
nexi-team-not-shared = no shared thread has an id that begins or ends with { $id }
nexi-team-held =
    { $count ->
        [one] { $count } answer is held back, because it rests on your documents or follows one that does. To share it, too: { $command }
       *[other] { $count } answers are held back, because they rest on your documents or follow one that does. To share them, too: { $command }
    }
nexi-team-waits =
    { $count ->
        [one] { $count } change waits to be sent.
       *[other] { $count } changes wait to be sent.
    }
nexi-team-waits-because =
    { $count ->
        [one] { $count } change waits to be sent. { $why }
       *[other] { $count } changes wait to be sent. { $why }
    }
nexi-team-all-told = Everything has been sent.
nexi-team-none = There is no team library in your settings. Join one with nexi team join postgres://USER@HOST/DATABASE, or create one with nexi team create --to postgres://USER@HOST/DATABASE
nexi-team-library = team library: { $name }
nexi-team-sharing =
    { $count ->
        [0] you share no threads
        [one] you share { $count } thread
       *[other] you share { $count } threads
    }
nexi-team-space = the space { $name } is shared
nexi-team-holding =
    { $count ->
        [one] { $count } answer is held back, because it rests on your documents
       *[other] { $count } answers are held back, because they rest on your documents
    }
nexi-team-no-words = name words to look for
nexi-team-nothing = Nothing found.
nexi-team-you = you
nexi-team-turns =
    { $count ->
        [one] { $count } question
       *[other] { $count } questions
    }
nexi-team-continued = Copied into your threads. Ask more with { $command }
