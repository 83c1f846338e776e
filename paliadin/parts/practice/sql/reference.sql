-- name: courts
select c.id, c.short, c.name_de, c.name_en, c.kind, c.address, c.city, c.country, c.languages, c.vacations, c.source
from paliad.courts c
where c.id = %(q)s or c.short ilike %(words)s or c.name_de ilike %(words)s or c.name_en ilike %(words)s
    or c.city ilike %(words)s or exists (select from unnest(c.aliases) as alias where alias ilike %(words)s)
order by c.id <> %(q)s, lower(c.short) <> lower(%(q)s), not exists (
    select from unnest(c.aliases) as alias where lower(alias) = lower(%(q)s)), c.kind not like 'upc%%', c.short, c.id
limit 11

-- name: court
select c.id, c.short, c.country, c.subdivision, c.kind, c.vacations, c.name_de, c.name_en
from paliad.courts c
where c.id = %(court)s or lower(c.short) = lower(%(court)s) or lower(c.name_de) = lower(%(court)s)
    or lower(c.name_en) = lower(%(court)s)
    or exists (select from unnest(c.aliases) as alias where lower(alias) = lower(%(court)s))
order by c.id <> %(court)s, c.id
limit 1

-- name: terms
select g.id, g.de, g.en, g.definition_de, g.definition_en, g.category, g.source
from paliad.glossary g
where g.id = %(q)s or g.de ilike %(words)s or g.en ilike %(words)s
    or exists (select from unnest(g.aliases_de || g.aliases_en) as alias where alias ilike %(words)s)
order by not (lower(%(q)s) = any(array[g.id, lower(g.de), lower(g.en)])), not (lower(%(q)s) = any(
    select lower(alias) from unnest(g.aliases_de || g.aliases_en) as alias)), length(g.de), g.id
limit 6

-- name: rules
-- All words have to be there: one with a digit as a whole, others also in a longer one. `provision` is a pattern for all
-- of them as a provision. Best is what is called so, then what begins so, then what has the words in its name.
with texts as (
    select r.*, lower(concat_ws(' ', r.id, r.concept_de, r.concept_en, array_to_string(r.aliases, ' '), r.legal_source,
        r.jurisdiction)) as named, lower(concat_ws(' ', r.trigger_de, r.trigger_en)) as triggered
    from paliad.deadline_rules r
), ranked as (
    select texts.*, case
        when id = %(q)s or %(q)s = any (array[lower(concept_de), lower(concept_en)]) then 0
        when legal_source ~* %(provision)s then 1
        when starts_with(lower(concept_de), %(q)s) or starts_with(lower(concept_en), %(q)s) then 2
        when %(q)s = any (select lower(alias) from unnest(aliases) as alias) then 3
        when strpos(lower(concept_de || ' ' || concept_en), %(q)s) > 0 then 4
        when strpos(named, %(q)s) > 0 then 5
        else 6
    end as place
    from texts
    where not exists (
        select from unnest(%(patterns)s::text[]) as pattern where named || ' ' || triggered !~ pattern
    )
)
select id, concept_de, concept_en, trigger_de, trigger_en, period, whichever, direction, jurisdiction, calendar,
    legal_source, extendable_de, extendable_en, note_de, note_en, source
from ranked
order by place, least(length(concept_de), length(concept_en)), id
limit 6

-- name: judgments
with asked as (
    select websearch_to_tsquery('pg_catalog.german', %(q)s) as german,
        websearch_to_tsquery('pg_catalog.english', %(q)s) as english,
        websearch_to_tsquery('pg_catalog.simple', %(q)s) as plain
), hits as (
    select j.id, j.case_number, j.division, j.decided_on, j.language, j.headnote, j.body, j.made_up, j.source,
        case j.language when 'de' then asked.german else asked.english end as query,
        ts_rank_cd(j.searched, asked.german || asked.english || asked.plain) as rank
    from paliad.judgments j, asked
    where j.searched @@ (asked.german || asked.english || asked.plain)
        and (%(division)s::text is null or j.division ilike %(division)s)
        and (%(since)s::date is null or j.decided_on >= %(since)s)
    order by rank desc, j.decided_on desc, j.id
    limit %(most)s
)
select id, case_number, division, decided_on, language, left(headnote, 600) as headnote, made_up, source,
    ts_headline(case language when 'de' then 'pg_catalog.german' else 'pg_catalog.english' end::regconfig, left(body, 200000),
        query, 'MaxFragments=3, MaxWords=30, MinWords=12, StartSel="", StopSel="", FragmentDelimiter=" ¶ "') as passages
from hits
order by rank desc, decided_on desc, id
