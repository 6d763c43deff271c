"""Bidding systems as text: a language of rules that chooses a call, explains it, and says which hands it allows."""

from borel.systems.errors import SystemFileError
from borel.systems.loader import load_system, system_names
from borel.systems.position import Position, Situation
from borel.systems.system import System

__all__ = ["Position", "Situation", "System", "SystemFileError", "load_system", "system_names"]
