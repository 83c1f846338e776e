-- All of Paliadin's tables. This file takes the place of the thirteen below. A database to which all thirteen were applied
-- has these tables already: only its list of applied migrations changes.
-- replaces: 0001_turns 0002_monitoring 0003_waited 0004_first_text 0005_claims 0006_questions_asked 0007_own_keys
-- replaces: 0008_redacted 0009_shared_turns 0010_unconfirmed 0011_refused_calls 0012_joined 0013_plausible

-- migrate:up
create table paliadin.turns (
    turn_id             uuid primary key,  -- UUIDv7
    session_id          text not null,
    person              text not null,
    host                text not null,
    origin              text not null check (origin in ('page', 'widget', 'cli', 'api', 'terminal', 'agent')),
    page_origin         text,
    context             jsonb not null default '{}',
    started_at          timestamptz not null,
    first_text_at       timestamptz,
    finished_at         timestamptz,
    duration_ms         bigint,
    user_message        text not null,
    response            text,
    model               text,
    input_tokens        bigint,
    output_tokens       bigint,
    cache_read_tokens   bigint,
    cache_write_tokens  bigint,
    used_tools          text[] not null default '{}',  -- what the trailer claims
    rows_seen           int[] not null default '{}',
    observed_tools      text[] not null default '{}',  -- what the hooks saw
    evidence_agrees     boolean,
    chip_count          int not null default 0,
    abandoned           boolean,
    error_code          text,
    classifier_tag      text check (classifier_tag in ('data', 'concept', 'navigation', 'meta', 'other')),
    classifier_source   text check (classifier_source in ('trailer', 'fallback')),
    pane_lines_captured int,
    tool_calls          jsonb not null default '[]',  -- [{"name", "ok", "refused", "rows", "at_ms", "duration_ms"}]
    interrupts          jsonb not null default '[]',  -- [{"kind", "tool", "by", "at_ms", "waited_ms"}]
    feedback            text check (feedback in ('up', 'down')),
    feedback_word       text,
    -- {status: how many claims of the answer have it}; null: it was not checked.
    claims              jsonb check (jsonb_typeof(claims) = 'object'),
    verdict             text check (verdict in ('supported', 'unsupported', 'nothing_to_check', 'unknown')),
    own_key             boolean,  -- the person's own key has paid for it; null in rows from before there were such keys
    limit_lifted        boolean,  -- asked beyond the questions of an hour; null as above
    -- With AUDIT=redacted, what is kept in place of question, answer and arguments: hashes and lengths. Null: the row is whole.
    redacted            jsonb check (jsonb_typeof(redacted) = 'object'),
    -- How many characters at the answer's end were shown before a Stop, and never reported by Claude Code. Null: none.
    unconfirmed_chars   integer check (unconfirmed_chars > 0),
    -- What somebody typed in Claude's terminal while the turn ran, and Claude got as a part of it: [{"text", "at"}], where
    -- `at` is how many characters of the response stand before it. Null in rows from before it was known.
    joined              jsonb
);
create index turns_session on paliadin.turns (session_id, started_at desc, turn_id desc);
create index turns_started on paliadin.turns (started_at desc, turn_id desc);
create index turns_words on paliadin.turns using gin (
    to_tsvector('simple', left(user_message, 20000) || ' ' || left(coalesce(response, ''), 100000)));
create index turns_joined on paliadin.turns (turn_id) where joined <> '[]';  -- few; for the search

-- How often a conversation began anew (source `clear`), and how often its Claude had to be started again.
create table paliadin.session_starts (
    session_id text not null,
    at         timestamptz not null,
    source     text not null,
    primary key (session_id, at, source)
);
create index session_starts_at on paliadin.session_starts (at);

-- What the figures need of a turn, without its long texts: a scan of a month reads a tenth of the pages.
create table paliadin.turn_facts (
    turn_id            uuid primary key references paliadin.turns on delete cascade,
    started_at         timestamptz not null,
    finished           boolean not null,
    session_id         text not null,
    person             text not null,
    origin             text not null,
    page               text,
    model              text,
    tag                text,
    tag_by_fallback    boolean not null,
    error_code         text,
    abandoned          boolean,
    evidence_agrees    boolean,
    duration_ms        bigint,             -- this and the next without waiting for a person, which is waited_ms
    first_text_ms      bigint,
    input_tokens       bigint,
    output_tokens      bigint,
    cache_read_tokens  bigint,
    cache_write_tokens bigint,
    prompt             text not null,      -- the first 200 characters
    prompt_form        text not null,
    used_a_tool        boolean not null,
    tools              text[] not null,    -- one item for each call, as in the three below
    tool_ok            boolean[] not null,
    tool_rows          bigint[] not null,
    tool_ms            bigint[] not null,
    waits_ms           bigint[] not null,  -- one item for each interrupt
    feedback           text,
    waited_ms          bigint,
    verdict            text,
    claims_checked     bigint,
    claims_unsupported bigint
) with (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.01,
        autovacuum_analyze_scale_factor = 0.02);
