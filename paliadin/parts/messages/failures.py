"""Translate the SDK's errors into ours. The API's own words are shown to nobody: they may quote a key or a question."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Iterator

import anthropic
import httpx2

from paliadin.base import errors

log = logging.getLogger(__name__)

KINDS = frozenset(
    {
        *("api_error", "authentication_error", "billing_error", "invalid_request_error", "not_found_error"),
        *("overloaded_error", "permission_error", "rate_limit_error", "request_too_large", "timeout_error"),
    }
)
"""The types of errors that are recognised by their names; others are recognised by their status."""
REQUEST_ID = re.compile(r"req_[A-Za-z0-9]{1,64}")


@contextlib.contextmanager
def translated(*, own_key: bool = False) -> Iterator[None]:
    """Raise a RelayError in place of each error of the SDK and of the connection below it.

    `own_key`: the key is a person's own.
    """
    try:
        yield
    except anthropic.APIStatusError as error:
        raise of_status(error, own_key=own_key) from None
    except anthropic.APITimeoutError:
        raise errors.ApiUnreachable("the API did not answer in time") from None
    except anthropic.APIConnectionError as error:
        if isinstance(error.__cause__, errors.RelayError):  # ours, raised while the SDK read a response
            raise error.__cause__ from None
        raise errors.ApiUnreachable("the API cannot be reached") from None
    except (httpx2.HTTPError, httpx2.StreamError):  # while an answer was being read
        raise errors.StreamBroken("the connection to the model broke off in the middle of the answer") from None
    except (anthropic.AnthropicError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        log.warning("the SDK failed: %s", type(error).__name__)
        raise errors.RelayError("the API sent what is not to be understood", code="upstream_error") from None


def of_status(error: anthropic.APIStatusError, *, own_key: bool = False) -> errors.RelayError:
    """Return our error for one that the API has responded with, or sent in the middle of a stream."""
    status, kind = error.status_code, error.type if isinstance(error.type, str) and error.type in KINDS else ""
    request = error.request_id if REQUEST_ID.fullmatch(error.request_id or "") else "without an id"
    log.warning("the API answered %d %s (request %s)", status, kind or "of no known type", request)
    if kind in {"authentication_error", "permission_error"} or status in {401, 403}:
        if own_key:
            return errors.OwnKeyRefused("the API does not accept your own key")
        return errors.ApiKeyRefused("the API does not accept the key")
    if kind in {"rate_limit_error", "billing_error"} or status in {402, 429}:
        return errors.ApiQuota("what the key may use is used up for now")
    if kind == "overloaded_error" or status in {503, 529}:
        return errors.ApiOverloaded("the model is overloaded")
    if kind == "not_found_error" or status == 404:
        return errors.RelayError(
            "the API does not know the model",
            code="unknown_model",
            hint="PALIADIN_API_MODEL names it; see docs/messages.md.",
        )
    return errors.RelayError(f"the API answered with an error ({kind or status})", code="upstream_error")
