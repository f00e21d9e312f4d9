-- Whether a person said of this sentence that they reviewed it. Until here an approval of the article marked all of its
-- sentences, too, and these rows cannot be told from the others: none of them is taken for a review any more.
ALTER TABLE sentence_reviews ADD COLUMN confirmed boolean NOT NULL DEFAULT false;
