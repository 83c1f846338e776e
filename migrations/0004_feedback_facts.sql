-- migrate:up
alter table paliadin.turn_facts add column feedback text;

create or replace function paliadin.facts_of(t paliadin.turns) returns paliadin.turn_facts
language sql stable
return row(
    t.turn_id, t.started_at, t.finished_at is not null, t.session_id, t.person, t.origin,
    left(coalesce(t.context->>'route_name', t.page_origin), 200), t.model,
    t.classifier_tag, t.classifier_source is not distinct from 'fallback', t.error_code, t.abandoned, t.evidence_agrees,
    t.duration_ms, round(extract(epoch from t.first_text_at - t.started_at) * 1000)::bigint,
    t.input_tokens, t.output_tokens, t.cache_read_tokens, t.cache_write_tokens,
    left(t.user_message, 200), paliadin.prompt_form(t.user_message),
    cardinality(t.observed_tools) > 0 or jsonb_array_length(t.tool_calls) > 0,
    array(select e->>'name' from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'ok')::boolean from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'rows')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'duration_ms')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'waited_ms')::bigint from jsonb_array_elements(t.interrupts) with ordinality as x(e, n) order by n),
    t.feedback
)::paliadin.turn_facts;

update paliadin.turn_facts f set feedback = t.feedback
from paliadin.turns t where t.turn_id = f.turn_id and t.feedback is not null;

-- migrate:down
alter table paliadin.turn_facts drop column feedback;

create or replace function paliadin.facts_of(t paliadin.turns) returns paliadin.turn_facts
language sql stable
return row(
    t.turn_id, t.started_at, t.finished_at is not null, t.session_id, t.person, t.origin,
    left(coalesce(t.context->>'route_name', t.page_origin), 200), t.model,
    t.classifier_tag, t.classifier_source is not distinct from 'fallback', t.error_code, t.abandoned, t.evidence_agrees,
    t.duration_ms, round(extract(epoch from t.first_text_at - t.started_at) * 1000)::bigint,
    t.input_tokens, t.output_tokens, t.cache_read_tokens, t.cache_write_tokens,
    left(t.user_message, 200), paliadin.prompt_form(t.user_message),
    cardinality(t.observed_tools) > 0 or jsonb_array_length(t.tool_calls) > 0,
    array(select e->>'name' from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'ok')::boolean from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'rows')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'duration_ms')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'waited_ms')::bigint from jsonb_array_elements(t.interrupts) with ordinality as x(e, n) order by n)
)::paliadin.turn_facts;
