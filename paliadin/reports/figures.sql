-- {where}: the filter with its days; {conditions}: without them. Both are conditions on a row f of turn_facts.

-- name: matching
{has_words} and t.started_at >= %(start)s and t.started_at < %(end)s;

-- name: headline
select span.this_span, facts.*
from (values (true, %(start)s::timestamptz, %(end)s::timestamptz), (false, %(before)s, %(start)s)) as span(this_span, first, stop)
cross join lateral (
    select
        count(*) as turns,
        count(*) filter (where f.finished) as finished,
        count(*) filter (where {is_error}) as errors,
        count(*) filter (where f.used_a_tool and f.finished) as with_tool,
        count(*) filter (where {is_interactive}) as interactive,
        count(*) filter (where f.abandoned and {is_interactive}) as abandoned,
        count(*) filter (where f.evidence_agrees is not null) as claimed,
        count(*) filter (where f.evidence_agrees = false) as disagrees,
        count(*) filter (where {is_checked}) as checked,
        count(*) filter (where {is_unsupported}) as unsupported,
        coalesce(sum(f.claims_checked), 0) as claims_checked,
        coalesce(sum(f.claims_unsupported), 0) as claims_unsupported,
        count(*) filter (where f.feedback = 'up') as up,
        count(*) filter (where f.feedback = 'down') as down,
        coalesce(percentile_cont(array[0.5, 0.9]) within group (order by f.duration_ms), array[null, null]::float8[]) as duration_ms,
        coalesce(sum(f.waited_ms), 0) as waited_ms,
        coalesce(percentile_cont(array[0.5, 0.9]) within group (order by f.first_text_ms), array[null, null]::float8[]) as first_text_ms
    from paliadin.turn_facts f
    where f.started_at >= span.first and f.started_at < span.stop{conditions}) as facts;

-- name: series
-- Each period is a scan of its own: grouped in one, all rows would be sorted first.
select facts.*
from unnest(%(starts)s::timestamptz[], %(stops)s::timestamptz[]) with ordinality as period(start, stop, number)
cross join lateral (
    select
        count(*) as turns,
        count(*) filter (where {is_error}) as errors,
        count(*) filter (where {is_checked}) as checked,
        count(*) filter (where {is_unsupported}) as unsupported,
        coalesce(percentile_cont(array[0.5, 0.9]) within group (order by f.duration_ms), array[null, null]::float8[]) as duration_ms
    from paliadin.turn_facts f
    where f.started_at >= period.start and f.started_at < period.stop{conditions}) as facts
order by number;

-- name: tokens
-- By period and model (`person` is null), and by person and model (`period` is null).
select width_bucket(f.started_at, %(starts)s::timestamptz[]) - 1 as period, f.person, coalesce(f.model, '') as model,
    count(*) as turns,
    sum(f.input_tokens) as input_tokens,
    sum(f.output_tokens) as output_tokens,
    sum(f.cache_read_tokens) as cache_read_tokens,
    sum(f.cache_write_tokens) as cache_write_tokens
from paliadin.turn_facts f
where {where}
group by grouping sets ((1, 3), (2, 3))
order by 1, 2, 3;

-- name: breakdown
select case grouping(f.tag, f.error_code, f.page, f.session_id, f.origin, f.person)
        when 31 then 'tag' when 47 then 'error' when 55 then 'page' when 59 then 'session' when 61 then 'origin'
        else 'person' end as part,
    coalesce(f.tag, f.error_code, f.page, f.session_id, f.origin, f.person, '') collate "C" as name,
    count(*) as turns,
    count(*) filter (where {is_error}) as errors,
    count(*) filter (where f.tag_by_fallback) as fallback,
    count(*) filter (where {is_checked}) as checked,
    count(*) filter (where {is_unsupported}) as unsupported
from paliadin.turn_facts f
where {where}
group by grouping sets ((f.tag), (f.error_code), (f.page), (f.session_id), (f.origin), (f.person))
order by part, turns desc, name;

-- name: worst
select f.turn_id, f.started_at, f.prompt, f.claims_checked, f.claims_unsupported
from paliadin.turn_facts f
where {where} and {is_unsupported}
order by f.claims_unsupported desc, f.turn_id desc
limit 10;

