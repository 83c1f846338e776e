/**
 * Reduces the events of one turn, or its item of the history, to its state. Pure: a change makes a new object, and
 * parts that did not change stay the same object, so that views see by reference what to draw again.
 *
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {import("../types.js").Part} Part
 * @typedef {import("../types.js").ToolPart} ToolPart
 * @typedef {import("../types.js").Interrupt} Interrupt
 * @typedef {import("../types.js").StreamEvent} StreamEvent
 * @typedef {import("../types.js").HistoryItem} HistoryItem
 * @typedef {Record<string, any>} Data
 */

/**
 * Creates a turn with every field, empty unless `fields` has it.
 * @param {string} id
 * @param {Partial<Turn>} [fields]
 * @returns {Turn}
 */
export function newTurn(id, fields = {}) {
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
    waitedMs: 0,
    firstTextMs: null,
    backgroundTasks: 0,
    aborted: false,
    error: null,
    feedback: { verdict: null, word: "" },
    notices: [],
    lastEventId: 0,
    ...fields,
  };
}

/**
 * Applies one event. It changes nothing if it was applied before, or has no number and is not known here.
 * @param {Turn} turn
 * @param {StreamEvent} event
 * @returns {Turn} the same object where nothing changes
 */
export function applyEvent(turn, { id, event, data }) {
  if (id !== null && id <= turn.lastEventId) return turn;
  const change = Object.hasOwn(reducers, event) ? reducers[event]?.(turn, data) : undefined;
  if (id === null && !change) return turn;
  return { ...turn, ...change, lastEventId: id ?? turn.lastEventId };
}

/** @type {Record<string, (turn: Turn, data: Data) => Partial<Turn>>} */
const reducers = {
  meta: (turn, data) => ({
    notices: asList(data.notices),
    startedAt: asTime(data.started_at) ?? turn.startedAt,
    model: asText(data.model),
  }),
  status: (_turn, data) => ({ status: { phase: asText(data.phase), message: asText(data.message) } }),
  content_delta: (turn, data) => ({ parts: appendText(turn.parts, asText(data.message_id), asText(data.text)) }),
  content_reset: (turn, data) => ({
    parts: turn.parts.filter((part) => part.kind !== "text" || part.id !== asText(data.message_id)),
    chips: turn.chips.filter((chip) => asText(chip.message_id) !== asText(data.message_id)),
  }),
  tool_call: (turn, data) => ({ parts: upsertTool(turn.parts, startedTool(data)) }),
  tool_result: (turn, data) => ({ parts: upsertTool(turn.parts, finishedTool(turn.parts, data)) }),
  interrupt: (turn, data) => ({ interrupts: [...turn.interrupts, /** @type {Interrupt} */ (data)] }),
  interrupt_resolved: resolveInterrupt,
  chip: (turn, data) => ({ chips: [...turn.chips, /** @type {any} */ (data)] }),
  evidence: (_turn, data) => ({ evidence: toEvidence(data) }),
  end: (turn, data) => ({
    ...closed(turn),
    durationMs: asNumber(data.duration_ms),
    waitedMs: asNumber(data.waited_ms) ?? 0,
    firstTextMs: asNumber(data.first_text_ms),
    usage: data.usage ?? null,
    model: asText(data.model) || turn.model, // the one that answered; `meta` has the one that was set
    aborted: data.aborted === true,
    backgroundTasks: asCount(data.background_tasks),
  }),
  error: (turn, data) => ({ ...closed(turn), error: toFailure(data) }),
};

/**
 * Creates a turn from the history by applying its stored stream, so that a reload shows what was there before it.
 * @param {HistoryItem} item
 * @returns {Turn}
 */
export function turnFromHistory(item) {
  const turn = newTurn(item.turn_id, {
    origin: item.origin ?? "page",
    question: item.user_message ?? "",
    startedAt: asTime(item.started_at),
    feedback: { verdict: item.feedback ?? null, word: item.feedback_word ?? "" },
  });
  // The stream of a running turn replays from its first event: events applied here would come twice.
  if (item.running) return turn;
  const replayed = (item.events ?? []).reduce(
    (state, { event, data }) => applyEvent(state, { id: null, event, data }),
    turn,
  );
  return replayed.phase === "done" ? replayed : { ...replayed, ...closed(replayed) };
}

/**
 * Adds text to its message.
 * @param {Part[]} parts
 * @param {string} id
 * @param {string} more
 * @returns {Part[]}
 */
