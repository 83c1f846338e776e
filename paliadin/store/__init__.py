"""Where the turns' rows are kept: Postgres, a named server or an embedded one."""

from paliadin.store.embedded import EmbeddedPostgres
from paliadin.store.store import Store

__all__ = ["EmbeddedPostgres", "Store"]
