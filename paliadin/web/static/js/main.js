/** The chat page: a header, the list of conversations, and the one that is open. */
import { h } from "./browser/dom.js";
import { loader, openOne } from "./browser/load.js";
import { createSettings } from "./browser/settings.js";
import { currentTheme, setTheme } from "./browser/theme.js";
import { createConversationList } from "./conversation/conversation-list.js";
import { createFeed } from "./conversation/feed.js";
import { createFiles } from "./conversation/files.js";
import { createOpenConversation } from "./conversation/open-conversation.js";
import { createApi } from "./daemon/api.js";
import { addressOf, addressOfTurn, sessionOfAddress, turnOfAddress } from "./page/address.js";
import { createHeader } from "./page/header.js";
import { startNotifications, watchOthers } from "./page/notifications.js";
import { reloadForAnother, signedIn } from "./page/person.js";
import { listenToShortcuts, NEW_KEY } from "./page/shortcuts.js";
import { createSidebar } from "./page/sidebar.js";
import { markTab } from "./page/tab-mark.js";
import { marksOthers } from "./state/marks.js";
import { loadTranslator, pickLang } from "./texts/i18n.js";
import { createPieces } from "./views/common/pieces.js";
import { mountConversation } from "./views/conversation-view.js";
import { createListView } from "./views/conversation-list/list.js";

const api = createApi();
const settings = createSettings(signedIn.member);
const list = createConversationList({ api, settings, isMember: signedIn.member !== "" });
const feed = createFeed({ api, list });
/** @type {import("./conversation/open-conversation.js").OpenConversation<import("./views/reading-place.js").Place>} */
const opened = createOpenConversation({
  api,
  settings,
  list,
  feed,
  leave: () => view?.place() ?? null,
  show: showConversation,
});
let lang = pickLang([settings.get("lang"), signedIn.lang, ...navigator.languages]);
let t = await loadTranslator(lang);
let pieces = createPieces({ lang, api }, document);
/** @type {ReturnType<typeof drawFrame>} */
let frame;
/** @type {(import("./conversation/files.js").Files & {session: string})|null} */
let files = null;
/** @type {ReturnType<typeof mountConversation>|null} */
let view = null;

/** What a member's Claude offers. @type {import("./types.js").Offers} */
const NO_OFFERS = { models: [], modes: [], commands: [] };

/** Draws what stands around the conversation. */
function drawFrame() {
  const main = h("main");
  const open = (/** @type {string} */ id, /** @type {string} */ turnId = "") => go(id, turnId);
  const listView = createListView({ list, t, lang, addressOf, make, open, replace, print: printOpen, newKey: NEW_KEY });
  for (const each of [main, listView.el]) listView.undoIn(each);
  const sidebar = createSidebar({ list: listView.el, t, settings });
  const header = createHeader(
    { list, settings, lang, t, name: signedIn.name, isMember: signedIn.member !== "" },
    {
      toggle: sidebar.toggle,
      newConversation: () => make(),
      openSearch: () => void openSearch().catch(reportError),
      openAccess: () => void openAccess().catch(reportError),
      switchLanguage: (other) => void switchLanguage(other).catch(reportError),
    },
  );
  document.documentElement.lang = lang;
  const row = h("div", { class: "page-row" }, sidebar.el, main);
  const skip = h("a", { class: "skip", href: "#question", onclick: skipToQuestion }, t("app.skip"));
  document.body.append(skip, header.el, row, sidebar.drawer);
  return {
    main,
    sidebar,
    listView,
    remove() {
      listView.stop();
      skip.remove();
      header.remove();
      sidebar.remove();
      row.remove();
    },
  };
}

/** @param {Event} event */
function skipToQuestion(event) {
  event.preventDefault(); // the address names a turn
  view?.skipToInput();
}

/** @returns {import("./views/common/context.js").BaseContext} */
const context = () => ({
  conversation: opened.current(),
  member: signedIn.member === "" ? undefined : { name: signedIn.name },
  files: signedIn.member === "" ? filesOf(opened.current().session) : undefined,
  askOffers: signedIn.member === "" ? () => api.offers(opened.current().session) : async () => NO_OFFERS,
  choose: (change) => list.choose(opened.current().session, change),
  t,
  lang,
  settings,
  list,
  pieces,
  branch,
  openPlace: ({ session, turnId }, arrow) => {
    go(session, turnId);
    view?.focusArrow(arrow);
  },
  showList: findConversation,
  actions: {
    makeNew: () => make(),
    chooseModel: (wanted) => void chooseIn("model", wanted).catch(reportError),
    chooseMode: (wanted) => void chooseIn("permission_mode", wanted).catch(reportError),
    print: printOpen,
  },
  addressOf: (turnId) => addressOfTurn(opened.current().session, turnId),
  addressOfPicture: (turnId, name) => `api/paliadin/turns/${turnId}/pictures/${encodeURIComponent(name)}`,
  addressOfFile: (id) => `api/paliadin/attachments/${encodeURIComponent(id)}`,
});

