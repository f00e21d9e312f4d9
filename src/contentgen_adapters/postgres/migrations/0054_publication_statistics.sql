-- How many posts are public, so that the calendar of a tenant with many reads them in the order of their time.
CREATE STATISTICS publications_post_status ON (record->>'post_status') FROM publications;
CREATE STATISTICS publications_finding ON (coalesce(record->>'finding', '')) FROM publications;
