# What has to be known although a run goes on. The names are those of Notice.
notices-what =
    .plan_unreadable = The model's plan could not be read, so one researcher takes the question as it is.
    .next_model = { $why } { $model } takes over.
    .resumed = Resumed after an interruption.
    .file_unread = { $name } could not be read: { $why }.
    .folder_unread = { $folder }, a folder of this space, cannot be read and is not searched.
    .documents_still_read = Some documents are still being read, so this answer may miss what they say.
    .not_indexed = The documents could not be indexed: { $why }
    .told = { $text }
    .unknown = A newer version of Nexi noted something here.
