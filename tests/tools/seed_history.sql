-- %(turns)s believable turns over the two years before %(until)s, the same ones each time.
-- Working days and hours of an office, use that grows, questions that repeat with other numbers and names.
select setseed(0.5);

create temporary table ask (tag text, tools text[], page text, question text);
insert into ask values
    ('data', '{mcp__cases__search}', 'deadlines', 'Which deadlines are open for case {n}?'),
    ('data', '{mcp__cases__search}', 'deadlines', 'What is due on {date}?'),
    ('data', '{mcp__cases__search,Read}', 'deadlines', 'what is due this week'),
    ('data', '{mcp__cases__search}', 'case', 'Show the last {n} letters of {name}'),
    ('data', '{Read,Grep}', 'case', 'Who wrote the note of {date}?'),
    ('data', '{Bash}', 'reports', 'How many cases did {name} close in {n}?'),
    ('data', '{mcp__cases__search,Bash}', 'reports', 'Compare {n} with last year'),
    ('concept', '{}', 'case', 'What does a stay of proceedings mean?'),
    ('concept', '{}', null, 'Explain the difference between an appeal and a complaint'),
    ('concept', '{Read}', 'glossary', 'Welche Frist gilt für eine Berufung?'),
    ('concept', '{}', 'glossary', 'Was ist eine Wiedereinsetzung?'),
    ('navigation', '{}', 'home', 'Where do I find the file of {name}?'),
    ('navigation', '{Glob}', 'home', 'Open case {n}'),
    ('meta', '{}', null, 'What can you do?'),
    ('meta', '{}', null, 'thanks'),
    ('other', '{Edit,Bash}', 'case', 'Draft a letter to {name} about case {n}'),
    ('other', '{WebFetch}', null, 'Summarise https://example.org/{n}'),
    ('other', '{}', 'case', 'Translate this paragraph: {words}');

create temporary table seed as
with asked as (select row_number() over (order by question) - 1 as number, * from ask),
drawn as (
    select i,
        (%(until)s::timestamptz at time zone 'Europe/Berlin')::date - 730 + floor(730 * power(random(), 0.7))::int as day,
        8 + 10 * (random() + random()) / 2 as hour,
        floor(18 * power(random(), 1.6))::int as number,
        random() as r1, random() as r2, random() as r3, random() as r4, random() as r5, md5(i::text || 'seed') as salt
    from generate_series(1, %(turns)s) as i)
select i, salt, r1, r2, r3, r4, r5, asked.*,
    (case when extract(isodow from day) > 5 and r1 < 0.85 then day - 2 else day end + hour * interval '1 hour')
        at time zone 'Europe/Berlin' as at,
    replace(replace(replace(replace(question,
        '{n}', (10 + (r2 * 4000)::int)::text),
        '{date}', to_char(day + (r3 * 20)::int, case when r4 < 0.5 then 'YYYY-MM-DD' else 'DD.MM.YYYY' end)),
        '{name}', (array['Meyer', 'Okafor', 'Silva', 'Novák', 'Tanaka', 'Jensen'])[1 + floor(r4 * 6)::int]),
        '{words}', repeat('the court has decided that ', 1 + (r3 * 30)::int)) as message,
    exp(8.6 + 0.8 * (r2 + r3 + r4 + r5 - 2) * 1.7) as took,
    case when r5 < 0.012 then 'upstream_error' when r5 < 0.02 then 'user_aborted' when r5 < 0.024 then 'timeout'
         when r5 < 0.026 then 'pane_died' when r5 < 0.028 then 'dialog_open' end as error
from drawn join asked using (number);

alter table paliadin.turns disable trigger turns_facts;

