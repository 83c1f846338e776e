"""Tokens of the drawer: what they hold, for whom they are valid, and until when."""

from __future__ import annotations

import base64
import json
import time

import pytest

from paliadin.people.embed_tokens import LIFETIME, EmbedGrant, EmbedTokens

NOW = 1_700_000_000
SITE = "https://app.example"
tokens = EmbedTokens()


def test_a_token_is_valid_for_its_origin_and_names_its_person_until_its_lifetime_ends() -> None:
    token = tokens.issue(SITE, "ann", NOW)
    grant = EmbedGrant(SITE, "ann", NOW + LIFETIME)
    assert tokens.verify(token, SITE, NOW) == grant
    assert tokens.verify(token, SITE, NOW + LIFETIME - 1) == grant
    assert tokens.verify(token, SITE, NOW + LIFETIME) is None


def test_without_a_time_the_clock_counts() -> None:
    grant = tokens.verify(tokens.issue(SITE, "ann"), SITE)
    assert grant is not None
    assert LIFETIME - 5 <= grant.expires - time.time() <= LIFETIME
    assert tokens.verify(tokens.issue(SITE, "ann", NOW), SITE) is None


@pytest.mark.parametrize("origin", ["http://app.example", "https://app.example:8443", "https://other.example", ""])
def test_on_another_origin_a_token_is_worth_nothing(origin: str) -> None:
    assert tokens.verify(tokens.issue(SITE, "ann", NOW), origin, NOW) is None


def test_a_token_of_another_daemon_or_of_an_earlier_start_is_refused() -> None:
    other = EmbedTokens()
    assert other.verify(tokens.issue(SITE, "ann", NOW), SITE, NOW) is None
    assert other.issue(SITE, "ann", NOW) != tokens.issue(SITE, "ann", NOW)


def test_changed_contents_are_refused() -> None:
    contents, _, signature = tokens.issue(SITE, "ann", NOW).partition(".")
    assert json.loads(base64.urlsafe_b64decode(contents)) == [SITE, "ann", NOW + LIFETIME]
    forged = base64.urlsafe_b64encode(json.dumps([SITE, "owner", NOW + LIFETIME]).encode()).decode()
    assert tokens.verify(f"{forged}.{signature}", SITE, NOW) is None


@pytest.mark.parametrize("token", ["", ".", "x", "x.", ".x", "x.y", "x.y.z", "é.é", "\udce9.\udce9", "a" * 100_000])
def test_any_text_may_be_verified(token: str) -> None:
    assert tokens.verify(token, SITE, NOW) is None


def test_a_person_may_have_any_characters() -> None:
    person = "Änn 🦊 Ω.\"'"
    grant = tokens.verify(tokens.issue(SITE, person, NOW), SITE, NOW)
    assert grant is not None
    assert grant.person == person
