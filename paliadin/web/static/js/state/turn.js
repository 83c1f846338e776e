/**
 * One turn: events or a history item in, view state out. Pure: a new object for every change, and parts that did not
 * change stay the same object, so that views can tell by reference what to draw again.
 *
 * @typedef {import("./types.js").Turn} Turn
 * @typedef {import("./types.js").Part} Part
 * @typedef {import("./types.js").ToolPart} ToolPart
 * @typedef {import("./types.js").Interrupt} Interrupt
 * @typedef {import("./types.js").StreamEvent} StreamEvent
 * @typedef {import("./types.js").HistoryItem} HistoryItem
 * @typedef {Record<string, any>} Data
 */

/**
 * @param {string} id
 * @param {Partial<Turn>} [known]
 * @returns {Turn}
 */
export function newTurn(id, known = {}) {
  return {
    id,
    key: id,
    origin: "page",
    question: "",
    startedAt: null,
    phase: "running",
    status: null,
    parts: [],
    interrupts: [],
    chips: [],
    evidence: null,
    usage: null,
    model: "",
    durationMs: null,
    firstTextMs: null,
    backgroundTasks: 0,
    aborted: false,
    error: null,
    feedback: { verdict: null, word: "" },
    notices: [],
    seen: 0,
    ...known,
  };
}

/**
 * @param {Turn} turn
 * @param {StreamEvent} event
 * @returns {Turn} the same object where there is nothing new
 */
export function applyEvent(turn, { id, event, data }) {
  if (id !== null && id <= turn.seen) return turn;
  const change = Object.hasOwn(reducers, event) ? reducers[event]?.(turn, data) : undefined;
  if (id === null && !change) return turn;
  return { ...turn, ...change, seen: id ?? turn.seen };
}

/** @type {Record<string, (turn: Turn, data: Data) => Partial<Turn>>} */
const reducers = {
  meta: (turn, data) => ({ notices: list(data.notices), startedAt: time(data.started_at) ?? turn.startedAt, model: text(data.model) }),
  status: (_turn, data) => ({ status: { phase: text(data.phase), message: text(data.message) } }),
  content_delta: (turn, data) => ({ parts: appendText(turn.parts, text(data.message_id), text(data.text)) }),
  content_reset: (turn, data) => ({
    parts: turn.parts.filter((part) => part.kind !== "text" || part.id !== text(data.message_id)),
    chips: turn.chips.filter((chip) => text(chip.message_id) !== text(data.message_id)),
  }),
  tool_call: (turn, data) => ({ parts: upsertTool(turn.parts, startedTool(data)) }),
  tool_result: (turn, data) => ({ parts: upsertTool(turn.parts, finishedTool(turn.parts, data)) }),
  interrupt: (turn, data) => ({ interrupts: [...turn.interrupts, /** @type {Interrupt} */ (data)] }),
  interrupt_resolved: resolveInterrupt,
  chip: (turn, data) => ({ chips: [...turn.chips, /** @type {any} */ (data)] }),
  evidence: (_turn, data) => ({ evidence: evidence(data) }),
  end: (turn, data) => ({
    ...over(turn),
    durationMs: number(data.duration_ms),
    firstTextMs: number(data.first_text_ms),
    usage: data.usage ?? null,
    model: text(data.model) || turn.model, // the one that answered; at the beginning only the one that was set is known
    aborted: data.aborted === true,
    backgroundTasks: count(data.background_tasks),
  }),
  error: (turn, data) => ({ ...over(turn), error: failure(data) }),
};

/**
 * A finished turn is its stream, played at once: so a reload shows what was there before it.
 * @param {HistoryItem} item
 * @returns {Turn}
 */
export function turnFromHistory(item) {
  const turn = newTurn(item.turn_id, {
    origin: item.origin ?? "page",
    question: item.user_message ?? "",
    startedAt: time(item.started_at),
    feedback: { verdict: item.feedback ?? null, word: item.feedback_word ?? "" },
  });
  // The stream of a running turn replays from its first event: what history says of its answer would come twice.
  if (item.running) return turn;
  const played = (item.events ?? []).reduce((state, { event, data }) => applyEvent(state, { id: null, event, data }), turn);
  return played.phase === "done" ? played : { ...played, ...over(played) };
}

