-- Who wrote a source, as it states; null where it names nobody, and in what was stored before this was read.
ALTER TABLE kb_documents ADD COLUMN author text;
