-- Translations follow the updates of their originals. `follows`: the update of the original; no reference, since a
-- translation's update stays when that is dropped.
ALTER TABLE article_updates ADD COLUMN follows text COLLATE "C";
CREATE INDEX article_updates_following ON article_updates (follows) WHERE follows IS NOT NULL;
CREATE INDEX articles_translations ON articles (translation_of) WHERE translation_of IS NOT NULL;
