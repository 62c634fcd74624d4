nexi-memory-changed = changed
nexi-memory-removed =
    { $count ->
        [one] { $count } memory removed
       *[other] { $count } memories removed
    }
nexi-memory-kept =
    { $count ->
        [one] { $count } memory kept
       *[other] { $count } memories kept
    }
nexi-memory-known =
    { $count ->
        [one] { $count } memory was known already; it now has today's date
       *[other] { $count } memories were known already; they now have today's date
    }
nexi-memory-none-yet = Nothing is remembered yet. To add something: nexi memory add "I work with PostgreSQL 16"
nexi-memory-in = (in { $space })
nexi-memory-no-text = text: write what to remember, such as nexi memory add "I work with PostgreSQL 16"
nexi-memory-the-list = the list of memories
nexi-memory-ambiguous = id: "{ $id }" is the beginning or end of several; use more of it
nexi-memory-unknown = id: no memory begins or ends with "{ $id }"; nexi memory lists them
