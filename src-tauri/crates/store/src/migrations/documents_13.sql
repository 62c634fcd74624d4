-- Workbooks are read once more, which have their comments and percentages now.
UPDATE documents SET size = -1, hash = 0 WHERE path LIKE '%.xlsx' OR path LIKE '%.xlsm';
