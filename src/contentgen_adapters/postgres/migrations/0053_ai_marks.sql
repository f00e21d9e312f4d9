-- Whether what a tenant's niche publishes says that a language model wrote it.
ALTER TABLE niche_preferences ADD COLUMN ai_mark boolean NOT NULL DEFAULT false;
