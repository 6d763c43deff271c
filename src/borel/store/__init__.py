"""Where results are kept: SQLite in a file by default, PostgreSQL by URL."""

from borel.store.database import Run, RunInfo, Store, StoreError, default_place

__all__ = ["Run", "RunInfo", "Store", "StoreError", "default_place"]
