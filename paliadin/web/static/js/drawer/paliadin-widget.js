/**
 * `<paliadin-widget>`: the conversation in a drawer of any page. docs/embedding.md tells its attributes and events.
 *
 * It stays away until the daemon has confirmed whom it serves, and wherever the page says so.
 * @typedef {import("../types.js").PageContext} PageContext
 */
import { ApiError, createApi } from "../api.js";
import { mountChat } from "../chat.js";
import { createConversation } from "../conversation.js";
import { pickLang, translator } from "../i18n.js";
import { keepFresh } from "../poll.js";
import { settings } from "../settings.js";
import { isRunning } from "../turns.js";
import { createFrame, isShortcut } from "./frame.js";
import { createHere } from "./here.js";
import { NOTHING, readRegistry, routeOf, startersOf } from "./registry.js";
import { styleSheets } from "./styles.js";

const PAGE = /\/paliadin\/?$/;

export class PaliadinWidget extends HTMLElement {
  #root = this.attachShadow({ mode: "open" });
  /** @type {ReturnType<typeof createFrame>|null} */
  #frame = null;
  /** @type {ReturnType<typeof createHere>|null} */
  #here = null;
  /** @type {ReturnType<typeof mountChat>|null} */
  #chat = null;
  /** @type {ReturnType<typeof createConversation>|null} */
  #conversation = null;
  #registry = NOTHING;
  /** @type {PageContext} */
  #given = {};
  #selected = "";
  #confirmed = false;
  #token = "";
  #leave = new AbortController();

  connectedCallback() {
    this.#leave = new AbortController();
    this.#listen();
    this.#begin();
  }

  disconnectedCallback() {
    this.#leave.abort();
    this.#chat?.destroy();
    this.#frame?.remove();
    this.#confirmed = false;
    this.#frame = null;
  }

