"""Find out where Claude Code's requests go without the pass-through, from the settings that it reads.

The base URL and the proxy come from the owner's managed settings, their own settings.json, or the environment, in
this order, as Claude Code itself ranks them (measured with 2.1.197 and 2.1.330). A project's .claude has no say.
"""

from __future__ import annotations

import json
import re
import ssl
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

API = "https://api.anthropic.com"
PLATFORMS = {
    "CLAUDE_CODE_USE_BEDROCK": "Amazon Bedrock",
    "CLAUDE_CODE_USE_VERTEX": "Google Vertex AI",
    "CLAUDE_CODE_USE_FOUNDRY": "Microsoft Foundry",
    "CLAUDE_CODE_USE_ANTHROPIC_AWS": "Claude on AWS",
    "CLAUDE_CODE_USE_MANTLE": "Amazon Bedrock (Mantle)",
}
# An item of NO_PROXY: an IPv6 address, the same in brackets, or a name; behind the last two a port.
_EXCLUDED = re.compile(r"(?:([0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*)|(?:\[([0-9a-f:.]+)\]|([^:\[\]]+))(?::(\d+))?)")
LOOPBACK = "127.0.0.1"


class NotPossible(Exception):
    """Claude's requests cannot go through here; the message is a part of a sentence, for the owner."""


@dataclass(frozen=True)
class Upstream:
    """The API as the owner has set it up. `proxy` is the address of the proxy to it, if there is one."""

    scheme: str
    host: str
    port: int
    path: str  # what stands before `/v1/…`; without a final slash
    proxy: SplitResult | None = None
    extra_ca: str | None = None  # a file with certificates (NODE_EXTRA_CA_CERTS)
    ca_file: str | None = None  # the same, in place of the machine's (SSL_CERT_FILE)
    claude: Mapping[str, str] = field(default_factory=dict)  # variables for Claude, besides its base URL

    @property
    def authority(self) -> str:
        """Return host and port as a Host header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == {"http": 80, "https": 443}[self.scheme] else f"{host}:{self.port}"


def claude_variables(environ: Mapping[str, str], *, with_settings: bool) -> tuple[dict[str, str], dict[str, str]]:
    """Return (the variables as Claude sees them, those that managed settings fix).

    `with_settings`: whether Claude reads the owner's settings.json; for somebody else it does not.
    """
    folder = Path(environ.get("CLAUDE_CONFIG_DIR") or Path(environ.get("HOME", "/")) / ".claude")
    own = _env_of(folder / "settings.json") if with_settings else {}
    managed: dict[str, str] = {}
    for path in _managed_files():
        managed |= _env_of(path)
    return {**environ, **own, **managed}, managed


def _managed_files() -> list[Path]:
    mac = sys.platform == "darwin"
    root = Path("/Library/Application Support/ClaudeCode" if mac else "/etc/claude-code")
    return [root / "managed-settings.json", *sorted((root / "managed-settings.d").glob("*.json"))]


def _env_of(path: Path) -> dict[str, str]:
    """Return the variables that a settings file sets; none if there is no such file, or it cannot be read."""
    try:
        settings = json.loads(path.read_text("utf-8")) if path.is_file() else None
    except (OSError, ValueError, RecursionError):
        return {}
    env: Any = settings.get("env") if isinstance(settings, dict) else None
    if not isinstance(env, dict):
        return {}
    return {key: value if isinstance(value, str) else json.dumps(value) for key, value in env.items()}


def choose_upstream(variables: Mapping[str, str], managed: Mapping[str, str]) -> Upstream:
    """Decide where requests go; raises NotPossible. `variables` and `managed` are those of `claude_variables`."""
    for name, platform in PLATFORMS.items():
        if variables.get(name, "").strip().lower() not in ("", "0", "false", "no", "off"):
            raise NotPossible(f"Claude Code is set up for {platform} ({name})")
    if "ANTHROPIC_BASE_URL" in managed:
        raise NotPossible("managed settings fix ANTHROPIC_BASE_URL")
    if variables.get("ANTHROPIC_UNIX_SOCKET"):
        raise NotPossible("Claude Code is set up for a Unix socket (ANTHROPIC_UNIX_SOCKET)")
    address = variables.get("ANTHROPIC_BASE_URL") or API
    url = _parse(address, "ANTHROPIC_BASE_URL")
    if url.query or url.fragment or url.username is not None:
        raise NotPossible("ANTHROPIC_BASE_URL holds more than a host and a path")
    port = url.port or {"http": 80, "https": 443}[url.scheme]
    host = url.hostname or ""
    proxy = _proxy(variables, host, port)
    excluded = variables.get("no_proxy") or variables.get("NO_PROXY") or ""
    claude = {"NO_PROXY": ",".join(filter(None, [excluded, LOOPBACK])), "CLAUDE_CODE_GATEWAY_HINT_HEADERS": "1"}
    if "no_proxy" in variables:
        claude["no_proxy"] = claude["NO_PROXY"]
    if host == "api.anthropic.com" and "ENABLE_TOOL_SEARCH" not in variables:
        claude["ENABLE_TOOL_SEARCH"] = "true"  # another base URL would switch it off
    return Upstream(
        scheme=url.scheme,
        host=host,
        port=port,
        path=url.path.rstrip("/"),
        proxy=proxy,
        extra_ca=variables.get("NODE_EXTRA_CA_CERTS") or None,
        ca_file=variables.get("SSL_CERT_FILE") or None,
        claude=claude,
    )


def _parse(address: str, name: str) -> SplitResult:
    try:
        url = urlsplit(address)
        valid = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        valid = False
    if not valid or any(ord(char) < 33 or ord(char) > 126 for char in address):
        raise NotPossible(f"{name} is no http or https address")
    return url


def _proxy(variables: Mapping[str, str], host: str, port: int) -> SplitResult | None:
    """Return the proxy for this address, by the names that Claude Code looks for, in its order, for both schemes."""
    names = ("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY")
    name = next((name for name in names if variables.get(name)), None)
    if name is None or _is_excluded(variables.get("no_proxy") or variables.get("NO_PROXY") or "", host, port):
        return None
    url = _parse(variables[name], name)
    if url.scheme != "http":
        raise NotPossible(f"{name} names a proxy that is itself reached over TLS")
    return url


def _is_excluded(no_proxy: str, host: str, port: int) -> bool:
    for item in re.split(r"[,\s]+", no_proxy.lower()):
        match = _EXCLUDED.fullmatch(item)
        if match is None:
            continue
        name, number = match[1] or match[2] or match[3], match[4]
        domain = name.removeprefix("*").removeprefix(".")
        is_host = domain != "" and (host.lower() == domain or host.lower().endswith(f".{domain}"))
        if item == "*" or (is_host and number in (None, str(port))):
            return True
    return False


def tls_context(upstream: Upstream) -> ssl.SSLContext | None:
    """Build the context for a connection to the API; None without TLS. Raises NotPossible for bad certificates."""
    if upstream.scheme != "https":
        return None
    try:
        context = ssl.create_default_context(cafile=upstream.ca_file)
        if upstream.extra_ca:
            context.load_verify_locations(cafile=upstream.extra_ca)
    except (OSError, ssl.SSLError) as error:
        files = "SSL_CERT_FILE or NODE_EXTRA_CA_CERTS"
        raise NotPossible(f"the certificates in {files} cannot be read: {error}") from error
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # Python 3.13 sets it; Claude Code takes a company's odd ones
    context.set_alpn_protocols(["http/1.1"])
    return context
