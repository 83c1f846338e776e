-- Two things that somebody with nothing but the tools' role could do.
--
-- 1. A function with an empty search_path still looks for the names of types in pg_temp, and there first: whoever may make
--    a temporary domain called "date" had its check run with the rights of the tables' owner. With pg_temp named, it comes
--    last (PostgreSQL's documentation, "Writing SECURITY DEFINER Functions Safely").
-- 2. The text of a note that waits, or that was rejected, was there for all members of its project.

-- migrate:up

do $$
declare
    each regprocedure;
begin
    for each in select oid::regprocedure from pg_proc where pronamespace = 'paliad'::regnamespace loop
        execute format('alter function %s set search_path = pg_catalog, pg_temp', each);
    end loop;
end $$;

create policy notes_pending on paliad.notes as restrictive for select to paliad_tools
    using (approval_status = 'approved' or author = (select paliad.person()) or paliad.may_approve(project_id));

-- migrate:down

drop policy notes_pending on paliad.notes;

do $$
declare
    each regprocedure;
begin
    for each in select oid::regprocedure from pg_proc where pronamespace = 'paliad'::regnamespace loop
        execute format('alter function %s set search_path = ''''', each);
    end loop;
end $$;
