/**
 * Every text of the page, in both languages. `{name}` is filled in; a key with `.one` and `.other` goes by `count`.
 * @typedef {"en"|"de"} Lang
 * @typedef {keyof typeof en} Key
 * @typedef {(key: Key, values?: Record<string, string|number>) => string} Translate
 */
const en = {
  "app.title": "Paliadin",
  "app.new": "New conversation",
  "app.language": "English",
  "app.theme.auto": "Theme: as the system",
  "app.theme.light": "Theme: light",
  "app.theme.dark": "Theme: dark",

  "empty.title": "What would you like to know?",
  "empty.text": "Your own Claude Code answers, with your files, skills and tools. You see every step it takes.",
  "empty.demo": "Try one of these",

  "composer.label": "Your question",
  "composer.placeholder": "Ask your Claude …",
  "composer.send": "Send",
  "composer.stop": "Stop (Esc)",
  "composer.hint": "Enter sends · Shift+Enter for a new line",
  "composer.busy": "Claude is working. Send when it is done, or stop it with Esc.",
  "composer.asked": "Claude waits for your answer above.",

  "turn.you": "You asked",
  "turn.answer": "Answer",
  "turn.stopped": "Stopped.",
  "turn.origin.terminal": "typed in the terminal",
  "turn.origin.agent": "started by Claude itself",
  "turn.origin.cli": "asked on the command line",
  "turn.origin.widget": "asked in the drawer",
  "turn.origin.api": "asked through the API",
  "turn.background.one": "{count} background task is still running.",
  "turn.background.other": "{count} background tasks are still running.",
  "turn.retry": "Ask again",
  "turn.copy": "Copy answer",
  "copy.done": "Copied",
  "copy.failed": "Not allowed here",
  "code.copy": "Copy this code",
  "code.label": "Code",
  "table.label": "Table",

  "list.label": "Conversation",
  "list.earlier": "Show earlier questions",
  "list.new": "New conversation",
  "list.bottom": "To the end",
  "list.loading": "Loading the conversation …",

  "status.sending": "Sending",
  "status.sent": "Handed to Claude",
  "status.thinking": "Thinking",
  "status.tool": "Using a tool",
  "status.tool.named": "Using {name}",
  "status.answering": "Writing",
  "status.waiting": "Waiting for your answer",
  "status.stopping": "Stopping",

  "steps.one": "{count} step",
  "steps.other": "{count} steps",
  "steps.failed": "{count} failed",
  "steps.state.running": "running",
  "steps.state.ok": "succeeded",
  "steps.state.failed": "failed",
  "steps.state.unknown": "no result seen",
  "rows.one": "{count} row",
  "rows.other": "{count} rows",

  "ask.permission": "Claude asks for permission",
  "ask.permission.tool": "Claude wants to use {tool}",
  "ask.question": "Claude has a question",
  "ask.questions": "Claude has {count} questions",
  "ask.allow": "Allow",
  "ask.deny": "Deny",
  "ask.allow_session": "Allow for this session",
  "ask.answer": "Answer",
  "ask.skip": "Go on without an answer",
  "ask.other": "Other …",
  "ask.other.label": "Your own answer",
  "ask.one": "Choose one",
  "ask.many": "Choose one or more",
  "ask.sending": "Sending your answer …",

  "notice.allowed": "allowed",
  "notice.denied": "denied",
  "notice.none": "no answer",
  "notice.by.page": "in the browser",
  "notice.by.terminal": "in the terminal",
  "notice.by.timeout": "nobody answered in time",
  "notice.by.cancel": "cancelled",

  "chip.list": "Links in this answer",
  "chip.unverified": "Not verified: no tool in this answer returned this entry, so it does not link.",
  "chip.seen": "A tool in this answer returned this entry. No page is set up for its kind.",
  "chip.nowhere": "No page is set up for this.",
  "chip.mark": "not verified",

  "evidence.title": "Evidence",
  "evidence.tools": "Tools that ran",
  "evidence.claimed": "Claude's own account",
  "evidence.none": "none",
  "evidence.silent": "not given",
  "evidence.guessed": "{tag} (guessed from the question)",
  "evidence.model": "Model",
  "evidence.disagrees": "Claude's account differs",
  "evidence.disagrees.text": "Claude's own account and what was seen to run are not the same.",
  "evidence.tag": "Kind of answer",
  "evidence.tag.data": "data",
  "evidence.tag.concept": "explanation",
  "evidence.tag.navigation": "navigation",
  "evidence.tag.meta": "about the assistant",
  "evidence.tag.other": "other",
  "evidence.duration": "Time",
  "evidence.first": "first text after {time}",
  "evidence.tokens": "Tokens",
  "evidence.tokens.value": "{input} in, {output} out, {read} read from cache, {write} written to cache",
  "evidence.started": "Asked",

  "demo.title": "Demo: the model is scripted.",
  "demo.text": "No Claude model answers here. Claude Code itself and its tools are the real ones.",
  "demo.questions": "Example questions",

  "link.lost": "The connection to Paliadin is lost. Trying again …",
  "link.retry": "Try now",
  "banner.close": "Close",
  "health.part": "{name}: {state}",

  "login.title": "This browser is not signed in",
  "login.text": "Open the address that `paliadin up` printed in the terminal. It holds your token and signs this browser in once.",
  "login.retry": "Try again",

  "reset.title": "Start a new conversation?",
  "reset.text": "Claude is still working on an answer. It will be stopped. What was asked so far is kept.",
  "reset.confirm": "Stop and start anew",
  "reset.cancel": "Keep going",

  "live.working": "Claude is working.",
  "live.done": "Answer: {text}",
  "live.stopped": "Stopped.",
  "live.failed": "Error: {text}",

  "error.unknown": "Something went wrong.",
  "error.unknown.hint": "Try again. `paliadin doctor` says what is amiss.",
  "error.offline": "Paliadin cannot be reached.",
  "error.offline.hint": "Is `paliadin up` still running?",
  "error.gone": "Paliadin does not know this question any more.",
  "error.gone.hint": "Ask it again.",
  "error.unauthorized": "This browser is not signed in.",
  "error.unauthorized.hint": "Open the address that `paliadin up` printed.",
  "error.not_logged_in": "Claude Code is not logged in.",
  "error.not_logged_in.hint": "Run `paliadin attach` in a terminal, then type /login.",
  "error.dialog_open": "A dialog is open in Claude's terminal.",
  "error.dialog_open.hint": "Run `paliadin attach`, answer it, then ask again.",
  "error.terminal_in_use": "Someone has begun to type in Claude's terminal.",
  "error.terminal_in_use.hint": "Send or clear that text with `paliadin attach`, then ask again.",
  "error.submit_failed": "The question did not reach Claude.",
  "error.submit_failed.hint": "Ask again. If it happens twice, look at the terminal with `paliadin attach`.",
  "error.pane_died": "Claude Code ended in the middle of the answer.",
  "error.pane_died.hint": "It is being started again with the same conversation. Ask again.",
  "error.tmux_unresponsive": "tmux does not respond.",
  "error.tmux_unresponsive.hint": "`paliadin doctor` says what to do.",
  "error.upstream_error": "The model's service reported an error.",
  "error.upstream_error.hint": "Wait a moment and ask again.",
  "error.timeout": "The answer took too long and was stopped.",
  "error.timeout.hint": "Ask again, or ask for less at once.",
  "error.message_too_long": "The question is too long.",
  "error.message_too_long.hint": "Shorten it, or put the text into a file and name the file.",
  "error.turn_in_flight": "Another question is still being answered.",
  "error.turn_in_flight.hint": "Wait for its answer or stop it, then send yours.",
  "error.relay_unreachable": "The machine on which Claude runs cannot be reached.",
  "error.relay_unreachable.hint": "Look at the connection; Paliadin keeps trying.",
  "error.unknown_interrupt": "This has been answered already.",
  "error.unknown_interrupt.hint": "Nothing more to do.",
  "error.database_unavailable": "The database does not answer.",
  "error.database_unavailable.hint": "Questions still work; the record follows once it is back.",
  "error.storage_full": "The disk is full.",
  "error.storage_full.hint": "Make room, then ask again.",
};

