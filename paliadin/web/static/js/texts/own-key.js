/** Texts of a person's own key for the Messages API. */

const en = {
  "own_key.title": "Your own key for {host}",
  "own_key.none":
    "With a key of your own, your questions are at your own expense. It is checked, kept encrypted, and shown to nobody.",
  "own_key.saved":
    "Your questions are asked with your own key, since {since}. It is kept encrypted, and shown to nobody.",
  "own_key.field": "Key",
  "own_key.save": "Check and keep",
  "own_key.replace": "Replace",
  "own_key.remove": "Remove it",
  "own_key.removed": "Your key is removed.",
  "redacted.elsewhere": "Asked in another browser. What was said is kept there alone.",
};

/** @type {typeof en} */
const de = {
  "own_key.title": "Ihr eigener Schlüssel für {host}",
  "own_key.none":
    "Mit einem eigenen Schlüssel gehen Ihre Fragen auf Ihre eigene Rechnung. Er wird geprüft, verschlüsselt aufbewahrt und niemandem gezeigt.",
  "own_key.saved":
    "Ihre Fragen werden seit {since} mit Ihrem eigenen Schlüssel gestellt. Er wird verschlüsselt aufbewahrt und niemandem gezeigt.",
  "own_key.field": "Schlüssel",
  "own_key.save": "Prüfen und aufbewahren",
  "own_key.replace": "Ersetzen",
  "own_key.remove": "Entfernen",
  "own_key.removed": "Ihr Schlüssel ist entfernt.",
  "redacted.elsewhere": "In einem anderen Browser gefragt. Was gesagt wurde, ist nur dort aufbewahrt.",
};

export const ownKey = { en, de };
