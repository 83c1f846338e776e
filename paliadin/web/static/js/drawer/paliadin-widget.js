/**
 * `<paliadin-widget>`: a conversation in a drawer on any page. docs/embedding.md lists its attributes and events.
 *
 * It stays hidden until the daemon has accepted its token, and on the routes in `hide-on`.
 * @typedef {import("../types.js").PageContext} PageContext
 */
import { listenToKeys } from "../browser/keys.js";
import { settings } from "../browser/settings.js";
import { ApiError, createApi, READ_MS } from "../daemon/api.js";
import { loadTranslator, pickLang } from "../texts/i18n.js";
import { createPieces } from "../views/common/pieces.js";
import { createDrawerConversations } from "./conversations.js";
import { createFrame, isShortcut } from "./frame.js";
import { createPageContext } from "./page-context.js";
import { EMPTY_REGISTRY, readRegistry, routeOf, startersOf } from "./registry.js";
import { styleSheets } from "./styles.js";
import { tellTurns } from "./turn-events.js";

/** The path of the chat page, which needs no drawer. */
const CHAT_PAGE = /\/paliadin\/?$/;

export class PaliadinWidget extends HTMLElement {
  #root = this.attachShadow({ mode: "open" });
  /** @type {ReturnType<typeof createFrame>|null} */
  #frame = null;
  /** @type {ReturnType<typeof createPageContext>|null} */
  #pageContext = null;
  /** @type {ReturnType<typeof createDrawerConversations>|null} */
  #conversations = null;
  #registry = EMPTY_REGISTRY;
  /** @type {PageContext} */
  #contextFromPage = {};
  #selected = "";
  #confirmed = false;
  #token = "";
  #disconnect = new AbortController();

  static observedAttributes = ["layout"];

  attributeChangedCallback() {
    this.#frame?.arrange();
  }

  connectedCallback() {
    this.#disconnect = new AbortController();
    this.#listen();
    this.#connect();
  }

  disconnectedCallback() {
    this.#disconnect.abort();
    this.#conversations?.stop();
    this.#frame?.remove();
    this.#confirmed = false;
    this.#frame = null;
    this.#conversations = null;
  }

