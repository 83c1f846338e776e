-- migrate:up
-- How many characters at the answer's end were shown before a Stop, and never reported by Claude Code. Null: none.
alter table paliadin.turns add column unconfirmed_chars integer check (unconfirmed_chars > 0);

-- migrate:down
alter table paliadin.turns drop column unconfirmed_chars;
