-- migrate:up
alter table paliadin.turns
    add column tool_calls jsonb not null default '[]',  -- [{"name", "ok", "refused", "rows", "at_ms", "duration_ms"}]
    add column interrupts jsonb not null default '[]',  -- [{"kind", "tool", "by", "at_ms", "waited_ms"}]
    add column feedback text check (feedback in ('up', 'down')),
    add column feedback_word text;

create index turns_words on paliadin.turns using gin (
    to_tsvector('simple', left(user_message, 20000) || ' ' || left(coalesce(response, ''), 100000)));

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
    duration_ms        bigint,
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
    feedback           text
) with (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.01,
        autovacuum_analyze_scale_factor = 0.02);
create index turn_facts_started on paliadin.turn_facts (started_at);

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

create function paliadin.facts_of(t paliadin.turns) returns paliadin.turn_facts
language sql stable
return row(
    t.turn_id, t.started_at, t.finished_at is not null, t.session_id, t.person, t.origin,
    left(coalesce(t.context->>'route_name', t.page_origin), 200), t.model,
    t.classifier_tag, t.classifier_source is not distinct from 'fallback', t.error_code, t.abandoned, t.evidence_agrees,
    t.duration_ms, round(extract(epoch from t.first_text_at - t.started_at) * 1000)::bigint,
    t.input_tokens, t.output_tokens, t.cache_read_tokens, t.cache_write_tokens,
    left(t.user_message, 200), paliadin.prompt_form(t.user_message),
    cardinality(t.observed_tools) > 0 or jsonb_array_length(t.tool_calls) > 0,
    array(select e->>'name' from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'ok')::boolean from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'rows')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'duration_ms')::bigint from jsonb_array_elements(t.tool_calls) with ordinality as x(e, n) order by n),
    array(select (e->>'waited_ms')::bigint from jsonb_array_elements(t.interrupts) with ordinality as x(e, n) order by n),
    t.feedback
)::paliadin.turn_facts;

create function paliadin.keep_facts() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        delete from paliadin.turn_facts where turn_id = old.turn_id;
    end if;
    insert into paliadin.turn_facts select (f).* from (select paliadin.facts_of(new) as f offset 0) as facts;
    return null;
end
$$;
create trigger turns_facts after insert or update on paliadin.turns
    for each row execute function paliadin.keep_facts();

insert into paliadin.turn_facts select (f).* from (select paliadin.facts_of(t) as f from paliadin.turns t offset 0) as facts;

-- migrate:down
drop trigger turns_facts on paliadin.turns;
drop function paliadin.keep_facts();
drop function paliadin.facts_of(paliadin.turns);
drop table paliadin.turn_facts;
drop function paliadin.prompt_form(text);
drop table paliadin.session_starts;
drop index paliadin.turns_words;
alter table paliadin.turns
    drop column feedback_word, drop column feedback, drop column interrupts, drop column tool_calls;
