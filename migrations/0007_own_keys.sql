-- migrate:up
-- People's own keys for the Messages API, sealed with a secret that is not in this database.
create table paliadin.own_keys (
    person text primary key,
    sealed text not null,
    saved_at timestamptz not null default now()
);

-- Null: a daemon of an earlier version, which shares this database, has written the row.
alter table paliadin.turns
    add column own_key boolean,  -- the person's own key has paid for it
    add column limit_lifted boolean;  -- asked beyond the questions of an hour

-- migrate:down
alter table paliadin.turns drop column limit_lifted, drop column own_key;
drop table paliadin.own_keys;
