-- No query says whose rows it wants: the policies of the tables add that to each (migrations/paliad).

-- name: plate_other_counts
select
    (
        select count(*) from paliad.appointments
        where starts_at >= %(now)s and starts_at < %(month_end)s and approval_status <> 'rejected'
           
    ) as appointments_30_days,
    (
        select count(*) from paliad.projects
        where kind = 'matter' and status = 'active'
    ) as active_matters

-- name: plate_deadlines
-- The counts, and in each row one of the next deadlines; without any there is one row, whose id is null.
with mine as materialized (
    select id, due_date from paliad.deadlines where status = 'open' and approval_status <> 'rejected'
), counted as (
    select
        count(*) filter (where due_date < %(today)s) as overdue,
        count(*) filter (where due_date = %(today)s) as today,
        count(*) filter (where due_date > %(today)s and due_date <= %(week_end)s) as this_week,
        count(*) filter (where due_date > %(week_end)s) as later
    from mine
), soonest as (
    select id from mine order by due_date, id limit 11
)
select c.overdue, c.today, c.this_week, c.later, d.id, d.title, d.due_date, nullif(d.approval_status, 'approved') as approval_status, d.project_id,
    p.label as project, p.reference
from counted c
left join (soonest s join paliad.deadlines d on d.id = s.id join paliad.projects p on p.id = d.project_id) on true
order by d.due_date, d.id

-- name: plate_appointments
select a.id, a.title, a.starts_at, a.ends_at, a.place, a.project_id, p.label as project, p.reference
from (
    select * from paliad.appointments
    where starts_at >= %(now)s and approval_status <> 'rejected'
    order by starts_at, id
    limit 11
) a
join paliad.projects p on p.id = a.project_id
order by a.starts_at, a.id

-- name: plate_activity
select t.at, t.actor || case t.actor_kind when 'agent' then ' [agent: Paliadin]' else '' end as actor, t.action, t.thing_kind, t.thing_id, t.project_id, p.label as project
from (
    select * from paliad.audit_trail
    where at > %(now)s - interval '30 days' and project_id is not null
    order by at desc, id desc
    limit 11
) t
join paliad.projects p on p.id = t.project_id
order by t.at desc, t.id desc

-- name: list_projects
select p.id, p.kind, p.label, p.reference, p.status
from paliad.projects p
where (%(status)s::text is null or p.status = %(status)s)
    and (%(kind)s::text is null or p.kind = %(kind)s)
    and (%(after)s::text is null or (p.label, p.id) > (select o.label, o.id from paliad.projects o where o.id = %(after)s))
order by p.label, p.id
limit 26

-- name: count_projects
select count(*) as projects from paliad.projects;

-- name: ancestors
with recursive up as (
    select p.id as of, p.parent_id, 1 as step
    from paliad.projects p
    where p.id = any(%(ids)s)
    union all
    select up.of, p.parent_id, up.step + 1
    from up
    join paliad.projects p on p.id = up.parent_id
    where up.step < 20
)
select up.of, p.id, p.label
from up
join paliad.projects p on p.id = up.parent_id
order by up.of, up.step desc

-- name: project
select p.id, p.kind, p.label, p.reference, p.status, p.opened_on, p.closed_on, c.short as court
from paliad.projects p
left join paliad.courts c on c.id = p.court_id
where p.id = %(project_id)s

-- name: project_counts
select
    (select count(*) from paliad.deadlines d where d.project_id = %(project_id)s and d.status = 'open'
        and d.approval_status <> 'rejected') as open_deadlines,
    (select count(*) from paliad.appointments a where a.project_id = %(project_id)s and a.starts_at >= %(now)s
        and a.approval_status <> 'rejected')
        as coming_appointments,
    (select count(*) from paliad.notes n where n.project_id = %(project_id)s and n.approval_status = 'approved') as notes,
    (select count(*) from paliad.projects s where s.parent_id = %(project_id)s) as parts

-- name: project_deadlines
select d.id, d.title, d.due_date, d.status, nullif(d.approval_status, 'approved') as approval_status, c.short as court, u.name as responsible
from paliad.deadlines d
left join paliad.courts c on c.id = d.court_id
left join paliad.users u on u.id = d.responsible
where d.project_id = %(project_id)s and d.approval_status <> 'rejected'
order by d.status <> 'open', d.due_date, d.id
limit 26

