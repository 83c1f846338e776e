-- Turns that several processes carry together (`--role web` and `--role worker`), while they run.
-- migrate:up
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
drop table paliadin.signals, paliadin.steps, paliadin.asked;
