/**
 * Reduces the events of one turn, or its item of the history, to its state. Pure: a change makes a new object, and
 * parts that did not change stay the same object, so that views see by reference what to draw again.
 *
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {import("../types.js").Part} Part
 * @typedef {import("../types.js").Interrupt} Interrupt
 * @typedef {import("../types.js").StreamEvent} StreamEvent
 * @typedef {import("../types.js").HistoryItem} HistoryItem
 * @typedef {Record<string, any>} Data
 * @typedef {import("../event-types.js").EventData} EventData
 */
/**
 * @template {keyof EventData} Name
 * @typedef {(turn: Turn, data: EventData[Name]) => Partial<Turn>|undefined} Reducer undefined: nothing changes
 */
import { toClaims } from "./claims.js";
import { confirmText, placePreview, previewText, withoutMessage, withoutPreviews } from "./text-parts.js";
import { finishedTool, startedTool, unknownOutcome, upsertTool, withAsking, withoutAsking } from "./tool-parts.js";
import { asCount, asList, asNumber, asText, asTime } from "./wire-values.js";

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
    askedBy: "",
    question: "",
    attachments: [],
    startedAt: null,
    phase: "running",
    status: null,
    activity: null,
    messages: [],
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
    unconfirmed: false,
    aborted: false,
    error: null,
    feedback: { verdict: null, word: "" },
    notices: [],
    isRedacted: false,
    isFromQueue: false,
    lastEventId: 0,
    ...fields,
  };
}

/**
 * Applies one event. It changes nothing if it was applied before, or has no number and is not known here.
 * @param {Turn} turn
 * @param {Omit<StreamEvent, "turn">} event
 * @returns {Turn} the same object where nothing changes
 */
export function applyEvent(turn, { id, event, data }) {
  if (id !== null && id <= turn.lastEventId) return turn;
  const reduce = Object.hasOwn(reducers, event) ? Reflect.get(reducers, event) : undefined;
  const change = /** @type {Reducer<any>|undefined} */ (reduce)?.(turn, data);
  if (id === null && !change) return turn;
  return { ...turn, ...change, lastEventId: id ?? turn.lastEventId };
}

/**
 * Makes a reducer that ignores its event once the answer is complete.
 * @template {keyof EventData} Name
 * @param {Reducer<Name>} reduce
 * @returns {Reducer<Name>}
 */
const whileAtWork = (reduce) => (turn, data) =>
  turn.phase === "running" || turn.phase === "stopping" ? reduce(turn, data) : undefined;

