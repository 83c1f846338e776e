/**
 * The machine of this session cannot be reached, and when it is tried again. One element for as long as that lasts; a new
 * one at each second would be read out again.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").HealthPart} HealthPart
 */
import { h, withCode } from "../dom.js";
import { icon } from "../icons.js";

/** @param {Context} context */
export function createAway({ t }) {
  const title = h("strong");
  const clock = h("span", { "aria-hidden": "true" });
  const hint = h("span");
  const el = h("div", { class: "banner warn away", role: "status" }, icon("alert"), h("p", {}, title, " ", clock, " ", hint));
  let host = "";
  let retryAt = 0;
  let ticking = 0;

  function tick() {
    const seconds = Math.ceil((retryAt - Date.now()) / 1000);
    clock.textContent = seconds > 0 ? t("host.again.in", { seconds }) : t("host.again.now");
  }

  return {
    el,
    /** @param {HealthPart|undefined} part */
    update(part) {
      clearInterval(ticking);
      if (!part) return;
      if (host !== part.host) {
        host = part.host ?? "";
        title.textContent = t("host.away", { host });
        hint.replaceChildren(...withCode(t("host.away.hint", { host })));
      }
      retryAt = part.retry_at ?? 0;
      tick();
      ticking = setInterval(tick, 1000);
    },
  };
}
