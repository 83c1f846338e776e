/**
 * The text that a reader sees of a block of Markdown, and where each piece of it stands in the source. Pure.
 * @typedef {import("../../vendor/marked.js").Tokens.Generic} Token
 * @typedef {{at: number, from: number, shown: number, length: number}} Piece from `at` on, `shown` characters of the
 *   text are the `length` characters of the source from `from` on
 */

/** How far behind the last piece the next one is looked for, in characters: markup and addresses stand between them. */
const MAX_GAP = 1_000;
const ENTITY = /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi;
/** @type {Record<string, string>} */
const ENTITIES = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  euro: "€",
  ndash: "–",
  mdash: "—",
};

/**
 * @param {Token} block
 * @returns {{text: string, pieces: Piece[]}} between paragraphs, cells and the like stands a line break; offsets in the
 *   source count from the block's beginning
 */
export function visibleText(block) {
  const reader = new Reader(block.raw ?? "");
  reader.read(block);
  return { text: reader.texts.join(""), pieces: reader.pieces };
}

class Reader {
  /** @type {string[]} */
  texts = [];
  length = 0;
  /** @type {Piece[]} */
  pieces = [];
  cursor = 0;

  /** @param {string} source */
  constructor(source) {
    this.source = source;
  }

  /** @param {Token} token */
  read(token) {
    const start = this.find(token.raw ?? "");
    if (start >= 0) this.cursor = start;
    this.readContent(token);
    if (start >= 0) this.cursor = start + (token.raw ?? "").length;
  }

  /** @param {Token} token */
  readContent(token) {
    const { type } = token;
    if (type === "table") [token.header, ...token.rows].flat().forEach((cell) => this.readBlock(cell));
    else if (type === "list") token.items.forEach((/** @type {Token} */ item) => this.readBlock(item));
    else if (type === "html" && /^\s*<br\s*\/?>\s*$/i.test(token.raw)) this.add("\n");
    else if (type === "br") this.add("\n");
    else if (type === "formula")
      this.cursor += token.raw?.length ?? 0; // the page draws it: there is no such text
    else if (type === "image") this.readText(token.text || token.href);
    else if (type === "code" || type === "plain" || type === "codespan" || !token.tokens)
      this.readText(type === "text" ? token.raw : token.text, type); // of a text, `text` has some entities decoded
    else if (type === "paragraph" || type === "heading" || type === "blockquote" || type === "summary")
      this.readBlock(token);
    else this.readAll(token.tokens);
  }

  /** @param {Token} token whose text touches none of its neighbours' */
  readBlock(token) {
    this.readAll(token.tokens ?? []);
    this.add("\n");
  }

  /** @param {Token[]} tokens of a list's item, those of the text itself are a block as well */
  readAll(tokens) {
    for (const token of tokens) {
      this.read(token);
      if (token.type === "text" && token.tokens) this.add("\n");
    }
  }

  /**
   * @param {unknown} text
   * @param {string} [type]
   */
  readText(text, type = "") {
    if (typeof text !== "string" || type === "checkbox") return;
    const isCode = type === "code" || type === "codespan" || type === "plain";
    // Of a text in a list or a quotation, each line has its indent or its mark in the source.
    text.split("\n").forEach((line, i) => {
      if (i > 0) this.add("\n");
      const from = this.find(line);
      if (from < 0) this.add(line);
      else this.addFrom(line, from, !isCode);
    });
    if (type === "code" || type === "plain") this.add("\n");
  }

  /**
   * @param {string} line as it is in the source
   * @param {number} from
   * @param {boolean} hasEntities
   */
  addFrom(line, from, hasEntities) {
    let done = 0;
    for (const match of hasEntities ? line.matchAll(ENTITY) : []) {
      const char = decoded(match[1] ?? "");
      if (char === null) continue;
      this.place(line.slice(done, match.index), from + done);
      this.place(char, from + match.index, match[0].length);
      done = match.index + match[0].length;
    }
    this.place(line.slice(done), from + done);
    this.cursor = from + line.length;
  }

  /**
   * @param {string} text
   * @param {number} from
   * @param {number} [length] in the source
   */
  place(text, from, length = text.length) {
    if (text) this.pieces.push({ at: this.length, from, shown: text.length, length });
    this.add(text);
  }

  /** @param {string} text */
  add(text) {
    this.texts.push(text);
    this.length += text.length;
  }

  /**
   * @param {string} text
   * @returns {number} where it stands next in the source; -1 if not near
   */
  find(text) {
    if (!text) return -1;
    const at = this.source.slice(this.cursor, this.cursor + MAX_GAP + text.length).indexOf(text);
    return at < 0 ? -1 : this.cursor + at;
  }
}

/**
 * @param {string} name of an entity
 * @returns {string|null} null for one that is not known here
 */
function decoded(name) {
  if (!name.startsWith("#")) return ENTITIES[name] ?? null;
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

/**
 * @param {Piece[]} pieces
 * @param {number} start in the source
 * @param {number} end
 * @returns {[number, number]|null} the same in the text; null if nothing of it is seen
 */
export function visibleRange(pieces, start, end) {
  const first = pieces[firstIndex(pieces, ({ from, length }) => from + length > start)];
  const last = pieces[firstIndex(pieces, ({ from }) => from >= end) - 1];
  if (!first || !last || last.at < first.at) return null;
  const begin = first.at + inPiece(first, start);
  const stop = last.at + inPiece(last, end, true);
  return begin < stop ? [begin, stop] : null;
}

/**
 * @param {Piece} piece
 * @param {number} offset in the source
 * @param {boolean} [isEnd]
 */
function inPiece({ from, shown, length }, offset, isEnd = false) {
  if (shown !== length) return isEnd ? shown : 0;
  return Math.min(Math.max(offset - from, 0), length);
}

/**
 * @template Item
 * @param {Item[]} items those that it is true for stand behind the others
 * @param {(item: Item) => boolean} isTrue
 * @returns {number} index of the first one, or their number
 */
function firstIndex(items, isTrue) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(/** @type {Item} */ (items[middle]))) high = middle;
    else low = middle + 1;
  }
  return low;
}
