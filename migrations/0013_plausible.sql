-- migrate:up
-- A count of at most ten digits, as paliadin/base/checked_numbers.py takes it; null for any other number.
create function paliadin.plausible(number bigint) returns bigint
language sql immutable parallel safe
return case when number between 0 and 9999999999 then number end;

-- The entries of a list that are objects with a text of that name, each without the fields of another kind than theirs.
create function paliadin.plausible_entries(list jsonb, required text) returns jsonb
language sql immutable parallel safe
return coalesce((
    select jsonb_agg((
        select jsonb_object_agg(key, value) from jsonb_each(entry)
        where case
            when key in ('ok', 'refused') then jsonb_typeof(value) = 'boolean'
            when key in ('rows', 'at_ms', 'duration_ms', 'waited_ms') then value::text ~ '^[0-9]{1,10}$'
            else jsonb_typeof(value) = 'string' end) order by n)
    from jsonb_array_elements(case jsonb_typeof(list) when 'array' then list else '[]' end) with ordinality as x (entry, n)
    where jsonb_typeof(entry->required) = 'string'), '[]');

-- A row as its facts take it: whatever an API, a host or a hand has put into it, it neither fails nor outweighs others.
create function paliadin.plausible_turn(t paliadin.turns) returns paliadin.turns language plpgsql stable as $$
begin
    t.input_tokens := paliadin.plausible(t.input_tokens);
    t.output_tokens := paliadin.plausible(t.output_tokens);
    t.cache_read_tokens := paliadin.plausible(t.cache_read_tokens);
    t.cache_write_tokens := paliadin.plausible(t.cache_write_tokens);
    t.duration_ms := paliadin.plausible(t.duration_ms);
    if not isfinite(t.started_at) or t.first_text_at not between t.started_at and t.started_at + interval '115 days' then
        t.first_text_at := null;
    end if;
    t.tool_calls := paliadin.plausible_entries(t.tool_calls, 'name');
    t.interrupts := paliadin.plausible_entries(t.interrupts, 'kind');
    if t.claims is not null then
        t.claims := (
            select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(t.claims) where value::text ~ '^[0-9]{1,10}$');
    end if;
    return t;
end
$$;

create or replace function paliadin.keep_facts() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        delete from paliadin.turn_facts where turn_id = old.turn_id;
    end if;
    insert into paliadin.turn_facts
    select (f).* from (select paliadin.facts_of(paliadin.plausible_turn(new)) as f offset 0) as facts;
    return null;
end
$$;

-- The facts of rows of which an older Paliadin has believed everything, or that came without facts, as from a replica.
update paliadin.turns t set turn_id = t.turn_id
where not exists (
    select from paliadin.turn_facts f
    where f.turn_id = t.turn_id and array_position(f.tools, null) is null
        and row(f.input_tokens, f.output_tokens, f.cache_read_tokens, f.cache_write_tokens, f.duration_ms)
            is not distinct from row(paliadin.plausible(f.input_tokens), paliadin.plausible(f.output_tokens),
                paliadin.plausible(f.cache_read_tokens), paliadin.plausible(f.cache_write_tokens),
                paliadin.plausible(f.duration_ms))
        and (9999999999 < any (f.tool_rows || f.tool_ms || f.waits_ms)) is not true
        and (0 > any (f.tool_rows || f.tool_ms || f.waits_ms)) is not true
);

-- migrate:down
create or replace function paliadin.keep_facts() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        delete from paliadin.turn_facts where turn_id = old.turn_id;
    end if;
    insert into paliadin.turn_facts select (f).* from (select paliadin.facts_of(new) as f offset 0) as facts;
    return null;
end
$$;
drop function paliadin.plausible_turn(paliadin.turns);
drop function paliadin.plausible_entries(jsonb, text);
drop function paliadin.plausible(bigint);
