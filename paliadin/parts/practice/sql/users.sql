-- name: write_user
insert into paliad.users as kept (id, name, office, language, role, active)
values (%s, %s, %s, %s, %s, true)
on conflict (id) do update set
    name = excluded.name, office = excluded.office, language = excluded.language, role = excluded.role, active = true

-- name: retire_users
update paliad.users set active = false where active and not id = any (%s)

-- name: earlier_name
select u.name from paliad.users u
where u.id = %s and (
    exists (select from paliad.project_members m where m.user_id = u.id)
    or exists (select from paliad.partner_unit_members m where m.user_id = u.id)
)
