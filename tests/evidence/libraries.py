"""Two libraries that check a text against a context without a model, as engines that can be scored.

They know neither calls nor turns nor chips. Each gets, as its context, what the case's answer may rest on: the results
of the calls that did not fail (JSON in them opened, which helps them), the question, the page's context. What they
find unsupported counts wherever its text stands in the answer. Kinds that only they have (names in running text, what
follows "according to") are left out: nobody is asked to check those here, and they would count as false alarms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import corroborate
import reshimu_shor

from tests.evidence.model import Case
from tests.evidence.score import Judged
from tests.evidence.texts import supporting_texts


class Corroborate:
    """`corroborate`: numbers, dates and quotations, by value. It reports the texts of what it did not find only."""

    name = "corroborate"

    def claims(self, case: Case) -> tuple[Judged, ...]:
        """Return what it extracts, as found or unsupported."""
        chunks = list(supporting_texts(case))
        report = corroborate.check_answer(case.question, chunks, case.answer)
        unsupported = {(_CODES[one.code], span) for one in report.findings for span in one.spans}
        extracted = set(unsupported)
        extracted |= {("number", raw) for raw, _ in corroborate._extract_numbers(case.answer)}
        extracted |= {("date", day.raw) for day in corroborate._extract_dates(case.answer)}
        extracted |= {("quotation", quote) for quote in corroborate._extract_quotes(case.answer)}
        years = {raw for kind, raw in extracted if kind == "date"}
        return tuple(
            Judged(start, end, kind, "unsupported" if (kind, raw) in unsupported else "found")
            for kind, raw in sorted(extracted)
            if not (kind == "number" and raw in years)
            for start, end in _places(raw, case.answer)
        )

    def holds(self, case: Case, chip_id: str) -> bool | None:
        """It knows no ids."""
        return None


class Shor:
    """`reshimu-shor`: seven kinds of things, by text; of them the five that a check of answers is asked for."""

    name = "reshimu-shor"

    def claims(self, case: Case) -> tuple[Judged, ...]:
        """Return what it extracts, as found or unsupported."""
        result = reshimu_shor.classify(case.answer, "\n".join(supporting_texts(case)), entity_types=list(_SHOR_KINDS))
        return tuple(
            Judged(start, end, _SHOR_KINDS[entity.type], "found" if entity.found else "unsupported")
            for entity in result.entities
            for start, end in _places(entity.text, case.answer)
        )

    def holds(self, case: Case, chip_id: str) -> bool | None:
        """It knows no ids."""
        return None


_CODES = {"FG001": "number", "FG002": "date", "FG003": "quotation"}
_SHOR_KINDS = {"number": "number", "date": "date", "quoted_string": "quotation", "identifier": "id", "url": "name"}


def _places(text: str, answer: str) -> Iterator[tuple[int, int]]:
    """Where a text stands in the answer; not in the middle of a word or a number, if it stands elsewhere."""
    anywhere = [match.span() for match in re.finditer(re.escape(text), answer)]
    alone = [match.span() for match in re.finditer(r"(?<![\w.,])" + re.escape(text) + r"(?!\w|[.,]\d)", answer)]
    yield from _or(alone, anywhere)


def _or(first: Iterable[tuple[int, int]], second: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    return list(first) or list(second)


ENGINES = (Corroborate(), Shor())
