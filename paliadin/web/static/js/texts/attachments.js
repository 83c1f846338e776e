/** The texts of attached files. */
const en = {
  "attachments.attach": "Attach files",
  "attachments.attached": "Attached files",
  "attachments.drop": "Drop files to attach them",
  "attachments.remove": "Remove {name}",
  "attachments.sending": "Being sent…",
  "attachments.sending.name": "{name} is being sent",
  "attachments.wait": "The question goes once its files are there.",
  "attachments.many": "A question takes at most {count} files; the others were left out.",
  "attachments.folder": "“{name}” is a folder: attach the files in it.",
  "attachments.refused": "Remove the files that were refused, then send.",
  "attachments.unopened": "Claude did not open this file",
};

/** @type {Record<keyof typeof en, string>} */
const de = {
  "attachments.attach": "Dateien anhängen",
  "attachments.attached": "Angehängte Dateien",
  "attachments.drop": "Dateien zum Anhängen ablegen",
  "attachments.remove": "{name} entfernen",
  "attachments.sending": "Wird gesendet …",
  "attachments.sending.name": "{name} wird gesendet",
  "attachments.wait": "Die Frage geht ab, sobald ihre Dateien da sind.",
  "attachments.many": "Eine Frage nimmt höchstens {count} Dateien mit; die übrigen wurden weggelassen.",
  "attachments.folder": "„{name}“ ist ein Ordner: Hängen Sie die Dateien darin an.",
  "attachments.refused": "Entfernen Sie erst die Dateien, die abgelehnt wurden.",
  "attachments.unopened": "Claude hat diese Datei nicht geöffnet",
};

export const attachments = { en, de };
