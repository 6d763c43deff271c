"""Borel: an open contract-bridge engine. Values and Laws at the top level; engines in their own modules."""

from borel.auction import ALL_CALLS, DOUBLE, PASS, REDOUBLE, Auction, Call, Contract
from borel.cards import ALL_CARDS, Card, Hand, Rank, Seat, Side, Strain, Suit
from borel.deal import Board, Deal, Vulnerability
from borel.decision import Bidder, Candidate, CardPlayer, Decision, Limit
from borel.errors import BridgeError
from borel.play import Claim, Play, Trick
from borel.scoring import Result, Scoring
from borel.view import BiddingView, PlayView, Systems

__all__ = [
    "ALL_CALLS", "ALL_CARDS", "DOUBLE", "PASS", "REDOUBLE",
    "Auction", "Bidder", "BiddingView", "Board", "BridgeError", "Call", "Candidate", "Card", "CardPlayer", "Claim",
    "Contract", "Deal", "Decision", "Hand", "Limit", "Play", "PlayView", "Rank", "Result", "Scoring", "Seat", "Side",
    "Strain", "Suit", "Systems", "Trick", "Vulnerability",
]  # fmt: skip