-- name: slowest
select f.turn_id, f.started_at, f.prompt, f.duration_ms
from paliadin.turn_facts f
where {where} and f.duration_ms is not null
order by f.duration_ms desc, f.turn_id desc
limit 5;

-- name: prompts
with variant as materialized (
    select f.prompt_form as normalized_prompt, f.prompt, count(*) as turns
    from paliadin.turn_facts f
    where {where} and left(f.prompt, 1) <> '/'  -- a command, or a path
    group by 1, 2),
most as (
    select normalized_prompt, sum(turns) as turns, count(*) as variants
    from variant
    group by normalized_prompt
    order by turns desc, normalized_prompt collate "C"
    limit 10)
select most.*, array(
        select json_build_object('prompt', variant.prompt, 'turns', variant.turns)
        from variant where variant.normalized_prompt = most.normalized_prompt
        order by variant.turns desc, variant.prompt collate "C" limit 5) as examples
from most
order by turns desc, normalized_prompt collate "C";

-- name: tools
select call.name, count(*) as calls, count(*) filter (where call.number = array_position(call.tools, call.name)) as turns,
    count(*) filter (where not call.ok) as failures,
    coalesce(sum(call.rows), 0) as rows,
    percentile_cont(0.5) within group (order by call.ms) as median_ms,
    coalesce(sum(call.ms), 0) as total_ms
from (
    select f.tools, generate_subscripts(f.tools, 1) as number, unnest(f.tools) as name, unnest(f.tool_ok) as ok,
        unnest(f.tool_rows) as rows, unnest(f.tool_ms) as ms
    from paliadin.turn_facts f
    where {where} and f.tools <> '{{}}') as call
group by call.name
order by calls desc, call.name collate "C"
limit 50;

-- name: interrupts
select count(*) as asked, count(*) filter (where asked.number = 1) as turns,
    coalesce(percentile_cont(array[0.5, 0.9]) within group (order by asked.wait), array[null, null]::float8[]) as waited_ms,
    coalesce(sum(asked.wait), 0) as total_ms, max(asked.wait) as longest_ms
from (
    select generate_subscripts(f.waits_ms, 1) as number, unnest(f.waits_ms) as wait
    from paliadin.turn_facts f
    where {where} and f.waits_ms <> '{{}}') as asked;

-- name: gate
select width_bucket(f.started_at, %(starts)s::timestamptz[]) - 1 as day,
    count(*) as turns,
    count(*) filter (where f.finished) as finished,
    count(*) filter (where f.used_a_tool and f.finished) as with_tool,
    count(*) filter (where {is_interactive}) as interactive,
    count(*) filter (where f.abandoned and {is_interactive}) as abandoned,
    count(*) filter (where {is_dead}) as died,
    count(*) filter (where {is_checked}) as checked,
    count(*) filter (where {is_unsupported}) as unsupported
from paliadin.turn_facts f
where f.started_at >= %(start)s and f.started_at < %(end)s and {is_from_person}
group by 1
order by 1;

-- name: resets
select count(*) as resets from paliadin.session_starts where source = 'clear' and at >= %(start)s and at < %(end)s;

-- name: first
-- Without what is no time: -infinity.
select min(started_at) as first from paliadin.turn_facts where started_at > 'epoch';

-- name: turns
select f.turn_id, f.started_at, f.finished, f.session_id, f.person, f.origin, f.tag, f.error_code, f.duration_ms,
    f.waited_ms, f.first_text_ms, f.tools, f.prompt, f.abandoned, f.evidence_agrees, f.verdict,
    f.claims_checked, f.claims_unsupported
from paliadin.turn_facts f
where {where}
order by {order}
limit %(limit)s offset %(offset)s;

-- name: newer
select f.turn_id from paliadin.turn_facts f
where {where} and (f.started_at, f.turn_id) > (%(at)s, %(turn_id)s::uuid)
order by f.started_at, f.turn_id
limit 1;

-- name: older
select f.turn_id from paliadin.turn_facts f
where {where} and (f.started_at, f.turn_id) < (%(at)s, %(turn_id)s::uuid)
order by f.started_at desc, f.turn_id desc
limit 1;

-- name: count
select count(*) as turns from paliadin.turn_facts f where {where};

-- name: export
select t.* from paliadin.turn_facts f join paliadin.turns t using (turn_id)
where {where}
order by f.started_at desc, f.turn_id desc;
