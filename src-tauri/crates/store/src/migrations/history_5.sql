-- What is deleted leaves the index at once, and not when its pieces happen to be merged.
INSERT INTO turns_fts(turns_fts, rank) VALUES ('secure-delete', 1);
