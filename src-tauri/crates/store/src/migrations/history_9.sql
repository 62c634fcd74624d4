-- What a second look by the model came to, as JSON.
ALTER TABLE turns ADD COLUMN checked TEXT;
-- What another model was asked about the answer afterwards, as JSON.
ALTER TABLE turns ADD COLUMN second TEXT;
