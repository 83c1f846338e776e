/** Texts of the page of somebody whom the owner has let in. */

const en = {
  "access.as": "Signed in as {name}",
  "access.member":
    "This browser stays signed in for 30 days. For another browser, ask the owner of this Paliadin for an address.",
  "access.whose": "{name} of {person}",
  "empty.text.member":
    "Claude answers here without tools or files. Others do not see your conversations; only the owner of this Paliadin can.",
  "composer.placeholder.member": "Ask Claude …",
  "login.text.member": "Ask the owner of this Paliadin for a new address, and open it in this browser.",
  "ask.owner.mend": "Tell the owner of this Paliadin: they can mend it.",
  "ask.owner": "Only the owner of this Paliadin may allow this.",
};

/** @type {typeof en} */
const de = {
  "access.as": "Angemeldet als {name}",
  "access.member":
    "Dieser Browser bleibt 30 Tage angemeldet. Für einen weiteren gibt der Besitzer dieses Paliadin eine Adresse.",
  "access.whose": "{name} von {person}",
  "empty.text.member":
    "Claude antwortet hier ohne Werkzeuge und Dateien. Andere sehen Ihre Gespräche nicht, nur der Besitzer dieses Paliadin.",
  "composer.placeholder.member": "Fragen Sie Claude …",
  "login.text.member": "Der Besitzer dieses Paliadin gibt Ihnen eine neue Adresse. Öffnen Sie sie in diesem Browser.",
  "ask.owner.mend": "Sagen Sie es dem Besitzer dieses Paliadin: Er kann das beheben.",
  "ask.owner": "Das darf nur der Besitzer dieses Paliadin erlauben.",
};

export const people = { en, de };