create index turn_facts_started on paliadin.turn_facts (started_at);
create index turn_facts_unsupported on paliadin.turn_facts (started_at) where verdict = 'unsupported';

-- Near-identical questions have one form: without case, punctuation and blanks, numbers and dates as `#`.
create function paliadin.prompt_form(message text) returns text
language sql immutable strict parallel safe
return left(btrim(
    regexp_replace(
        regexp_replace(
            regexp_replace(
                regexp_replace(
                    lower(left(message, 1000)),
                    '[0-9]+(st|nd|rd|th)?', '#', 'g'),
                '[^[:alnum:]#]+', ' ', 'g'),
            '\m(january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\M', '#', 'g'),
        '#( ?#)*', '#', 'g')), 120);

-- How long a turn waited for its user, in all: waits may overlap.
create function paliadin.waited_ms(interrupts jsonb) returns bigint
language sql immutable parallel safe
return (
    select sum(upper(wait) - lower(wait))::bigint
    from unnest((
        select range_agg(int8range((e->>'at_ms')::bigint, (e->>'at_ms')::bigint + (e->>'waited_ms')::bigint))
        from jsonb_array_elements(interrupts) as e
        where (e->>'waited_ms')::bigint > 0)) as wait);

-- The time of the first text, without what the turn waited for its user before.
create function paliadin.first_text_ms(t paliadin.turns) returns bigint
language sql stable
return (
    select ms - coalesce(
        (select sum(upper(wait * before) - lower(wait * before))
         from unnest((
             select range_agg(int8range((e->>'at_ms')::bigint, (e->>'at_ms')::bigint + (e->>'waited_ms')::bigint))
             from jsonb_array_elements(t.interrupts) as e
             where (e->>'waited_ms')::bigint > 0)) as wait), 0)
    from (select round(extract(epoch from t.first_text_at - t.started_at) * 1000)::bigint) as first(ms),
        int8range(0, greatest(ms, 0)) as before);

-- How many claims of an answer could be checked: all but those with the status `common`. Null: it was not checked.
create function paliadin.claims_checked(claims jsonb) returns bigint
language sql immutable parallel safe
return case when claims is not null then coalesce(
    (select sum(number::bigint) from jsonb_each_text(claims) as e(status, number) where status <> 'common'), 0)::bigint end;

-- Whether there is a call that a person did not refuse: a refused one never ran.
create function paliadin.has_unrefused_call(calls jsonb) returns boolean
language sql immutable parallel safe
return exists (select from jsonb_array_elements(calls) as e where e->>'refused' is distinct from 'true');

-- A count of at most ten digits, as paliadin/base/checked_numbers.py takes it; null for any other number.
create function paliadin.plausible(number bigint) returns bigint
language sql immutable parallel safe
return case when number between 0 and 9999999999 then number end;

-- The entries of a list that are objects with a text of that name, each without the fields of another kind than theirs.
create function paliadin.plausible_entries(list jsonb, required text) returns jsonb
language sql immutable parallel safe
return coalesce((
    select jsonb_agg((
        select jsonb_object_agg(key, value) from jsonb_each(entry)
        where case
            when key in ('ok', 'refused') then jsonb_typeof(value) = 'boolean'
            when key in ('rows', 'at_ms', 'duration_ms', 'waited_ms') then value::text ~ '^[0-9]{1,10}$'
            else jsonb_typeof(value) = 'string' end) order by n)
    from jsonb_array_elements(case jsonb_typeof(list) when 'array' then list else '[]' end) with ordinality as x (entry, n)
    where jsonb_typeof(entry->required) = 'string'), '[]');

