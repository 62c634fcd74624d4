-- Workbooks are read once more, which have their comments and percentages now, and mail, to which they may be attached.
UPDATE documents SET size = -1, hash = 0 WHERE path LIKE '%.xlsx' OR path LIKE '%.xlsm' OR path LIKE '%.eml' OR path LIKE '%.mbox';
