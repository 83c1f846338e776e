"""Sends each ended turn as an OpenTelemetry trace (docs/monitoring.md)."""
