-- name: ask
insert into paliadin.asked (turn_id, question) values (%(turn_id)s, %(question)s);

-- name: take
update paliadin.asked set worker = %(worker)s
where turn_id = %(turn_id)s and worker is null and ended_at is null
returning question;

-- name: withdraw
-- Only what no worker has taken.
update paliadin.asked set ended_at = now()
where turn_id = %(turn_id)s and worker is null and ended_at is null
returning turn_id;

-- name: write
-- Returns the turns that go on or end here: not those that somebody else has ended, or deleted.
with given as (
    select * from unnest(%(turn_ids)s::uuid[], %(at_bytes)s::int[], %(lines)s::bytea[], %(ends)s::boolean[])
        as g (turn_id, at_byte, lines, ends)
), running as (
    select g.* from given g join paliadin.asked a using (turn_id) where a.ended_at is null for update of a
), written as (
    insert into paliadin.steps (turn_id, at_byte, lines)
    select turn_id, at_byte, lines from running where lines <> '' on conflict do nothing
), ended as (
    update paliadin.asked a set ended_at = now() from running r where a.turn_id = r.turn_id and r.ends
), notified as (
    select pg_notify('paliadin_steps', string_agg(turn_id::text, ',')) from running
)
select r.turn_id from running r left join notified on true;

-- name: read
-- Lateral and in order, so that the index finds each turn's new rows, however many old ones there are.
select s.turn_id, s.at_byte, s.lines
from unnest(%(turn_ids)s::uuid[], %(sizes)s::int[]) as g (turn_id, size),
lateral (
    select * from paliadin.steps where turn_id = g.turn_id and at_byte >= g.size order by at_byte
) s
order by s.turn_id, s.at_byte;

-- name: states
select a.turn_id, a.worker, a.ended_at is not null as is_over,
    a.asked_at < now() - make_interval(secs => %(seconds)s) as is_late,
    a.worker is null or a.worker in (select objid::int from pg_locks where locktype = 'advisory' and classid = {locks} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())) as is_cared_for
from paliadin.asked a where a.turn_id = any (%(turn_ids)s::uuid[]);

-- name: abandon
-- The worker is gone: its turn ends with these lines, unless it has ended.
with gone as (
    update paliadin.asked set ended_at = now()
    where turn_id = %(turn_id)s and ended_at is null and worker = %(worker)s returning turn_id
), written as (
    insert into paliadin.steps (turn_id, at_byte, lines)
    select g.turn_id, coalesce(max(s.at_byte + length(s.lines)), 0), %(lines)s
    from gone g left join paliadin.steps s using (turn_id) group by g.turn_id
    returning turn_id
)
select pg_notify('paliadin_steps', turn_id::text) from written;

-- name: send_signal
with sent as (
    insert into paliadin.signals (turn_id, signal)
    select turn_id, %(signal)s from paliadin.asked where turn_id = %(turn_id)s and ended_at is null returning turn_id
)
select turn_id, pg_notify('paliadin_signals', turn_id::text) from sent;

-- name: take_signals
with taken as (
    delete from paliadin.signals where turn_id = any (%(turn_ids)s::uuid[]) returning id, turn_id, signal
)
select turn_id, signal from taken order by id;

-- name: remove
delete from paliadin.asked where turn_id = any (%(turn_ids)s::uuid[]);

-- name: sweep
-- What nobody came back for.
delete from paliadin.asked
where ended_at < now() - make_interval(secs => %(seconds)s) or asked_at < now() - interval '1 day';

-- name: workers
select count(distinct objid) as workers from pg_locks where locktype = 'advisory' and classid = {locks} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database());