/** @type {Record<Key, string>} */
const de = {
  "app.title": "Paliadin",
  "app.new": "Neues Gespräch",
  "app.language": "Deutsch",
  "app.theme.auto": "Darstellung: wie das System",
  "app.theme.light": "Darstellung: hell",
  "app.theme.dark": "Darstellung: dunkel",

  "empty.title": "Was möchten Sie wissen?",
  "empty.text": "Ihr eigenes Claude Code antwortet, mit Ihren Dateien, Skills und Werkzeugen. Sie sehen jeden Schritt.",
  "empty.demo": "Zum Ausprobieren",

  "composer.label": "Ihre Frage",
  "composer.placeholder": "Fragen Sie Ihr Claude …",
  "composer.send": "Senden",
  "composer.stop": "Anhalten (Esc)",
  "composer.hint": "Enter sendet · Umschalt+Enter für eine neue Zeile",
  "composer.busy": "Claude arbeitet noch. Senden Sie danach, oder halten Sie es mit Esc an.",
  "composer.asked": "Claude wartet oben auf Ihre Antwort.",

  "turn.you": "Ihre Frage",
  "turn.answer": "Antwort",
  "turn.stopped": "Angehalten.",
  "turn.origin.terminal": "im Terminal eingegeben",
  "turn.origin.agent": "von Claude selbst begonnen",
  "turn.origin.cli": "auf der Kommandozeile gefragt",
  "turn.origin.widget": "in der Seitenleiste gefragt",
  "turn.origin.api": "über die API gefragt",
  "turn.background.one": "{count} Hintergrundaufgabe läuft noch.",
  "turn.background.other": "{count} Hintergrundaufgaben laufen noch.",
  "turn.retry": "Noch einmal fragen",
  "turn.copy": "Antwort kopieren",
  "copy.done": "Kopiert",
  "copy.failed": "Hier nicht erlaubt",
  "code.copy": "Diesen Code kopieren",
  "code.label": "Code",
  "table.label": "Tabelle",

  "list.label": "Gespräch",
  "list.earlier": "Frühere Fragen zeigen",
  "list.new": "Neues Gespräch",
  "list.bottom": "Zum Ende",
  "list.loading": "Das Gespräch wird geladen …",

  "status.sending": "Wird gesendet",
  "status.sent": "An Claude übergeben",
  "status.thinking": "Denkt nach",
  "status.tool": "Benutzt ein Werkzeug",
  "status.tool.named": "Benutzt {name}",
  "status.answering": "Schreibt",
  "status.waiting": "Wartet auf Ihre Antwort",
  "status.stopping": "Wird angehalten",

  "steps.one": "{count} Schritt",
  "steps.other": "{count} Schritte",
  "steps.failed": "{count} fehlgeschlagen",
  "steps.state.running": "läuft",
  "steps.state.ok": "gelungen",
  "steps.state.failed": "fehlgeschlagen",
  "steps.state.unknown": "kein Ergebnis gesehen",
  "rows.one": "{count} Zeile",
  "rows.other": "{count} Zeilen",

  "ask.permission": "Claude bittet um Erlaubnis",
  "ask.permission.tool": "Claude möchte {tool} benutzen",
  "ask.question": "Claude hat eine Frage",
  "ask.questions": "Claude hat {count} Fragen",
  "ask.allow": "Erlauben",
  "ask.deny": "Ablehnen",
  "ask.allow_session": "Für diese Sitzung erlauben",
  "ask.answer": "Antworten",
  "ask.skip": "Ohne Antwort weiter",
  "ask.other": "Etwas anderes …",
  "ask.other.label": "Ihre eigene Antwort",
  "ask.one": "Eines auswählen",
  "ask.many": "Eines oder mehrere auswählen",
  "ask.sending": "Ihre Antwort wird gesendet …",

  "notice.allowed": "erlaubt",
  "notice.denied": "abgelehnt",
  "notice.none": "keine Antwort",
  "notice.by.page": "im Browser",
  "notice.by.terminal": "im Terminal",
  "notice.by.timeout": "niemand hat rechtzeitig geantwortet",
  "notice.by.cancel": "abgebrochen",

  "chip.list": "Verweise in dieser Antwort",
  "chip.unverified": "Nicht bestätigt: Kein Werkzeug dieser Antwort hat diesen Eintrag geliefert, darum kein Verweis.",
  "chip.seen": "Ein Werkzeug dieser Antwort hat diesen Eintrag geliefert. Für seine Art ist keine Seite eingerichtet.",
  "chip.nowhere": "Dafür ist keine Seite eingerichtet.",
  "chip.mark": "nicht bestätigt",

  "evidence.title": "Belege",
  "evidence.tools": "Ausgeführte Werkzeuge",
  "evidence.claimed": "Claudes eigene Angabe",
  "evidence.none": "keine",
  "evidence.silent": "fehlt",
  "evidence.guessed": "{tag} (aus der Frage erschlossen)",
  "evidence.model": "Modell",
  "evidence.disagrees": "Claudes Angabe weicht ab",
  "evidence.disagrees.text": "Claudes eigene Angabe und das, was wirklich lief, stimmen nicht überein.",
  "evidence.tag": "Art der Antwort",
  "evidence.tag.data": "Daten",
  "evidence.tag.concept": "Erklärung",
  "evidence.tag.navigation": "Navigation",
  "evidence.tag.meta": "über den Assistenten",
  "evidence.tag.other": "anderes",
  "evidence.duration": "Dauer",
  "evidence.first": "erster Text nach {time}",
  "evidence.tokens": "Tokens",
  "evidence.tokens.value": "{input} hinein, {output} heraus, {read} aus dem Cache, {write} in den Cache",
  "evidence.started": "Gefragt",

  "demo.title": "Demo: Das Modell ist ein Skript.",
  "demo.text": "Hier antwortet kein Claude-Modell. Claude Code selbst und seine Werkzeuge sind die echten.",
  "demo.questions": "Beispielfragen",

  "link.lost": "Die Verbindung zu Paliadin ist unterbrochen. Neuer Versuch läuft …",
  "link.retry": "Jetzt versuchen",
  "banner.close": "Schließen",
  "health.part": "{name}: {state}",

  "login.title": "Dieser Browser ist nicht angemeldet",
  "login.text": "Öffnen Sie die Adresse, die `paliadin up` im Terminal ausgegeben hat. Sie enthält Ihr Token und meldet diesen Browser einmalig an.",
  "login.retry": "Noch einmal versuchen",

  "reset.title": "Neues Gespräch beginnen?",
  "reset.text": "Claude arbeitet noch an einer Antwort. Sie wird angehalten. Was bisher gefragt wurde, bleibt erhalten.",
  "reset.confirm": "Anhalten und neu beginnen",
  "reset.cancel": "Weitermachen",

  "live.working": "Claude arbeitet.",
  "live.done": "Antwort: {text}",
  "live.stopped": "Angehalten.",
  "live.failed": "Fehler: {text}",

  "error.unknown": "Etwas ist schiefgegangen.",
  "error.unknown.hint": "Versuchen Sie es noch einmal. `paliadin doctor` sagt, woran es liegt.",
  "error.offline": "Paliadin ist nicht zu erreichen.",
  "error.offline.hint": "Läuft `paliadin up` noch?",
  "error.gone": "Paliadin kennt diese Frage nicht mehr.",
  "error.gone.hint": "Fragen Sie noch einmal.",
  "error.unauthorized": "Dieser Browser ist nicht angemeldet.",
  "error.unauthorized.hint": "Öffnen Sie die Adresse, die `paliadin up` ausgegeben hat.",
  "error.not_logged_in": "Claude Code ist nicht angemeldet.",
  "error.not_logged_in.hint": "Führen Sie im Terminal `paliadin attach` aus und geben Sie /login ein.",
  "error.dialog_open": "In Claudes Terminal ist ein Dialog offen.",
  "error.dialog_open.hint": "Beantworten Sie ihn mit `paliadin attach` und fragen Sie dann noch einmal.",
  "error.terminal_in_use": "In Claudes Terminal hat jemand zu tippen begonnen.",
  "error.terminal_in_use.hint": "Senden oder löschen Sie diesen Text mit `paliadin attach` und fragen Sie dann noch einmal.",
  "error.submit_failed": "Die Frage ist nicht bei Claude angekommen.",
  "error.submit_failed.hint": "Fragen Sie noch einmal. Geschieht es wieder, sehen Sie mit `paliadin attach` ins Terminal.",
  "error.pane_died": "Claude Code hat sich mitten in der Antwort beendet.",
  "error.pane_died.hint": "Es wird mit demselben Gespräch neu gestartet. Fragen Sie noch einmal.",
  "error.tmux_unresponsive": "tmux reagiert nicht.",
  "error.tmux_unresponsive.hint": "`paliadin doctor` sagt, was zu tun ist.",
  "error.upstream_error": "Der Dienst des Modells hat einen Fehler gemeldet.",
  "error.upstream_error.hint": "Warten Sie einen Moment und fragen Sie noch einmal.",
  "error.timeout": "Die Antwort hat zu lange gedauert und wurde angehalten.",
  "error.timeout.hint": "Fragen Sie noch einmal, oder nach weniger auf einmal.",
  "error.message_too_long": "Die Frage ist zu lang.",
  "error.message_too_long.hint": "Kürzen Sie sie, oder legen Sie den Text in eine Datei und nennen Sie diese.",
  "error.turn_in_flight": "Eine andere Frage wird noch beantwortet.",
  "error.turn_in_flight.hint": "Warten Sie die Antwort ab oder halten Sie sie an, dann senden Sie Ihre.",
  "error.relay_unreachable": "Der Rechner, auf dem Claude läuft, ist nicht zu erreichen.",
  "error.relay_unreachable.hint": "Prüfen Sie die Verbindung; Paliadin versucht es weiter.",
  "error.unknown_interrupt": "Das ist schon beantwortet.",
  "error.unknown_interrupt.hint": "Es ist nichts mehr zu tun.",
  "error.database_unavailable": "Die Datenbank antwortet nicht.",
  "error.database_unavailable.hint": "Fragen geht weiterhin; die Aufzeichnung folgt, sobald sie wieder da ist.",
  "error.storage_full": "Der Datenträger ist voll.",
  "error.storage_full.hint": "Schaffen Sie Platz und fragen Sie dann noch einmal.",
};

