"""Playing the cards from what one seat can see."""

from borel.cardplay.achievable import AchievableSets
from borel.cardplay.agreements import Agreements
from borel.cardplay.monte_carlo import MonteCarlo

__all__ = ["AchievableSets", "Agreements", "MonteCarlo"]
