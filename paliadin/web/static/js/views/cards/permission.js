/**
 * The card on which Claude asks for a permission. It shows exactly what for, as text only.
 * @typedef {import("./card.js").SendReply} SendReply
 * @typedef {import("../../types.js").Interrupt} Interrupt
 * @typedef {import("../../types.js").Option} Option
 */
import { codeSpans, h } from "../../browser/dom.js";
import { listenToKeys } from "../../browser/keys.js";
import { permissionOptions } from "../../state/interrupts.js";
import { isPlan, permissionRequest } from "../../state/permission-request.js";
import { escapeInvisible } from "../../texts/format.js";
import { translateIfKnown } from "../../texts/i18n.js";
import { createCard } from "./card.js";
import { holdUntilEndIsSeen } from "./end-in-sight.js";
import { drawRequest, drawRequestTitle, drawSessionScope } from "./permission-content.js";

let count = 0;

/**
 * @param {import("../common/context.js").Context} context
 * @param {Interrupt} interrupt
 * @param {SendReply} sendReply
 * @returns {import("./card.js").Card}
 */
export function createPermissionCard(context, interrupt, sendReply) {
  const { t } = context;
  const request = permissionRequest(interrupt);
  const options = permissionOptions(interrupt);
  const asksForPlan = isPlan(interrupt);
  const why = t(asksForPlan ? "ask.plan.reason" : "ask.reason");
  const field = { class: "reason", dir: "auto", placeholder: why, "aria-label": why, autocomplete: "off" };
  const reason = asksForPlan ? h("textarea", { ...field, rows: 2 }) : h("input", { ...field, type: "text" });
  const deny = () => (reason.value.trim() ? { deny: reason.value.trim() } : "deny");
  const send = (/** @type {import("../../types.js").ReplyValue} */ value) =>
    card.disableWhile(sendReply({ interrupt_id: interrupt.id, value }));
  const choose = (/** @type {Option} */ option) => {
    if (option.id === "deny") send(deny());
    else if (held.isSeen()) send(option.id);
    else held.explain();
  };
  const scope = h("p", { class: "ask-scope", id: `scope-${(count += 1)}` }, ...drawScope(interrupt, request, t));
  const buttons = options.map((option, i) => {
    const button = drawButton(option, i + 1, asksForPlan, t);
    button.addEventListener("click", ({ detail }) => {
      // A second click may be meant for the card before; a key has no `detail`.
      const isMeant = detail < 2 && (!detail || option.id === "deny" || held.stands());
      if (isMeant || !held.isSeen()) choose(option);
    });
    const isScoped = option.id === (asksForPlan ? "allow" : "allow_session");
    if (isScoped) button.setAttribute("aria-describedby", scope.id);
    return button;
  });
  const mayReply = context.conversation.get().health?.may_allow !== false;
  const elsewhere = h("p", {}, ...codeSpans(t(context.member ? "ask.owner" : "ask.elsewhere")));
  const content = drawRequest(request, context);
  const body = h("div", {}, content);
  const allowing = buttons.filter((_, i) => options[i]?.id !== "deny");
  const held = holdUntilEndIsSeen({ content, buttons: allowing, next: content }, t);
  const card = createCard(context, {
    mark: "shield",
    title: [
      request.key !== "ask.permission" && h("span", { class: "hidden" }, `${t("ask.permission")}: `),
      ...drawRequestTitle(request, t),
    ].filter((piece) => piece !== false),
    text: [
      interrupt.agent ? t("ask.agent", { kind: escapeInvisible(interrupt.agent) }) : "",
      interrupt.cut ? t("ask.cut") : interrupt.tool ? "" : escapeInvisible(interrupt.message ?? ""),
    ]
      .filter(Boolean)
      .join(" "),
    body: [body],
    hint: mayReply ? held.hint : undefined,
    buttons: mayReply ? [...buttons, reason, scope] : [elsewhere],
  });
  // Enter denies with that reason, and never allows.
  const denyWithReason = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (reason.value.trim()) send(deny());
  };
  card.el.addEventListener("submit", denyWithReason);
  listenToKeys(reason, (event) => {
    if (asksForPlan && event.key === "Enter" && !event.shiftKey) denyWithReason(event);
  });
  let shownAt = Infinity;
  requestAnimationFrame(() => (shownAt = performance.now()));
  return {
    el: card.el,
    press(event) {
      const option = mayReply && !card.isSending() ? options[Number(event.key) - 1] : undefined;
      if (!option) return;
      event.preventDefault();
      if (!event.repeat && event.timeStamp - shownAt > 500) choose(option);
    },
  };
}

/**
 * @param {Option} option
 * @param {number} number
 * @param {boolean} onPlan
 * @param {import("../common/context.js").Context["t"]} t
 */
function drawButton({ id, label }, number, onPlan, t) {
  return h(
    "button",
    { type: "button", class: number === 1 ? "primary" : "", "aria-keyshortcuts": number },
    h("kbd", { "aria-hidden": "true" }, `${number}`),
    translateIfKnown(t, onPlan ? `ask.plan.${id}` : `ask.${id}`) || escapeInvisible(label),
  );
}

/**
 * Says what “for this session” allows, or what follows a plan.
 * @param {Interrupt} interrupt
 * @param {import("../../state/permission-request.js").PermissionRequest} request
 * @param {import("../common/context.js").Context["t"]} t
 */
function drawScope(interrupt, request, t) {
  if (isPlan(interrupt)) return [t("ask.plan.scope")];
  const isOffered = interrupt.options?.some(({ id }) => id === "allow_session");
  return isOffered ? drawSessionScope(interrupt, request, t) : [];
}
