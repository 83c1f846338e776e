-- name: write_user
insert into paliad.users as kept (id, name, office, language, role, active)
values (%s, %s, %s, %s, %s, true)
on conflict (id) do update set
    name = excluded.name, office = excluded.office, language = excluded.language, role = excluded.role, active = true

-- name: retire_users
update paliad.users set active = false where active and not id = any (%s)