export const texts = { en, de };

/** @type {Lang[]} */
export const LANGS = ["en", "de"];

/**
 * @param {readonly string[]} wanted languages of the browser, best first
 * @returns {Lang}
 */
export function pickLang(wanted) {
  return wanted.map((tag) => LANGS.find((lang) => tag.toLowerCase().startsWith(lang))).find((lang) => lang) ?? "en";
}

/**
 * @param {Lang} lang
 * @returns {Translate}
 */
export function translator(lang) {
  return (key, values = {}) => texts[lang][key].replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * @template {string} Stem
 * @param {Translate} t
 * @param {`${Stem}.one` extends Key ? Stem : never} stem
 * @param {number} count
 */
export function plural(t, stem, count) {
  return t(/** @type {Key} */ (`${stem}.${count === 1 ? "one" : "other"}`), { count });
}

/**
 * A text that may not exist, such as the one for an error code or a tool's phase that is newer than this page.
 * @param {Translate} t
 * @param {string} key
 */
export function maybe(t, key) {
  return Object.hasOwn(en, key) ? t(/** @type {Key} */ (key)) : "";
}

/**
 * An error in words. In English the server's own words are the more exact ones.
 * @param {Translate} t
 * @param {Lang} lang
 * @param {import("./types.js").Failure} failure
 */
export function explain(t, lang, { code, message, hint }) {
  const own = { title: maybe(t, `error.${code}`), hint: maybe(t, `error.${code}.hint`) };
  const [title, advice] = lang === "en" ? [message || own.title, hint || own.hint] : [own.title || message, own.hint || hint];
  return {
    title: title || t("error.unknown"),
    detail: title === message ? "" : message,
    hint: advice || t("error.unknown.hint"),
  };
}