  open() {
    if (this.#isAllowed()) this.#frame?.open();
  }

  close() {
    this.#frame?.close();
  }

  toggle() {
    if (this.#frame?.isOpen()) this.close();
    else this.open();
  }

  /**
   * Opens the drawer and sends a question.
   * @param {string} text
   * @returns {Promise<boolean>} whether the daemon took it
   */
  async send(text) {
    this.open();
    return this.#isAllowed() && Boolean(await this.#conversations?.current().send(text));
  }

  /**
   * Sets what the user is looking at beyond the route: entity, view mode, filter.
   * @param {PageContext} context replaces the one that was set before
   */
  setContext(context) {
    this.#contextFromPage = context;
    this.#refresh();
  }

  /**
   * Listens to an event of the drawer.
   * @param {string} name one of those in docs/embedding.md
   * @param {(detail: any, event: Event) => void} listener
   * @returns {() => void} stops listening
   */
  on(name, listener) {
    const handler = (/** @type {Event} */ event) => listener(/** @type {CustomEvent} */ (event).detail, event);
    this.addEventListener(`paliadin-${name}`, handler);
    return () => this.removeEventListener(`paliadin-${name}`, handler);
  }

  get #lang() {
    return pickLang([this.getAttribute("lang") ?? "", document.documentElement.lang, ...navigator.languages]);
  }

  #listen() {
    const { signal } = this.#disconnect;
    document.addEventListener("selectionchange", () => this.#rememberSelection(), { signal });
    addEventListener("popstate", () => this.#refresh(), { signal });
    /** @type {any} */ (globalThis).navigation?.addEventListener("currententrychange", () => this.#refresh(), {
      signal,
    });
    document.addEventListener("visibilitychange", () => this.#confirmed || this.#connect(), { signal });
    listenToKeys(
      globalThis,
      (event) => {
        if (!isShortcut(event) || event.defaultPrevented || !this.#isAllowed()) return;
        event.preventDefault();
        if (this.#frame?.isBeside() && !this.#frame.hasFocus()) this.#frame.focus();
        else this.toggle();
      },
      { signal },
    );
  }

  /** Asks the daemon whether the token is valid, and only then shows the drawer. */
  async #connect() {
    if (CHAT_PAGE.test(location.pathname)) return;
    const { signal } = this.#disconnect;
    const lang = this.#lang;
    const token = this.hasAttribute("token-url") ? (/** @type {boolean} */ renew) => this.#getToken(renew) : undefined;
    const api = createApi({ token });
    try {
      const [sheets, registry, t, health] = await Promise.all([
        styleSheets(),
        this.#getRegistry(),
        loadTranslator(lang),
        api.health(),
      ]);
      if (signal.aborted || this.#confirmed) return;
      this.#root.adoptedStyleSheets = sheets;
      this.#registry = registry;
      this.#confirmed = true;
      this.#mount(api, t, lang, health);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** @param {boolean} renew the last one was refused */
  async #getToken(renew) {
    if (this.#token && !renew) return this.#token;
    const signal = AbortSignal.timeout(READ_MS);
    const response = await fetch(this.getAttribute("token-url") ?? "", { method: "POST", signal });
    if (!response.ok) throw new ApiError(response.status, { code: "no_token" });
    this.#token = String((await response.json()).token);
    return this.#token;
  }

  async #getRegistry() {
    const address = this.getAttribute("registry");
    if (!address) return EMPTY_REGISTRY;
    const response = await fetch(address);
    return response.ok ? readRegistry(await response.json()) : EMPTY_REGISTRY;
  }

  /**
   * @param {ReturnType<typeof createApi>} api
   * @param {import("../texts/i18n.js").Translate} t
   * @param {import("../texts/i18n.js").Lang} lang
   * @param {import("../types.js").Health} health
   */
  #mount(api, t, lang, health) {
    const tell = (/** @type {string} */ name, /** @type {unknown} */ detail) => void this.#emit(name, detail);
    const pieces = createPieces({ lang, api, tell, embedded: true }, this.#root);
    const pageContext = (this.#pageContext = createPageContext(t, lang, settings, () => pieces.of(health)));
    pieces.listen(pageContext.draw);
    const conversations = (this.#conversations = createDrawerConversations({
      api,
      t,
      lang,
      session: this.getAttribute("session") ?? "",
      pageContext: () => pageContext.current(),
      base: {
        embedded: true,
        aboveInput: pageContext.el,
        pieces,
        starters: () => startersOf(this.#registry, this.#context().route_name, lang),
      },
      onOpen: (conversation) => tellTurns(conversation, (name, detail) => this.#emit(name, detail)),
      isShown: () => Boolean(this.#frame?.isOpen()) && document.visibilityState === "visible",
      onMark: (mark) => this.#frame?.mark(mark),
    }));
    const { place, panel, make } = conversations;
    const frame = (this.#frame = createFrame(this.#root, t, settings, {
      toggle: panel.button,
      pushes: () => this.getAttribute("layout") !== "overlay",
      focus: () => conversations.focus(),
      onOpen: () => this.#onOpen(),
      onClose: () => this.#onClose(),
      newConversation: make,
    }));
    frame.place.append(place, panel.el);
    frame.place.addEventListener("click", (event) => this.#offerNavigation(event));
    this.#refresh();
    this.#emit("ready");
    if (settings.get("drawer.open") && this.#isAllowed()) frame.open(false);
  }

  #onOpen() {
    this.#refresh();
    this.#conversations?.onShown(true);
    this.#emit("open");
  }

  #onClose() {
    this.#conversations?.onShown(false);
    this.#emit("close");
  }

  /**
   * Emits `navigate` for a click on a chip, or on another link into the application; its own router may take it.
   * @param {Event} event
   */
  #offerNavigation(event) {
    const link = event.target instanceof Element ? event.target.closest("a.chip, a.to-application") : null;
    if (!link) return;
    const prevented = !this.#emit("navigate", { href: link.getAttribute("href") }, true);
    if (prevented) event.preventDefault();
  }

  /** While the focus is in the drawer, the selection is one in it, or gone from the page by that alone. */
  #rememberSelection() {
    const frame = this.#frame;
    if (frame?.isOpen() && (frame.hasFocus() || !frame.isBeside())) return;
    this.#selected = String(document.getSelection() ?? "");
    if (frame?.isOpen()) this.#showContext();
  }

  #showContext() {
    this.#pageContext?.show(this.#context(), this.#selected);
  }

  #context() {
    return { ...routeOf(this.#registry, location.pathname), ...this.#contextFromPage };
  }

  /** Whether the drawer may be shown: the token is valid, and this is neither the chat page nor in `hide-on`. */
  #isAllowed() {
    const hideOn = (this.getAttribute("hide-on") ?? "").split(/[\s,]+/).filter(Boolean);
    const { route_name } = this.#context();
    return (
      this.#confirmed &&
      !CHAT_PAGE.test(location.pathname) &&
      !hideOn.includes(route_name ?? "") &&
      !hideOn.includes(location.pathname)
    );
  }

  #refresh() {
    this.#frame?.show(this.#isAllowed());
    this.#showContext();
    this.#conversations?.redrawStarters();
  }

  /**
   * @param {string} name
   * @param {unknown} [detail]
   * @param {boolean} [cancelable]
   */
  #emit(name, detail, cancelable = false) {
    return this.dispatchEvent(
      new CustomEvent(`paliadin-${name}`, { detail, cancelable, bubbles: true, composed: true }),
    );
  }
}

if (!customElements.get("paliadin-widget")) customElements.define("paliadin-widget", PaliadinWidget);
