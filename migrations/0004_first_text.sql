-- migrate:up
-- Waiting for a person is not the assistant's time: `first_text_ms` of the facts is without it, too.
create function paliadin.first_text_ms(t paliadin.turns) returns bigint
language sql stable
return (
    select ms - coalesce(
        (select sum(upper(wait * before) - lower(wait * before))
         from unnest((
             select range_agg(int8range((e->>'at_ms')::bigint, (e->>'at_ms')::bigint + (e->>'waited_ms')::bigint))
             from jsonb_array_elements(t.interrupts) as e
             where (e->>'waited_ms')::bigint > 0)) as wait), 0)
    from (select round(extract(epoch from t.first_text_at - t.started_at) * 1000)::bigint) as first(ms),
        int8range(0, greatest(ms, 0)) as before);

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
    t.feedback, paliadin.waited_ms(t.interrupts)
)::paliadin.turn_facts;

update paliadin.turn_facts f set first_text_ms = paliadin.first_text_ms(t)
from paliadin.turns t where t.turn_id = f.turn_id and f.waits_ms <> '{}';

-- migrate:down
create or replace function paliadin.facts_of(t paliadin.turns) returns paliadin.turn_facts
language sql stable
return row(
    t.turn_id, t.started_at, t.finished_at is not null, t.session_id, t.person, t.origin,
    left(coalesce(t.context->>'route_name', t.page_origin), 200), t.model,
    t.classifier_tag, t.classifier_source is not distinct from 'fallback', t.error_code, t.abandoned, t.evidence_agrees,
    case when t.duration_ms is not null
        then greatest(t.duration_ms - coalesce(paliadin.waited_ms(t.interrupts), 0), 0) end,
    round(extract(epoch from t.first_text_at - t.started_at) * 1000)::bigint,
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
drop function paliadin.first_text_ms(paliadin.turns);

update paliadin.turn_facts f set first_text_ms = round(extract(epoch from t.first_text_at - t.started_at) * 1000)::bigint
from paliadin.turns t where t.turn_id = f.turn_id and f.waits_ms <> '{}';
