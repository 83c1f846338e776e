/** Texts that are shown where there is a practice (PALIADIN_PALIAD). */

const en = {
  "practice.sees": "I see your matters and Paliad’s reference data.",
  "practice.text.member":
    "Claude answers here from the practice’s data, without files or other tools. Others do not see your conversations; only the owner of this Paliadin can.",
  "here.project": "In it",
  "here.deadlines.one": "{count} open deadline",
  "here.deadlines.other": "{count} open deadlines",
  "here.appointments.one": "{count} appointment ahead",
  "here.appointments.other": "{count} appointments ahead",
};

/** @type {typeof en} */
const de = {
  "practice.sees": "Ich sehe Ihre Akten und die Stammdaten von Paliad.",
  "practice.text.member":
    "Claude antwortet hier aus den Daten der Kanzlei, ohne Dateien und andere Werkzeuge. Andere sehen Ihre Gespräche nicht, nur der Besitzer dieses Paliadin.",
  "here.project": "Darin",
  "here.deadlines.one": "{count} offene Frist",
  "here.deadlines.other": "{count} offene Fristen",
  "here.appointments.one": "{count} anstehender Termin",
  "here.appointments.other": "{count} anstehende Termine",
};

export const practice = { en, de };
