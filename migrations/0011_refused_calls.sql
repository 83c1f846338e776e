-- migrate:up
-- Whether there is a call that a person did not refuse: a refused one never ran.
create function paliadin.has_unrefused_call(calls jsonb) returns boolean
language sql immutable parallel safe
return exists (select from jsonb_array_elements(calls) as e where e->>'refused' is distinct from 'true');

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
    cardinality(t.observed_tools) > 0 or paliadin.has_unrefused_call(t.tool_calls),
    array(select e->>'name' from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'ok')::boolean from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'rows')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'duration_ms')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'waited_ms')::bigint from jsonb_array_elements(t.interrupts) with ordinality as x(e, n) order by n),
    t.feedback, paliadin.waited_ms(t.interrupts),
    t.verdict, paliadin.claims_checked(t.claims),
    case when t.claims is not null then coalesce((t.claims->>'unsupported')::bigint, 0) end
)::paliadin.turn_facts;

update paliadin.turn_facts f
set used_a_tool = false
from paliadin.turns t
where t.turn_id = f.turn_id and f.used_a_tool
    and cardinality(t.observed_tools) = 0 and not paliadin.has_unrefused_call(t.tool_calls);

-- migrate:down
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

drop function paliadin.has_unrefused_call(jsonb);

update paliadin.turn_facts f
set used_a_tool = true
from paliadin.turns t
where t.turn_id = f.turn_id and not f.used_a_tool and jsonb_array_length(t.tool_calls) > 0;
