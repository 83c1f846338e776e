"""Find what names one thing in a text: ids, file numbers, lines of files; and legal sources, which name none. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

AT_SIGN = "@"  # of a mail address
_NOT_INSIDE = r"(?<![\w./:@+-])"
_NOT_FOLLOWED = r"(?![\w@]|[./:-]\w)"

_ID = re.compile(
    _NOT_INSIDE
    + r"(?:"
    + "|".join(
        (
            r"\+\d{1,3}[ /-](?:\(0\))?\(?\d{2,5}\)?(?:[ /-]?\d{1,7}){1,5}",  # a telephone's
            r"0\d{2,5}[ /-]\d{2,5}(?:[ -]\d{2,5}){0,2}",
            r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}",  # a mail address
            r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
            r"(?=[0-9a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{6,40}",  # of a commit
            r"\#\d{1,7}",
            r"\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?",  # of a machine, with a port
            r"v?\d{1,4}(?:\.\d{1,6}){2,3}(?:-[\w.]{1,20})?",  # a version
            r"\d{2,3}/\d{3}/\d{4,6}|(?:19|20)\d\d/\d{5,9}|\d{16,40}",  # a tax number's, an application's, a parcel's
            r"(?=\d{1,3}[A-Za-z]{1,8}\d)[A-Z0-9]{4,24}|(?=\d{1,3}[a-f]{1,8}\d)[a-f0-9]{4,24}",
            r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?",  # of a bank account
            r"(?:EP|WO|DE|US|GB|FR|PCT)[ /]?(?:EP)?\d{1,4}[\d /,.]{3,18}\d(?: ?[ABCTU]\d?)?",  # of a patent
            r"\d{1,3}[a-z]? (?:HK O|[A-Z]{1,3}|[A-Z][a-z]{1,3})(?: \([A-Za-z]{2,8}\))? \d{1,6}/\d{2,4}",
            r"[IVX]{1,5}(?:a|b)? [A-Z]{1,3}[a-z]?(?: \([A-Za-z]{1,8}\))? \d{1,6}/\d{2,4}",  # of a court
            r"[TGJDRC][ -]\d{1,4}/\d{2,4}(?:-\d\.\d\.\d{1,2})?",
            r"[A-Za-zÄÖÜäöüß]{1,24}(?:[._/-][A-Za-zÄÖÜäöüß]{1,12}){0,3}[._/-]?\d[\w]*(?:[._/:-][\w]+){0,5}",
            r"\d{1,12}(?:[_/-][A-Za-z0-9ÄÖÜäöü]{1,12}){1,4}",
        )
    )
    + r")"
    + _NOT_FOLLOWED
)
_NO_ID = re.compile(
    r"(?:utf|iso|sha|md|cp|gpt|covid|http|https|tcp|udp|ipv|base|int|uint|float|rgb|windows|python|node|oauth|rfc|"
    r"din|en|"
    r"kw|co|mp|web|es|arm|amd|win|mac)[-_ /]?\d{1,4}(?:\.\d{1,2})?\w?|"
    r"[hvqabxcltpsrg][-_ /]?\d{1,2}(?:\.\d{1,2})?\w?|[hvqabxcltpsrg]\d{3}|"
    r"(?:day|priority|phase|tier|level|part|step|stage)-\d|"
    r"\d{1,4}-(?:monats|wochen|tages|jahres|stunden|tage|minuten)(?:-[a-zäöü]{2,20})?|"
    r"\d{1,4}-(?:tägig|monatig|jährig|stündig|fach|mal|stellig|seitig|day|month|week|year|hour|minute|second|"
    r"sekund|page|bit|fold|line|step|point|item|part|"
    r"stufig|köpfig)\w{0,4}|(?!(?:19|20)\d\d-\d\d\d)\d{1,4}[-–/]\d{1,3}|24/7|[a-zäöü]\d{1,2}|\d{1,2}er|"
    r"\d{1,3}(?:st|nd|rd|th|[a-z])|[\d_]+|\d+(?:ms|s|min|h|d|kb|mb|gb|px|km|kg|cm|mm|m|x|k|pt|em)",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3}){2,4}")
_IS_ID_NUMBER = re.compile(r"\d{1,7}/(?:(?:19|20)?\d\d)")
_AFTER_A_LABEL = re.compile(
    r"(?:\b(?:az|aktenzeichen|akte|file|case|ref|nr|no|nummer|number|id|docket|vorgang|ticket|issue|rechnung|"
    r"invoice|mandat|matter|bestellung|order|zeichen)\b[.:]?[ *]{0,3})\Z",
    re.IGNORECASE,
)

_LEGAL = re.compile(
    r"(?:§§?|\b(?:Art(?:icles?|ikeln?|s)?|Rules?|Regeln?|RoP|R(?=\.)|Reg(?:ulation)?|Verordnung|Richtlinie|"
    r"Directive|Guidelines?)\b)\.?"
    r"[ \u00a0]?(?:\((?:EU|EG|EC|EEC|EWG)\)[ \u00a0]?(?:Nr\.|No\.?)?[ \u00a0]?)?"
    r"\d[\d./]*[a-z]?(?:\(\w{1,3}\))*"
    r"(?:(?:[ \u00a0]?(?:,|;|und|and|or|oder|bis|to|-|–|i\.V\.m\.|Abs\.|Satz|Nr\.|S\.|lit\.|para\.?|paragraph|"
    r"paragraphs|ff?\.?|sentence|§§?|Art\.|Rule|R\.)[ \u00a0]?)\d{0,6}[\d./]{0,6}[a-z]?(?:\(\w{1,3}\))*){0,6}"
    r"(?:[ \u00a0](?:Abs|Satz|S|Nr|lit)\.? ?\w{1,4}\.?){0,3}"
)
_LAW_OF_A_YEAR = re.compile(
    r"\bG \d{1,2}/\d{2}\b|"
    r"\b[A-ZÄÖÜ][\w.-]{1,30}(?:gesetz|ordnung|G|GB|PO|Act|Convention|Code|Übereinkommen|Rules|EPC|"
    r"EPÜ)(?:[ -](?:of|von|vom))?[ -](?:(?:19|20)\d\d)\b"
    r"|\((?:EU|EG|EC)\)[ \u00a0](?:Nr\.[ \u00a0]|No\.?[ \u00a0])?\d{1,4}/\d{1,4}|\b(?:EPC|EPÜ|ZPO|RoP|GDPR|DSGVO|"
    r"UPCA|ISO|DIN|RFC|IEC)[ \u00a0-]?\d{1,5}(?:[-:]\d{1,4})?\b|"
    r"\b\d{2,4}/\d{1,4}/(?:EU|EG|EC|EWG|EEC)\b"
)

_PATH = (
    r"(?:[\w.~@+-]{0,80}[/\\]){0,20}[\w@+-][\w.@+-]{0,80}\.[A-Za-z]\w{0,9}"
    r"|(?:[\w.~@+-]{0,80}/){1,20}[\w.@+-]{1,80}|Makefile|Dockerfile"
)
_NAMES_A_LINE = re.compile(r":\d|[Ll]ine|Zeile|#L|Z\.")
_FILE = re.compile(r"(?:[\w.~@+-]{0,80}[/\\]){0,20}[\w@+-][\w.@+-]{0,80}\.[A-Za-z][A-Za-z0-9]{0,5}")
_PATH_LINE = re.compile(rf"(?<![\w/])(?P<path>{_PATH}):(?P<first>\d{{1,7}})(?:[-–](?P<last>\d{{1,7}}))?(?![\w])")
_PATH_THEN_LINE = re.compile(
    rf"(?<![\w/])(?P<path>{_PATH})[,)]? ?\(?(?:\#L|in )?(?:Zeilen?|lines?|L|"
    rf"Z\.)[ \u00a0]?(?P<first>\d{{1,7}})(?:(?: ?[-–] ?| bis | to )(?P<last>\d{{1,7}}))?(?![\w.])"
)
_LINE_THEN_PATH = re.compile(
    rf"\b(?:Zeilen?|[Ll]ines?|Z\.)[ \u00a0](?P<first>\d{{1,7}})(?:(?: ?[-–] ?| bis |"
    rf" to )(?P<last>\d{{1,7}}))? (?:in|of|von|der Datei|aus|from)(?: der Datei| the file)? (?P<path>{_PATH})"
)


def find_ids(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the ids and file numbers of a text."""
    for match in _ID.finditer(text):
        start, end = match.span()
        token = match[0].rstrip(".:/-")
        end -= len(match[0]) - len(token)
        labelled = _AFTER_A_LABEL.search(text, max(start - 24, 0), start) is not None
        if _NO_ID.fullmatch(token) and not labelled and not token.startswith("#"):
            continue
        if token.replace("/", "").isdigit() and not labelled and not _is_of_a_year(token):
            continue
        if _THOUSANDS.fullmatch(token):
            continue
        if AT_SIGN in token or any(letter.isdigit() for letter in token):
            yield start, end


def _is_of_a_year(token: str) -> bool:
    return bool(_IS_ID_NUMBER.fullmatch(token)) and len(token.rsplit("/", 1)[1]) == 4


def find_legal_sources(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of references to laws and rules: their numbers are nobody's data."""
    for pattern in (_LEGAL, _LAW_OF_A_YEAR):
        for match in pattern.finditer(text):
            yield match.span()


def find_file_lines(text: str) -> Iterator[tuple[int, int, str, int, int]]:
    """Yield (start, end, path, first line, last line) of the places in files that a text names."""
    for pattern in (_PATH_LINE, _PATH_THEN_LINE, _LINE_THEN_PATH) if _NAMES_A_LINE.search(text) else ():
        for match in pattern.finditer(text):
            first = int(match["first"])
            yield match.start(), match.end(), match["path"], first, int(match["last"] or first)


def is_file_name(text: str) -> bool:
    """True if a text is a file's name or path, with an ending."""
    return _FILE.fullmatch(text.strip()) is not None
