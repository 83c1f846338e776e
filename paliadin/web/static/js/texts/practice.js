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
  "suggestion.list": "Suggestions",
  "suggestion.kind.deadline": "Suggested deadline",
  "suggestion.kind.appointment": "Suggested appointment",
  "suggestion.kind.note": "Suggested note",
  "suggestion.state.pending": "waits for approval",
  "suggestion.state.approved": "approved",
  "suggestion.state.rejected": "rejected",
  "suggestion.approve": "Approve",
  "suggestion.reject": "Reject",
  "suggestion.back": "Back",
  "suggestion.note": "Why? (optional)",
  "suggestion.weekend": "This is a day of the weekend.",
  "suggestion.same": "The project has another one with this title and day.",
  "suggestion.others": "Who leads the project decides on it.",
  "suggestion.second_pair": "Somebody else has to approve it; you may withdraw it.",
  "suggestion.approved": "Approved by {name}, {at}.",
  "suggestion.rejected": "Rejected by {name}, {at}.",
  "suggestion.reason": "Note: {reason}",
  "suggestion.unread": "What was suggested here cannot be shown.",
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
  "suggestion.list": "Vorschläge",
  "suggestion.kind.deadline": "Vorgeschlagene Frist",
  "suggestion.kind.appointment": "Vorgeschlagener Termin",
  "suggestion.kind.note": "Vorgeschlagene Notiz",
  "suggestion.state.pending": "wartet auf Freigabe",
  "suggestion.state.approved": "freigegeben",
  "suggestion.state.rejected": "abgelehnt",
  "suggestion.approve": "Freigeben",
  "suggestion.reject": "Ablehnen",
  "suggestion.back": "Zurück",
  "suggestion.note": "Warum? (muss nicht sein)",
  "suggestion.weekend": "Dieser Tag liegt am Wochenende.",
  "suggestion.same": "In diesem Projekt gibt es schon einen Eintrag mit diesem Titel und Tag.",
  "suggestion.others": "Darüber entscheidet, wer das Projekt leitet.",
  "suggestion.second_pair": "Freigeben muss das jemand anderes; zurückziehen können Sie es.",
  "suggestion.approved": "Freigegeben von {name}, {at}.",
  "suggestion.rejected": "Abgelehnt von {name}, {at}.",
  "suggestion.reason": "Anmerkung: {reason}",
  "suggestion.unread": "Was hier vorgeschlagen wurde, lässt sich nicht anzeigen.",
};

export const practice = { en, de };
