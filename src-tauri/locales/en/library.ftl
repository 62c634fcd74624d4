library-title = Library
library-placeholder = Search questions, answers and sources
library-site = site, e.g. nature.com
library-when = When
library-any-time = Any time
library-today = Today
library-week = Past 7 days
library-month = Past month
library-year = Past year
library-any-effort = Any effort
library-any-mode = Quick and deep
library-any-tag = Any tag
library-tags = Tags
library-pinned = Pinned
library-saved =
    .title = Saved searches
    .save = Save this search
    .help = The name it is kept under.
    .removed = Search removed
    .remove = Remove the search { $name }
library-nothing = No matches. Use fewer words or remove a filter.
library-empty = Nothing here yet. The questions you ask are kept here.
library-found =
    { $count ->
        [one] { $count } thread
       *[other] { $count } threads
    }
library-first-of = The first { $count } threads; scroll for more
library-sources =
    { $count ->
        [one] { $count } source
       *[other] { $count } sources
    }
library-turns =
    { $count ->
        [one] { $count } question
       *[other] { $count } questions
    }
library-deleted =
    .title = Recently deleted
    .about = Gone for good after 30 days.
    .none = Nothing was deleted in the last 30 days.
    .nothing-found = No deleted thread or answer has these words in its title.
    .answer = a single answer
    .restore = Restore
    .open = Open
    .forget = Delete for good
    .keep = Keep
    .sure = This cannot be undone
    .forget-all = Delete all { $count } for good
    .left =
        { $days ->
            [one] { $days } day left
           *[other] { $days } days left
        }
    .restored = “{ $title }” is back
