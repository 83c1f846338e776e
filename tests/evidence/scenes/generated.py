"""Both languages: large results, made by rule, in which nearly every small number stands somewhere.

A register has 30 to 90 rows. Each row's cells are drawn from the lists below by a die that depends on the scene's \
name only.
The answers' true values are computed from the rows; an invention is the first value near the true one, by the \
offsets of
`NEAR`, that the search for traces (tests/evidence/invention.py) finds nowhere.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
from collections.abc import Callable, Sequence

from tests.evidence.invention import traces
from tests.evidence.model import CallGiven, Language
from tests.evidence.results import bash, mcp, read
from tests.evidence.scene import Scene, cases_of
from tests.evidence.tables import TEXTS, records

HEAD = ("id", "file", "client", "opened", "due", "amount", "state")
CLIENTS = (
    "Kranich AG",
    "Meyer Optik GmbH",
    "Vega Imaging Inc.",
    "Solaris Optics Ltd",
    "Nordlicht GmbH",
    "Stadt Freising",
)
STATES: dict[Language, tuple[str, ...]] = {
    "de": ("offen", "erledigt", "verlängert", "wartet"),
    "en": ("open", "done", "extended", "waiting"),
}
MONTHS = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
NEAR = (2, 3, -2, 5, -3, 7, 11, 13, -5, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59)
START = datetime.date(2025, 9, 1)
Row = tuple[str, str, str, str, str, str, str]


class Die:
    """Numbers that depend on a name only, on every machine and with every Python."""

    def __init__(self, name: str) -> None:
        """`name`: of the scene."""
        self._name, self._rolls = name, 0

    def roll(self, sides: int) -> int:
        """Return a number from 0 to below `sides`."""
        self._rolls += 1
        return int(hashlib.sha256(f"{self._name}/{self._rolls}".encode()).hexdigest(), 16) % sides


@dataclasses.dataclass(frozen=True)
class Register:
    """The rows of one scene, and what can be said of them."""

    language: Language
    rows: tuple[Row, ...]

    def date(self, iso: str, form: int) -> str:
        """A day in one of the language's notations."""
        day = datetime.date.fromisoformat(iso)
        if self.language == "de":
            return (
                f"{day:%d.%m.%Y}",
                f"{day.day}. {MONTHS[day.month - 1]} {day.year}",
                f"{day.day}.{day.month}.{day:%y}",
            )[form % 3]
        return (f"{day.day} {day:%B %Y}", f"{day:%b} {day.day}, {day.year}", iso)[form % 3]

    def amount(self, cents: int, form: int) -> str:
        """An amount of money in one of the language's notations."""
        text = f"{cents / 100:,.2f}"
        if self.language == "de":
            text = text.translate(str.maketrans(",.", ".,"))
            return (f"{text} EUR", f"{text} €")[form % 2]
        return (f"EUR {text}", f"€{text}")[form % 2]


def register(name: str, language: Language) -> Register:
    """Make the rows of a scene."""
    die = Die(name)
    rows: list[Row] = []
    for number in range(30 + die.roll(61)):
        opened = START + datetime.timedelta(days=die.roll(180))
        due = opened + datetime.timedelta(days=30 + die.roll(200))
        file = f"{die.roll(12) + 1} O {die.roll(900) + 20}/{die.roll(3) + 23}"
        cents = (die.roll(9000) + 100) * 100 + die.roll(4) * 25
        identifier = f"AK-{4000 + number * 7 + die.roll(6)}"
        cells = (
            CLIENTS[die.roll(len(CLIENTS))],
            str(opened),
            str(due),
            f"{cents / 100:.2f}",
            STATES[language][die.roll(4)],
        )
        rows.append((identifier, file, *cells))
    return Register(language, tuple(rows))


FORMS: dict[str, tuple[Language, str, str]] = {
    "anzahl": (
        "de",
        "Wie viele Vorgänge sind im Register, und wie viele offen?",
        """Das Register hat {{cnt|<all>|<all+>}} Vorgänge. Davon sind {{cnt|<open>|<open+>}} offen, das sind etwa \
<share> %.

Der zuerst fällige ist **<id>** ({{file|<file>|<file+>}}), nämlich am {{date|<due>|<due+>}}.""",
    ),
    "groesster": (
        "de",
        "Welcher Vorgang ist der teuerste?",
        """Am teuersten ist {{id|<top>|<top+>}} mit **{{amt|<max>|<max+>}}**, Mandant ist <client>. Angelegt wurde er \
am \
{{date|<opened>|<opened+>}}.

Insgesamt stehen {{cnt|<all>|<all+>}} Zeilen in der Tabelle.""",
    ),
    "mandant": (
        "de",
        "Was läuft für <client>?",
        """Für <client> sind {{cnt|<of>|<of+>}} Vorgänge verzeichnet:

- Summe: {{amt|<sum>|<sum+>}}
- der jüngste: `<id>`, angelegt am {{date|<opened>|<opened+>}}
- Aktenzeichen dazu: {{file|<file>|<file+>}}

Soll ich sie einzeln auflisten?""",
    ),
    "count": (
        "en",
        "How many matters are there, and how many are done?",
        """There are {{cnt|<all>|<all+>}} matters in the register; {{cnt|<open>|<open+>}} of them are done, about \
<share>%. The first one to fall due is <id>, on {{date|<due>|<due+>}} ({{file|<file>|<file+>}}).""",
    ),
    "largest": (
        "en",
        "Which matter is the most expensive one?",
        """1. **Largest:** {{id|<top>|<top+>}} ({{amt|<max>|<max+>}}) for <client>
2. **Opened:** {{date|<opened>|<opened+>}}
3. **Rows checked:** {{cnt|<all>|<all+>}}

Do you want the runners-up as well?""",
    ),
    "client": (
        "en",
        "What do we have for <client>?",
        """| | |
|---|---|
| Client | <client> |
| Matters | {{cnt|<of>|<of+>}} |
| Total | {{amt|<sum>|<sum+>}} |
| Latest | <id> of {{date|<opened>|<opened+>}} |
| File | {{file|<file>|<file+>}} |""",
    ),
}
SHAPES = (*TEXTS, "mcp json rows")


