-- outside a transaction
CALL sum_entities_of_all_scopes();
-- So that the first plans know how many entities a scope has.
ANALYZE kb_entity_sums;
