help-title = Help
help-chapters = Chapters of the handbook
# What the pictures of the handbook show, for those who cannot see them.
help-pictures =
    .research = The research window with an answer and its sources
    .popup = The popup with an answer
    .library = The library with a search
