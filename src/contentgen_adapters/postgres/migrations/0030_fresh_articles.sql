-- When all sentences of an article were last seen to be what their sources say, while its text stays the same.
ALTER TABLE articles ADD COLUMN fresh_at timestamptz;
