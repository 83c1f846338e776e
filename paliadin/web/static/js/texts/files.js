/** The texts of the files in Claude's folder: the list behind `@`, the view of a file, pictures. */
const en = {
  "files.label": "Files in Claude's folder",
  "completion.count.one": "1 suggestion. Enter takes it.",
  "completion.count.other": "{count} suggestions. Up and down to choose, Enter takes one.",
  "files.none": "There are no files in Claude’s folder.",
  "files.none.match": "No file in Claude’s folder matches.",
  "files.ignored": "ignored by git",
  "files.barred.encoding": "Cannot be attached: its name is not in UTF-8",
  "files.barred.control": "Cannot be attached: its name has a line break, a tab or a control character",
  "files.barred.decomposed": "Cannot be attached: letters and accents are apart in its name (NFD). Rename it",
  "files.barred.invisible": "Cannot be attached: its name has characters that cannot be seen",
  "files.barred.number_sign": "Cannot be attached: its name has a #",
  "files.barred.quote": "Cannot be attached: its name has a quotation mark beside blanks or other marks",
  "files.barred.blank": "Cannot be attached: its name ends with a blank",
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
  "files.barred.encoding": "Lässt sich nicht anhängen: Der Name ist nicht in UTF-8",
  "files.barred.control":
    "Lässt sich nicht anhängen: Der Name hat einen Zeilenumbruch, Tabulator oder ein Steuerzeichen",
  "files.barred.decomposed":
    "Lässt sich nicht anhängen: Buchstaben und Akzente sind im Namen getrennt (NFD). Bitte umbenennen",
  "files.barred.invisible": "Lässt sich nicht anhängen: Der Name hat Zeichen, die man nicht sieht",
  "files.barred.number_sign": "Lässt sich nicht anhängen: Der Name hat ein #",
  "files.barred.quote":
    "Lässt sich nicht anhängen: Der Name hat ein Anführungszeichen neben Leer- oder anderen Zeichen",
  "files.barred.blank": "Lässt sich nicht anhängen: Der Name endet mit einem Leerzeichen",
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