/**
 * @param {"model"|"permission_mode"} what
 * @param {string} [wanted] taken at once if it is one of those that there are
 */
async function chooseIn(what, wanted) {
  await openOne(
    () => import("./views/dialogs/chooser.js"),
    ({ openChooser }) => view && openChooser(context(), view.el, what, wanted),
  );
}

function printOpen() {
  loadPaper()
    .then(() => view?.print())
    .catch(reportError);
}

async function openSearch() {
  await openOne(
    () => import("./views/dialogs/search.js"),
    ({ openSearch: open }) => view && open(context(), view.el),
  );
}

async function openAccess() {
  await openOne(
    () => import("./views/dialogs/access.js"),
    ({ openAccess: open }) => view && open(context(), view.el),
  );
}

const loadPaper = loader(() => import("./page/paper.js").then(({ addPaperStyle }) => addPaperStyle()));

/** @param {string} session */
function filesOf(session) {
  if (files?.session !== session) files = { session, ...createFiles(api, session) };
  return files;
}

/**
 * @param {import("./conversation/conversation.js").Conversation} conversation
 * @param {import("./views/reading-place.js").Place|null} place
 */
function showConversation(conversation, place) {
  view?.destroy();
  view = mountConversation(frame.main, context(), place);
  view.focus();
  conversation.listen((state) => markTab(list.get(), state));
  conversation.listen(({ health }) => reloadForAnother(health));
  conversation.listen(({ turns }) => turns.length > 0 && loadPaper().catch(reportError)); // for the browser's own menu
  startNotifications(conversation, settings, () => t);
}

/**
 * Opens a conversation; the way back leads to the one before.
 * @param {string} session
 * @param {string} [turnId]
 */
function go(session, turnId) {
  frame.sidebar.leave();
  return show(session, turnId);
}

/**
 * @param {string} session
 * @param {string} [turnId]
 */
function show(session, turnId) {
  if (session !== opened.current().session) history.pushState(null, "", addressOf(session));
  else if (!turnId) view?.focus();
  return opened.open(session, turnId);
}

/** @param {string} [host] */
async function make(host) {
  const session = await opened.make(host);
  if (!session) return;
  await go(session);
  view?.focus();
}

/**
 * Opens a conversation, or a new one, in place of the open one that was taken away.
 * @param {string} session
 */
async function replace(session) {
  const id = session || (await list.make())?.id;
  if (id) await show(id);
}

/**
 * Asks in a new conversation that knows what came before a turn.
 * @param {string} turnId
 * @param {string} question
 * @param {import("./types.js").Attachment[]} attachments
 */
async function branch(turnId, question, attachments) {
  const item = await list.make({ branch_of: turnId });
  if (!item) return false;
  await go(item.id);
  if (!(await opened.current().send(question, attachments))) view?.write(question);
  return true;
}

function findConversation() {
  frame.sidebar.show();
  frame.listView.focusSearch();
}

/** @param {import("./texts/i18n.js").Lang} other */
async function switchLanguage(other) {
  settings.set("lang", other); // before the words are fetched: who reloads meanwhile has chosen all the same
  t = await loadTranslator(other);
  lang = other;
  pieces = createPieces({ lang, api }, document);
  const place = view?.place() ?? null;
  view?.destroy();
  frame.remove();
  frame = drawFrame();
  view = mountConversation(frame.main, context(), place);
}

/** Opens what the address names: a conversation, and a turn in it, each time it is opened. */
function followAddress() {
  const turnId = turnOfAddress();
  if (turnId) history.replaceState(null, "", location.pathname + location.search);
  return opened.open(sessionOfAddress(), turnId);
}

setTheme(currentTheme());
frame = drawFrame();
list.listen((state) => {
  if (!view) return;
  markTab(state, opened.current().get());
  frame.sidebar.mark(marksOthers(state));
});
listenToShortcuts({
  stop: () => opened.current().stop(),
  make: () => make(),
  find: findConversation,
  print: printOpen,
});
watchOthers(list, settings, () => t, go);
addEventListener("popstate", followAddress);
followAddress();
void list.refresh();
document.addEventListener("visibilitychange", list.lookAtCurrent);

// A file that misses the conversation would take the page's place.
for (const type of ["dragover", "drop"])
  addEventListener(type, (event) => {
    if (!(event instanceof DragEvent) || event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
