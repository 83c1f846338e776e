/** The texts of commands: messages that begin with `/`. */
const en = {
  "command.label": "Commands",
  "command.new": "Begin a new conversation",
  "command.compact": "Shorten what Claude remembers of this conversation to a summary",
  "command.compact.running": "Claude is shortening the conversation …",
  "command.compact.done": "Claude now remembers a summary of what was said.",
  "command.model": "Choose the model",
  "command.mode": "Choose the permission mode",
  "command.rename": "Give this conversation another title",
  "command.rename.hint": "new title",
  "command.rename.how": "Write the new title behind /rename.",
  "command.rename.done": "The title is “{title}” now.",
  "command.print": "Print this conversation",
  "command.export": "Save this conversation as Markdown or JSON",
  "command.export.how": "Write /export md or /export json.",
  "command.export.done": "The conversation is being saved by your browser.",
  "command.as_text": "Send it as text",
};

/** @type {Record<keyof typeof en, string>} */
const de = {
  "command.label": "Befehle",
  "command.new": "Ein neues Gespräch beginnen",
  "command.compact": "Was Claude von diesem Gespräch weiß, zu einer Zusammenfassung kürzen",
  "command.compact.running": "Claude kürzt das Gespräch …",
  "command.compact.done": "Claude kennt nun eine Zusammenfassung dessen, was gesagt wurde.",
  "command.model": "Das Modell wählen",
  "command.mode": "Den Berechtigungsmodus wählen",
  "command.rename": "Diesem Gespräch einen anderen Titel geben",
  "command.rename.hint": "neuer Titel",
  "command.rename.how": "Schreiben Sie den neuen Titel hinter /rename.",
  "command.rename.done": "Der Titel ist nun „{title}“.",
  "command.print": "Dieses Gespräch drucken",
  "command.export": "Dieses Gespräch als Markdown oder JSON sichern",
  "command.export.how": "Schreiben Sie /export md oder /export json.",
  "command.export.done": "Ihr Browser sichert das Gespräch.",
  "command.as_text": "Als Text senden",
};

export const commands = { en, de };