/** @type {{[Name in keyof EventData]: Reducer<Name>}} */
const reducers = {
  meta: (turn, data) => ({
    notices: asList(data.notices),
    startedAt: asTime(data.started_at) ?? turn.startedAt,
    model: asText(data.model),
  }),
  status: (_turn, data) => ({
    status: { phase: asText(data.phase), message: asText(data.message), heldBy: asList(data.held_by).map(asText) },
    activity: null,
  }),
  activity: whileAtWork((_turn, { phase, tool }) => ({
    activity: phase ? { phase: asText(phase), tool: asText(tool) } : null,
  })),
  preview: whileAtWork((turn, { message, offset, text }) =>
    previewText(turn, asNumber(message) ?? 0, asNumber(offset) ?? 0, asText(text)),
  ),
  content_delta: (turn, data) => confirmText(turn, asText(data.message_id), asText(data.text)),
  content_reset: (turn, data) => ({
    parts: withoutMessage(turn.parts, asText(data.message_id)),
    chips: turn.chips.filter((chip) => asText(chip.message_id) !== asText(data.message_id)),
  }),
  unconfirmed: () => ({ unconfirmed: true }),
  joined: (turn, data) => ({ parts: withJoined(turn.parts, asText(data.text), asText(data.after)) }),
  tool_call: (turn, data) => ({ parts: upsertTool(turn.parts, startedTool(data)) }),
  tool_result: (turn, data) => ({ parts: placePreview(upsertTool(turn.parts, finishedTool(turn.parts, data))) }),
  interrupt: (turn, data) => ({
    // The one in the terminal comes again when its text has changed.
    interrupts: [...turn.interrupts.filter(({ id }) => id !== data.id), /** @type {Interrupt} */ (data)],
    parts: withAsking(turn.parts, /** @type {Interrupt} */ (data)),
  }),
  interrupt_resolved: resolveInterrupt,
  chip: (turn, data) => ({ chips: withChip(turn.chips, /** @type {any} */ (data)) }),
  evidence: (_turn, data) => ({ evidence: toEvidence(data) }),
  answered: whileAtWork((turn) => ({
    phase: "answered",
    status: null,
    activity: null,
    parts: withoutPreviews(turn.parts),
  })),
  end: (turn, data) => ({
    ...closed(turn),
    durationMs: asNumber(data.duration_ms),
    waitedMs: asNumber(data.waited_ms) ?? 0,
    firstTextMs: asNumber(data.first_text_ms),
    usage: /** @type {Turn["usage"]} */ (data.usage ?? null),
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
    ...askedOf(item),
    startedAt: asTime(item.started_at),
    feedback: { verdict: item.feedback ?? null, word: item.feedback_word ?? "" },
    isRedacted: Boolean(item.is_redacted),
  });
  // The stream of a running turn replays from its first event: events applied here would come twice.
  // Until they have come, what Claude is doing is not known.
  if (item.running) return { ...turn, status: { phase: "", message: "", heldBy: [] } };
  const replayed = (item.events ?? []).reduce(
    (state, { event, data }) => applyEvent(state, { id: null, event, data }),
    turn,
  );
  return replayed.phase === "done" ? replayed : { ...replayed, ...closed(replayed) };
}

/**
 * What was asked, and where.
 * @param {HistoryItem} item
 */
export const askedOf = ({ origin = "page", asked_by, user_message = "", attachments = [] }) => ({
  origin,
  askedBy: asked_by ?? "",
  question: user_message,
  attachments,
});

/**
 * Adds a chip. One that was shown before, and is verified now, takes the place of that.
 * @param {Turn["chips"]} chips
 * @param {Turn["chips"][number]} chip
 */
function withChip(chips, chip) {
  const isSame = (/** @type {Turn["chips"][number]} */ other) =>
    !other.verified &&
    ["message_id", "at", "kind", "action", "id", "value"].every(
      (name) => Reflect.get(other, name) === Reflect.get(chip, name),
    );
  const at = chip.verified ? chips.findIndex(isSame) : -1;
  return at < 0 ? [...chips, chip] : chips.map((other, n) => (n === at ? chip : other));
}

/**
 * Adds words that joined the turn. Claude gets them with a tool's result, and what it says then may be known earlier.
 * @param {Part[]} parts
 * @param {string} text
 * @param {string} after the tool call behind which they stand; "": behind all that is there
 * @returns {Part[]}
 */
function withJoined(parts, text, after) {
  const tool = parts.findIndex((part) => part.kind === "tool" && part.id === after);
  const last = parts.map((part) => part.kind !== "text").lastIndexOf(true); // a question has no part of its own
  let place = after ? (tool < 0 ? last : tool) + 1 : parts.length;
  while (["joined", "settled"].includes(parts[place]?.kind ?? "")) place += 1;
  const count = parts.filter((part) => part.kind === "joined").length;
  return [...parts.slice(0, place), { kind: "joined", id: `joined-${count}`, text }, ...parts.slice(place)];
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
  const parts = [...withoutAsking(turn.parts, interrupt.id), settled];
  return { interrupts: turn.interrupts.filter((open) => open !== interrupt), parts };
}

/**
 * Closes what is open when a turn ends. The outcome of a tool that is still running stays unknown.
 * @param {Turn} turn
 * @returns {Partial<Turn>}
 */
function closed(turn) {
  const parts = withoutPreviews(turn.parts).map(unknownOutcome);
  return { phase: "done", status: null, activity: null, interrupts: [], parts };
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
    unopened: asList(data.unopened).map(asText),
    guessed: data.classifier_source === "fallback",
    claims: toClaims(data.claims),
  };
}
