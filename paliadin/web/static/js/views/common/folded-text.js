/**
 * Draws a text that the user is asked to judge: blanks that would push a part of it out of sight are counted instead.
 */
import { h } from "../../browser/dom.js";
import { foldBlanks } from "../../texts/format.js";
import { plural } from "../../texts/i18n.js";

/**
 * @param {string} text
 * @param {import("./context.js").Context["t"]} t
 * @returns {(Node|string)[]}
 */
export function drawFolded(text, t) {
  return foldBlanks(text).map((piece) =>
    typeof piece === "string" ? piece : h("span", { class: "folded" }, plural(t, `folded.${piece.kind}`, piece.count)),
  );
}
