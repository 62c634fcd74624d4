tools-waiting = Waiting for you
tools-using = Using a tool
tools-returned = Returned by a tool
tools-states =
    .waiting = Waiting to use { $who }
    .running = Using { $who }
    .done = Used { $who }
    .refused = Did not use { $who }
    .failed = Tried to use { $who }
tools-refused = not allowed
tools-failed = failed
tools-commands = your commands
tools-ask =
    .title = The model wants to use a tool
    .wants =
        { $command ->
            [true] The model wants to run your command{ " " }
           *[other] The model wants to use{ " " }
        }
    .from = { " " }from{ " " }
    .about = What this tool does
    .changes = This tool may change things.
    .private =
        { $command ->
            [true] This call may contain text found only in your documents, earlier answers or other tool results. Allowing it sends this call to this command.
           *[other] This call may contain text found only in your documents, earlier answers or other tool results. Allowing it sends this call to { $server }.
        }
    .no-arguments = No arguments.
    .patience = No answer within five minutes counts as Don't allow.
    .position = { $at } of { $all }
    .refuse = Don't allow
    .once = Allow once
    .research = Allow for this research
    .always = Always allow
tools-plan =
    .command =
        { $calls ->
            [one] Your command { $tool }, up to { $calls } call
           *[other] Your command { $tool }, up to { $calls } calls
        }
    .tool =
        { $calls ->
            [one] { $tool } from { $server }, up to { $calls } call
           *[other] { $tool } from { $server }, up to { $calls } calls
        }
    .title = Tools
    .help = Starting also allows these calls. Nexi still asks before it sends your private text.
tools-form =
    .from-to = From { $least } to { $most }.
    .at-least = { $least } or more.
    .at-most = { $most } or less.
    .title = { $server } asks
    .note = What you enter goes to this tool server. The model sees only what the server returns.
    .send = Send
    .decline = Don't answer
    .none = No selection
    .required = required