def _scene(form: str, shape: str, number: int) -> Scene:
    language, question, text = FORMS[form]
    name = f"register-{form}-{number}"
    made = register(name, language)
    values = _values(made, form, number)
    for key, value in values.items():
        question, text = question.replace(f"<{key}>", value), text.replace(f"<{key}>", value)
    scene = Scene(name, language, shape, question, [_call(made, shape)], text)
    return dataclasses.replace(scene, answer=_with_inventions(scene, made, values, number))


def _values(made: Register, form: str, number: int) -> dict[str, str]:
    wanted = STATES[made.language][0 if made.language == "de" else 1]
    chosen = {"anzahl": _first, "count": _first, "groesster": _largest, "largest": _largest}.get(form, _latest)(
        made, number
    )
    of_client = [row for row in made.rows if row[2] == chosen[2]]
    open_ = sum(row[6] == wanted for row in made.rows)
    total = sum(round(float(row[5]) * 100) for row in of_client)
    return {
        "all": str(len(made.rows)), "open": str(open_), "share": f"{100 * open_ / len(made.rows):.0f}", "id": chosen[0],
        "top": chosen[0], "file": chosen[1], "client": chosen[2], "opened": made.date(chosen[3], number),
        "due": made.date(chosen[4], number), "max": made.amount(round(float(chosen[5]) * 100), number),
        "of": str(len(of_client)), "sum": made.amount(total, number),
    }  # fmt: skip


def _with_inventions(scene: Scene, made: Register, values: dict[str, str], number: int) -> str:
    text = scene.answer
    for key, true in values.items():
        if f"<{key}+>" in text:
            text = text.replace(f"<{key}+>", _invented(scene, made, key, true, number))
    return text


def _invented(scene: Scene, made: Register, key: str, true: str, number: int) -> str:
    kind = {"file": "file", "opened": "date", "due": "date", "max": "amt", "sum": "amt", "top": "id"}.get(key, "cnt")
    for near in NEAR:
        value = _moved(made, key, true, near, number)
        case = next(cases_of(dataclasses.replace(scene, answer=f"{{{{{kind}||{value}}}}}")))
        if not traces(case):
            return value
    raise ValueError(f"{scene.name}: nothing near {true} is free; add offsets to NEAR")


def _moved(made: Register, key: str, true: str, near: int, number: int) -> str:
    row = next(
        (row for row in made.rows if true in (row[0], row[1], made.date(row[3], number), made.date(row[4], number))),
        None,
    )
    if key in ("opened", "due") and row is not None:
        day = datetime.date.fromisoformat(row[3 if key == "opened" else 4]) + datetime.timedelta(days=near)
        return made.date(str(day), number)
    if key in ("max", "sum"):
        cents = int("".join(letter for letter in true if letter.isdigit()))
        return made.amount(cents + near * 900, number)
    if key == "top":
        return f"AK-{int(true[3:]) + near}"
    if key == "file":
        court, _, rest = true.partition(" O ")
        own, _, year = rest.partition("/")
        return f"{court} O {int(own) + near}/{year}"
    return str(max(1, int(true) + near))


def _call(made: Register, shape: str) -> CallGiven:
    if shape == "mcp json rows":
        return mcp("register__list", {"limit": 200}, {"rows": records(HEAD, made.rows), "more": 0})
    text = TEXTS[shape](HEAD, made.rows)
    if shape in ("csv", "markdown table"):
        return read("/home/ada/register." + shape[:3], text)
    return bash("register --all", text)


def _first(made: Register, _number: int) -> Row:
    return min(made.rows, key=lambda row: row[4])


def _largest(made: Register, _number: int) -> Row:
    return max(made.rows, key=lambda row: float(row[5]))


def _latest(made: Register, number: int) -> Row:
    client = CLIENTS[number % len(CLIENTS)]
    return max((row for row in made.rows if row[2] == client), key=lambda row: row[3])


def _all_scenes(forms: Sequence[str], scene: Callable[[str, str, int], Scene]) -> tuple[Scene, ...]:
    return tuple(
        scene(form, SHAPES[(2 * place + turn) % len(SHAPES)], turn)
        for place, form in enumerate(forms)
        for turn in range(4)
    )


SCENES = _all_scenes(tuple(FORMS), _scene)
