"""`--cluster`: a command's work is done by the machines of a Ray cluster."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from borel.compute.cluster import CLUSTER

__all__ = ["Cluster", "use_cluster"]

Cluster = Annotated[str, typer.Option(help="Work on a Ray cluster: auto, local or ray://HOST:10001 (extra 'cluster').")]


def use_cluster(address: str) -> None:
    """Let this command's work be done by a Ray cluster."""
    if address:
        os.environ[CLUSTER] = address
