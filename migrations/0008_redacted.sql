-- migrate:up
-- With AUDIT=redacted, what is kept in the place of question, answer and arguments: hashes and lengths. Null: the row is whole.
alter table paliadin.turns add column redacted jsonb check (jsonb_typeof(redacted) = 'object');

-- migrate:down
alter table paliadin.turns drop column redacted;
