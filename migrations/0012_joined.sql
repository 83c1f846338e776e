-- migrate:up
-- What somebody typed in Claude's terminal while the turn ran, and Claude got as a part of it: [{"text", "at"}], where
-- `at` is how many characters of the response stand before it. Null: an older Paliadin wrote the row.
alter table paliadin.turns add column joined jsonb;
create index turns_joined on paliadin.turns (turn_id) where joined <> '[]';  -- few; for the search

-- migrate:down
alter table paliadin.turns drop column joined;
