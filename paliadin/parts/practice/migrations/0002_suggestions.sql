-- Suggestions of the assistant's, and what people decide on them.
--
-- Both are done by functions here, each in one transaction, with the tables' owner's rights: so that the roles of the
-- tools need no right to write, that no program can make a thing without its request for approval, and that every rule of
-- who may decide holds for all of them. The tools' roles may call `paliad.suggest`; deciding takes the role
-- `paliad_approvals`, which may do nothing else, and which the tools never take.

-- migrate:up

do $$
begin
    if not exists (select from pg_roles where rolname = 'paliad_approvals') then
        create role paliad_approvals nologin noinherit nosuperuser nobypassrls nocreatedb nocreaterole;
    end if;
    if not pg_has_role(current_user, 'paliad_approvals', 'member') then
        execute format('grant paliad_approvals to %I', current_user);
    end if;
    if exists (select from pg_roles where rolname = 'paliad_approvals' and (rolsuper or rolbypassrls)) then
        raise exception 'the role paliad_approvals may see all that there is: it must be neither superuser nor bypassrls';
    end if;
exception when insufficient_privilege then
    raise exception using message = 'an administrator has to make the role paliad_approvals, with nologin and noinherit, '
        || 'and grant it to ' || current_user;
end $$;

-- `decided_as`: peer for who leads the project, or decides on what was suggested for themselves; admin_override for an
-- owner who does so for others. `digest`: of what was suggested, so that the same call twice in a turn is one request.
alter table paliad.approval_requests
    add column decided_as text check (decided_as in ('peer', 'admin_override')),
    add column digest text;
update paliad.approval_requests set decided_as = 'peer' where status <> 'pending';
alter table paliad.approval_requests
    add check ((status = 'pending') = (decided_as is null));
create unique index approval_requests_turn on paliad.approval_requests (agent_turn_id, digest)
    where agent_turn_id is not null;
create index approval_requests_project on paliad.approval_requests (project_id, requested_at desc);
create index approval_requests_asked on paliad.approval_requests (requested_by, status);

-- One row: what the daemon's settings say that concerns the functions below.
create table paliad.settings (
    only_row    boolean primary key default true check (only_row),
    second_pair boolean not null default false  -- of eyes: nobody approves what was suggested for themselves
);
insert into paliad.settings default values;

