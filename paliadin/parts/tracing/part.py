"""Makes the exporter of traces."""

from __future__ import annotations

import importlib
import logging
import os
from collections.abc import Mapping

from paliadin.parts.loading import House, Part

log = logging.getLogger(__name__)

PROTOCOL = "http/protobuf"  # the only one that the extra `otel` installs


def load(house: House) -> Part:
    """Make the exporter, unless a script plays the model. A missing package is logged: no turn needs a trace.

    A worker sends no traces: the daemon that was asked does.
    """
    if house.is_scripted or house.people is None or not _may_send(os.environ):
        return Part()
    try:
        tracing = importlib.import_module("paliadin.parts.tracing.tracing").Tracing()
    except ImportError:
        log.warning("no traces are sent: OpenTelemetry is missing, run `pip install '.[otel]'` in Paliadin's folder")
        return Part()
    return Part(on_end=[tracing.trace_turn], running=[tracing])


def _may_send(environ: Mapping[str, str]) -> bool:
    """Tell whether traces can be sent as OpenTelemetry's variables say; log why not."""
    names = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
    protocol = next((environ[name] for name in names if environ.get(name)), PROTOCOL)
    if protocol != PROTOCOL:
        log.warning("no traces are sent: set OTEL_EXPORTER_OTLP_PROTOCOL to %s, not %s", PROTOCOL, protocol)
        return False
    return True
