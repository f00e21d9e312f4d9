-- Whether an article's coverage was judged while passages had no vector yet.
ALTER TABLE articles ADD COLUMN coverage_provisional boolean NOT NULL DEFAULT false;