-- Suggests a deadline, an appointment or a note for the transaction's person: makes it as pending, with its request for
-- approval. `content` holds the thing's columns. `outcome`: made; again, for what this turn has suggested already;
-- unknown_project; unknown_rule; turn_full; person_full.
create function paliad.suggest(
    kind text, project text, content jsonb, turn uuid, content_digest text, most_in_turn integer, most_pending integer,
    out outcome text, out request uuid, out thing text, out state text
)
    language plpgsql security definer set search_path = ''
    as $$
    declare
        who constant text := paliad.person();
    begin
        if kind is null or kind not in ('deadline', 'appointment', 'note') or turn is null or content_digest is null
            or most_in_turn is null or most_pending is null
            or pg_catalog.jsonb_typeof(content) is distinct from 'object' or pg_catalog.length(content::text) > 20000
            or exists (
                select from pg_catalog.jsonb_each(content) as each
                where pg_catalog.jsonb_typeof(each.value) not in ('string', 'null')
            )
            or coalesce((content ->> 'due_date')::date not between '1900-01-01' and '2200-01-01', false)
            or coalesce((content ->> 'starts_at')::timestamptz not between '1900-01-01' and '2200-01-01', false)
            or coalesce((content ->> 'ends_at')::timestamptz not between '1900-01-01' and '2200-01-01', false)
        then
            raise exception 'this is no suggestion' using errcode = 'invalid_parameter_value';
        end if;
        -- One after the other for each person: the limits hold for calls at the same moment, too.
        perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('paliad.suggest ' || who, 0));
        if not coalesce(paliad.can_see_project(project), false) then
            outcome := 'unknown_project';
            return;
        end if;
        select 'again', r.id, r.thing_id, r.status into outcome, request, thing, state
        from paliad.approval_requests r
        where r.agent_turn_id = turn and r.digest = content_digest;
        if found then
            return;
        end if;
        outcome := case
            when (select count(*) from paliad.approval_requests r where r.agent_turn_id = turn) >= most_in_turn
                then 'turn_full'
            when (
                select count(*) from paliad.approval_requests r
                where r.requested_by = who and r.requester_kind = 'agent' and r.status = 'pending'
                    and r.project_id = any (paliad.visible_ids())  -- those that they can decide on
            ) >= most_pending then 'person_full'
            when content ->> 'rule_id' is not null
                and not exists (select from paliad.deadline_rules d where d.id = content ->> 'rule_id')
                then 'unknown_rule'
            else 'made'
        end;
        if outcome <> 'made' then
            return;
        end if;
        request := pg_catalog.gen_random_uuid();
        thing := kind || '-' || pg_catalog.left(pg_catalog.replace(request::text, '-', ''), 16);
        state := 'pending';
        insert into paliad.approval_requests
            (id, project_id, thing_kind, thing_id, requester_kind, requested_by, agent_turn_id, digest)
            values (request, project, kind, thing, 'agent', who, turn, content_digest);
        case kind
            when 'deadline' then
                insert into paliad.deadlines
                    (id, project_id, title, due_date, rule_id, responsible, created_by, approval_status, pending_request_id)
                    values (thing, project, content ->> 'title', (content ->> 'due_date')::date, content ->> 'rule_id',
                        who, who, 'pending', request);
            when 'appointment' then
                insert into paliad.appointments
                    (id, project_id, title, starts_at, ends_at, place, created_by, approval_status, pending_request_id)
                    values (thing, project, content ->> 'title', (content ->> 'starts_at')::timestamptz,
                        (content ->> 'ends_at')::timestamptz, coalesce(content ->> 'place', ''), who, 'pending', request);
            when 'note' then
                insert into paliad.notes (id, project_id, body, author, approval_status, pending_request_id)
                    values (thing, project, content ->> 'body', who, 'pending', request);
        end case;
        insert into paliad.audit_trail (actor, actor_kind, action, project_id, thing_kind, thing_id, details)
            values (who, 'agent', 'approval.requested', project, kind, thing, pg_catalog.jsonb_build_object(
                'title', content ->> 'title', 'request', request, 'turn', turn));
    end
    $$;

-- Why the transaction's person may decide on a request: peer or admin_override; null if they may not.
create function paliad.decides_as(request paliad.approval_requests, approve boolean) returns text
    language sql stable security definer set search_path = ''
    as $$
    select case
        when request.requester_kind = 'agent' and request.requested_by = paliad.person()
            then case when not approve or not (select second_pair from paliad.settings) then 'peer' end
        when request.requested_by = paliad.person() then null
        when request.project_id in (select paliad.led_projects()) then 'peer'
        when paliad.is_owner() then 'admin_override'
    end
    $$;

