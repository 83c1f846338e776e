"""The command `paliadin open`."""

from __future__ import annotations

import asyncio
import time

import click

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.cli.browser import BY_PATH, NO_BROWSER, open_in_browser
from paliadin.cli.client import DaemonClient, ask_daemon, send
from paliadin.cli.echo import echo
from paliadin.cli.failure import Failure

WAIT = 60.0  # seconds for the browser to open the address
POLL_INTERVAL = 0.2  # seconds


@click.command(name="open")
@click.option("--print", "only_print", is_flag=True, help="Print the address, and open no browser.")
@click.option("--by-path", is_flag=True, help="An address for browsers that do not find one at *.localhost (Safari).")
def open(only_print: bool, by_path: bool) -> None:  # noqa: A001  # the command's name
    """Sign a browser in: open the page with a new address, which works once and within an hour.

    The address is printed as well, for a browser that does not open by itself.
    """
    ticket = send("POST", "access/tickets", {})
    address = str(ticket["path_address" if by_path else "address"])
    echo(address)
    if only_print:
        return
    delete_file = open_in_browser(load_daemon_settings().home, address)
    if delete_file is None:
        echo(NO_BROWSER, err=True)
        return
    try:
        ask_daemon(lambda daemon: _wait_until_used(daemon, str(ticket["id"])))
    finally:
        delete_file()


async def _wait_until_used(daemon: DaemonClient, ticket_id: str) -> None:
    deadline = time.monotonic() + WAIT
    while (await daemon.send("GET", f"access/tickets/{ticket_id}"))["valid"]:
        if time.monotonic() > deadline:
            raise Failure("no browser has opened the address", f"Open it yourself: it is still valid. {BY_PATH}")
        await asyncio.sleep(POLL_INTERVAL)
