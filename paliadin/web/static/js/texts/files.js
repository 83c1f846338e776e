/** The texts of the files in Claude's folder: the list behind `@`, the view of a file, pictures. */
const en = {
  "files.label": "Files in Claude's folder",
  "completion.count.one": "1 suggestion. Enter takes it.",
  "completion.count.other": "{count} suggestions. Up and down to choose, Enter takes one.",
  "files.none": "There are no files in Claude’s folder.",
  "files.none.match": "No file in Claude’s folder matches.",
  "files.ignored": "ignored by git",
  "files.open": "Show this file",
  "files.open.picture": "Show this picture",
  "files.enlarge": "Enlarge {name}",
  "files.loads": "Is being read …",
  "files.content": "Content of {name}",
  "files.earlier": "Earlier lines",
  "files.later": "Later lines",
  "files.left_out": " … {count} more bytes",
  "files.range": "Lines {first} to {last}",
  "files.range_of": "Lines {first} to {last} of {total}",
  "files.no_line": "There is no line {line}: the file has {total} lines.",
  "files.empty": "The file is empty.",
};

/** @type {typeof en} */
const de = {
  "files.label": "Dateien in Claudes Ordner",
  "completion.count.one": "1 Vorschlag. Enter übernimmt ihn.",
  "completion.count.other": "{count} Vorschläge. Auf und ab zum Wählen, Enter übernimmt einen.",
  "files.none": "In Claudes Ordner sind keine Dateien.",
  "files.none.match": "Keine Datei in Claudes Ordner passt dazu.",
  "files.ignored": "von git ignoriert",
  "files.open": "Diese Datei zeigen",
  "files.open.picture": "Dieses Bild zeigen",
  "files.enlarge": "{name} vergrößern",
  "files.loads": "Wird gelesen …",
  "files.content": "Inhalt von {name}",
  "files.earlier": "Frühere Zeilen",
  "files.later": "Spätere Zeilen",
  "files.left_out": " … noch {count} Bytes",
  "files.range": "Zeilen {first} bis {last}",
  "files.range_of": "Zeilen {first} bis {last} von {total}",
  "files.no_line": "Eine Zeile {line} gibt es nicht: Die Datei hat {total} Zeilen.",
  "files.empty": "Die Datei ist leer.",
};

export const files = { en, de };