-- Decides on a request for the transaction's person. `outcome`: decided; already, when somebody has; not_yours, when it
-- is for others to decide; thing_gone, when there is nothing left to approve; unknown. The others tell how it stands;
-- `decided` is the request's decided_as.
create function paliad.decide(
    request uuid, approve boolean, note text,
    out outcome text, out state text, out decider text, out decider_name text, out at timestamptz, out decided text
)
    language plpgsql security definer set search_path = ''
    as $$
    declare
        who constant text := paliad.person();
        asked paliad.approval_requests;
        right_of text;
        changed integer;
    begin
        if approve is null or pg_catalog.length(note) > 2000 then
            raise exception 'this is no decision' using errcode = 'invalid_parameter_value';
        end if;
        select * into asked from paliad.approval_requests r
        where r.id = request and paliad.can_see_project(r.project_id)
        for update;  -- of two who decide at the same moment, the second one waits here, and then sees what was decided
        if not found then
            outcome := 'unknown';
            return;
        end if;
        right_of := paliad.decides_as(asked, approve);
        if asked.status <> 'pending' then
            outcome := 'already';
        elsif right_of is null then
            outcome := 'not_yours';
        else
            update paliad.deadlines set approval_status = case when approve then 'approved' else 'rejected' end,
                pending_request_id = null
                where id = asked.thing_id and pending_request_id = request and project_id = asked.project_id;
            get diagnostics changed = row_count;
            if changed = 0 then
                update paliad.appointments set approval_status = case when approve then 'approved' else 'rejected' end,
                    pending_request_id = null
                where id = asked.thing_id and pending_request_id = request and project_id = asked.project_id;
                get diagnostics changed = row_count;
            end if;
            if changed = 0 then
                update paliad.notes set approval_status = case when approve then 'approved' else 'rejected' end,
                    pending_request_id = null
                where id = asked.thing_id and pending_request_id = request and project_id = asked.project_id;
                get diagnostics changed = row_count;
            end if;
            if changed = 0 and approve then
                outcome := 'thing_gone';
            else
                outcome := 'decided';
                update paliad.approval_requests r
                    set status = case when approve then 'approved' else 'rejected' end, decided_by = who,
                        decided_at = pg_catalog.now(), decided_as = right_of, reason = nullif(note, '')
                    where r.id = request
                    returning * into asked;
                insert into paliad.audit_trail (actor, actor_kind, action, project_id, thing_kind, thing_id, details)
                    values (who, 'person', 'approval.' || asked.status, asked.project_id, asked.thing_kind, asked.thing_id,
                        pg_catalog.jsonb_build_object('request', request, 'as', right_of, 'requester', asked.requested_by,
                            'requester_kind', asked.requester_kind, 'note', asked.reason));
            end if;
        end if;
        state := asked.status;
        decider := asked.decided_by;
        decider_name := (select name from paliad.users where id = asked.decided_by);
        at := asked.decided_at;
        decided := asked.decided_as;
    end
    $$;

-- The question that led to a suggestion, for who asked it and for who decides; null for others, and once its turn was
-- deleted. It is read from Paliadin's own record, so nothing of it is kept here.
create function paliad.question_of(request uuid) returns text
    language plpgsql stable security definer set search_path = ''
    as $$
    declare
        asked paliad.approval_requests;
        question text;
    begin
        select * into asked from paliad.approval_requests r
        where r.id = request and r.requester_kind = 'agent' and paliad.can_see_project(r.project_id);
        if not found or pg_catalog.to_regclass('paliadin.turns') is null
            or not (asked.requested_by = paliad.person() or paliad.may_approve(asked.project_id))
        then
            return null;
        end if;
        execute 'select pg_catalog.left(user_message, 2000) from paliadin.turns where turn_id = $1'
            into question using asked.agent_turn_id;
        return question;
    end
    $$;

grant usage on schema paliad to paliad_approvals;
grant select on paliad.settings to paliad_tools, paliad_tools_all;
revoke execute on all functions in schema paliad from public;
grant execute on function paliad.suggest(text, text, jsonb, uuid, text, integer, integer),
    paliad.decides_as(paliad.approval_requests, boolean) to paliad_tools, paliad_tools_all;
grant execute on function paliad.decide(uuid, boolean, text), paliad.question_of(uuid) to paliad_approvals;

-- migrate:down

drop function paliad.question_of(uuid), paliad.decide(uuid, boolean, text),
    paliad.decides_as(paliad.approval_requests, boolean),
    paliad.suggest(text, text, jsonb, uuid, text, integer, integer);
drop table paliad.settings;
drop index paliad.approval_requests_turn, paliad.approval_requests_project, paliad.approval_requests_asked;
alter table paliad.approval_requests drop column decided_as, drop column digest;
revoke usage on schema paliad from paliad_approvals;
