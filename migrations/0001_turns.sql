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
    pane_lines_captured int
);

create index turns_session on paliadin.turns (session_id, started_at desc, turn_id desc);
create index turns_started on paliadin.turns (started_at desc, turn_id desc);

-- migrate:down
drop table paliadin.turns;
