/**
 * The banner for a session whose host cannot be reached, with the seconds to the next attempt. It stays one element: a
 * screen reader would read out a new one every second.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {import("../types.js").HealthPart} HealthPart
 */
import { codeSpans, h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";

/** @param {import("../types.js").State} state */
export const awayHost = (state) => state.health?.parts?.find((part) => part.retry_at);

/** @param {Context} context */
export function createUnreachableHost({ t }) {
  const title = h("strong");
  const clock = h("span", { "aria-hidden": "true" });
  const hint = h("span");
  const el = h(
    "div",
    { class: "banner warn away", role: "status" },
    icon("alert"),
    h("p", {}, title, " ", clock, " ", hint),
  );
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
        hint.replaceChildren(...codeSpans(t("host.away.hint", { host })));
      }
      retryAt = part.retry_at ?? 0;
      tick();
      ticking = setInterval(tick, 1000);
    },
  };
}
