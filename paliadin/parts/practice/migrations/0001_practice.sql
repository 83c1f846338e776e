-- A patent practice: its people, its projects with what belongs to them, and reference data.
--
-- Who may see a project is decided here and nowhere else: by `paliad.visible_projects()`, for the person whom the
-- transaction names (`select set_config('paliad.person', 'ann', true)`). Every table with a project has policies that
-- ask it. The tools read as the role `paliad_tools`, for an owner as `paliad_tools_all`. Both own nothing and may bypass
-- nothing: a query of theirs that lacks its `where` returns no row that is not the person's. The second shows anything
-- only if the person is an owner; it is a role of its own so that each of the two gets a plan that suits it.

-- migrate:up


-- A role belongs to the whole server, where another database, or an administrator, may have made it already.
do $$
declare
    each text;
begin
    foreach each in array array['paliad_tools', 'paliad_tools_all'] loop
        if not exists (select from pg_roles where rolname = each) then
            execute format('create role %I nologin noinherit nosuperuser nobypassrls nocreatedb nocreaterole', each);
        end if;
        if not pg_has_role(current_user, each, 'member') then
            execute format('grant %I to %I', each, current_user);
        end if;
        if exists (select from pg_roles where rolname = each and (rolsuper or rolbypassrls)) then
            raise exception 'the role % may see all that there is: it must be neither superuser nor bypassrls', each;
        end if;
    end loop;
exception when insufficient_privilege then
    raise exception using message = 'an administrator has to make the roles paliad_tools and paliad_tools_all, '
        || 'with nologin and noinherit, and grant them to ' || current_user;
end $$;

-- People and units. `users` are Paliadin's people; the daemon keeps both the same.

create table paliad.users (
    id       text primary key,
    name     text not null,
    office   text not null default '',
    language text not null default 'en' check (language in ('de', 'en')),
    role     text not null default 'member' check (role in ('owner', 'member')),
    active   boolean not null default true
);

create table paliad.partner_units (
    id   text primary key,
    name text not null
);

create table paliad.partner_unit_members (
    unit_id text not null references paliad.partner_units on delete cascade,
    user_id text not null references paliad.users on delete cascade,
    primary key (unit_id, user_id)
);
create index partner_unit_members_user on paliad.partner_unit_members (user_id);

-- Reference data: the same for everybody.

create table paliad.courts (
    id          text primary key,
    name_de     text not null,
    name_en     text not null,
    short       text not null,
    aliases     text[] not null default '{}',
    kind        text not null check (kind in (
        'upc_local', 'upc_regional', 'upc_central', 'upc_appeal', 'epo', 'dpma', 'bpatg', 'bgh', 'olg', 'lg')),
    address     text,
    city        text not null,
    country     text not null check (country ~ '^[A-Z]{2}$'),
    subdivision text,
    languages   text[] not null default '{}',
    vacations   jsonb not null default '[]',
    source      jsonb not null
);

create table paliad.glossary (
    id            text primary key,
    de            text not null,
    en            text not null,
    aliases_de    text[] not null default '{}',
    aliases_en    text[] not null default '{}',
    definition_de text not null,
    definition_en text not null,
    category      text not null,
    source        jsonb not null
);

create table paliad.deadline_rules (
    id            text primary key,
    concept_de    text not null,
    concept_en    text not null,
    aliases       text[] not null default '{}',
    trigger_de    text not null,
    trigger_en    text not null,
    period        jsonb not null,
    whichever     text check (whichever in ('later', 'earlier')),
    direction     text not null check (direction in ('after', 'before')),
    jurisdiction  text not null check (jurisdiction in ('UPC', 'EPO', 'DE')),
    calendar      text not null check (calendar in ('upc', 'epo', 'bgb')),
    legal_source  text not null,
    extendable_de text,
    extendable_en text,
    note_de       text,
    note_en       text,
    source        jsonb not null
);

-- Of which file each of the three tables above holds the content: the same one is not loaded again.
create table paliad.reference_digests (
    table_name text primary key,
    digest     text not null
);

create table paliad.judgments (
    id          text primary key,
    case_number text not null,
    court_id    text references paliad.courts,
    division    text not null,
    decided_on  date not null,
    language    text not null check (language in ('de', 'en')),
    headnote    text not null,
    body        text not null,
    made_up     boolean not null default false,
    source      text,
    searched    tsvector not null generated always as (
        case language
            when 'de' then setweight(to_tsvector('pg_catalog.german', headnote), 'A')
                || setweight(to_tsvector('pg_catalog.german', body), 'C')
            else setweight(to_tsvector('pg_catalog.english', headnote), 'A')
                || setweight(to_tsvector('pg_catalog.english', body), 'C')
        end || setweight(to_tsvector('pg_catalog.simple', case_number), 'B')
    ) stored
);
create index judgments_searched on paliad.judgments using gin (searched);

