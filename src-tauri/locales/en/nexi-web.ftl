# `nexi search` and `nexi read`.
nexi-web-too-many-queries = query: at most { $most } queries are searched at once; put a query of several words in quotation marks
nexi-web-not-searched = { $query } was not searched: { $why }
nexi-web-nothing-found = nothing was found for { $query }
nexi-web-not-read = { $url } could not be read: { $why }
nexi-web-is-folder = url: { $path } is a folder; to ask about it: { $command }
nexi-web-no-file = url: there is no file { $path }
nexi-web-no-address = url: "{ $word }" is neither a file nor an address; write one such as https://example.org/page
nexi-web-no-results = No results.
nexi-web-failed = Failed: { $why }
nexi-web-unreadable = Could not be read: { $why }
nexi-web-more = (There is more of this text.)
