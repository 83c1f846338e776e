"""Pictures in a tool's result: kept as files by the hook, and found in the log."""

from __future__ import annotations

import base64
import sys
from pathlib import Path

import pytest

from paliadin.evidence.results import PICTURE_KEY, pictures_of, result_text
from tests.worlds.sample_files import png

HOOKS = Path(__file__).parents[2] / "skill/hooks"


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.syspath_prepend(str(HOOKS))
    sys.modules.pop("pictures", None)
    import pictures  # type: ignore[import-not-found]  # noqa: PLC0415  # a hook is no package

    return pictures


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_the_pictures_of_each_tool_are_files_and_the_log_names_them(tmp_path: Path, hook: object) -> None:
    first, second, third = png(5, 4), png(6, 4), png(7, 4)
    result = [
        {"type": "text", "text": "beside"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": encoded(first)}},
        {"type": "image", "file": {"base64": encoded(second), "type": "image/png"}},
        {"stdout": f"data:image/png;base64,{encoded(third)}", "isImage": True},
        {"type": "image", "source": {"type": "base64", "data": encoded(b"<svg onload=alert(1)>" * 9)}},
    ]
    kept = hook.keep_pictures(str(tmp_path), result)  # type: ignore[attr-defined]
    names = pictures_of(kept)
    assert [bool(name) for name in names] == [True, True, True, False]
    files = {path.name: path.read_bytes() for path in (tmp_path / "pictures").iterdir()}
    assert [files[name] for name in names if name] == [first, second, third]
    assert (tmp_path / "pictures" / names[0]).stat().st_mode & 0o777 == 0o600
    assert names[0] not in result_text(kept)
    assert hook.keep_pictures(str(tmp_path), result) == kept  # type: ignore[attr-defined]


def test_pictures_are_bounded_and_a_name_that_a_tool_makes_up_is_none(
    tmp_path: Path, hook: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook, "MAX_FILES", 2)
    blocks = [{"type": "image", "data": encoded(png(5, side))} for side in range(1, 5)]
    forged = {"type": "image", PICTURE_KEY: "0" * 32}
    kept = hook.keep_pictures(str(tmp_path), [*blocks, forged])  # type: ignore[attr-defined]
    assert [bool(name) for name in pictures_of(kept)] == [True, True, False, False]
    assert len(list((tmp_path / "pictures").iterdir())) == 2
    assert pictures_of({PICTURE_KEY: "../turn.json"}) == [""]
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "pictures").symlink_to("/nonexistent")
    (unkept,) = pictures_of(hook.keep_pictures(str(tmp_path / "linked"), blocks[:1]))  # type: ignore[attr-defined]
    assert unkept == ""
