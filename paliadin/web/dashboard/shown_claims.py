"""An answer's facts as the turn's page shows them, each with its sources. All of it may be hostile text. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from paliadin.base.visible_text import show
from paliadin.evidence.model import HELD, Calculation, Claim, Difference, Source
from paliadin.record.row import TurnRow
from paliadin.reports.claims import STATUSES, checked, differences_of, worst_first
from paliadin.reports.listing import FolderContents
from paliadin.web.dashboard.locale import Locale

MAX_CLAIMS = 500  # shown of an answer
MAX_SOURCES = 5  # shown of a claim


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A place that holds a fact: its name, its words, and the earlier turn that looked it up, if it was one."""

    name: str
    text: str
    turn_id: str | None


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A fact: its words, how it was checked, its sources, and how many more of them there are."""

    text: str
    status: str
    supported: bool
    sources: list[ShownSource]
    more: int


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """All facts of an answer. `sentence`: "" if it was not checked; `claims`: None if only their number is known."""

    sentence: str
    claims: list[ShownClaim] | None
    more: int
    differences: list[str]


def shown_evidence(row: TurnRow, folder: FolderContents | None, locale: Locale) -> ShownEvidence:
    """Put a turn's evidence into words; its folder knows the single facts."""
    known = folder.evidence.claims if folder and folder.evidence else None
    claims, tools = worst_first(known or ()), folder.tools if folder else {}
    return ShownEvidence(
        sentence=_sentence(row.claims, locale),
        claims=None if known is None else [_claim(each, tools, locale) for each in claims[:MAX_CLAIMS]],
        more=max(len(claims) - MAX_CLAIMS, 0),
        differences=[_difference(each, locale) for each in differences_of(row)],
    )


def _sentence(counts: Mapping[str, int] | None, locale: Locale) -> str:
    """Write how many facts there are of each status."""
    if counts is None:
        return ""
    whole = checked(counts)
    if not whole:
        return locale.t("verdict.nothing_to_check")
    parts = [locale.t(f"count.{status}", locale.number(counts[status])) for status in STATUSES if counts.get(status)]
    return locale.t("counted.one" if whole == 1 else "counted", locale.number(whole), ", ".join(parts))


def _claim(claim: Claim, tools: Mapping[str, str], locale: Locale) -> ShownClaim:
    status = _calculation(claim, claim.calculation, locale) if claim.calculation else _status(claim, locale)
    sources = [_source(each, tools, locale) for each in claim.sources[:MAX_SOURCES]]
    more = max(len(claim.sources) - MAX_SOURCES, 0)
    return ShownClaim(show(claim.text), status, claim.status in HELD, sources, more)


def _status(claim: Claim, locale: Locale) -> str:
    return locale.t(f"rule.{claim.rule}" if claim.rule else f"status.{claim.status}")


def _calculation(claim: Claim, calculation: Calculation, locale: Locale) -> str:
    """How the fact was worked out, or what its calculation comes to instead."""
    said = show(calculation.text)
    if claim.status == "differs":
        key = "differs" if calculation.comes_to else "quoted"
        said = locale.t(f"calculation.{key}", said, show(calculation.comes_to), show(claim.text))
    assumed = locale.t("calculation.assumes", show(", ".join(calculation.assumes)))
    return ", ".join([f"{locale.t(f'status.{claim.status}')}: {said}", *([assumed] if calculation.assumes else [])])


def _source(source: Source, tools: Mapping[str, str], locale: Locale) -> ShownSource:
    if source.origin == "call" and source.turn_id:
        name = locale.t("source.earlier")
    else:
        tool = tools.get(source.call or "") if source.origin == "call" else None
        name = locale.tool(tool) if tool else locale.t(f"source.{source.origin}")
    line = "" if source.line is None else f", {locale.t('source.line', locale.number(source.line))}"
    record = f", {locale.t('source.field', show(source.field), show(source.record))}" if source.record else ""
    return ShownSource(show(name) + record + line, show(source.text), source.turn_id)


def _difference(each: Difference, locale: Locale) -> str:
    counts = (each.claimed, each.seen) if each.what == "rows" else ()
    numbers = [locale.rows(each.tool, count or 0) for count in counts]
    return locale.t(f"difference.{each.what}", locale.tool(each.tool), *numbers)
