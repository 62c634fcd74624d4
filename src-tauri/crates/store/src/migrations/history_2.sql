ALTER TABLE turns ADD COLUMN cost INTEGER NOT NULL DEFAULT 0;
-- Whether part of the tokens was counted by Nexi, because the provider did not say.
ALTER TABLE turns ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
-- The thread and turn that a thread was branched off from.
ALTER TABLE threads ADD COLUMN branched_from TEXT;
