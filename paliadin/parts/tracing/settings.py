"""Whether turns are traced. OpenTelemetry has settings of its own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paliadin.base.settings import Settings


def is_on(settings: Settings) -> bool:  # noqa: ARG001  # OpenTelemetry's own variables say where traces go
    """Tell whether OpenTelemetry's variables name a collector."""
    named = any(os.environ.get(f"OTEL_EXPORTER_OTLP_{name}ENDPOINT") for name in ("TRACES_", ""))
    return named and os.environ.get("OTEL_TRACES_EXPORTER", "otlp") == "otlp"
