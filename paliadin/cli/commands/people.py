"""The command group `paliadin people`: who else may come in, by name, to what is theirs."""

from __future__ import annotations

from urllib.parse import quote

import click

from paliadin.base.terminal_text import one_line
from paliadin.cli.client import send
from paliadin.cli.console import local_time, print_table
from paliadin.cli.echo import echo, echo_json
from paliadin.people.caller import Role
from paliadin.people.directory import LANGUAGES


@click.group()
def people() -> None:
    """Let other people in, each to conversations of their own.

    Nobody else sees these but you, in the dashboard. Their Claude has no tools but
    Paliadin's own. Without anybody here, Paliadin is yours alone.

    \b
    paliadin people add ann --name "Ann Example" --office Munich --language de
    paliadin people token ann
    paliadin people list
    """


@people.command()
@click.argument("person_id", metavar="ID")
@click.option("--name", required=True, help="How the person is called, in one line.")
@click.option("--office", default="", help="Where they work.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="That of their page.")
@click.option(
    "--role",
    type=click.Choice([each.value for each in Role]),
    default=Role.MEMBER.value,
    show_default=True,
    help="owner: that is you, and nobody else.",
)
@click.option("--again", is_flag=True, help="It is who had this ID before, with their conversations and projects.")
def add(person_id: str, *, name: str, office: str, language: str, role: str, again: bool) -> None:
    """Let somebody in under an ID: a small letter, then small letters, digits and `-`.

    An application that names this ID for its drawer means the same person.
    """
    body = {"id": person_id, "name": name, "office": office, "language": language, "role": role, "again": again}
    person = send("POST", "people", body)
    if person["role"] == Role.OWNER:
        echo(
            f"You are {one_line(str(person['name']))} now: on the page, and in applications as {person['id']}.",
            err=True,
        )
        return
    echo(
        f"{one_line(str(person['name']))} is let in. Make an address: `paliadin people token {person['id']}`.", err=True
    )


@people.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, as `GET /api/paliadin/people` does.")
def list_(as_json: bool) -> None:
    """List the people, with their browsers that are signed in, their conversations and their last question."""
    response = send("GET", "people")
    if as_json:
        echo_json(response)
        return
    if not response["people"]:
        echo("Nobody is let in but you: `paliadin people add`.", err=True)
        return
    columns = ("id", "name", "office", "language", "role", "browsers", "conversations", "last question")
    rows = [
        [*(str(each.get(field, "")) for field in columns[:-1]), local_time(each.get("last_at")) or "never"]
        for each in response["people"]
    ]
    print_table(columns, rows, spare=("language", "office", "role"))


@people.command()
@click.argument("person_id", metavar="ID")
@click.option("--by-path", is_flag=True, help="An address for browsers that do not find one at *.localhost (Safari).")
def token(person_id: str, by_path: bool) -> None:
    """Print an address that signs one browser of the person's in: it works once, and within an hour."""
    ticket = send("POST", f"people/{quote(person_id, safe='')}/tickets", {})
    echo(ticket["path_address" if by_path else "address"])


@people.command()
@click.argument("person_id", metavar="ID")
@click.option("--delete", is_flag=True, help="Delete their conversations as well.")
def remove(person_id: str, delete: bool) -> None:
    """Let somebody in no longer: their browsers are signed out, their addresses are void, what runs is stopped.

    Their conversations and turns stay on record, where you see them in the dashboard, unless you delete them.
    """
    removed = send("DELETE", f"people/{quote(person_id, safe='')}", **({"delete": "1"} if delete else {}))
    conversations, turns = removed["conversations"], removed["turns"]
    counted = f"{conversations} conversation{'' if conversations == 1 else 's'} of theirs"
    if turns is not None:
        counted += f" with {turns} turn{'' if turns == 1 else 's'}"
    if removed["deleted"]:
        remainder = f"{counted}: deleted."
    elif conversations:
        remainder = (
            f"{counted} stay on record, in the dashboard: `paliadin people add {person_id} --again` gives them back."
        )
    else:
        remainder = "Nothing of theirs stays."
    echo(" ".join([f"{person_id} is let in no longer.", remainder, *removed["stays"]]), err=True)