-- name: project_appointments
select a.id, a.title, a.starts_at, a.ends_at, a.place, nullif(a.approval_status, 'approved') as approval_status
from paliad.appointments a
where a.project_id = %(project_id)s and a.approval_status <> 'rejected'
order by a.starts_at < %(now)s, a.starts_at, a.id
limit 26

-- name: project_parties
select y.id, y.name, y.role, y.representative, y.country
from paliad.parties y
where y.project_id = %(project_id)s
order by y.id
limit 11

-- name: project_units
select n.id, n.name, array_agg(s.name order by s.name) filter (where s.active) as people
from paliad.project_units j
join paliad.partner_units n on n.id = j.unit_id
left join paliad.partner_unit_members m on m.unit_id = n.id
left join paliad.users s on s.id = m.user_id
where j.project_id = %(project_id)s
group by n.id, n.name
order by n.name, n.id
limit 6

-- name: project_notes
select n.id, left(n.body, 400) as text, s.name as author, n.created_at
from paliad.notes n
left join paliad.users s on s.id = n.author
where n.project_id = %(project_id)s and n.approval_status = 'approved'
order by n.created_at desc, n.id
limit 6

-- name: search_deadlines
with recursive below as (
    select id from paliad.projects where id = %(project_id)s
    union all
    select p.id from paliad.projects p join below on p.parent_id = below.id
), named as materialized (
    select id from paliad.projects where label ilike %(words)s or reference ilike %(words)s
), asked as materialized (
    select id from paliad.courts c
    where c.id = %(court_id)s or c.short ilike %(court)s or c.name_en ilike %(court)s or c.name_de ilike %(court)s
        or exists (select from unnest(c.aliases) as alias where alias ilike %(court)s)
), held as materialized (
    select id from paliad.projects where court_id in (select id from asked)
)
select d.id, d.title, d.due_date, d.status, nullif(d.approval_status, 'approved') as approval_status, d.project_id, p.label as project,
    p.reference, c.short as court
from (
    select * from paliad.deadlines
    where approval_status <> 'rejected'
        and (%(status)s::text is null or status = %(status)s)
        and (%(project_id)s::text is null or project_id in (select id from below))
        and (%(due_after)s::date is null or due_date >= %(due_after)s)
        and (%(due_before)s::date is null or due_date <= %(due_before)s)
        and (%(words)s::text is null or title ilike %(words)s or project_id in (select id from named))
        and (
            %(court)s::text is null or court_id in (select id from asked)
            or (court_id is null and project_id in (select id from held))
        )
    order by due_date, id
    limit %(most)s
) d
join paliad.projects p on p.id = d.project_id
left join paliad.courts c on c.id = coalesce(d.court_id, p.court_id)
order by d.due_date, d.id

-- name: list_appointments
with recursive below as (
    select id from paliad.projects where id = %(project_id)s
    union all
    select p.id from paliad.projects p join below on p.parent_id = below.id
)
select a.id, a.title, a.starts_at, a.ends_at, a.place, nullif(a.approval_status, 'approved') as approval_status, a.project_id, p.label as project, p.reference
from (
    select * from paliad.appointments
    where starts_at >= %(start)s and starts_at < %(end)s and approval_status <> 'rejected'
        and (%(project_id)s::text is null or project_id in (select id from below))
    order by starts_at, id
    limit 26
) a
join paliad.projects p on p.id = a.project_id
order by a.starts_at, a.id

-- name: pending_approvals
select r.id, r.thing_kind, r.thing_id, r.requester_kind, s.name as requested_by, r.requested_at, r.project_id,
    p.label as project,
    coalesce(d.title, a.title, left(n.body, 120)) as title, d.due_date
from paliad.approval_requests r
join paliad.projects p on p.id = r.project_id
left join paliad.users s on s.id = r.requested_by
left join paliad.deadlines d on r.thing_kind = 'deadline' and d.id = r.thing_id
left join paliad.appointments a on r.thing_kind = 'appointment' and a.id = r.thing_id
left join paliad.notes n on r.thing_kind = 'note' and n.id = r.thing_id
where r.status = 'pending'
    and case  -- as paliad.decides_as says, which would be asked for each row
        when r.requested_by = %(person)s
            then r.requester_kind = 'agent' and not (select second_pair from paliad.settings)
        else (select paliad.is_owner()) or r.project_id in (select paliad.led_projects())
    end
order by r.requested_at, r.id
limit 26
