"""The figures of a session's Claude: what is read of its files, what a host tells, and what a page is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paliadin.base.errors import InvalidField
from paliadin.base.settings import load_settings
from paliadin.relays.figures import LONGEST_FOLDER, Figures, StartOptions, check_changes
from paliadin.relays.terminal.figure_files import COSTS, MODE, STATUS, FigureFiles, remove_figures
from paliadin.relays.terminal.start_options import FILE, OptionsFile
from paliadin.turns.model_and_mode import described

HOME = "/home/owner"
REPORT = {
    "session_id": "a",
    "model": {"id": "claude-opus-5", "display_name": "Opus 5"},
    "context_window": {"used_percentage": 12.5},
    "cost": {"total_cost_usd": 0.5},
    "cwd": f"{HOME}/office",
}


class Sessions:
    """A state folder with the session `main`, and what reads its figures."""

    def __init__(self, root: Path, **settings: str) -> None:
        values = {"PALIADIN_HOME": str(root), "PALIADIN_PERMISSION_MODE": "plan", "PALIADIN_MODEL": "sonnet"}
        values |= {"PALIADIN_WORKDIR": str(root)}
        self.settings = load_settings(values | settings)
        self.folder = self.settings.sessions_dir / "main"
        self.folder.mkdir(parents=True)
        self.files = FigureFiles(self.settings, {"HOME": HOME})

    def report(self, run: str = "1", first: float = 0, last: float = 0.5, status: object = REPORT) -> None:
        line = {"run": run, "id": "a", "first": first, "last": last, "status": status}
        (self.folder / STATUS).write_text(json.dumps(line))

    def earlier(self, *spans: object) -> None:
        (self.folder / COSTS).write_text("".join(f"{json.dumps(span)}\n" for span in spans))

    def figures(self) -> Figures:
        return self.files.of(["main"])["main"]


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path)


def span(run: str, first: float, last: float, session: str = "a") -> dict[str, object]:
    return {"run": run, "id": session, "first": first, "last": last}


def test_before_claude_was_ever_started_only_what_it_will_be_started_with_is_known(sessions: Sessions) -> None:
    folder = str(sessions.settings.workdir)
    assert sessions.figures() == Figures(folder=folder, wanted=StartOptions("sonnet", "plan"))


def test_a_report_is_read(sessions: Sessions) -> None:
    sessions.report()
    (sessions.folder / MODE).write_text("acceptEdits")
    figures = sessions.figures()
    assert (figures.model_id, figures.model_name, figures.permission_mode) == ("claude-opus-5", "Opus 5", "acceptEdits")
    assert (figures.folder, figures.context_used, figures.cost) == ("~/office", 12.5, 0.5)
    assert figures.changed_at > 1_700_000_000_000


def test_a_newer_report_replaces_an_older_one(sessions: Sessions) -> None:
    sessions.report()
    sessions.figures()
    (sessions.folder / STATUS).unlink()
    sessions.report(status=REPORT | {"cwd": "/elsewhere"}, last=0.75)
    assert (sessions.figures().folder, sessions.figures().cost) == ("/elsewhere", 0.75)


def test_each_process_and_each_of_its_sessions_is_counted_once_from_where_it_began(sessions: Sessions) -> None:
    sessions.earlier(span("1", 0, 0.25), span("1", 0.25, 1, "b"), span("2", 0.25, 1.25))
    sessions.report(run="3", first=1.25, last=1.5)
    assert sessions.figures().cost == 0.25 + 0.75 + 1 + 0.25


def test_a_stretch_that_two_hooks_have_kept_is_counted_once(sessions: Sessions) -> None:
    sessions.earlier(span("1", 0, 0.25), span("1", 0, 0.5))
    sessions.report(run="1", first=0, last=0.75)
    assert sessions.figures().cost == 0.75


def test_a_session_that_was_left_and_taken_up_again_counts_twice(sessions: Sessions) -> None:
    sessions.earlier(span("1", 0, 0.25), span("1", 0.25, 1, "b"))
    sessions.report(run="1", first=1, last=1.5)
    assert sessions.figures().cost == 1.5


@pytest.mark.parametrize("damaged", ["", "{", "[]", "null", '{"run": 1}', '{"first": "x", "last": []}', "\0" * 100])
def test_damaged_costs_cost_nothing(sessions: Sessions, damaged: str) -> None:
    (sessions.folder / COSTS).write_text(f"{damaged}\n{json.dumps(span('0', 0, 1))}\n")
    sessions.report()
    assert sessions.figures().cost == 1.5


@pytest.mark.parametrize(
    "status",
    [
        "",
        7,
        [],
        {"model": "opus", "context_window": [], "cwd": 7},
        {"model": {"id": 1, "display_name": {}}, "context_window": {"used_percentage": "12"}},
        {"context_window": {"used_percentage": -1}},
        {"context_window": {"used_percentage": True}},
        {"context_window": {"used_percentage": 10**400}},
    ],
)
def test_what_does_not_fit_in_a_report_is_not_known(sessions: Sessions, status: object) -> None:
    sessions.report(status=status)
    figures = sessions.figures()
    assert (figures.model_id, figures.model_name, figures.context_used) == ("", "", None)
    assert figures.folder == str(sessions.settings.workdir)


def test_texts_of_a_report_hide_nothing_and_have_an_end(sessions: Sessions) -> None:
    model = {"id": "a\u202eb\nc", "display_name": "x" * 100_000}
    sessions.report(status={"model": model, "cwd": "/" + "d" * 100_000 + "\u202e"})
    figures = sessions.figures()
    assert figures.model_id == "a⟨U+202E⟩b c"
    assert len(figures.model_name) <= 500
    assert len(figures.folder) < LONGEST_FOLDER + 20
    assert figures.folder.endswith("⟨U+202E⟩")


@pytest.mark.parametrize(
    ("path", "shown"), [(HOME, "~"), (f"{HOME}/a", "~/a"), (f"{HOME}2/a", f"{HOME}2/a"), ("/", "/")]
)
def test_the_home_folder_is_shortened(sessions: Sessions, path: str, shown: str) -> None:
    sessions.report(status={"cwd": path})
    assert sessions.figures().folder == shown


def test_a_mode_that_is_none_is_not_known(sessions: Sessions) -> None:
    (sessions.folder / MODE).write_text("root")
    assert sessions.figures().permission_mode == ""


def test_what_is_no_file_is_not_read(sessions: Sessions) -> None:
    (sessions.folder / STATUS).mkdir()
    (sessions.folder / MODE).symlink_to("/dev/null")
    assert sessions.figures().cost is None


def test_without_a_status_line_nothing_is_known(tmp_path: Path) -> None:
    off = Sessions(tmp_path, PALIADIN_STATUS_LINE="0")
    off.report()
    assert off.files.of(["main"]) == {}


def test_of_a_members_claude_nothing_can_be_chosen_and_no_folder_is_told(sessions: Sessions) -> None:
    (sessions.folder / "member.json").write_text("{}")
    OptionsFile(sessions.folder).choose(StartOptions("opus", "bypassPermissions"))
    assert sessions.figures().wanted == StartOptions("sonnet", "default")
    assert sessions.figures().folder == ""


def test_a_session_that_begins_anew_has_cost_nothing(sessions: Sessions) -> None:
    sessions.earlier(span("0", 0, 1))
    sessions.report()
    (sessions.folder / f"{STATUS}.4711").write_text("what a hook that was killed had begun")
    remove_figures(sessions.folder)
    assert list(sessions.folder.iterdir()) == []
    assert sessions.figures().cost is None


# --- Over the wire. ---


def test_figures_are_the_same_after_a_journey() -> None:
    wanted = StartOptions("opus", "plan")
    figures = Figures("claude-opus-5", "Opus 5", "plan", "~/office", 12.5, 0.5, wanted, pending=True, changed_at=7)
    assert Figures.parse(json.loads(json.dumps(figures.as_json()))) == figures


@pytest.mark.parametrize(
    "value", [None, [], "x", {"cost": float("inf"), "changed_at": True, "pending": 1, "wanted": 7}]
)
def test_what_a_host_tells_wrongly_is_not_known(value: object) -> None:
    assert Figures.parse(value) == Figures()


# --- What is chosen. ---


def test_a_change_names_model_mode_or_both_and_null_is_as_the_settings_say() -> None:
    assert check_changes({"model": "opus[1m]"}) == {"model": "opus[1m]"}
    assert check_changes({"model": None, "permission_mode": "plan"}) == {"model": "", "permission_mode": "plan"}
    assert check_changes({}) == {}
    assert StartOptions("opus", "plan").changed({"permission_mode": None}) == StartOptions("opus", "")


@pytest.mark.parametrize(
    "value",
    [
        None, [], {"title": "x"}, {"model": "--help"}, {"model": "-x"}, {"model": "/model"}, {"model": "a b"},
        {"model": "a\n"}, {"model": "x" * 101}, {"model": 0}, {"model": False}, {"permission_mode": "root"},
        {"permission_mode": 0}, {"permission_mode": ["plan"]}, {"model": "$(id)"},
    ],
)  # fmt: skip
def test_what_cannot_be_chosen_is_refused(value: object) -> None:
    with pytest.raises(InvalidField):
        check_changes(value)


def test_a_choice_is_pending_until_a_claude_has_come_up_with_it(tmp_path: Path) -> None:
    options = OptionsFile(tmp_path / "main")
    assert (options.read(), options.is_pending, options.take_back()) == (StartOptions(), False, False)
    options.choose(StartOptions("opus", ""))
    assert (options.read(), options.is_pending) == (StartOptions("opus", ""), True)
    options.note_applied()
    assert (options.read(), options.is_pending, options.take_back()) == (StartOptions("opus", ""), False, False)


def test_two_choices_without_a_start_between_are_taken_back_together(tmp_path: Path) -> None:
    options = OptionsFile(tmp_path / "main")
    options.choose(StartOptions("opus", ""))
    options.note_applied()
    options.choose(StartOptions("haiku", ""))
    options.choose(StartOptions("haiku", "plan"))
    assert options.take_back()
    assert (options.read(), options.is_pending) == (StartOptions("opus", ""), False)


def test_a_choice_that_is_chosen_back_is_not_pending(tmp_path: Path) -> None:
    options = OptionsFile(tmp_path / "main")
    options.choose(StartOptions("opus", ""))
    options.choose(StartOptions())
    assert not options.is_pending


@pytest.mark.parametrize("damaged", ["", "[]", '{"model": "--help", "permission_mode": "root"}', '{"model": 7}'])
def test_damaged_options_are_as_the_settings_say(tmp_path: Path, damaged: str) -> None:
    (tmp_path / FILE).write_text(damaged)
    assert OptionsFile(tmp_path).read() == StartOptions()


def test_a_branch_begins_with_what_was_chosen(tmp_path: Path) -> None:
    options, branch = OptionsFile(tmp_path / "main"), OptionsFile(tmp_path / "branch")
    (tmp_path / "branch").mkdir()
    options.copy_to(branch)
    assert not branch.path.exists()
    options.choose(StartOptions("opus", "plan"))
    options.copy_to(branch)
    assert (branch.read(), branch.is_pending) == (StartOptions("opus", "plan"), False)


# --- What a page is told. ---


def test_what_was_chosen_counts_at_once_and_a_model_has_its_own_name_only() -> None:
    known = Figures("claude-opus-5", "Opus 5", "default", wanted=StartOptions("haiku", "plan"))
    assert described(known)["model"] == "claude-opus-5"
    pending = Figures("claude-opus-5", "Opus 5", "default", wanted=StartOptions("haiku", "plan"), pending=True)
    shown = described(pending)
    assert (shown["model"], shown["model_name"], shown["permission_mode"]) == ("haiku", None, "plan")
    assert set(described(None).values()) == {None}
