from __future__ import annotations

import inspect
import json

import pytest

from paliadin.base import errors
from paliadin.base.errors import PaliadinError

ALL = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, PaliadinError) and kind is not errors.TurnInFlight
]


@pytest.mark.parametrize("kind", ALL)
def test_every_error_makes_a_body_with_code_message_and_hint(kind: type[PaliadinError]) -> None:
    error = kind("the thing failed")
    assert json.loads(json.dumps(error.body())) == {
        "error": {"code": kind.default_code, "message": "the thing failed", "hint": kind.default_hint}
    }
    assert str(error) == "the thing failed"
    assert 400 <= error.status < 600
    assert kind.default_hint.endswith(".")


def test_a_turn_in_flight_names_the_turn() -> None:
    body = errors.TurnInFlight("a turn runs", "t1").body()["error"]
    assert body == {
        "code": "turn_in_flight",
        "message": "a turn runs",
        "hint": errors.TurnInFlight.default_hint,
        "turn_id": "t1",
    }


def test_code_status_and_hint_can_be_set_at_the_raise() -> None:
    error = errors.Forbidden("no", code="wrong_host", status=421, hint="")
    assert (error.code, error.status, error.hint) == ("wrong_host", 421, "")
    assert errors.Forbidden("no").status == 401


def test_the_docstring_draws_every_class_below_its_base() -> None:
    drawn = {
        line.strip("│├└─ ").split()[0]: line.index("─") for line in (errors.__doc__ or "").splitlines() if "─" in line
    }
    for kind in ALL:
        if kind is not PaliadinError and kind is not errors.RelayError:
            assert kind.__name__ in drawn, f"{kind.__name__} is not drawn"
    for kind in ALL:
        base = kind.__base__
        if base in ALL and base is not PaliadinError:
            assert drawn[kind.__name__] > drawn[base.__name__]
