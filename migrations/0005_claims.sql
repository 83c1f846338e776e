-- migrate:up
alter table paliadin.turns
    -- {status: how many claims of the answer have it}; null: it was not checked.
    add column claims jsonb check (jsonb_typeof(claims) = 'object'),
    add column verdict text check (verdict in ('supported', 'unsupported', 'nothing_to_check', 'unknown'));

-- How many claims of an answer could be checked: all but those with the status `common`. Null: it was not checked.
create function paliadin.claims_checked(claims jsonb) returns bigint
language sql immutable parallel safe
return case when claims is not null then coalesce(
    (select sum(number::bigint) from jsonb_each_text(claims) as e(status, number) where status <> 'common'), 0)::bigint end;

-- Turns from before keep what they had: null.
alter table paliadin.turn_facts
    add column verdict text, add column claims_checked bigint, add column claims_unsupported bigint;
create index turn_facts_unsupported on paliadin.turn_facts (started_at) where verdict = 'unsupported';

create or replace function paliadin.facts_of(t paliadin.turns) returns paliadin.turn_facts
language sql stable
return row(
    t.turn_id, t.started_at, t.finished_at is not null, t.session_id, t.person, t.origin,
    left(coalesce(t.context->>'route_name', t.page_origin), 200), t.model,
    t.classifier_tag, t.classifier_source is not distinct from 'fallback', t.error_code, t.abandoned, t.evidence_agrees,
    case when t.duration_ms is not null
        then greatest(t.duration_ms - coalesce(paliadin.waited_ms(t.interrupts), 0), 0) end,
    paliadin.first_text_ms(t),
    t.input_tokens, t.output_tokens, t.cache_read_tokens, t.cache_write_tokens,
    left(t.user_message, 200), paliadin.prompt_form(t.user_message),
    cardinality(t.observed_tools) > 0 or jsonb_array_length(t.tool_calls) > 0,
    array(select e->>'name' from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'ok')::boolean from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'rows')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'duration_ms')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'waited_ms')::bigint from jsonb_array_elements(t.interrupts) with ordinality as x(e, n) order by n),
    t.feedback, paliadin.waited_ms(t.interrupts),
    t.verdict, paliadin.claims_checked(t.claims),
    case when t.claims is not null then coalesce((t.claims->>'unsupported')::bigint, 0) end
)::paliadin.turn_facts;

-- migrate:down
drop index paliadin.turn_facts_unsupported;
drop function paliadin.facts_of(paliadin.turns);
alter table paliadin.turn_facts
    drop column claims_unsupported, drop column claims_checked, drop column verdict;
drop function paliadin.claims_checked(jsonb);
alter table paliadin.turns drop column verdict, drop column claims;

create function paliadin.facts_of(t paliadin.turns) returns paliadin.turn_facts
language sql stable
return row(
    t.turn_id, t.started_at, t.finished_at is not null, t.session_id, t.person, t.origin,
    left(coalesce(t.context->>'route_name', t.page_origin), 200), t.model,
    t.classifier_tag, t.classifier_source is not distinct from 'fallback', t.error_code, t.abandoned, t.evidence_agrees,
    case when t.duration_ms is not null
        then greatest(t.duration_ms - coalesce(paliadin.waited_ms(t.interrupts), 0), 0) end,
    paliadin.first_text_ms(t),
    t.input_tokens, t.output_tokens, t.cache_read_tokens, t.cache_write_tokens,
    left(t.user_message, 200), paliadin.prompt_form(t.user_message),
    cardinality(t.observed_tools) > 0 or jsonb_array_length(t.tool_calls) > 0,
    array(select e->>'name' from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'ok')::boolean from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'rows')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'duration_ms')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'waited_ms')::bigint from jsonb_array_elements(t.interrupts) with ordinality as x(e, n) order by n),
    t.feedback, paliadin.waited_ms(t.interrupts)
)::paliadin.turn_facts;
