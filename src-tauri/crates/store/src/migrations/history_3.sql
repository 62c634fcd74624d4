-- What else is known of a source: publication, language, links, whether it has pages, when it was fetched.
ALTER TABLE sources ADD COLUMN more TEXT NOT NULL DEFAULT '{}';
-- The page of a printed document that a passage stands on.
ALTER TABLE passages ADD COLUMN page INTEGER;
