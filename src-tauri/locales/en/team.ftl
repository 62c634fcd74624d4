team-pill = Team
team-share = Share with the team…
team-share-title = Share with the team
team-share-help = Everybody who uses the team library can find this thread and read it, with its sources and whatever you ask in it later. Your memories and instructions stay here.
team-role = Only members of this role
team-role-help = Leave this empty to share with everybody.
team-documents = Include answers that rest on my documents
team-documents-help = The passages they cite are shared, and the rest of the documents is not.
team-go = Share
team-cancel = Cancel
team-done = Shared
team-done-later = This is sent once the database can be reached.
team-shared = shared
team-shared-help = Everybody who uses the team library can read this thread.
team-shared-with = The members of { $role } can read this thread.
team-held =
    { $count ->
        [one] { $count } answer is held back, because it rests on your documents or follows one that does.
       *[other] { $count } answers are held back, because they rest on your documents or follow one that does.
    }
team-waiting = Some of it waits to be sent.
team-include = Share the answers held back…
team-withdraw = Stop sharing
team-withdrawn = No longer shared. Copies that others have made stay with them.
team-found = In the team library
team-show-all = Show all
team-nothing = No matches in the team library.
team-empty = Nobody has shared a thread yet.
team-count =
    { $count ->
        [one] { $count } thread in the team library
       *[other] { $count } threads in the team library
    }
team-first-of = The first { $count } threads in the team library
team-more = Show more
team-you = you
team-of = { $author } shared this thread.
team-of-yourself = You shared this thread. It is no longer among your own.
team-continue = Continue in my threads
team-continued = Copied into your threads
team-origin = after { $author }
team-origin-help = This thread continues one that { $author } shared.
team-library = Team library
team-library-help = Threads can be shared in this database, and those of others are found in the library. Databases are added under Search.
team-no-library = None
team-no-database = Add a PostgreSQL database under Search first, or join one with nexi team join.
team-sharing =
    { $count ->
        [0] You share no threads.
        [one] You share { $count } thread.
       *[other] You share { $count } threads.
    }
team-share-space = Share with the team
team-share-space-help = All threads of this space are shared, those that it has and those that come. Answers that rest on your documents are held back.
team-unshare-space = Stop sharing
team-space-shared = Shared with the team
