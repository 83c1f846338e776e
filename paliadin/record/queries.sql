-- name: ping
select 1;

-- name: insert
insert into paliadin.turns
select * from jsonb_populate_record(null::paliadin.turns, %(row)s)
on conflict (turn_id) do nothing;

-- name: finish
insert into paliadin.turns
select * from jsonb_populate_record(null::paliadin.turns, %(row)s)
on conflict (turn_id) do update set
    {written_columns};

-- name: turn
select * from paliadin.turns where turn_id = %(turn_id)s;

-- name: turns
select * from (
    select * from paliadin.turns
    where (%(session_id)s::text is null or session_id = %(session_id)s)
      and (%(before)s::uuid is null or (started_at, turn_id) < (
          coalesce((select started_at from paliadin.turns where turn_id = %(before)s), %(before_at)s), %(before)s))
    order by started_at desc, turn_id desc
    limit %(limit)s
) page
order by started_at, turn_id;

-- name: search
select * from paliadin.turns
where session_id = %(session_id)s and (
    user_message ilike %(pattern)s or response ilike %(pattern)s
    or joined <> '[]' and exists (
        select from jsonb_path_query(joined, '$[*].text') as text where text #>> '{}' ilike %(pattern)s))
order by started_at desc, turn_id desc
limit %(limit)s;

-- name: rate
update paliadin.turns set feedback = %(feedback)s, feedback_word = %(word)s
where turn_id = %(turn_id)s
returning turn_id;

-- name: delete
delete from paliadin.turns where turn_id = any(%(turn_ids)s) returning turn_id;

-- name: session_starts
insert into paliadin.session_starts (session_id, at, source)
select * from unnest(%(names)s::text[], %(times)s::timestamptz[], %(sources)s::text[])
on conflict do nothing;

-- name: turn_ids
select turn_id from paliadin.turns where session_id = %(session_id)s;

-- name: search_sessions
select distinct on (session_id) * from paliadin.turns
where session_id = any(%(session_ids)s) and (
    user_message ilike %(pattern)s or response ilike %(pattern)s
    or joined <> '[]' and exists (
        select from jsonb_path_query(joined, '$[*].text') as text where text #>> '{}' ilike %(pattern)s))
order by session_id, started_at desc, turn_id desc;

-- name: count_question
-- A count that a crash of the server loses (of the last half second) is no harm; to wait for the disk takes 4 ms.
with quick as materialized (
    select set_config('synchronous_commit', 'off', true)
), old as (
    delete from paliadin.questions_asked where hour < now() - interval '1 day'
), total as (
    select coalesce(max(asked), 0) as asked from paliadin.questions_asked, quick
    where hour = date_trunc('hour', now()) and everyone
), own as (
    insert into paliadin.questions_asked as q (hour, everyone, person, asked)
    select date_trunc('hour', now()), false, %(person)s, 1 from total where total.asked < %(most_of_all)s
    on conflict (hour, everyone, person) do update set asked = q.asked + 1 where q.asked < %(most)s
    returning asked
), everyone as (
    insert into paliadin.questions_asked as q (hour, everyone, person, asked)
    select date_trunc('hour', now()), true, '', 1 from own
    on conflict (hour, everyone, person) do update set asked = q.asked + 1 where q.asked < %(most_of_all)s
    returning asked
)
select
    (select asked from own) as own, (select asked from everyone) as everyone,
    (select asked from total) >= %(most_of_all)s as all_used,
    ceil(extract(epoch from date_trunc('hour', now()) + interval '1 hour' - now()))::int as seconds;

-- name: questions_asked
select
    coalesce(max(asked) filter (where not everyone), 0) as own,
    coalesce(max(asked) filter (where everyone), 0) as everyone,
    date_trunc('hour', now()) + interval '1 hour' as resets_at
from paliadin.questions_asked
where hour = date_trunc('hour', now()) and (everyone or person = %(person)s);

-- name: own_key
select sealed, saved_at from paliadin.own_keys where person = %(person)s;

-- name: save_own_key
insert into paliadin.own_keys (person, sealed) values (%(person)s, %(sealed)s)
on conflict (person) do update set sealed = excluded.sealed, saved_at = now();

-- name: remove_own_key
delete from paliadin.own_keys where person = %(person)s returning person;

-- name: tokens_of_month
select model, sum(paliadin.plausible(input_tokens)) as input_tokens, sum(paliadin.plausible(output_tokens)) as output_tokens,
    sum(paliadin.plausible(cache_read_tokens)) as cache_read_tokens,
    sum(paliadin.plausible(cache_write_tokens)) as cache_write_tokens
from paliadin.turns
where started_at >= date_trunc('month', now()) and host = %(host)s and own_key is not true
    and model is not null and input_tokens is not null
group by model;