-- A row as its facts take it: whatever an API, a host or a hand has put into it, it neither fails nor outweighs others.
create function paliadin.plausible_turn(t paliadin.turns) returns paliadin.turns language plpgsql stable as $$
begin
    t.input_tokens := paliadin.plausible(t.input_tokens);
    t.output_tokens := paliadin.plausible(t.output_tokens);
    t.cache_read_tokens := paliadin.plausible(t.cache_read_tokens);
    t.cache_write_tokens := paliadin.plausible(t.cache_write_tokens);
    t.duration_ms := paliadin.plausible(t.duration_ms);
    if not isfinite(t.started_at) or t.first_text_at not between t.started_at and t.started_at + interval '115 days' then
        t.first_text_at := null;
    end if;
    t.tool_calls := paliadin.plausible_entries(t.tool_calls, 'name');
    t.interrupts := paliadin.plausible_entries(t.interrupts, 'kind');
    if t.claims is not null then
        t.claims := (
            select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(t.claims) where value::text ~ '^[0-9]{1,10}$');
    end if;
    return t;
end
$$;

create function paliadin.facts_of(t paliadin.turns) returns paliadin.turn_facts
language sql stable
return row(
    t.turn_id, t.started_at, t.finished_at is not null, t.session_id, t.person, t.origin,
    left(coalesce(t.context->>'route_name', t.page_origin), 200), t.model,
    t.classifier_tag, t.classifier_source is not distinct from 'fallback', t.error_code, t.abandoned, t.evidence_agrees,
    case when t.duration_ms is not null
        then greatest(t.duration_ms - coalesce(paliadin.waited_ms(t.interrupts), 0), 0) end,
    paliadin.first_text_ms(t),
    t.input_tokens, t.output_tokens, t.cache_read_tokens, t.cache_write_tokens,
    left(t.user_message, 200), paliadin.prompt_form(t.user_message),
    cardinality(t.observed_tools) > 0 or paliadin.has_unrefused_call(t.tool_calls),
    array(select e->>'name' from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'ok')::boolean from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'rows')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'duration_ms')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'waited_ms')::bigint from jsonb_array_elements(t.interrupts) with ordinality as x(e, n) order by n),
    t.feedback, paliadin.waited_ms(t.interrupts),
    t.verdict, paliadin.claims_checked(t.claims),
    case when t.claims is not null then coalesce((t.claims->>'unsupported')::bigint, 0) end
)::paliadin.turn_facts;

create function paliadin.keep_facts() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        delete from paliadin.turn_facts where turn_id = old.turn_id;
    end if;
    insert into paliadin.turn_facts
    select (f).* from (select paliadin.facts_of(paliadin.plausible_turn(new)) as f offset 0) as facts;
    return null;
end
$$;
create trigger turns_facts after insert or update on paliadin.turns
    for each row execute function paliadin.keep_facts();

-- Questions of an hour over the Messages API: of each person, and (everyone, person '') of all together.
create table paliadin.questions_asked (
    hour timestamptz not null,
    everyone boolean not null,
    person text not null,
    asked integer not null,
    primary key (hour, everyone, person)
);

-- People's own keys for the Messages API, sealed with a secret that is not in this database.
create table paliadin.own_keys (
    person text primary key,
    sealed text not null,
    saved_at timestamptz not null default now()
);

-- Turns that several processes carry together (`--role web` and `--role worker`), while they run.
create table paliadin.asked (
    turn_id uuid primary key,
    question jsonb not null,
    asked_at timestamptz not null default now(),
    -- The advisory lock that the worker which has taken the turn holds for as long as it lives.
    worker integer,
    ended_at timestamptz
);
-- Parts of the turn's log. `at_byte`: where in the log one begins.
create table paliadin.steps (
    turn_id uuid not null references paliadin.asked on delete cascade,
    at_byte integer not null,
    lines bytea not null,
    primary key (turn_id, at_byte)
);
-- What the worker is told of a running turn: to stop it, or a reply to a question of the model's.
create table paliadin.signals (
    id bigint generated always as identity primary key,
    turn_id uuid not null references paliadin.asked on delete cascade,
    signal jsonb not null
);
create index signals_turn on paliadin.signals (turn_id);

-- migrate:down
drop trigger turns_facts on paliadin.turns;
drop function paliadin.keep_facts(), paliadin.facts_of(paliadin.turns), paliadin.plausible_turn(paliadin.turns),
    paliadin.plausible_entries(jsonb, text), paliadin.plausible(bigint), paliadin.has_unrefused_call(jsonb),
    paliadin.claims_checked(jsonb), paliadin.first_text_ms(paliadin.turns), paliadin.waited_ms(jsonb),
    paliadin.prompt_form(text);
drop table paliadin.signals, paliadin.steps, paliadin.asked, paliadin.own_keys, paliadin.questions_asked,
    paliadin.turn_facts, paliadin.session_starts, paliadin.turns;
