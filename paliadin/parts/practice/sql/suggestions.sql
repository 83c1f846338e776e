-- What the assistant has suggested, and what people decided. Whose it shows is decided as in projects.sql.

-- name: suggest
select outcome, request, thing, state
from paliad.suggest(
    %(kind)s, %(project_id)s, %(content)s, %(turn)s, %(digest)s, %(most_in_turn)s::integer, %(most_pending)s::integer
)

-- name: decide
select outcome, state, decider, decider_name, at, decided from paliad.decide(%(request)s, %(approve)s, %(note)s)

-- name: suggestions
-- Of a turn, or the one with an id. `same`: how many others of the project have that title and day.
select r.id, r.thing_kind as kind, r.thing_id, r.status as state, r.project_id, p.label as project, p.reference,
    p.status as project_status, r.requested_by, s.name as requested_by_name, r.requested_at, r.agent_turn_id as turn_id,
    coalesce(d.title, a.title) as title, n.body as text, d.due_date, a.starts_at, a.ends_at, a.place,
    l.legal_source as rule, r.decided_by, b.name as decided_by_name, r.decided_at, r.decided_as, r.reason,
    paliad.decides_as(r, true) is not null as may_approve, paliad.decides_as(r, false) is not null as may_reject,
    (
        select count(*) from paliad.deadlines o
        where o.project_id = d.project_id and o.due_date = d.due_date and lower(o.title) = lower(d.title)
            and o.id <> d.id and o.approval_status <> 'rejected'
    ) + (
        select count(*) from paliad.appointments o
        where o.project_id = a.project_id and o.starts_at = a.starts_at and lower(o.title) = lower(a.title)
            and o.id <> a.id and o.approval_status <> 'rejected'
    ) as same
from paliad.approval_requests r
join paliad.projects p on p.id = r.project_id
left join paliad.users s on s.id = r.requested_by
left join paliad.users b on b.id = r.decided_by
left join paliad.deadlines d on r.thing_kind = 'deadline' and d.id = r.thing_id
left join paliad.deadline_rules l on l.id = d.rule_id
left join paliad.appointments a on r.thing_kind = 'appointment' and a.id = r.thing_id
left join paliad.notes n on r.thing_kind = 'note' and n.id = r.thing_id
where r.requester_kind = 'agent' and (r.agent_turn_id = %(turn)s or r.id = %(request)s)
    and (r.requested_by = %(person)s or paliad.may_approve(r.project_id))  -- for who asked, and who decides
order by r.requested_at, r.id
limit 50

-- name: suggestion_figures
-- Of the suggestions made in these times. `median_seconds`: until a decision.
select count(*) as made,
    count(*) filter (where status = 'approved') as approved,
    count(*) filter (where status = 'rejected') as rejected,
    count(*) filter (where status = 'pending') as pending,
    count(distinct agent_turn_id) as turns,
    (extract(epoch from percentile_cont(0.5) within group (order by decided_at - requested_at)))::float8 as median_seconds,
    count(*) filter (where decided_as = 'admin_override') as overridden
from paliad.approval_requests
where requester_kind = 'agent' and requested_at >= %(since)s and requested_at < %(until)s
