-- Word documents are read once more, which have their headers and footers now, and mailboxes, whose attachments name their message.
UPDATE documents SET size = -1, hash = 0 WHERE path LIKE '%.docx' OR path LIKE '%.docm' OR path LIKE '%.mbox' OR path LIKE '%.mbx' OR path LIKE '%.eml';
