-- Answers some of whose facts are not what their stated calculation comes to: the verdict `differs`.
-- migrate:up
alter table paliadin.turns drop constraint turns_verdict_check;
alter table paliadin.turns add constraint turns_verdict_check
    check (verdict in ('supported', 'differs', 'unsupported', 'nothing_to_check', 'unknown'));

drop index paliadin.turn_facts_unsupported;
create index turn_facts_unsupported on paliadin.turn_facts (started_at) where verdict in ('unsupported', 'differs');

-- As before, but what differs counts as not held, too.
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
    case when t.claims is not null then
        coalesce((t.claims->>'unsupported')::bigint, 0) + coalesce((t.claims->>'differs')::bigint, 0) end
)::paliadin.turn_facts;

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

drop index paliadin.turn_facts_unsupported;
create index turn_facts_unsupported on paliadin.turn_facts (started_at) where verdict = 'unsupported';

update paliadin.turns set verdict = 'unsupported' where verdict = 'differs';
alter table paliadin.turns drop constraint turns_verdict_check;
alter table paliadin.turns add constraint turns_verdict_check
    check (verdict in ('supported', 'unsupported', 'nothing_to_check', 'unknown'));
