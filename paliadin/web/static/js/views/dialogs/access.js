/**
 * A dialog that lists the browsers that are signed in and the keys of programs, and signs browsers out. A member only
 * signs out. Parts add to it for both.
 */
import { codeSpans, h } from "../../browser/dom.js";
import { browserName, formatTime } from "../../texts/format.js";
import { attemptIn, openDialog } from "./dialog.js";

/**
 * @param {import("../common/context.js").BaseContext} context
 * @param {Element} parent
 */
export async function openAccess(context, parent) {
  const { conversation, t, lang } = context;
  const state = h("p", { role: "status" }, t("list.loading"));
  const attempt = attemptIn(context, state);
  /** @param {boolean} all */
  const leave = (all) =>
    attempt(async () => {
      await conversation.access.signOut(all);
      for (const kept of ["kept.", "title."]) context.settings.clear(kept);
      location.reload();
    });
  const browsers = h("ul", { class: "access-list" });
  const keys = h("ul", { class: "access-list" });
  const signOut = h("button", { type: "button", class: "primary", onclick: () => leave(false) }, t("access.out"));
  const everywhere = h("button", { type: "button", onclick: () => leave(true) }, t("access.everywhere"));
  const { health } = conversation.get();
  const ofPieces = context.pieces.of(health).flatMap((piece) =>
    health && piece.drawAccess
      ? piece.drawAccess({
          health,
          attemptIn: (el) => attemptIn(context, el),
          refreshHealth: conversation.refreshHealth,
        })
      : [],
  );
  const keysTitle = h("h3", { hidden: true }, t("access.keys"));
  if (context.member) {
    state.textContent = t("access.member");
    openDialog(parent, {
      title: t("access.as", context.member),
      close: t("banner.close"),
      body: [state, h("div", { class: "card-buttons" }, signOut, everywhere), ...ofPieces],
    });
    return;
  }
  openDialog(parent, {
    title: t("access.title"),
    close: t("banner.close"),
    body: [state, browsers, h("div", { class: "card-buttons" }, signOut, everywhere), keysTitle, keys, ...ofPieces],
  });
  await attempt(draw);

  async function draw() {
    const listed = await conversation.access.list();
    state.replaceChildren(...codeSpans(t("access.text")));
    browsers.replaceChildren(...listed.browsers.map(drawBrowser));
    keysTitle.hidden = listed.keys.length === 0;
    keys.replaceChildren(...listed.keys.map(drawKey));
  }

  /** @param {import("../../types.js").SignedInBrowser} browser */
  function drawBrowser({ id, person, agent, current, last_used, expires }) {
    const browser = browserName(agent, t("access.unknown"));
    const name = person ? t("access.whose", { name: browser, person }) : browser;
    const times = { used: formatTime(last_used * 1000, lang), until: formatTime(expires * 1000, lang) };
    const remove = () =>
      attempt(async () => {
        await conversation.access.signOutBrowser(id);
        await draw();
      });
    const label = t("access.out.one", { name });
    return h(
      "li",
      {},
      h("strong", {}, current ? t("access.this", { name }) : name),
      h("small", {}, t(current ? "access.until" : "access.times", times)),
      !current &&
        h("button", { type: "button", class: "small", "aria-label": label, onclick: remove }, t("access.out")),
    );
  }

  /** A part's purpose has no words here. @param {string} purpose */
  function whatFor(purpose) {
    return t(/** @type {"access.for.owner"} */ (`access.for.${purpose}`)) || purpose;
  }

  /** @param {import("../../types.js").ProgramKey} key */
  function drawKey({ name, purposes, last_used }) {
    const used = last_used ? formatTime(last_used * 1000, lang) : t("access.never");
    const purpose = purposes.map(whatFor).join(", ");
    return h("li", {}, h("strong", {}, name), h("small", {}, t("access.key", { purpose, used })));
  }
}
