"""The demo's questions through the real Claude Code, asked by the owner and by a member of the practice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from paliadin.demo import office, scene, script
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.people.directory import People
from paliadin.postgres.cluster import locate_cluster
from tests.integration.conftest import make_world
from tests.unit.test_demo_script import NOT_FOUND
from tests.worlds.somebody import Somebody, Visitors
from tests.worlds.world import World, last, text_of

MADE = office.make_office(datetime.now(UTC).date())
OF_OTHERS = office.file_numbers(MADE, office.MEMBER)[1]
HIDDEN = next(each for each in MADE.projects if each.reference == OF_OTHERS)
QUESTIONS = script.questions(*office.file_numbers(MADE, office.MEMBER))
ASKED = [(lang, number) for lang in ("en", "de") for number in range(7)]


@dataclass
class Demo:
    """The demo's parts in a world: its script, its practice, its people."""

    world: World
    owner: Somebody
    member: Somebody


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, claude: Path) -> Iterator[Demo]:
    yield from put_up(tmp_path_factory.mktemp("demo"), claude)


@pytest.fixture(scope="module")
def without_claude(tmp_path_factory: pytest.TempPathFactory, one_claude: Path) -> Iterator[Demo]:
    """The demo as `make demo RELAY=messages` has it."""
    for demo in put_up(tmp_path_factory.mktemp("messages"), one_claude, relay="messages"):
        for who in (demo.owner, demo.member):
            who.agree()
        yield demo


def put_up(folder: Path, claude: Path, relay: str = "terminal") -> Iterator[Demo]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene, "PACE", 0.0)
        scripted = ScriptedApi(script.play, script.MODEL)
        with scripted.running() as url:
            for world in make_world(folder, claude, (scripted, url)):
                world.options |= {"PALIAD": "true", "CHIPS": script.CHIPS}
                if relay == "messages":
                    world.options |= {"RELAY": relay, "API_KEY": "key-of-the-tests", "API_URL": url}
                world.settings.home.mkdir(mode=0o700, parents=True)
                office.let_in(MADE, People(world.settings.home))
                world.start()
                office.insert(MADE, locate_cluster(world.settings.home).conninfo)
                with Visitors(world) as visitors:
                    yield Demo(world, visitors.owner, visitors.at_page(office.MEMBER))


@pytest.mark.first(3)
@pytest.mark.parametrize(("lang", "number"), ASKED)
def test_each_question_is_answered_and_nothing_in_it_is_doubted(demo: Demo, lang: str, number: int) -> None:
    ask(demo, lang, number)


@pytest.mark.first(3)
@pytest.mark.parametrize(("lang", "number"), ASKED)
def test_the_same_over_the_messages_api(without_claude: Demo, lang: str, number: int) -> None:
    ask(without_claude, lang, number)


def ask(demo: Demo, lang: str, number: int) -> None:
    """The owner asks in one language and the member in the other: the scenes are the same."""
    question = QUESTIONS[lang][number]
    for who in (demo.owner, demo.member):
        if (who is demo.owner) != (lang == "de") and number != 5:
            continue
        events = who.follow(who.ask(question))
        answer = text_of(events).strip()
        evidence = last(events, "evidence").data
        doubted = [each["text"] for each in evidence["claims"] if each["status"] in ("unsupported", "unknown")]
        assert doubted == [], answer
        assert evidence["agrees"] is True, evidence["differences"]
        assert evidence["observed_tools"]
        assert all(name.startswith(scene.PREFIX) for name in evidence["observed_tools"])
        if number == 5 and who is demo.member:
            assert answer.endswith(NOT_FOUND[lang])
            assert HIDDEN.label not in answer
        elif number != 1:  # on a weekend nothing may be due this week
            assert NOT_FOUND[lang] not in answer
        chips = [event.data for event in events if event.name == "chip"]
        assert all(chip["href"] for chip in chips)
        assert number != 2 or chips


@pytest.mark.first(1)
def test_an_id_of_somebody_elses_project_is_refused_by_the_tool_and_answered_in_one_sentence(demo: Demo) -> None:
    events = demo.member.follow(demo.member.ask(f"Wie steht es um {HIDDEN.id}?"))
    assert text_of(events).strip().endswith(NOT_FOUND["de"])
    assert HIDDEN.label not in str(events)
    assert last(events, "evidence").data["agrees"] is True
    assert HIDDEN.label in text_of(demo.owner.follow(demo.owner.ask(f"Wie steht es um {HIDDEN.id}?")))
