"""One map over many processes: items go out, values come back, a worker that dies costs time and nothing else."""

from borel.compute.cluster import cluster_address
from borel.compute.pool import Outcome, WorkerError, available_cores, run

__all__ = ["Outcome", "WorkerError", "available_cores", "cluster_address", "run"]
