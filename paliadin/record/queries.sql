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
where session_id = %(session_id)s and (user_message ilike %(pattern)s or response ilike %(pattern)s)
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

-- name: first_questions
select distinct on (session_id) * from paliadin.turns
where session_id = any(%(session_ids)s) and origin <> 'agent'
order by session_id, started_at, turn_id;

-- name: last_turns
select distinct on (session_id) * from paliadin.turns
where session_id = any(%(session_ids)s)
order by session_id, started_at desc, turn_id desc;

-- name: search_sessions
select distinct on (session_id) * from paliadin.turns
where session_id = any(%(session_ids)s) and (user_message ilike %(pattern)s or response ilike %(pattern)s)
order by session_id, started_at desc, turn_id desc;
