"""The limits of a key's validity: `from` and `expiry-time` of its line in authorized_keys. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from datetime import date, datetime

_DAY, _MINUTE = "%Y-%m-%d", "%Y-%m-%dT%H:%M"
_OPENSSH_FORMATS = {_DAY: "%Y%m%d", _MINUTE: "%Y%m%d%H%M"}


def check_sources(items: Iterable[str]) -> tuple[str, ...]:
    """Return the addresses and networks as OpenSSH takes them; raises ValueError.

    OpenSSH also takes names and patterns, but a name server decides what these mean.
    """
    return tuple(map(_check_source, items))


def _check_source(text: str) -> str:
    try:
        network = ipaddress.ip_network(text.strip())
    except ValueError:
        raise ValueError(f"{text!r} is no address or network, such as 192.0.2.7 or 192.0.2.0/24") from None
    if "%" in text:
        raise ValueError(f"{text!r} names a zone, which OpenSSH does not take")
    return str(network) if "/" in text else str(network.network_address)


def check_expiry(text: str, today: date) -> str:
    """Return a day or time that OpenSSH takes and that is after today; raises ValueError."""
    if _parse_expiry(text)[0].date() <= today:
        raise ValueError(f"{text} is not after today")
    return text


def format_expiry(text: str) -> str:
    """Write a day (2027-06-30) or time (2027-06-30T18:00) as OpenSSH takes it; raises ValueError.

    sshd reads it in the time zone of its machine.
    """
    moment, form = _parse_expiry(text)
    return moment.strftime(_OPENSSH_FORMATS[form])


def _parse_expiry(text: str) -> tuple[datetime, str]:
    for form in _OPENSSH_FORMATS:
        try:
            moment = datetime.strptime(text, form)  # noqa: DTZ007  # a time of the host's
        except ValueError:
            continue
        if text == moment.strftime(form):  # strptime takes 2027-6-1 as well
            return moment, form
    raise ValueError(f"{text!r} is no day or time, such as 2027-06-30 or 2027-06-30T18:00")
