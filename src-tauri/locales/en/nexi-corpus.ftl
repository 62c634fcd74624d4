nexi-corpus-password = Password of { $user }:
nexi-corpus-created = The corpus is there. Who may search it is a member of nexi_reader, who fills it of nexi_writer.
nexi-corpus-queued =
    { $count ->
        [one] { $count } file queued
       *[other] { $count } files queued
    }
nexi-corpus-counts =
    .read = { $count } read
    .unchanged = { $count } unchanged
    .unreadable = { $count } not readable
    .failed = { $count } failed for now
    .absent = { $count } not on this computer
nexi-corpus-see-status = nexi corpus status says which could not be read, and why. What failed for now is tried again by the next nexi corpus index.
nexi-corpus-size = { $documents } documents, { $passages } passages, { $megabytes } MB
nexi-corpus-group = for { $role }: { $count }
nexi-corpus-everybody = for everybody who may read: { $count }
nexi-corpus-queue = queue: { $waiting } waiting, { $taken } being read, { $failed } failed
nexi-corpus-workers-died = every process that read it ended before it was done
nexi-corpus-unknown-reason = a newer version of Nexi noted why
nexi-corpus-nothing = Nothing found.
nexi-corpus-forgotten =
    { $count ->
        [one] { $count } document removed, whose file is gone
       *[other] { $count } documents removed, whose files are gone
    }
nexi-corpus-renewed = There was a corpus already; it is up to date now.
nexi-corpus-say-yes = yes: without a terminal, add --yes to remove documents
nexi-corpus-remove =
    { $count ->
        [one] Remove what the corpus has of this path, for everybody and every group? The files themselves stay.
       *[other] Remove what the corpus has of these { $count } paths, for everybody and every group? The files themselves stay.
    }
nexi-corpus-remove-group = Remove the group of { $role } with all of its documents? The files themselves stay.
nexi-corpus-removed =
    { $count ->
        [one] { $count } document removed
       *[other] { $count } documents removed
    }
nexi-corpus-remove-from-group = Remove what the group of { $role } has of these paths? The files themselves stay.
nexi-corpus-absent = What is not on this computer waits for nexi corpus index on one that has it.
nexi-corpus-kept =
    { $count ->
        [one] { $count } document of these folders stays although its file is not here. If it is gone for good, remove it with nexi corpus remove.
       *[other] { $count } documents of these folders stay although their files are not here: so many may only be out of reach. If they are gone for good, remove them with nexi corpus remove.
    }