/**
 * @param {Part[]} parts
 * @param {string} id
 * @param {string} more
 * @returns {Part[]}
 */
function appendText(parts, id, more) {
  const at = parts.findIndex((part) => part.kind === "text" && part.id === id);
  const part = parts[at];
  if (part?.kind !== "text") return [...parts, { kind: "text", id, text: more }];
  return parts.with(at, { ...part, text: part.text + more });
}

/**
 * @param {Part[]} parts
 * @param {ToolPart} tool
 * @returns {Part[]}
 */
function upsertTool(parts, tool) {
  const at = parts.findIndex((part) => part.kind === "tool" && part.id === tool.id);
  return at < 0 ? [...parts, tool] : parts.with(at, tool);
}

/**
 * @param {Data} data
 * @returns {ToolPart}
 */
function startedTool(data) {
  return {
    kind: "tool",
    id: text(data.id),
    name: text(data.name),
    summary: text(data.summary),
    state: "running",
    result: "",
    input: data.input,
    output: "",
    rows: null,
    durationMs: null,
  };
}

/**
 * @param {Part[]} parts
 * @param {Data} data
 * @returns {ToolPart}
 */
function finishedTool(parts, data) {
  const known = parts.find((part) => part.kind === "tool" && part.id === data.id);
  const tool = known?.kind === "tool" ? known : { ...startedTool(data), summary: "" };
  return {
    ...tool,
    state: data.refused ? "refused" : data.ok === false ? "failed" : "ok",
    result: text(data.summary),
    output: text(data.output),
    rows: number(data.rows),
    durationMs: number(data.duration_ms),
  };
}

/**
 * @param {Turn} turn
 * @param {Data} data
 * @returns {Partial<Turn>}
 */
function resolveInterrupt(turn, data) {
  const interrupt = turn.interrupts.find((open) => open.id === data.id);
  if (!interrupt) return {};
  /** @type {Part} */
  const notice = { kind: "notice", id: interrupt.id, interrupt, by: text(data.by), value: data.value };
  return { interrupts: turn.interrupts.filter((open) => open !== interrupt), parts: [...turn.parts, notice] };
}

/**
 * What ends with the turn: a tool of which no result came did not finish.
 * @param {Turn} turn
 * @returns {Partial<Turn>}
 */
function over(turn) {
  const parts = turn.parts.map((part) =>
    part.kind === "tool" && part.state === "running" ? { ...part, state: /** @type {const} */ ("unknown") } : part,
  );
  return { phase: "done", status: null, interrupts: [], parts };
}

/** @param {Data} data */
export function failure(data) {
  return {
    code: text(data.code),
    message: text(data.message),
    hint: text(data.hint),
    retryable: data.retryable === true,
  };
}

/** @param {Data} data */
function evidence(data) {
  return {
    used_tools: list(data.used_tools),
    rows_seen: list(data.rows_seen),
    observed_tools: list(data.observed_tools),
    classifier_tag: data.classifier_tag ? text(data.classifier_tag) : null,
    agrees: typeof data.agrees === "boolean" ? data.agrees : null,
    differences: list(data.differences),
    guessed: data.classifier_source === "fallback",
  };
}

/** @param {unknown} value */
const text = (value) => (value === null || value === undefined ? "" : String(value));
/** @param {unknown} value */
const number = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);
/** @param {unknown} value */
const count = (value) => (Array.isArray(value) ? value.length : number(value) ?? 0);
/**
 * @param {unknown} value
 * @returns {any[]}
 */
const list = (value) => (Array.isArray(value) ? value : []);

/** @param {unknown} value milliseconds since 1970, or a date as ISO 8601 writes it */
function time(value) {
  const parsed = typeof value === "string" ? Date.parse(value) : Number(value ?? NaN);
  return Number.isNaN(parsed) ? null : parsed;
}
