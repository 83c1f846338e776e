/** @typedef {import("../types.js").StreamEvent} StreamEvent */

/**
 * Creates a parser for text/event-stream that takes the text in pieces, cut anywhere. An `id` is `<turn>:<number>`.
 * @param {(event: StreamEvent) => void} emit
 */
export function createSseParser(emit) {
  let buffer = "";
  /** @type {{id: string, event: string, data: string[]}} */
  let block = { id: "", event: "", data: [] };

  /** @param {string} line */
  function readLine(line) {
    if (line === "") return dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") block.data.push(value);
    else if (field === "id" || field === "event") block[field] = value;
  }

  function dispatch() {
    const { id, event, data } = block;
    block = { id: "", event: "", data: [] };
    if (data.length === 0) return;
    const [, turn = "", number = ""] = /^(?:([\w-]+):)?(\d*)$/.exec(id) ?? [];
    const known = { turn, id: number ? Number(number) : null };
    emit({ ...known, event: event || "message", data: parseObject(data.join("\n")) });
  }

  return {
    /** @param {string} text */
    feed(text) {
      buffer += text;
      // A CR at the very end may be half of a CRLF: it waits for the next piece.
      const end = buffer.endsWith("\r") ? buffer.length - 1 : buffer.length;
      const lines = buffer.slice(0, end).split(/\r\n|\r|\n/);
      buffer = (lines.pop() ?? "") + buffer.slice(end);
      lines.forEach(readLine);
    },
  };
}

/**
 * @param {string} text
 * @returns {Record<string, any>} empty for anything but a JSON object
 */
function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
}