-- Projects and what belongs to them.

create table paliad.projects (
    id         text primary key check (id !~ '\s'),
    parent_id  text references paliad.projects,
    kind       text not null check (kind in ('client', 'matter', 'proceeding')),
    label      text not null,
    reference  text not null default '',
    status     text not null default 'active' check (status in ('active', 'closed', 'archived')),
    court_id   text references paliad.courts,
    opened_on  date not null default current_date,
    closed_on  date,
    check ((kind = 'client') = (parent_id is null))
);
create index projects_parent on paliad.projects (parent_id);

create table paliad.project_members (
    project_id text not null references paliad.projects on delete cascade,
    user_id    text not null references paliad.users on delete cascade,
    role       text not null default 'member' check (role in ('lead', 'member', 'assistant')),
    primary key (project_id, user_id)
);
create index project_members_user on paliad.project_members (user_id);

create table paliad.project_units (
    project_id text not null references paliad.projects on delete cascade,
    unit_id    text not null references paliad.partner_units on delete cascade,
    primary key (project_id, unit_id)
);
create index project_units_unit on paliad.project_units (unit_id);

-- What waits for a person's approval. A suggestion of the assistant's names the turn that it comes from; turns can be
-- deleted, so it is no foreign key.
create table paliad.approval_requests (
    id             uuid primary key default gen_random_uuid(),
    project_id     text not null references paliad.projects on delete cascade,
    thing_kind     text not null check (thing_kind in ('deadline', 'appointment', 'note')),
    thing_id       text not null,
    requester_kind text not null check (requester_kind in ('person', 'agent')),
    requested_by   text not null references paliad.users,
    agent_turn_id  uuid,
    status         text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
    requested_at   timestamptz not null default now(),
    decided_by     text references paliad.users,
    decided_at     timestamptz,
    reason         text,
    check ((requester_kind = 'agent') = (agent_turn_id is not null)),
    check ((status = 'pending') = (decided_at is null))
);
create index approval_requests_pending on paliad.approval_requests (project_id) where status = 'pending';

create table paliad.deadlines (
    id                 text primary key,
    project_id         text not null references paliad.projects on delete cascade,
    title              text not null,
    due_date           date not null,
    status             text not null default 'open' check (status in ('open', 'done', 'cancelled')),
    court_id           text references paliad.courts,
    rule_id            text references paliad.deadline_rules,
    responsible        text references paliad.users on delete set null,
    done_at            timestamptz,
    approval_status    text not null default 'approved' check (approval_status in ('approved', 'pending', 'rejected')),
    pending_request_id uuid references paliad.approval_requests on delete set null,
    created_at         timestamptz not null default now(),
    created_by         text references paliad.users on delete set null
);
create index deadlines_project on paliad.deadlines (project_id, due_date);
create index deadlines_due on paliad.deadlines (due_date, id);
create index deadlines_open on paliad.deadlines (due_date, id) where status = 'open';
create index deadlines_project_open on paliad.deadlines (project_id, due_date) include (approval_status, id)
    where status = 'open';

create table paliad.appointments (
    id                 text primary key,
    project_id         text not null references paliad.projects on delete cascade,
    title              text not null,
    starts_at          timestamptz not null,
    ends_at            timestamptz not null check (ends_at >= starts_at),
    place              text not null default '',
    court_id           text references paliad.courts,
    approval_status    text not null default 'approved' check (approval_status in ('approved', 'pending', 'rejected')),
    pending_request_id uuid references paliad.approval_requests on delete set null,
    created_at         timestamptz not null default now(),
    created_by         text references paliad.users on delete set null
);
create index appointments_project on paliad.appointments (project_id, starts_at);
create index appointments_start on paliad.appointments (starts_at, id);

create table paliad.notes (
    id                 text primary key,
    project_id         text not null references paliad.projects on delete cascade,
    body               text not null,
    author             text references paliad.users on delete set null,
    approval_status    text not null default 'approved' check (approval_status in ('approved', 'pending', 'rejected')),
    pending_request_id uuid references paliad.approval_requests on delete set null,
    created_at         timestamptz not null default now()
);
create index notes_project on paliad.notes (project_id, created_at desc);

create table paliad.parties (
    id             text primary key,
    project_id     text not null references paliad.projects on delete cascade,
    name           text not null,
    role           text not null,
    representative text not null default '',
    country        text not null default ''
);
create index parties_project on paliad.parties (project_id);

create table paliad.audit_trail (
    id         bigint generated always as identity primary key,
    at         timestamptz not null default now(),
    actor      text not null,
    actor_kind text not null check (actor_kind in ('person', 'agent', 'system')),
    action     text not null,
    project_id text references paliad.projects on delete set null,
    thing_kind text,
    thing_id   text,
    details    jsonb not null default '{}'
);
create index audit_trail_project on paliad.audit_trail (project_id, at desc);
create index audit_trail_at on paliad.audit_trail (at desc);

