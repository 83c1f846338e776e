/**
 * What the page itself does for a message that begins with `/`: it is no question, and Claude does not get it.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {object} OwnCommand
 * @property {string} name
 * @property {string} hint what may stand behind it
 * @property {string} description
 * @property {(argument: string) => string|Promise<string>} act returns what to tell the user, or ""
 */
import { h } from "../browser/dom.js";

/**
 * @param {Context} context
 * @returns {OwnCommand[]} none in a drawer
 */
export function ownCommands({ conversation, list, t, lang, embedded, actions }) {
  if (embedded || !actions) return [];
  /**
   * @param {"new"|"compact"|"model"|"mode"|"rename"|"export"} name
   * @param {OwnCommand["act"]} act
   * @returns {OwnCommand}
   */
  const command = (name, act, hint = "") => ({ name, hint, description: t(`command.${name}`), act });
  return [
    command("new", () => done(actions.makeNew)),
    command("compact", async () => ((await conversation.compact()) ? t("command.compact.done") : "")),
    command("model", () => done(actions.chooseModel)),
    command("mode", () => done(actions.chooseMode)),
    command("rename", rename, t("command.rename.hint")),
    command("export", (format) => download(/^json$/i.test(format) ? "json" : "md"), "md | json"),
  ];

  /** @param {string} title */
  function rename(title) {
    const id = list?.get().current;
    if (!id || !title) return t("command.rename.how");
    list?.rename(id, title);
    return t("command.rename.done", { title });
  }

  /** @param {"md"|"json"} format */
  function download(format) {
    const query = new URLSearchParams({ session_id: conversation.session, format });
    const link = h("a", { href: `api/paliadin/export?${query}`, download: "", hreflang: lang });
    link.click();
    return t("command.export.done");
  }
}

/** @param {() => void} act */
function done(act) {
  act();
  return "";
}

/**
 * The command of the page that a message is, and what stands behind it.
 * @param {OwnCommand[]} commands
 * @param {string} message
 */
export function findOwnCommand(commands, message) {
  const [, name = "", argument = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(message) ?? [];
  const command = commands.find((each) => each.name === name);
  return command ? { command, argument: argument.trim() } : null;
}
