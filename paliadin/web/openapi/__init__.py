"""The description of the HTTP API for programs, in OpenAPI 3.1: /api/paliadin/openapi.json."""