-- Who may see what.

create function paliad.person() returns text
    language sql stable parallel safe set search_path = ''
    as $$ select nullif(current_setting('paliad.person', true), '') $$;

create function paliad.is_owner() returns boolean
    language sql stable security definer set search_path = ''
    as $$ select exists (select from paliad.users where id = paliad.person() and active and role = 'owner') $$;

-- The projects of the transaction's person: all for an owner; otherwise those that they, or a unit of theirs, are
-- attached to, with all that is below these. It reads with its owner's rights, since the policies below ask it.
create function paliad.visible_projects() returns setof text
    language sql stable security definer rows 100 set search_path = ''
    as $$
    with recursive known as (
        select id, role from paliad.users where id = paliad.person() and active
    ), seen as (
        select project_id as id from paliad.project_members join known on user_id = known.id
        union
        select project_id
        from paliad.project_units
        join paliad.partner_unit_members using (unit_id)
        join known on user_id = known.id
        union
        select projects.id from paliad.projects join seen on projects.parent_id = seen.id
    )
    select id from seen where (select role from known) = 'member'
    union all
    select id from paliad.projects where (select role from known) = 'owner'
    $$;

-- The same as an array, kept for the rest of the transaction: a query asks it once for each table that it reads.
create function paliad.visible_ids() returns text[]
    language plpgsql stable security definer set search_path = ''
    as $$
    declare
        whose constant text := coalesce(paliad.person(), '') || ' ';
        kept text := current_setting('paliad.visible', true);
    begin
        if kept is null or not starts_with(kept, whose) then
            kept := whose || coalesce((select string_agg(id, ' ') from paliad.visible_projects() as id), '');
            perform set_config('paliad.visible', kept, true);
        end if;
        return string_to_array(substr(kept, length(whose) + 1), ' ');
    end
    $$;

create function paliad.can_see_project(project_id text) returns boolean
    language sql stable set search_path = ''
    as $$ select project_id = any (paliad.visible_ids()) $$;

-- The projects that the transaction's person leads, and all that is below these.
create function paliad.led_projects() returns setof text
    language sql stable security definer rows 100 set search_path = ''
    as $$
    with recursive led as (
        select project_id as id
        from paliad.project_members m
        join paliad.users u on u.id = m.user_id
        where m.user_id = paliad.person() and m.role = 'lead' and u.active
        union
        select projects.id from paliad.projects join led on projects.parent_id = led.id
    )
    select id from led
    $$;

-- Whether the transaction's person may approve what others ask for in a project.
create function paliad.may_approve(project_id text) returns boolean
    language sql stable set search_path = ''
    as $$ select paliad.is_owner() or project_id in (select paliad.led_projects()) $$;

-- The policies of each table with a project. The `select` is computed once for a table of a query, not once for a row;
-- `any (…)` lets Postgres look the person's projects up in an index.
do $$
declare
    each text;
    project text;
begin
    foreach each in array array[
        'project_members', 'project_units', 'approval_requests', 'deadlines', 'appointments', 'notes', 'parties',
        'audit_trail', 'projects']
    loop
        project := case each when 'projects' then 'id' else 'project_id' end;
        execute format('alter table paliad.%I enable row level security', each);
        execute format('alter table paliad.%I force row level security', each);
        execute format('create policy maintenance on paliad.%I to %I using (true) with check (true)', each, current_user);
        execute format(
            'create policy visible on paliad.%I for select to paliad_tools
                using (%I = any (coalesce((select paliad.visible_ids()), ''{}'')))', each, project);
        execute format(
            'create policy owners on paliad.%I for select to paliad_tools_all using ((select paliad.is_owner()))', each);
    end loop;
end $$;

grant usage on schema paliad to paliad_tools, paliad_tools_all;
grant select on all tables in schema paliad to paliad_tools, paliad_tools_all;
revoke execute on all functions in schema paliad from public;
grant execute on all functions in schema paliad to paliad_tools, paliad_tools_all;

-- migrate:down

drop table paliad.audit_trail, paliad.parties, paliad.notes, paliad.appointments, paliad.deadlines,
    paliad.approval_requests, paliad.project_units, paliad.project_members, paliad.projects, paliad.judgments,
    paliad.reference_digests, paliad.deadline_rules, paliad.glossary, paliad.courts, paliad.partner_unit_members,
    paliad.partner_units, paliad.users cascade;
drop function paliad.may_approve(text), paliad.led_projects(), paliad.can_see_project(text), paliad.visible_ids(), paliad.visible_projects(), paliad.is_owner(),
    paliad.person();
revoke usage on schema paliad from paliad_tools, paliad_tools_all;