insert into paliadin.turns
select (substr(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 1, 8) || '-' ||
        substr(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 9, 4) || '-7' || substr(salt, 1, 3) ||
        '-a' || substr(salt, 4, 3) || '-' || substr(salt, 7, 12))::uuid,
    case when r1 < 0.7 then 'main' when r1 < 0.85 then 'letters' when r1 < 0.95 then 'reports' else 'night' end,
    case when r2 < 0.8 then 'ada' when r2 < 0.95 then 'grace' else 'linus' end,
    'desk',
    case when r3 < 0.62 then 'page' when r3 < 0.78 then 'widget' when r3 < 0.88 then 'cli' when r3 < 0.96 then 'terminal'
         when r3 < 0.98 then 'agent' else 'api' end,
    case when r3 between 0.62 and 0.78 then 'https://files.example' end,
    case when page is null then '{}'::jsonb else jsonb_build_object('route_name', page) end,
    at,
    case when error is null then at + took * (0.15 + 0.3 * r2) * interval '1 ms' end,
    at + took * interval '1 ms',
    took::bigint,
    message,
    case when error is null or error = 'user_aborted' then
        'Here is what the record says about it. ' || repeat(substr(salt, 1, 9) || ' is one of the ' || substr(salt, 10, 7)
        || ' entries that matter here; ', 3 + (r4 * 22)::int) end,
    case when at < %(until)s::timestamptz - interval '300 days' then 'claude-sonnet-4-5-20250929'
         when r1 < 0.15 then 'claude-haiku-4-5-20251001' else 'claude-opus-4-8' end,
    (200 + r1 * 4000)::bigint, (50 + r4 * 1500)::bigint, (10000 + r2 * 60000)::bigint, (r3 * 5000)::bigint,
    case when r4 < 0.93 then tools else '{}' end,
    '{}', tools, case when r5 < 0.9 then r4 < 0.93 or tools = '{}' end,
    (r3 * 3)::int, r3 < 0.88 and r4 > 0.93,
    error, tag, case when r5 < 0.9 then 'trailer' else 'fallback' end, 0,
    coalesce((select jsonb_agg(jsonb_build_object('name', tool, 'ok', (i + n) %% 23 <> 0, 'refused', false,
        'rows', case when (i + n) %% 23 <> 0 then (i * n) %% 40 end, 'at_ms', (took * 0.1 * n)::int,
        'duration_ms', 20 + (took * 0.05)::int) order by n)
        from unnest(tools) with ordinality as used(tool, n)), '[]'),
    case when tools && '{Bash,Edit,WebFetch}' and r1 < 0.5 then jsonb_build_array(jsonb_build_object(
        'kind', 'permission', 'tool', tools[1], 'by', case when r2 < 0.8 then 'page' else 'terminal' end,
        'at_ms', (took * 0.1)::int, 'waited_ms', (exp(7 + 4 * r4))::int)) else '[]' end,
    case when r1 + r2 < 0.3 then case when r4 < 0.8 then 'up' else 'down' end end, null,
    case when checked then jsonb_strip_nulls(jsonb_build_object(
        'found', nullif(found, 0), 'given', nullif((r3 * 3)::int * (i %% 2), 0), 'derived', nullif(found * (i %% 3) / 6, 0),
        'common', nullif((r1 * 4)::int, 0), 'unsupported', nullif(missing, 0), 'unknown', nullif(lost, 0))) end,
    case when not checked then null when missing > 0 then 'unsupported' when lost > 0 then 'unknown'
        when found + (r3 * 3)::int * (i %% 2) > 0 then 'supported' else 'nothing_to_check' end
from seed,
-- The answers of the last year were checked. Fewer of those with a tool hold facts that nothing bears out.
    lateral (select error is null and at > %(until)s::timestamptz - interval '365 days' as checked,
        case when tools = '{}' then 0 else 1 + (r4 * 12)::int end as found,
        case when r2 < case when tools = '{}' then 0.1 when tag = 'other' then 0.3 else 0.12 end
            then 1 + (r5 * r5 * 5)::int else 0 end as missing,
        case when r1 > 0.985 then 1 + (r4 * 3)::int else 0 end as lost) as claim
order by at;

insert into paliadin.turn_facts
select (f).* from (select paliadin.facts_of(t) as f from paliadin.turns t order by started_at offset 0) as facts;

insert into paliadin.session_starts
select 'main', at, case when r4 < 0.8 then 'clear' else 'startup' end from seed where i %% 40 = 0
on conflict do nothing;

alter table paliadin.turns enable trigger turns_facts;
