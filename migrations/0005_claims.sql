-- migrate:up
alter table paliadin.turns
    add column claims jsonb,  -- {status: how many claims of the answer have it}; null: it was not checked
    add column verdict text check (verdict in ('supported', 'unsupported', 'nothing_to_check', 'unknown'));

-- migrate:down
alter table paliadin.turns drop column verdict, drop column claims;