  open() {
    if (this.#usable()) this.#frame?.open();
  }

  close() {
    this.#frame?.shut();
  }

  toggle() {
    if (this.#frame?.isOpen()) this.close();
    else this.open();
  }

  /**
   * Opens the drawer and asks.
   * @param {string} text
   * @returns {Promise<boolean>} whether the daemon took it
   */
  async send(text) {
    this.open();
    return this.#usable() && Boolean(await this.#conversation?.send(text));
  }

  /**
   * What the asker is looking at, beyond the route: entity, view mode, filter.
   * @param {PageContext} context replaces what was set before
   */
  setContext(context) {
    this.#given = context;
    this.#look();
  }

  /**
   * @param {"ready"|"open"|"close"|"sent"|"answer"|"navigate"} name
   * @param {(detail: any, event: Event) => void} listener
   * @returns {() => void} stops listening
   */
  on(name, listener) {
    const heard = (/** @type {Event} */ event) => listener(/** @type {CustomEvent} */ (event).detail, event);
    this.addEventListener(`paliadin-${name}`, heard);
    return () => this.removeEventListener(`paliadin-${name}`, heard);
  }

  get #lang() {
    return pickLang([this.getAttribute("lang") ?? "", document.documentElement.lang, ...navigator.languages]);
  }

  #listen() {
    const { signal } = this.#leave;
    document.addEventListener("selectionchange", () => this.#select(), { signal });
    addEventListener("popstate", () => this.#look(), { signal });
    /** @type {any} */ (globalThis).navigation?.addEventListener("currententrychange", () => this.#look(), { signal });
    document.addEventListener("visibilitychange", () => this.#confirmed || this.#begin(), { signal });
    addEventListener("keydown", (event) => {
      if (!isShortcut(event) || event.defaultPrevented || !this.#usable()) return;
      event.preventDefault();
      this.toggle();
    }, { signal });
  }

  /** Asks the daemon who this is; without a yes nothing is shown. */
  async #begin() {
    if (PAGE.test(location.pathname)) return;
    const { signal } = this.#leave;
    const token = this.hasAttribute("token-url") ? (/** @type {boolean} */ again) => this.#getToken(again) : undefined;
    const api = createApi({ token });
    try {
      const [sheets, registry] = await Promise.all([styleSheets(), this.#getRegistry(), api.health()]);
      if (signal.aborted || this.#confirmed) return;
      this.#root.adoptedStyleSheets = sheets;
      this.#registry = registry;
      this.#confirmed = true;
      this.#mount(api);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** @param {boolean} again */
  async #getToken(again) {
    if (this.#token && !again) return this.#token;
    const answer = await fetch(this.getAttribute("token-url") ?? "", { method: "POST" });
    if (!answer.ok) throw new ApiError(answer.status, { code: "no_token" });
    this.#token = String((await answer.json()).token);
    return this.#token;
  }

  async #getRegistry() {
    const address = this.getAttribute("registry");
    if (!address) return NOTHING;
    const answer = await fetch(address);
    return answer.ok ? readRegistry(await answer.json()) : NOTHING;
  }

  /** @param {ReturnType<typeof createApi>} api */
  #mount(api) {
    const lang = this.#lang;
    const t = translator(lang);
    const here = (this.#here = createHere(t, lang, settings));
    const session = this.getAttribute("session") || "main";
    const conversation = (this.#conversation = createConversation({ api, session, origin: "widget", context: () => here.told() }));
    const frame = (this.#frame = createFrame(this.#root, t, settings, {
      opened: () => this.#opened(),
      closed: () => this.#say("close"),
      anew: () => this.#chat?.startAnew(),
    }));
    this.#chat = mountChat(frame.place, {
      conversation,
      t,
      lang,
      settings,
      embedded: true,
      above: here.el,
      starters: () => startersOf(this.#registry, this.#context().route_name, lang),
      addressOf: (turnId) => new URL(`../../../../paliadin#turn=${turnId}`, import.meta.url).href,
    });
    frame.place.addEventListener("click", (event) => this.#navigate(event));
    this.#tellTurns(conversation);
    keepFresh(conversation, this.#leave.signal);
    this.#look();
    this.#say("ready");
    if (settings.get("drawer.open") && this.#usable()) frame.open();
  }

  #opened() {
    this.#look();
    this.#chat?.focus();
    this.#say("open");
  }

  /** @param {ReturnType<typeof createConversation>} conversation */
  #tellTurns(conversation) {
    /** @type {Set<string>} */
    let running = new Set();
    conversation.listen(({ turns }) => {
      const now = new Set(turns.filter(isRunning).map(({ id }) => id));
      for (const turn of turns) {
        if (now.has(turn.id) && !running.has(turn.id) && turn.phase === "running") this.#say("sent", { turn_id: turn.id, question: turn.question });
        if (running.has(turn.id) && !now.has(turn.id)) this.#say("answer", { turn_id: turn.id, error: turn.error?.code ?? null });
      }
      running = new Set([...now].filter((id) => turns.some((turn) => turn.id === id && turn.phase !== "sending")));
    });
  }

  /**
   * A link to a page of the application: its own router may take it.
   * @param {Event} event
   */
  #navigate(event) {
    const link = event.target instanceof Element ? event.target.closest("a.chip") : null;
    if (!link) return;
    const taken = !this.#say("navigate", { href: link.getAttribute("href") }, true);
    if (taken) event.preventDefault();
  }

  #select() {
    if (this.#frame?.isOpen()) return;
    this.#selected = String(document.getSelection() ?? "");
  }

  #context() {
    return { ...routeOf(this.#registry, location.pathname), ...this.#given };
  }

  /** Whether it may be shown: not before the daemon said yes, not on the chat page, not where the page does not want it. */
  #usable() {
    const unwanted = (this.getAttribute("hide-on") ?? "").split(/[\s,]+/).filter(Boolean);
    const { route_name } = this.#context();
    return this.#confirmed && !PAGE.test(location.pathname) && !unwanted.includes(route_name ?? "") && !unwanted.includes(location.pathname);
  }

  #look() {
    this.#frame?.show(this.#usable());
    this.#here?.show(this.#context(), this.#selected);
    this.#chat?.redraw();
  }

  /**
   * @param {string} name
   * @param {unknown} [detail]
   * @param {boolean} [cancelable]
   */
  #say(name, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(`paliadin-${name}`, { detail, cancelable, bubbles: true, composed: true }));
  }
}

if (!customElements.get("paliadin-widget")) customElements.define("paliadin-widget", PaliadinWidget);