function appendText(parts, id, more) {
  const existing = parts.find((part) => part.kind === "text" && part.id === id);
  if (existing?.kind !== "text") {
    const place = placeOfNewText(parts);
    return [...parts.slice(0, place), { kind: "text", id, text: more }, ...parts.slice(place)];
  }
  const longer = { ...existing, text: existing.text + more };
  return parts.map((part) => (part === existing ? longer : part));
}

/**
 * Finds where a new message stands: before the last tools if they still run, since Claude goes on only with their
 * results. So it wrote this before them, and it is only reported later.
 * @param {Part[]} parts
 * @returns {number} an index in `parts`, or their number
 */
function placeOfNewText(parts) {
  const open = parts.map((part) => part.kind === "settled" || isRunningTool(part));
  const first = parts.findIndex((part, i) => i > open.lastIndexOf(false) && isRunningTool(part));
  return first < 0 ? parts.length : first;
}

/** @param {Part} part */
const isRunningTool = (part) => part.kind === "tool" && part.state === "running";

/**
 * @param {Part[]} parts
 * @param {ToolPart} tool
 * @returns {Part[]}
 */
function upsertTool(parts, tool) {
  const existing = parts.find((part) => part.kind === "tool" && part.id === tool.id);
  return existing ? parts.map((part) => (part === existing ? tool : part)) : [...parts, tool];
}

/**
 * @param {Data} data
 * @returns {ToolPart}
 */
function startedTool(data) {
  return {
    kind: "tool",
    id: asText(data.id),
    name: asText(data.name),
    summary: asText(data.summary),
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
  const existing = parts.find((part) => part.kind === "tool" && part.id === data.id);
  const tool = existing?.kind === "tool" ? existing : { ...startedTool(data), summary: "" };
  return {
    ...tool,
    state: data.refused ? "refused" : data.ok === false ? "failed" : "ok",
    result: asText(data.summary),
    output: asText(data.output),
    rows: asNumber(data.rows),
    durationMs: asNumber(data.duration_ms),
  };
}

/**
 * Moves an interrupt from the open ones to the parts.
 * @param {Turn} turn
 * @param {Data} data
 * @returns {Partial<Turn>}
 */
function resolveInterrupt(turn, data) {
  const interrupt = turn.interrupts.find((open) => open.id === data.id);
  if (!interrupt) return {};
  /** @type {Part} */
  const settled = { kind: "settled", id: interrupt.id, interrupt, by: asText(data.by), value: data.value };
  return { interrupts: turn.interrupts.filter((open) => open !== interrupt), parts: [...turn.parts, settled] };
}

/**
 * Closes what is open when a turn ends. The outcome of a tool that is still running stays unknown.
 * @param {Turn} turn
 * @returns {Partial<Turn>}
 */
function closed(turn) {
  const parts = turn.parts.map((part) =>
    isRunningTool(part) ? { ...part, state: /** @type {const} */ ("unknown") } : part,
  );
  return { phase: "done", status: null, interrupts: [], parts };
}

/** @param {Data} data */
export function toFailure(data) {
  return {
    code: asText(data.code),
    message: asText(data.message),
    hint: asText(data.hint),
    retryable: data.retryable === true,
  };
}

/** @param {Data} data */
function toEvidence(data) {
  return {
    used_tools: asList(data.used_tools),
    rows_seen: asList(data.rows_seen),
    observed_tools: asList(data.observed_tools),
    classifier_tag: data.classifier_tag ? asText(data.classifier_tag) : null,
    agrees: typeof data.agrees === "boolean" ? data.agrees : null,
    differences: asList(data.differences),
    guessed: data.classifier_source === "fallback",
  };
}

/** @param {unknown} value */
const asText = (value) => (value === null || value === undefined ? "" : String(value));
/** @param {unknown} value */
const asNumber = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);
/** @param {unknown} value */
const asCount = (value) => (Array.isArray(value) ? value.length : (asNumber(value) ?? 0));
/**
 * @param {unknown} value
 * @returns {any[]}
 */
const asList = (value) => (Array.isArray(value) ? value : []);

/** @param {unknown} value milliseconds since 1970, or a date as ISO 8601 writes it */
function asTime(value) {
  const parsed = typeof value === "string" ? Date.parse(value) : Number(value ?? NaN);
  return Number.isNaN(parsed) ? null : parsed;
}
