/**
 * Commands behind `/`, for the list of a text field: those of the page, then those that the conversation's Claude
 * offers. Their names and descriptions may come from a folder that somebody else filled.
 * @typedef {{name: string, hint: string, description: string}} OwnCommand what the page itself does
 * @typedef {import("../../types.js").OfferedCommand} OfferedCommand
 * @typedef {{name: string, hint: string, description: string, aliases: string[], own: OwnCommand|null}} Listed
 */
import { h } from "../../browser/dom.js";
import { ApiError } from "../../daemon/api.js";
import { escapeInvisible } from "../../texts/format.js";
import { explainFailure } from "../../texts/i18n.js";

/** How long the offers hold: a skill may be written meanwhile. */
const FRESH_MS = 60_000;
const MAX_SHOWN = 100;
/** What the daemon takes for a command's name. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

/**
 * @param {OwnCommand[]} commands
 * @param {() => Promise<import("../../types.js").Offers>} askOffers
 * @param {(command: OwnCommand) => void} run
 * @param {Pick<import("../common/context.js").Context, "t"|"lang"|"conversation">} context
 * @returns {import("./completion.js").Source<Listed>}
 */
export function createCommandSource(commands, askOffers, run, { t, lang, conversation }) {
  /** Over the Messages API there is nothing to shorten, and nothing to choose. @param {{name: string}} command */
  const isThere = ({ name }) =>
    conversation.get().health?.relay !== "messages" || !["compact", "model", "mode"].includes(name);
  const own = commands.map((command) => ({ ...command, aliases: [], own: command }));
  /** @type {Listed[]|null} */
  let offered = null;
  let askedAt = -FRESH_MS;

  async function ask() {
    askedAt = performance.now();
    try {
      offered = (await askOffers()).commands.filter(isNew).map(asListed);
      return "";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      askedAt = -FRESH_MS;
      const { title, hint } = explainFailure(t, lang, error.failure);
      return `${title} ${hint}`;
    }
  }

  /** @param {OfferedCommand} command */
  const isNew = ({ name }) => NAME.test(name) && own.every((each) => each.name !== name);
  /** @param {string} query */
  const found = (query) =>
    matching([...own.filter(isThere), ...(offered ?? [])], query.toLowerCase()).slice(0, MAX_SHOWN);

  return {
    // The whole message up to the cursor: elsewhere a slash is none of a command.
    pattern: /^\/(?<query>[^\s/]{0,100})$/,
    label: t("command.label"),
    async search(query) {
      if (performance.now() - askedAt < FRESH_MS) return { items: found(query) };
      return { items: found(query), later: ask().then((note) => ({ items: found(query), note })) };
    },
    draw: ({ name, hint, description }) => [
      h("span", { class: "command-name" }, `/${name}`),
      hint !== "" && h("span", { class: "command-hint" }, hint),
      h("span", { class: "command-description" }, description),
    ],
    insert: ({ name }) => ({ text: `/${name}` }),
    run({ own: command }) {
      if (!command || command.hint) return false; // what follows is still to be written
      run(command);
      return true;
    },
    isWhole: ({ name }, query) => name === query,
  };
}

/**
 * @param {OfferedCommand} command
 * @returns {Listed}
 */
const asListed = ({ name, description, argument_hint, aliases }) => ({
  name,
  hint: escapeInvisible(argument_hint),
  description: escapeInvisible(description),
  aliases,
  own: null,
});

/**
 * The commands whose name has these letters: those that begin with them first.
 * @param {Listed[]} commands
 * @param {string} letters
 */
function matching(commands, letters) {
  /** @param {Listed} command */
  const rank = ({ name, aliases }) => {
    const names = [name, ...aliases].map((each) => each.toLowerCase());
    if (names[0] === letters) return 0;
    if (names.some((each) => each.startsWith(letters))) return 1;
    return names.some((each) => each.includes(letters)) ? 2 : 3;
  };
  const ranked = commands.map((command) => ({ command, rank: rank(command) })).filter((each) => each.rank < 3);
  return ranked.sort((a, b) => a.rank - b.rank).map(({ command }) => command);
}
