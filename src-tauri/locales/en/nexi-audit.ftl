nexi-audit-written =
    { $count ->
        [one] { $count } line written to { $path }
       *[other] { $count } lines written to { $path }
    }
nexi-audit-unreadable = { $path } could not be read
nexi-audit-inputs =
    { $count ->
        [one] { $count } input
       *[other] { $count } inputs
    }
nexi-audit-requests =
    { $count ->
        [one] { $count } request
       *[other] { $count } requests
    }
nexi-audit-searches =
    { $count ->
        [one] { $count } search
       *[other] { $count } searches
    }
nexi-audit-addresses =
    { $count ->
        [one] { $count } address
       *[other] { $count } addresses
    }
nexi-audit-same = The same answer, by the same requests.
nexi-audit-other-requests = The same answer, but this version of Nexi would have made other requests on the way.
nexi-audit-differs = The answer differs from the one in the file:
