/**
 * What the page itself does for a message that begins with `/`: it is no question, and Claude does not get it.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {object} OwnCommand
 * @property {string} name
 * @property {string} hint what may stand behind it
 * @property {string} description
 * @property {(argument: string) => Outcome|Promise<Outcome>} act
 * @typedef {{note?: string, failed?: boolean}} Outcome what to tell the user; if it failed, what was written stays
 */
import { h } from "../browser/dom.js";

/**
 * @param {Context} context
 * @returns {OwnCommand[]} none in a drawer
 */
export function ownCommands({ conversation, list, t, lang, embedded, member, actions }) {
  if (embedded || !actions) return [];
  /**
   * @param {"new"|"compact"|"model"|"mode"|"rename"|"export"|"print"} name
   * @param {OwnCommand["act"]} act
   * @returns {OwnCommand}
   */
  const command = (name, act, hint = "") => ({ name, hint, description: t(`command.${name}`), act });
  const owners = [
    command("model", (wanted) => done(() => actions.chooseModel(wanted))),
    command("mode", (wanted) => done(() => actions.chooseMode(wanted))),
  ];
  return [
    command("new", () => done(actions.makeNew)),
    command("compact", async () =>
      (await conversation.compact()) ? { note: t("command.compact.done") } : { failed: true },
    ),
    ...(member ? [] : owners),
    command("rename", rename, t("command.rename.hint")),
    command("export", download, "md | json"),
    command("print", () => done(actions.print)),
  ];

  /** @param {string} title */
  function rename(title) {
    const id = list?.get().current;
    if (!id || !title) return { note: t("command.rename.how"), failed: true };
    list?.rename(id, title);
    return { note: t("command.rename.done", { title }) };
  }

  /** @param {string} argument */
  function download(argument) {
    const format = argument.toLowerCase() || "md";
    if (format !== "md" && format !== "json") return { note: t("command.export.how"), failed: true };
    const query = new URLSearchParams({ session_id: conversation.session, format });
    const link = h("a", { href: `api/paliadin/export?${query}`, download: "", hreflang: lang });
    link.click();
    return { note: t("command.export.done") };
  }
}

/** @param {() => void} act */
function done(act) {
  act();
  return {};
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
