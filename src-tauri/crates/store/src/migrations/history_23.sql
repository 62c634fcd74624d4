-- Why a run ended, and notices among its events, are written as codes with data from here on. Sentences of earlier
-- versions are read as they are; a version that knows sentences alone must not open the library any more.
SELECT 1;
