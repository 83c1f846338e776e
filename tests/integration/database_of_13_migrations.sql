-- A database with the files 0001_turns to 0013_plausible applied, and a few rows, as pg_dump wrote it.
SET check_function_bodies = false;
CREATE SCHEMA paliadin;
CREATE FUNCTION paliadin.claims_checked(claims jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (claims IS NOT NULL) THEN (COALESCE((SELECT sum((e.number)::bigint) AS sum FROM jsonb_each_text(claims_checked.claims) e(status, number) WHERE (e.status <> 'common'::text)), (0)::numeric))::bigint ELSE NULL::bigint END;
CREATE TABLE paliadin.turns (
    turn_id uuid NOT NULL,
    session_id text NOT NULL,
    person text NOT NULL,
    host text NOT NULL,
    origin text NOT NULL,
    page_origin text,
    context jsonb DEFAULT '{}'::jsonb NOT NULL,
    started_at timestamp with time zone NOT NULL,
    first_text_at timestamp with time zone,
    finished_at timestamp with time zone,
    duration_ms bigint,
    user_message text NOT NULL,
    response text,
    model text,
    input_tokens bigint,
    output_tokens bigint,
    cache_read_tokens bigint,
    cache_write_tokens bigint,
    used_tools text[] DEFAULT '{}'::text[] NOT NULL,
    rows_seen integer[] DEFAULT '{}'::integer[] NOT NULL,
    observed_tools text[] DEFAULT '{}'::text[] NOT NULL,
    evidence_agrees boolean,
    chip_count integer DEFAULT 0 NOT NULL,
    abandoned boolean,
    error_code text,
    classifier_tag text,
    classifier_source text,
    pane_lines_captured integer,
    tool_calls jsonb DEFAULT '[]'::jsonb NOT NULL,
    interrupts jsonb DEFAULT '[]'::jsonb NOT NULL,
    feedback text,
    feedback_word text,
    claims jsonb,
    verdict text,
    own_key boolean,
    limit_lifted boolean,
    redacted jsonb,
    unconfirmed_chars integer,
    joined jsonb,
    CONSTRAINT turns_claims_check CHECK ((jsonb_typeof(claims) = 'object'::text)),
    CONSTRAINT turns_classifier_source_check CHECK ((classifier_source = ANY (ARRAY['trailer'::text, 'fallback'::text]))),
    CONSTRAINT turns_classifier_tag_check CHECK ((classifier_tag = ANY (ARRAY['data'::text, 'concept'::text, 'navigation'::text, 'meta'::text, 'other'::text]))),
    CONSTRAINT turns_feedback_check CHECK ((feedback = ANY (ARRAY['up'::text, 'down'::text]))),
    CONSTRAINT turns_origin_check CHECK ((origin = ANY (ARRAY['page'::text, 'widget'::text, 'cli'::text, 'api'::text, 'terminal'::text, 'agent'::text]))),
    CONSTRAINT turns_redacted_check CHECK ((jsonb_typeof(redacted) = 'object'::text)),
    CONSTRAINT turns_unconfirmed_chars_check CHECK ((unconfirmed_chars > 0)),
    CONSTRAINT turns_verdict_check CHECK ((verdict = ANY (ARRAY['supported'::text, 'unsupported'::text, 'nothing_to_check'::text, 'unknown'::text])))
);
CREATE FUNCTION paliadin.first_text_ms(t paliadin.turns) RETURNS bigint
    LANGUAGE sql STABLE
    RETURN (SELECT ((first.ms)::numeric - COALESCE((SELECT sum((upper((wait.wait * before.before)) - lower((wait.wait * before.before)))) AS sum FROM unnest((SELECT range_agg(int8range(((e.value ->> 'at_ms'::text))::bigint, (((e.value ->> 'at_ms'::text))::bigint + ((e.value ->> 'waited_ms'::text))::bigint))) AS range_agg FROM jsonb_array_elements((first_text_ms.t).interrupts) e(value) WHERE (((e.value ->> 'waited_ms'::text))::bigint > 0))) wait(wait)), (0)::numeric)) FROM (SELECT (round((EXTRACT(epoch FROM ((first_text_ms.t).first_text_at - (first_text_ms.t).started_at)) * (1000)::numeric)))::bigint AS round) first(ms), LATERAL int8range((0)::bigint, GREATEST(first.ms, (0)::bigint)) before(before));
CREATE FUNCTION paliadin.has_unrefused_call(calls jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (EXISTS (SELECT FROM jsonb_array_elements(has_unrefused_call.calls) e(value) WHERE ((e.value ->> 'refused'::text) IS DISTINCT FROM 'true'::text)));
CREATE FUNCTION paliadin.prompt_form(message text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN "left"(btrim(regexp_replace(regexp_replace(regexp_replace(regexp_replace(lower("left"(message, 1000)), '[0-9]+(st|nd|rd|th)?'::text, '#'::text, 'g'::text), '[^[:alnum:]#]+'::text, ' '::text, 'g'::text), '\m(january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\M'::text, '#'::text, 'g'::text), '#( ?#)*'::text, '#'::text, 'g'::text)), 120);
CREATE FUNCTION paliadin.waited_ms(interrupts jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT (sum((upper(wait.wait) - lower(wait.wait))))::bigint AS sum FROM unnest((SELECT range_agg(int8range(((e.value ->> 'at_ms'::text))::bigint, (((e.value ->> 'at_ms'::text))::bigint + ((e.value ->> 'waited_ms'::text))::bigint))) AS range_agg FROM jsonb_array_elements(waited_ms.interrupts) e(value) WHERE (((e.value ->> 'waited_ms'::text))::bigint > 0))) wait(wait));
CREATE TABLE paliadin.turn_facts (
    turn_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished boolean NOT NULL,
    session_id text NOT NULL,
    person text NOT NULL,
    origin text NOT NULL,
    page text,
    model text,
    tag text,
    tag_by_fallback boolean NOT NULL,
    error_code text,
    abandoned boolean,
    evidence_agrees boolean,
    duration_ms bigint,
    first_text_ms bigint,
    input_tokens bigint,
    output_tokens bigint,
    cache_read_tokens bigint,
    cache_write_tokens bigint,
    prompt text NOT NULL,
    prompt_form text NOT NULL,
    used_a_tool boolean NOT NULL,
    tools text[] NOT NULL,
    tool_ok boolean[] NOT NULL,
    tool_rows bigint[] NOT NULL,
    tool_ms bigint[] NOT NULL,
    waits_ms bigint[] NOT NULL,
    feedback text,
    waited_ms bigint,
    verdict text,
    claims_checked bigint,
    claims_unsupported bigint
)
WITH (autovacuum_vacuum_insert_scale_factor='0.01', autovacuum_vacuum_scale_factor='0.01', autovacuum_analyze_scale_factor='0.02');
CREATE FUNCTION paliadin.facts_of(t paliadin.turns) RETURNS paliadin.turn_facts
    LANGUAGE sql STABLE
    RETURN ROW((t).turn_id, (t).started_at, ((t).finished_at IS NOT NULL), (t).session_id, (t).person, (t).origin, "left"(COALESCE(((t).context ->> 'route_name'::text), (t).page_origin), 200), (t).model, (t).classifier_tag, (NOT ((t).classifier_source IS DISTINCT FROM 'fallback'::text)), (t).error_code, (t).abandoned, (t).evidence_agrees, CASE WHEN ((t).duration_ms IS NOT NULL) THEN GREATEST(((t).duration_ms - COALESCE(paliadin.waited_ms((t).interrupts), (0)::bigint)), (0)::bigint) ELSE NULL::bigint END, paliadin.first_text_ms(t), (t).input_tokens, (t).output_tokens, (t).cache_read_tokens, (t).cache_write_tokens, "left"((t).user_message, 200), paliadin.prompt_form((t).user_message), ((cardinality((t).observed_tools) > 0) OR paliadin.has_unrefused_call((t).tool_calls)), ARRAY(SELECT (x.e ->> 'name'::text) FROM jsonb_array_elements((facts_of.t).tool_calls) WITH ORDINALITY x(e, n) ORDER BY x.n), ARRAY(SELECT ((x.e ->> 'ok'::text))::boolean AS bool FROM jsonb_array_elements((facts_of.t).tool_calls) WITH ORDINALITY x(e, n) ORDER BY x.n), ARRAY(SELECT ((x.e ->> 'rows'::text))::bigint AS int8 FROM jsonb_array_elements((facts_of.t).tool_calls) WITH ORDINALITY x(e, n) ORDER BY x.n), ARRAY(SELECT ((x.e ->> 'duration_ms'::text))::bigint AS int8 FROM jsonb_array_elements((facts_of.t).tool_calls) WITH ORDINALITY x(e, n) ORDER BY x.n), ARRAY(SELECT ((x.e ->> 'waited_ms'::text))::bigint AS int8 FROM jsonb_array_elements((facts_of.t).interrupts) WITH ORDINALITY x(e, n) ORDER BY x.n), (t).feedback, paliadin.waited_ms((t).interrupts), (t).verdict, paliadin.claims_checked((t).claims), CASE WHEN ((t).claims IS NOT NULL) THEN COALESCE((((t).claims ->> 'unsupported'::text))::bigint, (0)::bigint) ELSE NULL::bigint END)::paliadin.turn_facts;
CREATE FUNCTION paliadin.keep_facts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'UPDATE' then
        delete from paliadin.turn_facts where turn_id = old.turn_id;
    end if;
    insert into paliadin.turn_facts
    select (f).* from (select paliadin.facts_of(paliadin.plausible_turn(new)) as f offset 0) as facts;
    return null;
end
$$;
CREATE FUNCTION paliadin.plausible(number bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((number >= 0) AND (number <= '9999999999'::bigint)) THEN number ELSE NULL::bigint END;
CREATE FUNCTION paliadin.plausible_entries(list jsonb, required text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE((SELECT jsonb_agg((SELECT jsonb_object_agg(jsonb_each.key, jsonb_each.value) AS jsonb_object_agg FROM jsonb_each(x.entry) jsonb_each(key, value) WHERE CASE WHEN (jsonb_each.key = ANY (ARRAY['ok'::text, 'refused'::text])) THEN (jsonb_typeof(jsonb_each.value) = 'boolean'::text) WHEN (jsonb_each.key = ANY (ARRAY['rows'::text, 'at_ms'::text, 'duration_ms'::text, 'waited_ms'::text])) THEN ((jsonb_each.value)::text ~ '^[0-9]{1,10}$'::text) ELSE (jsonb_typeof(jsonb_each.value) = 'string'::text) END) ORDER BY x.n) AS jsonb_agg FROM jsonb_array_elements(CASE jsonb_typeof(plausible_entries.list) WHEN 'array'::text THEN plausible_entries.list ELSE '[]'::jsonb END) WITH ORDINALITY x(entry, n) WHERE (jsonb_typeof((x.entry -> plausible_entries.required)) = 'string'::text)), '[]'::jsonb);
CREATE FUNCTION paliadin.plausible_turn(t paliadin.turns) RETURNS paliadin.turns
    LANGUAGE plpgsql STABLE
    AS $_$
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
$_$;
CREATE TABLE paliadin.asked (
    turn_id uuid NOT NULL,
    question jsonb NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    worker integer,
    ended_at timestamp with time zone
);
CREATE TABLE paliadin.own_keys (
    person text NOT NULL,
    sealed text NOT NULL,
    saved_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE paliadin.questions_asked (
    hour timestamp with time zone NOT NULL,
    everyone boolean NOT NULL,
    person text NOT NULL,
    asked integer NOT NULL
);
CREATE TABLE paliadin.schema_migrations (
    version text NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE paliadin.session_starts (
    session_id text NOT NULL,
    at timestamp with time zone NOT NULL,
    source text NOT NULL
);
CREATE TABLE paliadin.signals (
    id bigint NOT NULL,
    turn_id uuid NOT NULL,
    signal jsonb NOT NULL
);
ALTER TABLE paliadin.signals ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME paliadin.signals_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE paliadin.steps (
    turn_id uuid NOT NULL,
    at_byte integer NOT NULL,
    lines bytea NOT NULL
);
INSERT INTO paliadin.own_keys (person, sealed, saved_at) VALUES
	('ada', 'sealed', '2026-11-29 10:00:00+00');
INSERT INTO paliadin.questions_asked (hour, everyone, person, asked) VALUES
	('2026-11-29 10:00:00+00', true, '', 4);
INSERT INTO paliadin.schema_migrations (version, name, checksum, applied_at) VALUES
	('0001', 'turns', 'c1dd2e4e4f5fc7e798a56866f9754d9af0e5a051dfaa5c0a7b7c3d5f75951c78', '2026-11-29 10:00:00+00'),
	('0002', 'monitoring', 'afe019475a30bc36b97cac730fbd0f5b2dfc54ef2b79da17452e867bb78ef5aa', '2026-11-29 10:00:00+00'),
	('0003', 'waited', 'fd6183648035f8d869eaab8e4e3add12ad8020e2537630a0f940ea9fd6c3e38d', '2026-11-29 10:00:00+00'),
	('0004', 'first_text', '1d3d32d87fdf19947ae9a48897ca5edf5f1bf63b78336c6a5cc571e627e42bd1', '2026-11-29 10:00:00+00'),
	('0005', 'claims', 'e5150d2da062ec2510ae998d738a3abe0fea71191bac87a31b8142e3e4bd01cb', '2026-11-29 10:00:00+00'),
	('0006', 'questions_asked', '2dc579cd71bb9a9520aa87439e711486694bbb7b0efa43da76727d4e3dcb98ba', '2026-11-29 10:00:00+00'),
	('0007', 'own_keys', 'dcb43b0717bd8c6ea1c869f9afab403c6e47195d676d15a8edff4639f2bd1429', '2026-11-29 10:00:00+00'),
	('0008', 'redacted', '608e6d06d401d89e15d62076ebb6a97ce03eb5172f598d5711f6c88fd6563b6a', '2026-11-29 10:00:00+00'),
	('0009', 'shared_turns', '9cbf438690cdd87e0d1a09bfd315ae1983b49b399f8e0fbafc7f068b57e13a85', '2026-11-29 10:00:00+00'),
	('0010', 'unconfirmed', 'c23ea42f4cd94db9d378ecec78f957f12f620e46a2368840c8ab3d4513a609b3', '2026-11-29 10:00:00+00'),
	('0011', 'refused_calls', '709ff770fec7f5b244804bf19c4dc7659758886cc882e47faa8127605acd8176', '2026-11-29 10:00:00+00'),
	('0012', 'joined', '0049b2e4b9d25e862daea95bc12758c9df36ca4325dd465b6aa79cd50c6c0119', '2026-11-29 10:00:00+00'),
	('0013', 'plausible', '11b5c32f1e2a034cb2ce8465cf8cd853edd4a1cdb08018e1a78d21291252a52c', '2026-11-29 10:00:00+00');
INSERT INTO paliadin.session_starts (session_id, at, source) VALUES
	('main', '2026-11-29 10:00:00+00', 'clear');
INSERT INTO paliadin.turn_facts (turn_id, started_at, finished, session_id, person, origin, page, model, tag, tag_by_fallback, error_code, abandoned, evidence_agrees, duration_ms, first_text_ms, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, prompt, prompt_form, used_a_tool, tools, tool_ok, tool_rows, tool_ms, waits_ms, feedback, waited_ms, verdict, claims_checked, claims_unsupported) VALUES
	('01890000-0000-7000-8000-000000000001', '2026-11-29 10:00:00+00', true, 'main', 'ada', 'page', NULL, 'claude', NULL, false, NULL, NULL, NULL, 8300, 1300, 1000, NULL, NULL, NULL, 'What is due on 3 May?', 'what is due on #', true, '{Read}', '{t}', '{3}', '{9}', '{700}', 'up', 700, 'unsupported', 4, 1),
	('01890000-0000-7000-8000-000000000002', '2026-11-29 11:00:00+00', false, 'main', 'ada', 'cli', NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'And now?', 'and now', false, '{}', '{}', '{}', '{}', '{}', NULL, NULL, NULL, NULL, NULL);
INSERT INTO paliadin.turns (turn_id, session_id, person, host, origin, page_origin, context, started_at, first_text_at, finished_at, duration_ms, user_message, response, model, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, used_tools, rows_seen, observed_tools, evidence_agrees, chip_count, abandoned, error_code, classifier_tag, classifier_source, pane_lines_captured, tool_calls, interrupts, feedback, feedback_word, claims, verdict, own_key, limit_lifted, redacted, unconfirmed_chars, joined) VALUES
	('01890000-0000-7000-8000-000000000001', 'main', 'ada', 'desk', 'page', NULL, '{}', '2026-11-29 10:00:00+00', '2026-11-29 10:00:02+00', '2026-11-29 10:00:09+00', 9000, 'What is due on 3 May?', 'The reply.', 'claude', 1000, NULL, NULL, NULL, '{}', '{}', '{Read}', NULL, 0, NULL, NULL, NULL, NULL, NULL, '[{"ok": true, "name": "Read", "rows": 3, "at_ms": 4, "duration_ms": 9}]', '[{"by": "page", "kind": "permission", "tool": "Read", "at_ms": 5, "waited_ms": 700}]', 'up', NULL, '{"found": 3, "unsupported": 1}', 'unsupported', NULL, NULL, NULL, NULL, '[]'),
	('01890000-0000-7000-8000-000000000002', 'main', 'ada', 'desk', 'cli', NULL, '{}', '2026-11-29 11:00:00+00', NULL, NULL, NULL, 'And now?', NULL, NULL, 9223372036854775807, NULL, NULL, NULL, '{}', '{}', '{}', NULL, 0, NULL, NULL, NULL, NULL, NULL, '[]', '[]', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
SELECT pg_catalog.setval('paliadin.signals_id_seq', 1, false);
ALTER TABLE ONLY paliadin.asked
    ADD CONSTRAINT asked_pkey PRIMARY KEY (turn_id);
ALTER TABLE ONLY paliadin.own_keys
    ADD CONSTRAINT own_keys_pkey PRIMARY KEY (person);
ALTER TABLE ONLY paliadin.questions_asked
    ADD CONSTRAINT questions_asked_pkey PRIMARY KEY (hour, everyone, person);
ALTER TABLE ONLY paliadin.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY paliadin.session_starts
    ADD CONSTRAINT session_starts_pkey PRIMARY KEY (session_id, at, source);
ALTER TABLE ONLY paliadin.signals
    ADD CONSTRAINT signals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY paliadin.steps
    ADD CONSTRAINT steps_pkey PRIMARY KEY (turn_id, at_byte);
ALTER TABLE ONLY paliadin.turn_facts
    ADD CONSTRAINT turn_facts_pkey PRIMARY KEY (turn_id);
ALTER TABLE ONLY paliadin.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (turn_id);
CREATE INDEX session_starts_at ON paliadin.session_starts USING btree (at);
CREATE INDEX signals_turn ON paliadin.signals USING btree (turn_id);
CREATE INDEX turn_facts_started ON paliadin.turn_facts USING btree (started_at);
CREATE INDEX turn_facts_unsupported ON paliadin.turn_facts USING btree (started_at) WHERE (verdict = 'unsupported'::text);
CREATE INDEX turns_joined ON paliadin.turns USING btree (turn_id) WHERE (joined <> '[]'::jsonb);
CREATE INDEX turns_session ON paliadin.turns USING btree (session_id, started_at DESC, turn_id DESC);
CREATE INDEX turns_started ON paliadin.turns USING btree (started_at DESC, turn_id DESC);
CREATE INDEX turns_words ON paliadin.turns USING gin (to_tsvector('simple'::regconfig, (("left"(user_message, 20000) || ' '::text) || "left"(COALESCE(response, ''::text), 100000))));
CREATE TRIGGER turns_facts AFTER INSERT OR UPDATE ON paliadin.turns FOR EACH ROW EXECUTE FUNCTION paliadin.keep_facts();
ALTER TABLE ONLY paliadin.signals
    ADD CONSTRAINT signals_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES paliadin.asked(turn_id) ON DELETE CASCADE;
ALTER TABLE ONLY paliadin.steps
    ADD CONSTRAINT steps_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES paliadin.asked(turn_id) ON DELETE CASCADE;
ALTER TABLE ONLY paliadin.turn_facts
    ADD CONSTRAINT turn_facts_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES paliadin.turns(turn_id) ON DELETE CASCADE;
